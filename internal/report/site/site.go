// Package site makes one static site of the pages in docs, README and CONTRIBUTING, and of the playground: with a list
// of all pages beside each, a search over their sections, and links that are checked when it is made.
//
// The site loads nothing from elsewhere and works from disk. [Build] is the whole of it: pages.go names the pages and
// their order, markdown.go turns one into HTML, and search.go makes the index that site.js searches.
package site

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed page.html
var pageText string

//go:embed site.css
var style []byte

//go:embed site.js
var script []byte

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// Repository is the beginning of the address at which GitHub shows a file of the repository. Links to files that are
// not part of the site lead there.
const Repository = "https://github.com/bnfcheck/bnfcheck/blob/main/"

// A view is the data of the template page.html: one page, and the list of all pages next to it.
type view struct {
	Title string
	Here  string // the file of the page
	Body  template.HTML
	Menu  []menuGroup
	Parts []heading // of the page, of the second level

	Previous, Next *menuEntry // the pages before and after it in the list; nil at its ends

	Playground string // the file of the playground
	Repository string // the address of the source
}

// A menuGroup is a title in the list of pages, with the pages below it.
type menuGroup struct {
	Title string
	Pages []menuEntry
}

// A menuEntry is a page in the list: its name there, and its file on the site.
type menuEntry struct{ Title, File string }

// Build returns the files of the site by their names: HTML pages, images, the style, the script and the index of
// the search. repository is the root of a clone. The playground is not among the files; [PlaygroundFile] is where
// the pages link to it. If pages of docs have no place in the list of pages, the error names them all. If each has
// one, the error lists every link that leads nowhere, and each image with the name of another file of the site. Build
// also fails for a page that cannot be read or has no title.
func Build(repository fs.FS) (map[string][]byte, error) {
	sources, err := readPages(repository)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"site.css": style, "site.js": script}
	// All pages are parsed before the first link is resolved, since a link may lead to a section of any page.
	converted := make([]*page, len(sources))
	for i, s := range sources {
		if converted[i], err = convert(s); err != nil {
			return nil, fmt.Errorf("%s: %w", s.source, err)
		}
	}
	c := &checker{repository: repository, pages: converted, files: files}
	for _, p := range converted {
		c.resolveLinks(p)
	}
	if len(c.broken) > 0 {
		slices.Sort(c.broken)
		return nil, errors.New("links that lead nowhere:\n" + strings.Join(c.broken, "\n"))
	}
	// Only now, with its links changed, is a page turned into HTML.
	menu := menuOf(converted)
	for i, p := range converted {
		var b bytes.Buffer
		v := view{
			Title:      p.title,
			Here:       p.file,
			Body:       template.HTML(p.renderHTML()),
			Menu:       menu,
			Parts:      p.secondLevel(),
			Playground: PlaygroundFile,
			Repository: strings.TrimSuffix(Repository, "/blob/main/"),
		}
		if i > 0 {
			v.Previous = &menuEntry{converted[i-1].label, converted[i-1].file}
		}
		if i+1 < len(converted) {
			v.Next = &menuEntry{converted[i+1].label, converted[i+1].file}
		}
		if err := pageTemplate.Execute(&b, v); err != nil {
			return nil, err
		}
		files[p.file] = b.Bytes()
	}
	if files["search.js"], err = searchIndex(converted); err != nil {
		return nil, err
	}
	return files, nil
}

// Write writes files into a folder, which is made if there is none. It leaves other files there alone, and stops at
// the first error, in the order of the names.
func Write(folder string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		to := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// menuOf returns the list of pages, in their groups, and in it the playground. pages must be in the order of [groups],
// as readPages returns them.
func menuOf(pages []*page) (menu []menuGroup) {
	for _, p := range pages {
		if len(menu) == 0 || menu[len(menu)-1].Title != p.group {
			menu = append(menu, menuGroup{Title: p.group})
		}
		last := &menu[len(menu)-1]
		last.Pages = append(last.Pages, menuEntry{p.label, p.file})
		if p.source == beforePlayground {
			last.Pages = append(last.Pages, menuEntry{"The playground", PlaygroundFile})
		}
	}
	return menu
}

// A checker resolves the links of pages, and collects those that lead nowhere.
type checker struct {
	repository fs.FS
	pages      []*page
	files      map[string][]byte // of the site, without its pages: images that pages show are added
	broken     []string          // for each link that fails: the page, the link, and why
}

// resolveLinks replaces the targets of a page's links, which are paths in the repository, by addresses that work on the
// site: that of a page of the site by its HTML file, that of an image by its copy, and that of any other file or folder
// by its address on GitHub. A target that is only "#" and a section is on the page itself. Links to other sites stay as
// they are, and are not followed. A link for which resolveLink fails stays as it is, and is added to c.broken.
func (c *checker) resolveLinks(p *page) {
	for _, l := range p.links {
		target, anchor, _ := strings.Cut(l.target, "#")
		if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			continue
		}
		name := p.source
		if target != "" {
			name = path.Join(path.Dir(p.source), target)
		}
		to, err := c.resolveLink(name, anchor, l.image)
		if err != nil {
			c.broken = append(c.broken, fmt.Sprintf("%s: %s: %v", p.source, l.target, err))
			continue
		}
		l.set(to)
	}
}

// resolveLink returns the address for a link to a file or folder of the repository, as resolveLinks says. It adds an
// image to the site under the last element of its name. It fails if there is no such file, for a page of the site if it
// has no such section, and for an image if another file of the site has its name. Sections of other files are not
// looked for.
func (c *checker) resolveLink(name, anchor string, image bool) (string, error) {
	i := slices.IndexFunc(c.pages, func(p *page) bool { return p.source == name })
	if i >= 0 {
		to := c.pages[i]
		if anchor == "" {
			return to.file, nil
		}
		if !slices.ContainsFunc(to.headings, func(h heading) bool { return h.ID == anchor }) {
			return "", fmt.Errorf("%s has no section #%s", name, anchor)
		}
		return to.file + "#" + anchor, nil
	}
	// The link leads to no page of the site.
	info, err := fs.Stat(c.repository, name)
	if err != nil {
		return "", fmt.Errorf("there is no %s", name)
	}
	if image {
		text, err := fs.ReadFile(c.repository, name)
		if err != nil {
			return "", err
		}
		file := path.Base(name)
		isPage := slices.ContainsFunc(c.pages, func(p *page) bool { return p.file == file })
		if other, taken := c.files[file]; isPage || taken && !bytes.Equal(other, text) {
			return "", fmt.Errorf("the site has another file %s already", file)
		}
		c.files[file] = text
		return file, nil
	}
	if anchor != "" {
		anchor = "#" + anchor
	}
	if info.IsDir() { // which GitHub shows below /tree/
		return strings.Replace(Repository, "/blob/", "/tree/", 1) + name + anchor, nil
	}
	return Repository + name + anchor, nil
}

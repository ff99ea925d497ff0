// Package partial reads and writes the partial forms of RFC 1630, by which a URI is abbreviated in the context of
// another ("Partial (relative) form"). They are not the relative references of RFC 3986, which
// semantic.Reference resolves: the rules differ where slashes lead a form, and on "..".
//
//	r, err := partial.Resolve(bnfcheck.RFC1630, "magic://a/b/c//d/e/f", "../g")
//	if err != nil {
//		return err
//	}
//	fmt.Println(r.URI)       // magic://a/b/c//d/g
//	form, err := partial.Relative(bnfcheck.RFC1630, "http://host/a/b/c", "http://host/a/b/d")
//	fmt.Println(form, err)   // d <nil>
package partial

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
)

// A Resolution is the URI that a partial form stands for in the context of another (RFC 1630, "Partial (relative)
// form").
type Resolution struct {
	URI string

	// AsWorded is the result of the rule for leading slashes as it is worded. It differs from URI where the rule and
	// the RFC's own table of examples disagree, and is "" where the rule as worded has no result.
	AsWorded string
}

// Disagrees reports whether the rule as worded and the table of examples give different results.
func (r Resolution) Disagrees() bool { return r.URI != r.AsWorded }

// The errors of [Resolve] and [Relative].
var (
	ErrNoPartialForms = errors.New("the grammar has no partial forms: only RFC 1630 describes them")
	ErrBase           = errors.New("the context is no URI")
	ErrNoSuchSlashes  = errors.New("the context has no run of that many slashes")
	ErrResult         = errors.New("the result is no URI")
)

// Resolve returns the URI that a partial form stands for in the context of base, a URI of RFC 1630's grammar g:
//
//   - A form with a colon before any slash is absolute: it stands for itself.
//   - One that begins with slashes takes everything from base up to the first run of exactly as many. The rule as
//     worded wants in addition that no longer run stands to the right of it; by that "/g" in magic://a/b/c//d/e/f would
//     be magic://a/b/c//d/g, where the RFC's table of examples has magic://a/g. The table is followed
//     ([Resolution.AsWorded] has the other).
//   - Any other replaces what follows the last slash of base's path, or the whole path if it has no slash (news:,
//     mid:).
//   - Then "xxx/../" and "/." are removed, where xxx, ".." and "." are complete path elements, as worded: a ".." at the
//     very end stays, as does one with nothing but the host to its left.
//
// base's fragment and search part are not part of its path, and are not taken over. Where the RFC is silent, a void
// form, or one of a fragment only, stands for base itself; and if base has no path level for the slashes, it is read
// as ending in a void one, so that "/g" in http://host is http://host/g.
//
// The grammar derives the result. An absolute form is its own result in every context. The error wraps one of
// [ErrNoPartialForms], [ErrBase], [ErrNoSuchSlashes] and [ErrResult].
func Resolve(g *bnfcheck.Grammar, base, partial string) (Resolution, error) {
	address, ok := g.Kind("uri_fragmentaddress")
	if !ok {
		return Resolution{}, ErrNoPartialForms
	}
	if colon := absolute(partial); colon {
		if !g.Accept(address, partial) {
			return Resolution{}, fmt.Errorf("%w: %s", ErrResult, ast.Quote(partial))
		}
		return Resolution{partial, partial}, nil
	}
	if !g.Accept(address, base) {
		return Resolution{}, fmt.Errorf("%w: %s", ErrBase, ast.Quote(base))
	}
	uri, err := resolve(base, partial, false)
	if err != nil {
		return Resolution{}, err
	}
	if !g.Accept(address, uri) {
		return Resolution{}, fmt.Errorf("%w: %s", ErrResult, ast.Quote(uri))
	}
	worded, err := resolve(base, partial, true)
	if err != nil {
		worded = ""
	}
	return Resolution{uri, worded}, nil
}

// absolute reports whether a form is absolute: "the latter must have a colon and that colon must occur before any slash
// characters".
func absolute(form string) bool {
	i := strings.IndexAny(form, ":/?#")
	return i >= 0 && form[i] == ':'
}

// resolve is [Resolve] for a base that is a URI and a form that is not absolute, without a check of the result.
// asWorded follows the rule for leading slashes rather than the table of examples.
func resolve(base, partial string, asWorded bool) (string, error) {
	context, _, _ := strings.Cut(base, "#")
	if partial == "" || partial[0] == '#' {
		return context + partial, nil
	}
	context, _, _ = strings.Cut(context, "?")
	colon := strings.IndexByte(context, ':') + 1
	scheme, path := context[:colon], context[colon:]
	if n := slashes(partial); n > 0 {
		at := findSlashes(path, n, asWorded)
		if at < 0 {
			return "", fmt.Errorf("%w: %s in %s", ErrNoSuchSlashes, ast.Quote(partial), ast.Quote(base))
		}
		path = path[:at] + partial
	} else {
		path = path[:strings.LastIndexByte(path, '/')+1] + partial
	}
	path, rest := cutAt(path, "?#")
	return scheme + removeDots(path) + rest, nil
}

// cutAt splits s before the first of some characters, which after begins with; without one, after is "".
func cutAt(s, any string) (before, after string) {
	if i := strings.IndexAny(s, any); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// findSlashes returns the offset of the first run of exactly n slashes in path, or -1. asWorded wants in addition that
// no longer run stands to the right of it. A path whose last run is longer is read as ending in a void run of n: then,
// if no other is found, the offset is len(path).
func findSlashes(path string, n int, asWorded bool) int {
	found, last := -1, 0
	for i := 0; i < len(path); {
		if path[i] != '/' {
			i++
			continue
		}
		length := slashes(path[i:])
		switch {
		case length == n && found < 0:
			found = i
		case length > n && asWorded:
			found = -1
		}
		last = length
		i += length
	}
	if found < 0 && last > n {
		return len(path)
	}
	return found
}

// removeDots removes "xxx/../" and "/." from a path, where xxx, ".." and "." are complete path elements. What follows
// "//" at the beginning is the host, and no element. A ".." that ends the path or has nothing but ".." before it stays,
// and so does a "." that begins a path without a "/" before it.
func removeDots(path string) string {
	if !strings.Contains(path, "/.") && !strings.HasPrefix(path, "./") && !strings.HasPrefix(path, "../") {
		return path
	}
	host := "" // "//host/", or the "/" that begins the path, or ""
	if strings.HasPrefix(path, "//") {
		end := strings.IndexByte(path[2:], '/')
		if end < 0 {
			return path
		}
		host, path = path[:2+end+1], path[2+end+1:]
	} else if strings.HasPrefix(path, "/") {
		host, path = "/", path[1:]
	}
	elements := strings.Split(path, "/")
	kept := elements[:0]
	for i, e := range elements {
		last := i == len(elements)-1
		switch {
		case e == "." && (i > 0 || host != ""): // "/."
			if last && len(kept) == 0 {
				host = strings.TrimSuffix(host, "/")
			}
		case e == ".." && !last && len(kept) > 0 && kept[len(kept)-1] != "..": // "xxx/../"
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, e)
		}
	}
	return host + strings.Join(kept, "/")
}

// Relative returns a short partial form that stands for target in the context of base: Resolve(g, base, form) is
// target again, for all base and target that the grammar derives, and the form is no longer than target. If there is
// no shorter form, as between different schemes, it is target itself: "the whole absolute URI must be given". The
// error wraps [ErrNoPartialForms] or [ErrBase].
func Relative(g *bnfcheck.Grammar, base, target string) (string, error) {
	address, ok := g.Kind("uri_fragmentaddress")
	if !ok {
		return "", ErrNoPartialForms
	}
	for _, uri := range [...]string{base, target} {
		if !g.Accept(address, uri) {
			return "", fmt.Errorf("%w: %s", ErrBase, ast.Quote(uri))
		}
	}
	for _, form := range partialForms(base, target) {
		if len(form) < len(target) && !absolute(form) {
			if uri, err := resolve(base, form, false); err == nil && uri == target {
				return form, nil
			}
		}
	}
	return target, nil
}

// partialForms returns the candidates, the shortest first: the fragment alone, what begins with a run of slashes that
// leads to the right place of base, and what follows the directories that both have in common, after as many "../" as
// lead there.
func partialForms(base, target string) []string {
	context, _, _ := strings.Cut(base, "#")
	whole, fragment := cutAt(target, "#")
	var forms []string
	if whole == context {
		forms = append(forms, fragment)
	}
	colon := strings.IndexByte(target, ':') + 1
	if !strings.HasPrefix(context, target[:colon]) {
		return forms
	}
	context, _, _ = strings.Cut(context[colon:], "?")
	path, _ := cutAt(target[colon:], "?#")
	same := 0 // how far the paths are the same
	for same < len(context) && same < len(path) && context[same] == path[same] {
		same++
	}
	// Of the runs of slashes only the first of each length is found, and the last of those gives the shortest form.
	found := map[int]bool{}
	last := -1
	for i := 0; i <= same && i < len(path); {
		n := slashes(path[i:])
		if n == 0 {
			i++
			continue
		}
		if !found[n] {
			found[n] = true
			last = i
		}
		i += n
	}
	if last >= 0 {
		forms = append(forms, target[colon+last:])
	}
	common := strings.LastIndexByte(path[:same], '/') + 1
	below := target[colon+common:]
	up := strings.Count(context[common:], "/")
	forms = append(forms, strings.Repeat("../", up)+below)
	if up == 0 {
		forms = append(forms, "./"+below) // where a colon or nothing at all stands in the first segment
	}
	slices.SortStableFunc(forms, func(a, b string) int { return len(a) - len(b) })
	return forms
}

// slashes returns the number of slashes at the beginning of s.
func slashes(s string) int { return len(s) - len(strings.TrimLeft(s, "/")) }

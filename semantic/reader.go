package semantic

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// A Reader returns typed URLs that share its memory, so that after the first few it does not allocate. The zero Reader
// is ready for use. A Reader and its URL are not safe for concurrent use.
type Reader struct {
	url  URL
	text *text // of the grammar that url was read by

	report report // for the findings of url
	shared bool   // any number of goroutines may use url

	// The values that URL.Specific points to, allocated when they are first needed.
	ftp       *FTP
	http      *HTTP
	gopher    *Gopher
	mailto    *Mailto
	news      *News
	nntp      *NNTP
	telnet    *Telnet
	wais      *WAIS
	file      *File
	prospero  *Prospero
	messageID *MessageID
	afs       *AFS
	urn       *URN
	other     *Other
}

// storeIn stores v in **at and returns *at, which it allocates if it is nil: so a Reader reuses its memory.
func storeIn[T any](at **T, v T) *T {
	if *at == nil {
		*at = new(T)
	}
	**at = v
	return *at
}

// Of is like the function [Of]. The URL is valid until the next use of r.
func (r *Reader) Of(tree *ast.Tree) (*URL, error) {
	if tree == nil || tree.Grammar == nil || len(tree.Nodes) == 0 {
		return nil, ErrNotURL
	}
	if r.text == nil || r.text.roles.grammar != tree.Grammar {
		t := textOf(tree.Grammar)
		if t == nil {
			return nil, fmt.Errorf("semantic: %s is a grammar of neither family", tree.Grammar.Name)
		}
		r.use(t)
	}
	u := &r.url
	u.reset()
	u.Source = tree.Source
	if i := strings.IndexByte(u.Source, '%'); i >= 0 {
		u.escaped.add(u.Source[i:])
		u.hasEscape = u.escaped.set != ast.ByteSet{}
	}
	n := u.unwrap(tree)
	is := u.role(n)
	u.start = tree.Nodes[0].Kind
	if u.roleOf(u.start) == isPrefixed {
		u.start = n.Kind()
	}
	if !u.readScheme(n, is) {
		return nil, fmt.Errorf("%w: %s", ErrNotURL, tree.Root().Name())
	}
	u.Production = u.nameOf(n)
	u.Match = MatchOwn
	if !u.read(n, is) {
		return nil, fmt.Errorf("%w: %s", ErrNotURL, tree.Root().Name())
	}
	u.defaultPort = numbered.ports[u.Family][u.number]
	return u, nil
}

// use sets the text of the URLs that r reads next, with the fields of r.url that follow from it.
func (r *Reader) use(t *text) {
	if r.text == t {
		return
	}
	r.text = t
	u := &r.url
	u.Grammar, u.reader = t.roles.grammar, r
	u.text, u.Family, u.roles = t, t.roles.family, t.roles.roles
}

// reset clears the parts of the last URL that not every URL has. Most are clear already, and a comparison is cheaper
// than a write.
func (u *URL) reset() {
	if u.Prefix.present {
		u.Prefix = Part{}
	}
	if u.User.present {
		u.User, u.Password = Part{}, Part{}
	}
	if u.Host.present {
		u.Host = Host{}
	}
	if u.Port.present {
		u.Port = Part{}
	}
	if u.Fragment.present {
		u.Fragment = Part{}
	}
	if u.hasEscape {
		u.hasEscape, u.escaped = false, escapedOctets{}
	}
	u.authority, u.Specific, u.folded = 0, nil, false
}

// OfWritten is [Reader.Of] for the tree of a string whose scheme was folded to lower case before it was parsed: written
// is that string as it was, and is what Source and Scheme then hold. After the scheme it must not differ, which is not
// checked. If its length differs, or more than the case up to the end of the scheme, written is ignored.
func (r *Reader) OfWritten(tree *ast.Tree, written string) (*URL, error) {
	u, err := r.Of(tree)
	if err != nil || written == u.Source || len(written) != len(u.Source) ||
		!strings.EqualFold(written[:u.Scheme.End()], u.Source[:u.Scheme.End()]) {
		return u, err
	}
	u.Source, u.folded = written, written[u.Scheme.Start():u.Scheme.End()] != u.Scheme.Raw
	u.Scheme = u.span(u.Scheme.Start(), u.Scheme.End())
	if u.Prefix.present {
		u.Prefix = u.span(u.Prefix.Start(), u.Prefix.End())
	}
	return u, nil
}

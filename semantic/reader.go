package semantic

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// A Reader makes typed URLs one after the other, each in the memory of the one before it, so that after the first few none
// allocates. The zero Reader is ready for use, by one goroutine at a time, the URL included.
type Reader struct {
	url  URL
	text *text // of the grammar that url was read by

	report report // for the findings of url
	shared bool   // url belongs to nobody: it is read by any number of goroutines

	// What a URL's Specific points to, made when the first URL of its kind is read.
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

// fresh gives the zero value that a pointer leads to.
func fresh[T any](at **T) *T {
	if *at == nil {
		*at = new(T)
	} else {
		var zero T
		**at = zero
	}
	return *at
}

// Of is the function [Of]; the URL is r's own, and holds until r is used again.
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
		u.readEscapes(i)
	}
	n := u.unwrap(tree)
	if u.start = tree.Nodes[0].Kind; u.roleOf(u.start) == isPrefixed {
		u.start = n.Kind()
	}
	if !u.readScheme(n) {
		return nil, fmt.Errorf("%w: %s", ErrNotURL, tree.Root().Name())
	}
	u.Production = u.nameOf(n)
	u.Match = MatchOwn
	if !u.read(n) {
		return nil, fmt.Errorf("%w: %s", ErrNotURL, tree.Root().Name())
	}
	u.Port.Default = numbered.ports[u.Family][u.number]
	return u, nil
}

// use makes r read by the grammar of t.
func (r *Reader) use(t *text) {
	if r.text == t {
		return
	}
	r.text = t
	u := &r.url
	u.Grammar, u.reader = t.roles.grammar, r
	u.text, u.Family, u.roles = t, t.roles.family, t.roles.roles
}

// reset forgets the parts of the URL before, but for those that every URL has. Few have the others, and to look is less than to
// write.
func (u *URL) reset() {
	if u.Prefix.present {
		u.Prefix = Part{}
	}
	if u.Login.User.present {
		u.Login = Login{}
	}
	if u.Host.present {
		u.Host = Host{}
	}
	if u.Port.present {
		u.Port.Part = Part{}
	}
	if u.Fragment.present {
		u.Fragment = Part{}
	}
	if u.hasEscape {
		u.hasEscape, u.escaped, u.lowHex = false, ast.ByteSet{}, false
	}
	u.authority, u.Specific, u.folded = 0, nil, false
}

// readEscapes finds which octets stand in the source as escapes, from an offset on.
func (u *URL) readEscapes(from int) {
	for i, octet := range escapes(u.Source[from:]) {
		u.hasEscape = true
		u.escaped[octet>>6] |= 1 << (octet & 63)
		u.lowHex = u.lowHex || u.Source[from+i+1] >= 'a' || u.Source[from+i+2] >= 'a'
	}
}

// OfWritten is the function [OfWritten]; the URL is r's own, and holds until r is used again.
func (r *Reader) OfWritten(tree *ast.Tree, written string) (*URL, error) {
	u, err := r.Of(tree)
	if err != nil || written == u.Source || len(written) != len(u.Source) || !strings.EqualFold(written[:u.Scheme.End()], u.Source[:u.Scheme.End()]) {
		return u, err
	}
	u.Source, u.folded = written, written[u.Scheme.Start():u.Scheme.End()] != u.Scheme.Raw
	u.Scheme = u.span(u.Scheme.Start(), u.Scheme.End())
	if u.Prefix.present {
		u.Prefix = u.span(u.Prefix.Start(), u.Prefix.End())
	}
	return u, nil
}

package semantic

import (
	"errors"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
)

// URN is a Uniform Resource Name encoded as a URI. RFC 1630 reserves the prefix, and says how a name is to be encoded
// once there is a standard for it.
type URN struct {
	Name Part // all that follows "urn:"
}

func (n *URN) fields(u *URL, list *fieldList) {
	list.part("name", n.Name)
	list.parts("segment", n.Name, '/')
}

func (n *URN) canonical(u *URL, e *editor) { e.recode(n.Name, u.component("", "segment")) }

func (n *URN) access(u *URL, d *dialogue) {
	d.note(Refuse, "the prefix is reserved, and no resolution is defined for "+ast.Quote(n.Name.Decoded()), "4", "URN")
}

// EncodeURN returns the URI of a name by RFC 1630's rules for URNs, "which of course apply to any URI scheme": the
// parts of a hierarchical name, the most significant first, are joined by slashes, and characters with reserved
// meanings are encoded. Constant wrapper characters of the name's own syntax are not to be left out of the parts. It
// fails if there are no parts: such a name has no URI.
func EncodeURN(parts ...string) (string, error) {
	if len(parts) == 0 {
		return "", errors.New("semantic: a name without parts has no URI")
	}
	c := textOf(bnfcheck.RFC1630.Grammar).component("", "segment")
	b := []byte("urn:")
	for i, p := range parts {
		if i > 0 {
			b = append(b, '/')
		}
		var err error
		if b, err = c.append(b, p); err != nil {
			return "", err
		}
	}
	return string(b), nil
}

var urnRules = []Rule{
	{
		ID: "1630/urn-reserved", Schemes: []string{"urn"}, Severity: Note,
		Title:       "urn is reserved",
		Requirement: "The prefix is reserved for encoding a Uniform Resource Name when that has been developed.",
		check: func(u *URL, r *report) {
			r.at(u.Scheme, "see the URN standard for the rest: this RFC only reserves the prefix")
		},
	},
}

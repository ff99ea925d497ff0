// Package repair finds, for a string that a grammar rejects, the nearest one that it accepts.
//
// The strings that count as accepted are those that the production of their own scheme derives or, if the
// scheme has none, the generic production: the union of the automata that [ast.Machine] holds for the
// grammar's start. Which of them is the nearest is decided by [Cost] alone, and found exactly.
//
// The reason for an edit, its effect on the meaning, and its presentation are in package semantic.
package repair

import "fmt"

// A Cost is the distance of a string from the one that is repaired. Its components, the most significant first:
//
//  1. A scheme that differs from that of the input costs more than everything below.
//  2. So does a host that differs, added and lost hosts included. It counts only where the string has a scheme, or a host
//     after "//"; elsewhere it is unknown which characters are a host.
//  3. Each character that is deleted, inserted or substituted costs one edit, more than any number of escapes. A new
//     scheme that the grammar has no production for costs two edits more.
//  4. Each octet that is encoded costs one escape, or two where the character has a reserved meaning. Each letter of the
//     scheme that is put in lower case costs as much as one escape.
//  5. A first edit away from the place of the error costs more than everything below. The longest beginning of s that,
//     kept, encoded or put in lower case, begins an accepted string of any scheme and host ends at that place; the
//     byte before the end belongs to it.
//  6. Deletions are preferred to insertions, and insertions to substitutions.
//
// Scheme and host are those of RFC 3986, appendix B; the host is the authority without user information and port. A
// scheme in lower case is the same scheme, and a host in any case the same host. No host is the same as an empty one.
// A host to which user information was added is another. Neither the scheme nor the host is ever encoded, nor are the
// delimiters ":" and "//" before the host, nor user information where the scheme has none. Where the grammar derives
// strings without a scheme, they are searched for a string that has none.
type Cost uint64

// Edit is the cost of one edit.
const Edit Cost = 1 << 48

// The weights. Each is more than all below it can add up to, for a string of up to [MaxEdited] bytes.
const (
	preference    Cost = 1 // for an insertion, twice for a substitution
	early         Cost = 1 << 14
	escape        Cost = 1 << 15
	edit               = Edit
	hostDiffers   Cost = 1 << 62
	schemeDiffers Cost = 1 << 63

	inserted      = edit + preference
	substituted   = edit + 2*preference
	deleted       = edit
	unknownScheme = 2 * edit
)

// Edits returns the number of edits, including those for an unknown scheme.
func (c Cost) Edits() int { return int(c % hostDiffers / edit) }

// Escapes returns the cost, in escapes, of the octets that are encoded and the letters that are put in lower
// case.
func (c Cost) Escapes() int { return int(c % edit / escape) }

// String returns the cost in words, as in "host, 3 edits, 2 escapes, preference 5, early". Kinds of edits are not
// told apart.
func (c Cost) String() string {
	text := fmt.Sprintf("%d edits, %d escapes, preference %d", c.Edits(), c.Escapes(), c%early)
	if c&early != 0 {
		text += ", early"
	}
	if c&hostDiffers != 0 {
		text = "host, " + text
	}
	if c&schemeDiffers != 0 {
		text = "scheme, " + text
	}
	return text
}

package bnf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Notice is a remark about a document for its reader: a place that its notation does not have, or that has several
// meanings.
type Notice struct {
	Pos     expr.Pos
	Message string
	Taken   string // the file of the built-in productions that the document was supplied with; "" in any other notice
	LeftOut bool   // something that looks like grammar is not read
	Refused string // the name of a production that is refused, with what uses it; "" in any other notice
	Alone   bool   // a production adds to one that the document does not have

	// TwoWays: the place can be read in two ways that derive different strings, and the message says in which it is.
	TwoWays bool
	Places  int // how many of such places the message is about

	// Doubtful: brackets are read as a class of characters, and more likely hold what may be left out, as in [ISO].
	Doubtful bool

	// Beyond has the characters that show that RFC 5234 does not derive the text; "" where it does.
	Beyond string
}

// String returns "file:line:col: message".
func (n Notice) String() string { return n.Pos.String() + ": " + n.Message }

// A noticeKind is a matter that is noticed once for a document, at the first of its places.
type noticeKind int

const (
	barNotice noticeKind = iota
	colonNotice
	underscoreNotice
	surrogateNotice
	listNotice
	marginNotice
	sameNotice
	coreNotice
	describedNotice
	singleQuoteNotice
	braceNotice
	commentNotice
	hexNotice
	curlyNotice
	layoutBarNotice
	emptyFirstNotice
	optionNotice
	noticeKinds
)

// inTwoWays are the kinds of what can be read in two ways: see [Notice.TwoWays].
var inTwoWays = [noticeKinds]bool{layoutBarNotice: true, emptyFirstNotice: true, optionNotice: true}

// beyond has for each kind the characters that show that RFC 5234 does not derive what is noticed, or derives something
// else: see [Notice.Beyond].
var beyond = [noticeKinds]string{barNotice: "|", colonNotice: ":", underscoreNotice: "_", listNotice: "#",
	marginNotice:      "\n",
	singleQuoteNotice: "'`", braceNotice: "{", commentNotice: "\n", hexNotice: "0"}

// notes collects what is noticed. A nil *notes collects nothing.
type notes struct {
	kinds [noticeKinds]struct {
		places  int
		pos     expr.Pos
		example string
		names   []string // the first few examples
	}
	single []Notice
}

// namedMost caps the names that a notice lists.
const namedMost = 8

// add counts a place of a kind, and keeps the first few different examples. The first place of a kind is where its
// notice will be.
func (n *notes) add(kind noticeKind, pos expr.Pos, example string) {
	if n == nil {
		return
	}
	k := &n.kinds[kind]
	if k.places++; k.places == 1 {
		k.pos, k.example = pos, example
	}
	// One more than is listed tells that there are more.
	if len(k.names) <= namedMost && !slices.Contains(k.names, example) {
		k.names = append(k.names, example)
	}
}

// addf adds a notice that is not counted with others of its kind.
func (n *notes) addf(pos expr.Pos, format string, args ...any) {
	if n != nil {
		n.single = append(n.single, Notice{Pos: pos, Message: fmt.Sprintf(format, args...)})
	}
}

// addChoice is addf for a place that can be read in two ways: see [Notice.TwoWays].
func (n *notes) addChoice(pos expr.Pos, format string, args ...any) {
	if n != nil {
		n.single = append(n.single, Notice{Pos: pos, Message: fmt.Sprintf(format, args...), TwoWays: true, Places: 1})
	}
}

// lastIsAlone sets Alone of the notice that was added last: the production adds to one that the document does not have.
func (n *notes) lastIsAlone() {
	if n != nil {
		n.single[len(n.single)-1].Alone = true
	}
}

// leaveOut adds the notice that something is not read.
func (n *notes) leaveOut(pos expr.Pos, format string, args ...any) {
	if n != nil {
		n.single = append(n.single, Notice{Pos: pos, Message: fmt.Sprintf(format, args...), LeftOut: true})
	}
}

// refuse adds the notice that a production is refused.
func (n *notes) refuse(pos expr.Pos, name, why string) {
	if n != nil {
		message := fmt.Sprintf("`%s` cannot be read, nor what uses it: %s", name, why)
		n.single = append(n.single, Notice{Pos: pos, Message: message, LeftOut: true, Refused: name})
	}
}

// list returns all notices: those of the document's own file, then those of others by name, each in the order of lines
// and columns. Those of a kind are one, at the first place, which counts the others or lists the first namedMost names.
// lists is the reading of lists, which their notice names. n must not be nil, and is not changed.
func (n *notes) list(own string, lists Lists) []Notice {
	all := slices.Clone(n.single)
	for kind, k := range n.kinds {
		if k.places == 0 { // nothing of this kind was noticed
			continue
		}
		// A kind either names its first place and counts the others (also), or lists the first few (names).
		also := ""
		if k.places > 1 {
			also = fmt.Sprintf(", and in %d more places", k.places-1)
		}
		names := k.names
		if len(names) > namedMost {
			names = append(slices.Clip(names[:namedMost]), fmt.Sprintf("%d more places", k.places-namedMost))
		}
		var message string
		switch noticeKind(kind) {
		case barNotice:
			message = `"|" is read as "/"` + also
		case colonNotice:
			message = fmt.Sprintf(`%q is read as "="%s; quoted strings match either case, as everywhere in ABNF`,
				k.example, also)
		case underscoreNotice:
			message = "`" + k.example + "`" + ` has a "_", which RFC 5234 has in no name` + also
		case surrogateNotice:
			message = fmt.Sprintf("%q covers surrogates, which no text in UTF-8 has; they are left out%s", k.example,
				also)
		case listNotice:
			message = fmt.Sprintf("%q is a list %s%s; --lists chooses another reading", k.example, lists.describe(),
				also)
		case marginNotice:
			message = fmt.Sprintf("the line stands at the margin, and is read as the rest of `%s`%s", k.example, also)
		case sameNotice:
			message = fmt.Sprintf("defined again, in the same words: %s", layout.List(names, "and"))
		case singleQuoteNotice:
			message = fmt.Sprintf("%s is read as \"%s\"%s", k.example, k.example[1:len(k.example)-1], also)
		case braceNotice:
			message = fmt.Sprintf("%s is read as a count%s", k.example, also)
		case commentNotice:
			message = fmt.Sprintf("nothing but a comment stands behind the sign, and is read as prose, %s%s",
				k.example, also)
		case hexNotice:
			message = fmt.Sprintf("0%s is no times `%s`, which is nothing; a character is written %%%s%s", k.example,
				k.example, strings.Replace(k.example, "-0x", "-", 1), also)
		case curlyNotice:
			quotes := "curly quotes"
			if k.example[0] == '`' {
				quotes = "backquotes"
			}
			message = fmt.Sprintf("%s has %s, and is read as a literal%s", k.example, quotes, also)
		case layoutBarNotice:
			message = fmt.Sprintf(`the %q before the first alternative is read as layout%s; "" is the empty alternative`, k.example, also)
		case emptyFirstNotice:
			message = fmt.Sprintf(`an empty alternative stands before the first %q%s, so that the production derives the empty string`, k.example, also)
		case optionNotice:
			message = fmt.Sprintf("%s is read as a class of characters%s; in other notations these brackets hold "+
				"what may be left out, which is ( ... )? here", k.example, also)
		case describedNotice:
			message = fmt.Sprintf("%s is read as what it describes%s", k.example, also)
		case coreNotice:
			message = fmt.Sprintf("core rules of RFC 5234 that stand here again, unchanged: %s",
				layout.List(names, "and"))
		}
		all = append(all, Notice{
			Pos: k.pos, Message: message, Beyond: beyond[kind], TwoWays: inTwoWays[kind], Places: k.places,
			Doubtful: noticeKind(kind) == optionNotice,
		})
	}
	slices.SortStableFunc(all, func(a, b Notice) int {
		switch x, y := a.Pos.File, b.Pos.File; {
		case x == y:
			return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
		case x == own:
			return -1
		case y == own:
			return 1
		default:
			return cmp.Compare(x, y)
		}
	})
	return all
}

package pegtest

import "strings"

// A PrefixCase is a grammar whose production is v, and a family of inputs of any length: head, unit repeated,
// and tail. The grammar derives a prefix of each, or none.
type PrefixCase struct {
	Grammar          string // as ABNF
	head, unit, tail string
	rest             int // how many bytes follow the prefix, or one of those below
}

// The rest of an input of a PrefixCase, where it is not a fixed number of bytes.
const (
	incomplete = -1 // no prefix is derived, and more input could help
	allButTwo  = -2 // the prefix is two bytes long
)

// PrefixCases are in grammars that nest. The prefix ends near the end of the input, or far before it, or there is none.
var PrefixCases = []PrefixCase{
	{"v = \"[\" [ v *( \",\" v ) ] \"]\" / 1*DIGIT\n", "[", "12,[3],", "4", incomplete},
	{"v = \"[\" [ v *( \",\" v ) ] \"]\" / 1*DIGIT\n", "[", "12,[3],", "4]]]", 2},
	{"v = \"[\" [ v *( \",\" v ) ] \"]\" / 1*DIGIT\n", "", "[", "", incomplete},
	{"v = \"a\" v / \"a\"\n", "", "a", "b", 1},
	{"v = v \"a\" / \"a\"\n", "", "a", "b", 1},
	{"v = \"a\" v \"b\" / \"\"\n", "ab", "a", "", allButTwo},
	{"v = 1*( \"(\" [v] \")\" )\n", "", "()(())", "(()", 3},
	{"v = \"x\" [v] / \"(\" v \")\" [v]\n", "", "x(xxxxxx)", "(x", 2},
	{"v = c\na = \"x\" [a] \"y\" / \"xx\"\nb = a\nc = b\n", "xx", "x", "", allButTwo},
}

// Input returns an input of about so many bytes, and the length of its longest prefix, or -1 if none is derived, which
// more input could change.
func (c PrefixCase) Input(size int) (src string, prefix int) {
	src = c.head + strings.Repeat(c.unit, size/len(c.unit)) + c.tail
	switch c.rest {
	case incomplete:
		return src, -1
	case allButTwo:
		return src, 2
	}
	return src, len(src) - c.rest
}

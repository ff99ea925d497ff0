package jspackage

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The numbers of operations in a packed expression. From firstOperand on they are operands: firstOperand+2n is the set
// n, and firstOperand+2k+1 the production of kind k.
const (
	opEmpty = iota
	opSequence
	opChoice
	opRepeat
	firstOperand
)

// packRules packs productions: lines has one for each, by kind from 1, as [ast.NewChecker] reads it. A kind 0 that
// derives nothing is put before them. The result has, by kind from 0, 1 if it is lexical, else 0; the sets of bytes
// that expressions have, as two lists, the lengths of their lists of ranges and then all these ranges; by kind, the
// length of its packed expression; and then the expressions. It fails if a line has no expression, or more than
// one.
func packRules(lines string) (string, error) {
	p := &rulePacker{}
	var lexical, lengths []int
	var expressions strings.Builder
	for line := range strings.Lines("lexical bytes none\n" + lines) {
		p.words = strings.Fields(line)
		isLexical := 0
		if p.next() == "lexical" {
			isLexical = 1
		}
		lexical = append(lexical, isLexical)
		p.text.Reset()
		p.packExpression()
		if p.err == nil && len(p.words) > 0 {
			p.err = fmt.Errorf("%q is left over", p.words[0])
		}
		if p.err != nil {
			return "", fmt.Errorf("the production %q cannot be packed: %w", line, p.err)
		}
		lengths = append(lengths, p.text.Len())
		expressions.WriteString(p.text.String())
	}
	counts, ranges := annotated.Counted(len(p.sets.List), func(i int) []int { return rangesOf(p.sets.List[i]) })
	return pack(lexical, counts, ranges, lengths) + expressions.String(), nil
}

// A rulePacker packs expressions.
type rulePacker struct {
	words []string // what is left of a line
	text  strings.Builder
	sets  expr.Numbering[string] // by the word that names them
	err   error
}

// next returns the next word, and takes it off; "" if none is left.
func (p *rulePacker) next() string {
	if len(p.words) == 0 {
		return ""
	}
	word := p.words[0]
	p.words = p.words[1:]
	return word
}

// number is next for a number that is at least least. Any other word sets p.err, and counts as least.
func (p *rulePacker) number(least int) int {
	word := p.next()
	n, err := strconv.Atoi(word)
	if err != nil || n < least {
		p.err = fmt.Errorf("%q is no number from %d on", word, least)
		return least
	}
	return n
}

// packExpression appends the expression that the words begin with to p.text, packed, and takes its words off. If
// they begin with none it sets p.err, and p.text is of no use. The word of a set is not looked at: rangesOf takes it
// as it is.
func (p *rulePacker) packExpression() {
	switch word := p.next(); word {
	case "empty":
		packNumber(&p.text, opEmpty)
	case "bytes":
		set, _ := p.sets.Of(p.next())
		packNumber(&p.text, firstOperand+2*set)
	case "rule":
		packNumber(&p.text, firstOperand+2*p.number(0)+1)
	case "seq":
		packNumber(&p.text, opSequence)
		p.packExpression()
		p.packExpression()
	case "alt":
		packNumber(&p.text, opChoice)
		p.packExpression()
		p.packExpression()
	case "star":
		p.packRepeat(0, -1)
	case "times":
		least := p.number(0)
		p.packRepeat(least, p.number(-1)) // -1 is without an end
	default:
		p.err = fmt.Errorf("%q is no operation", word)
	}
}

// packRepeat is packExpression for a repetition of the expression that the words begin with, without an end if most
// is -1.
func (p *rulePacker) packRepeat(least, most int) {
	packNumber(&p.text, opRepeat)
	packNumber(&p.text, least)
	packNumber(&p.text, most+1)
	p.packExpression()
}

// rangesOf returns the ranges of a set, two numbers each: how many bytes are skipped since the range before, and the
// length less 1; "none" has no ranges. The word must be one that [expr.Words] writes: it lists the ranges in
// ascending order, with gaps between. Another gives ranges that mean nothing.
func rangesOf(word string) (list []int) {
	if word == "none" {
		return nil
	}
	end := 0
	for _, part := range strings.Split(word, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		low, _ := strconv.ParseInt(first, 16, 0) // as expr.Words writes it
		high, _ := strconv.ParseInt(last, 16, 0)
		list = append(list, int(low)-end, int(high-low))
		end = int(high) + 1
	}
	return list
}

package jspackage

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The numbers that stand for words of an expression. A set or a production is firstSet and twice its number, and 1 more
// for a production.
const (
	wordEmpty = iota
	wordSequence
	wordChoice
	wordRepeat
	firstSet
)

// packRules returns the lines of productions, as [ast.NewChecker] reads them, as text: by kind from 0, whether it is no
// node; the sets of bytes that expressions have; by kind, how long its expression is; and then the expressions. Kind 0
// derives nothing.
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
		if p.packExpression(); p.err != nil || len(p.words) > 0 {
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

// number is next for a number that is not below -1. Any other word is an error.
func (p *rulePacker) number() int {
	word := p.next()
	n, err := strconv.Atoi(word)
	if err != nil || n < -1 {
		p.err = fmt.Errorf("%q is no number", word)
	}
	return n
}

// packExpression packs the expression that the words begin with.
func (p *rulePacker) packExpression() {
	switch word := p.next(); word {
	case "empty":
		packNumber(&p.text, wordEmpty)
	case "bytes":
		set, _ := p.sets.Of(p.next())
		packNumber(&p.text, firstSet+2*set)
	case "rule":
		packNumber(&p.text, firstSet+2*p.number()+1)
	case "seq":
		packNumber(&p.text, wordSequence)
		p.packExpression()
		p.packExpression()
	case "alt":
		packNumber(&p.text, wordChoice)
		p.packExpression()
		p.packExpression()
	case "star":
		p.packRepeat(0, -1)
	case "times":
		least := p.number()
		p.packRepeat(least, p.number())
	default:
		p.err = fmt.Errorf("%q is no operation", word)
	}
}

// packRepeat packs a repetition of the expression that the words begin with, without an end if most is -1.
func (p *rulePacker) packRepeat(least, most int) {
	packNumber(&p.text, wordRepeat)
	packNumber(&p.text, least)
	packNumber(&p.text, most+1)
	p.packExpression()
}

// rangesOf returns the ranges of a set, which a word names: of each, how many bytes lie between it and the one before,
// and how many it has, less 1. In the word they are in order and apart.
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

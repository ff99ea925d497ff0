package layout

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Plural returns a number and the word for what is counted, given in the singular: "1 cause", "2 classes". The plural
// ends in es after an s, and in s otherwise.
func Plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Agree returns the form of a word that agrees with a number: one if it is 1, and more otherwise.
func Agree(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// List is [quote.List].
func List(names []string, word string) string { return quote.List(names, word) }

// Some joins the first names of a list, at most most of them, with between between two, and says how many more there
// are: "a, b and 3 more".
func Some(names []string, most int, between string) string {
	if len(names) <= most {
		return strings.Join(names, between)
	}
	return strings.Join(names[:most], between) + fmt.Sprintf(" and %d more", len(names)-most)
}

// Trim removes the spaces at the ends of lines, and ends the last one with a line feed. "" stays "".
func Trim(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

// Share returns n of all as a percentage with one decimal. It returns 0% and 100% only if that is exact, and
// "<0.1%" and ">99.9%" near them. It returns "" if all is 0.
func Share(n, all *big.Int) string {
	if all.Sign() == 0 {
		return ""
	}
	f, _ := new(big.Rat).SetFrac(n, all).Float64()
	switch {
	case n.Cmp(all) == 0:
		return "100%"
	case f >= 0.9995: // %.1f would round it up to 100
		return ">99.9%"
	case n.Sign() == 0:
		return "0%"
	case f < 0.0005:
		return "<0.1%"
	}
	return fmt.Sprintf("%.1f%%", 100*f)
}

// Digits returns n with commas between its thousands, as [quote.Thousands] does: 1,000.
func Digits(n *big.Int) string {
	sign, digits := "", n.String()
	if n.Sign() < 0 {
		sign, digits = "-", digits[1:]
	}
	first := (len(digits)-1)%3 + 1
	b := []byte(sign + digits[:first])
	for rest := digits[first:]; rest != ""; rest = rest[3:] {
		b = append(b, ',')
		b = append(b, rest[:3]...)
	}
	return string(b)
}

// Magnitude returns n as it is up to six digits, and then rounded to three digits, with its order of magnitude:
// 2.18 × 10²⁹.
func Magnitude(n *big.Int) string {
	s := n.String()
	if len(s) <= 6 {
		return s
	}
	digits, exponent, _ := strings.Cut(new(big.Float).SetInt(n).Text('e', 2), "e+")
	return digits + " × 10" + raised.Replace(strings.TrimLeft(exponent, "0"))
}

// raised writes digits as superscripts.
var raised = strings.NewReplacer(
	"0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

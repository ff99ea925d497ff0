package pegtest

import (
	"math/rand/v2"
	"strings"
)

// RandomLoops returns the ABNF of a random grammar of words over "xy:!". Two of its productions, told apart
// by what comes after them, repeat others that may read nothing and that contain themselves. Its start is s.
func RandomLoops(rng *rand.Rand) string {
	var expression func(depth int) string
	expression = func(depth int) string {
		if depth == 0 {
			return []string{`"x"`, `"y"`, `"xy"`, "r", "q", "n", "%x78-79"}[rng.IntN(7)]
		}
		one, other := expression(depth-1), expression(depth-1)
		switch rng.IntN(5) {
		case 0:
			return one + " " + other
		case 1:
			return "( " + one + " / " + other + " )"
		case 2:
			return "[ " + one + " ]"
		}
		return []string{"*", "1*", "*2"}[rng.IntN(3)] + "( " + one + " / " + other + " )"
	}
	end := []string{"", ` ":"`}[rng.IntN(2)]
	return "s = a" + end + " / b \"!\"\n" +
		"a = *( " + expression(1) + " / r )\n" +
		"b = *( " + expression(2) + " / r )\n" +
		"r = *( \"x\" " + expression(1) + " ) *( \"y\" r )\n" +
		"q = [ \"y\" ( q / " + expression(1) + " ) ]\n" +
		"n = *( \"x\" / \"y\" )\n"
}

// RandomLeft returns an ABNF whose productions begin with each other and with themselves. Its words are made of x, +
// and brackets. Some of these grammars are ambiguous, and in some a production is inside itself with the same text.
func RandomLeft(rng *rand.Rand) string {
	names := []string{"s", "a", "b", "c"}[:2+rng.IntN(3)]
	name := func() string { return names[rng.IntN(len(names))] }
	// An item is what may stand after the beginning of an alternative: mostly one byte, so that words stay short.
	item := func() string {
		switch rng.IntN(12) {
		case 0:
			return name()
		case 1:
			return `[` + name() + `]`
		case 2, 3:
			return `"(" ` + name() + ` ")"`
		case 4:
			return `*"x"`
		case 5:
			return `*( "+" ` + name() + ` )`
		}
		return []string{`"x"`, `"+"`}[rng.IntN(2)]
	}
	var b strings.Builder
	for i, n := range names {
		b.WriteString(n + " = ")
		// One or two alternatives begin with the production itself or, in one of three, with any of them.
		for range 1 + rng.IntN(2) {
			first := n
			if rng.IntN(3) == 0 {
				first = name()
			}
			b.WriteString(first + []string{` "x" `, ` "+" `}[rng.IntN(2)])
			if rng.IntN(2) == 0 {
				b.WriteString(item())
			}
			b.WriteString(" / ")
		}
		// The last one ends the recursion, or leads on to the next production, so that all are used.
		last := []string{`"x"`, `"("`, `"x" / "(" s ")"`, `""`}[rng.IntN(4)]
		if i+1 < len(names) && rng.IntN(2) == 0 {
			last = names[i+1]
		}
		b.WriteString(last + "\n")
	}
	return b.String()
}

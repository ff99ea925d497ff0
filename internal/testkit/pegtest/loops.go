package pegtest

import "math/rand/v2"

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

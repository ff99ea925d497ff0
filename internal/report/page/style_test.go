package page

import (
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"math"
	"regexp"
	"strconv"
	"testing"
)

// What is written can be read: every color of text on every ground that it stands on, in light and in dark, by the
// contrast that WCAG 2.1 asks for at level AA. A browser that does not know light-dark shows the light colors.
func TestContrast(t *testing.T) {
	light, dark, plain := map[string]string{}, map[string]string{}, map[string]string{}
	for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)`).FindAllStringSubmatch(pageStyle, -1) {
		light[m[1]], dark[m[1]] = m[2], m[3]
	}
	for _, m := range regexp.MustCompile(`--([\w-]+): (#\w{6})`).FindAllStringSubmatch(pageStyle, -1) {
		plain[m[1]] = m[2]
	}
	for name, c := range plain {
		if light[name] != c {
			t.Errorf("--%s is %s, and %s where there is light-dark", name, c, light[name])
		}
	}
	on := map[string][]string{
		"ink":    {"paper", "code-bg", "a-soft", "b-soft", "both-soft"},
		"muted":  {"paper", "code-bg", "a-soft", "b-soft", "both-soft"},
		"accent": {"paper", "code-bg"},
		"good":   {"paper", "code-bg"},
		"bad":    {"paper", "code-bg", "a-soft", "b-soft", "both-soft"},
		"note":   {"paper", "code-bg"},
		"a":      {"paper", "a-soft"},
		"b":      {"paper", "b-soft"},
	}
	for name, colors := range map[string]map[string]string{"light": light, "dark": dark} {
		if len(colors) != len(plain) {
			t.Errorf("%d colors in %s, and %d without light-dark", len(colors), name, len(plain))
		}
		for text, grounds := range on {
			for _, ground := range grounds {
				if c := contrast(t, colors[text], colors[ground]); c < 4.5 {
					t.Errorf("%s: --%s on --%s has a contrast of %.2f", name, text, ground, c)
				}
			}
		}
	}
}

// contrast returns the ratio of the relative luminances of two colors, as WCAG 2.1 defines it.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(color string) float64 {
		if len(color) != 7 {
			t.Fatalf("no color: %q", color)
		}
		n := must.Of(strconv.ParseUint(color[1:], 16, 32))(t)
		channel := func(shift uint) float64 {
			c := float64(n>>shift&0xff) / 255
			if c <= 0.03928 {
				return c / 12.92
			}
			return math.Pow((c+0.055)/1.055, 2.4)
		}
		return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

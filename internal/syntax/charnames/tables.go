//go:build !js

package charnames

import (
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/runenames"
)

// byName returns the characters by the names that UnicodeData.txt has. The first call makes the map, which takes some
// 20 MB.
var byName = sync.OnceValue(func() map[string]rune {
	names := make(map[string]rune, 40_000)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if name := runenames.Name(r); name != "" && name[0] != '<' {
			names[name] = r
		}
	}
	return names
})

// findIdeograph returns the unified ideograph of CJK whose code point has these digits: four or five, the letters
// among them in upper case.
func findIdeograph(digits string) (r rune, ok bool) {
	if len(digits) < 4 || len(digits) > 5 || strings.ToUpper(digits) != digits {
		return 0, false
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || !strings.HasPrefix(runenames.Name(rune(v)), "<CJK Ideograph") {
		return 0, false
	}
	return rune(v), true
}

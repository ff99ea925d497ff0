package regex

import "testing"

// Ruby's names of groups, as Ruby 3.1 compiles them: all that TestCompiledByEngines does not draw at random.
func TestRubyNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"a": true, "hier-part": true, "a.b": true, "a b": true, "a1": true, "_": true, "é": true, "a(b": true, ".a": true, "²a": true,
		"-a": false, `n\x`: false, "1a": false, "٠a": false,
	} {
		if _, err := Parse("ruby", "(?<"+name+">x)"); (err == nil) != ok {
			t.Errorf("(?<%s>x): %v", name, err)
		}
	}
}

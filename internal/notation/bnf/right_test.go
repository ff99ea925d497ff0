package bnf

import "testing"

func TestRightSide(t *testing.T) {
	for _, c := range []struct{ notation, name, printed, want string }{
		{"rfc1630", "uri", "     uri                    scheme :  path [ ? search ]", "scheme : path [ ? search ]"},
		{"rfc1630", "reserved", "  reserved               =  |  ;  |  /", "= | ; | /"},
		{"rfc822", "httpurl", "httpurl        = \"http://\" hostport\n                 [ \"/\" hpath ]",
			`"http://" hostport [ "/" hpath ]`},
		{"abnf", "equals", `equals = "="`, `"="`},
		{"rfc822", "void", "void =", ""},
		// White space in quotes is a part of the terminal, and a ";" there begins no comment.
		{"abnf", "a", "a   = \"x  y\"   /  %s\"z  \"  ; c  d\n    / ';'  /  <\">  \"a\"", `"x  y" / %s"z  " / ';' / <"> "a"`},
		{"abnf", "b", "b = <two\n    lines; of  prose>  c", `<two lines; of prose> c`},
		{"abnf", "c", "c = [d;e]\n f]", `[d f]`},
		{"ebnf", "d", "d ::= [^\"]  \"a  b\"\n   'c  '", `[^"] "a  b" 'c  '`},
		{"gbnf", "e", `e ::= "\"  \\"   f`, `"\"  \\" f`},
		{"rfc1630", "extra", `extra  !  |  "  |  '  |  "`, `! | " | ' | "`},
		{"abnf", "eventprop", "eventprop = *(\n  ;\n  ; once\n  dtstamp / uid / ; both\n  \";\" <a ; b>)\r\n", `*( dtstamp / uid / ";" <a ; b>)`},
	} {
		if got := RightSide(c.notation, c.name, c.printed); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

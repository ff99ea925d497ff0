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
		{"abnf", "eventprop", "eventprop = *(\n  ;\n  ; once\n  dtstamp / uid / ; both\n  \";\" <a ; b>)\r\n", `*( dtstamp / uid / ";" <a ; b>)`},
	} {
		if got := RightSide(c.notation, c.name, c.printed); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

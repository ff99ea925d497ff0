package ast_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		name string
		want ast.Kind
		err  string
	}{
		{name: "pair", want: Pair},
		{name: "uri_host", want: Host},
		{name: "port", want: Port}, // by its name, which only url_port has
		{name: "host-port+", want: HostPort},
		{name: "host", err: `tiny has 2 productions "host": uri_host, host-port+`},
		{name: "host_portplus", err: `tiny has no production "host_portplus", but host-port+`},
		{name: "PAIR", err: `tiny has no production "PAIR", but pair`},
		{name: "", err: `tiny has no production ""`},
		{name: "\x1b[2J", err: `tiny has no production "\x1B[2J"`},
	} {
		got, err := tiny.Lookup(c.name)
		if message(err) != c.err || got != c.want {
			t.Errorf("Lookup(%q) = %d, %v; want %d, %s", c.name, got, err, c.want, c.err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestKind(t *testing.T) {
	for k, p := range tiny.Productions[1:] {
		if got, ok := tiny.Kind(p.ID); !ok || got != ast.Kind(k+1) {
			t.Errorf("Kind(%q) = %d, %t; want %d", p.ID, got, ok, k+1)
		}
		if got := tiny.Production(ast.Kind(k + 1)); got != p {
			t.Errorf("Production(%d) = %v, want %v", k+1, got, p)
		}
	}
	for _, id := range []string{"", "host", "nothing"} {
		if k, ok := tiny.Kind(id); ok {
			t.Errorf("Kind(%q) = %d", id, k)
		}
	}
	for _, k := range []ast.Kind{0, ast.Kind(len(tiny.Productions)), 0xffff} {
		if p := tiny.Production(k); p != (ast.Production{}) {
			t.Errorf("Production(%d) = %v, want none", k, p)
		}
	}
}

func TestScheme(t *testing.T) {
	if k, ok := tiny.Scheme("m"); !ok || k != Mail {
		t.Errorf("Scheme(m) = %d, %t; want %d", k, ok, Mail)
	}
	if k, ok := tiny.Scheme("M"); ok {
		t.Errorf("Scheme(M) = %d", k)
	}
}

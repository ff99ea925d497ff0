package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/spf13/cobra"
)

func TestFlagErrors(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"diff --length x ftp", `invalid argument "x" for "--length" flag: it must be a number`},
		{"diff --length 99999999999999999999 ftp", `invalid argument "99999999999999999999" for "--length" flag: the number is too large`},
		{"diff --length -99999999999999999999 ftp", `invalid argument "-99999999999999999999" for "--length" flag: the number is too small`},
		{"fix --apply=maybe http://host.dom/", `invalid argument "maybe" for "--apply" flag: it must be true or false`},
		{"check --quiet=out of range", `invalid argument "out" for "-q, --quiet" flag: it must be true or false`},
		{"prove --words 1.5", `invalid argument "1.5" for "--words" flag: it must be a number`},
		{"conform --timeout 5 http", `invalid argument "5" for "--timeout" flag: it must be a duration, such as 5s or 1m30s`},
		{"vectors --longest 2000000 ftp", `"--longest" flag`},
	} {
		var out, err bytes.Buffer
		if status := run(strings.Fields(tt.args), strings.NewReader(""), &out, &err); status != statusFailed || !strings.Contains(strings.Join(strings.Fields(err.String()), " "), tt.want) {
			t.Errorf("%s: %d, %s", tt.args, status, &err)
		}
	}
}

// A command that computes before it prints shows on a terminal what it has done.
func TestBusy(t *testing.T) {
	w := work{alive: func() {}}
	if w.String() != "" {
		t.Errorf("at first %q is done", &w)
	}
	w.rules(0, 210)
	w.rules(0, 3)
	w.rules(1, 0)
	if got := w.String(); got != ", 1 of 213 rules" {
		t.Errorf("%q is done", got)
	}
	w.set("comparisons", 2, 11)
	if got := w.String(); got != ", 2 of 11 comparisons" {
		t.Errorf("%q is done", got)
	}

	var out, err bytes.Buffer
	s := newStreams(strings.NewReader(""), &out, &err)
	p := &proving{streams: s, rfcs: &rfcs{bnfcheck.RFC1738}, format: &choice{"json", []string{"json"}}, naming: &naming{notating: &notating{nesting: noNesting}, kind: &choice{}}}
	p.limiting.add(s, &cobra.Command{})
	must.Do(t, p.run([]string{"hostport"}))
	if p.doing.of < 2 || p.doing.done != p.doing.of {
		t.Errorf("%d of %d rules are counted as done", p.doing.done, p.doing.of)
	}
}

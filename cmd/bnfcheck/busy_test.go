package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestNumberFlags(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"diff --length x ftp", `invalid argument "x" for "--length" flag: it must be a number`},
		{"diff --length 99999999999999999999 ftp", `invalid argument "99999999999999999999" for "--length" flag: the number is too large`},
		{"prove --words 1.5", `invalid argument "1.5" for "--words" flag: it must be a number`},
		{"vectors --longest 2000000 ftp", `"--longest" flag`},
	} {
		var out, err bytes.Buffer
		if status := run(strings.Fields(tt.args), strings.NewReader(""), &out, &err); status != statusFailed || !strings.Contains(strings.Join(strings.Fields(err.String()), " "), tt.want) {
			t.Errorf("%s: %d, %s", tt.args, status, &err)
		}
	}
}

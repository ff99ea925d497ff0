package gopherplus_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/bnfcheck/bnfcheck/semantic/gopherplus"
)

func TestParse(t *testing.T) {
	for s, want := range map[string]gopherplus.Request{
		"":                              {Form: gopherplus.Unknown},
		"x":                             {Form: gopherplus.Unknown},
		"+":                             {Form: gopherplus.DefaultView},
		"?":                             {Form: gopherplus.FormDefinition},
		"!":                             {Form: gopherplus.Attributes, Names: []string{}},
		"!+INFO+ADMIN":                  {Form: gopherplus.Attributes, Names: []string{"+INFO+ADMIN"}},
		"$+VIEWS +ABSTRACT":             {Form: gopherplus.Attributes, Every: true, Names: []string{"+VIEWS", "+ABSTRACT"}},
		"+text/html de":                 {Form: gopherplus.AlternateView, View: "text/html", Language: "de"},
		"+text/html":                    {Form: gopherplus.AlternateView, View: "text/html"},
		"+\t1\r\n+-1\r\n.\r\n":          {Form: gopherplus.FilledForm},
		"+\t1\r\n+-1\r\na\r\n\r\n.\r\n": {Form: gopherplus.FilledForm, Answers: []string{"a", ""}},
		"+\t1\r\n+-1\r\na.\r\n":         {Form: gopherplus.Unknown},
		"+\t1\r\n+-1\r\na\r\n":          {Form: gopherplus.Unknown},
		"+\t2\r\n+-1\r\na\r\n.\r\n":     {Form: gopherplus.Unknown},
	} {
		if got := gopherplus.Parse(s); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", s, got, want)
		}
	}
}

func TestFormInWords(t *testing.T) {
	seen := map[string]bool{}
	for f := gopherplus.None; f <= gopherplus.Unknown; f++ {
		if seen[f.String()] {
			t.Errorf("two forms are %q", f)
		}
		seen[f.String()] = true
	}
	if f := gopherplus.Unknown + 1; f.String() != gopherplus.Unknown.String() {
		t.Errorf("a form beyond the last is %q", f)
	}
}

func ExampleParse() {
	request := gopherplus.Parse("+text/html de")
	fmt.Println(request.Form, request.View, request.Language)
	// Output: an alternate view text/html de
}

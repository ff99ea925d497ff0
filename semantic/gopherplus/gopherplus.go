// Package gopherplus takes apart the Gopher+ string of a gopher URL, by which a client asks for more than an item
// (RFC 1738 sections 3.4.4 to 3.4.9; RFC 1630 sends its command string as it is, and gives it no parts).
//
//	request := gopherplus.Parse("+text/html de") // or (*semantic.Gopher).Plus, of a URL
//	fmt.Println(request.Form, request.View, request.Language)
package gopherplus

import "strings"

// A Form is the form of a Gopher+ string.
type Form uint8

const (
	None           Form = iota // there is no Gopher+ string
	DefaultView                // "+": the default view of the item                                 section 3.4.4
	FormDefinition             // "?": an item with an electronic form                              section 3.4.4
	// "!" or "$", and names: attributes of the item or of a directory   sections 3.4.6, 3.4.7
	Attributes
	AlternateView // "+" view, space, language                                         section 3.4.8
	FilledForm    // "+" tab "1" and the answers to a form, line by line               section 3.4.9
	Unknown       // none of these
)

var forms = [...]string{"", "the default view", "an item with a form", "attributes", "an alternate view",
	"a filled-in form", "no form that the text describes"}

// String returns the form in words.
func (f Form) String() string {
	if int(f) < len(forms) {
		return forms[f]
	}
	return forms[Unknown]
}

// A Request is a Gopher+ string in its parts.
type Request struct {
	Form           Form
	Every          bool     // Attributes: "$", those of all items of the directory
	Names          []string // Attributes: which; none means all
	View, Language string   // AlternateView
	Answers        []string // FilledForm
}

// What a filled-in form begins and ends with, as it is sent.
const (
	formHead = "+\t1\r\n+-1\r\n"
	formTail = ".\r\n"
)

// Parse returns a Gopher+ string, decoded, in its parts. An empty one is [Unknown]; the zero Request is no string.
func Parse(s string) Request {
	switch {
	case s == "+":
		return Request{Form: DefaultView}
	case s == "?":
		return Request{Form: FormDefinition}
	case s != "" && (s[0] == '!' || s[0] == '$'):
		return Request{Form: Attributes, Every: s[0] == '$', Names: strings.Fields(s[1:])}
	case strings.HasPrefix(s, "+\t"):
		body, ok := strings.CutPrefix(s, formHead)
		body, end := strings.CutSuffix(body, formTail)
		if !ok || !end || body != "" && !strings.HasSuffix(body, "\r\n") {
			return Request{Form: Unknown}
		}
		p := Request{Form: FilledForm}
		if body != "" {
			p.Answers = strings.Split(strings.TrimSuffix(body, "\r\n"), "\r\n")
		}
		return p
	case s != "" && s[0] == '+':
		view, language, _ := strings.Cut(s[1:], " ")
		return Request{Form: AlternateView, View: view, Language: language}
	}
	return Request{Form: Unknown}
}

package conform

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// An Implementation answers what it makes of strings.
type Implementation interface {
	// Name returns the name that reports use.
	Name() string

	// Workers returns how many goroutines can usefully ask at a time; Ask is safe for at least that many.
	Workers() int

	// Ask asks about one input. What goes wrong with this input alone is the answer's Fault. An error means that
	// nothing more can be asked: the context's, or a [*GaveUpError].
	Ask(ctx context.Context, w string) (Answer, error)
}

// Func is an implementation in this process.
type Func struct {
	Title   string
	Parse   func(w string) Answer // safe for concurrent use
	Timeout time.Duration         // for an answer; 0 waits for ever
}

// Name returns f's title.
func (f Func) Name() string { return f.Title }

// Workers is 1: what runs in this process is fast enough.
func (f Func) Workers() int { return 1 }

// Ask calls the function. A panic is a fault of that string. A call that exceeds the timeout cannot be
// stopped and ends all asking: Ask then fails with a [*GaveUpError], though the call may go on running.
// Otherwise it fails only with ctx's error, at which it looks before the call and no more.
func (f Func) Ask(ctx context.Context, w string) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if f.Timeout == 0 {
		return f.answerFor(w), nil
	}
	answer := make(chan Answer, 1)
	go func() {
		a := crashOn(w, "the goroutine was ended")
		defer func() { answer <- a }() // after runtime.Goexit as well
		a = f.answerFor(w)
	}()
	select {
	case a := <-answer:
		return a, nil
	case <-time.After(f.Timeout):
		fault := &Fault{Kind: TimeOut, Input: quote.Word(w), Detail: "no answer in " + f.Timeout.String()}
		return Answer{}, &GaveUpError{Command: f.Title, Last: fault}
	}
}

// answerFor asks the function about w. A panic is a crash on w.
func (f Func) answerFor(w string) (a Answer) {
	defer func() {
		if r := recover(); r != nil {
			a = crashOn(w, fmt.Sprintf("panic: %v", r))
		}
	}()
	return f.Parse(w)
}

// crashOn returns the answer of a program that crashed on w.
func crashOn(w, detail string) Answer {
	return Answer{Verdict: NoAnswer, Fault: &Fault{Kind: Crash, Input: quote.Word(w), Detail: detail, Repeated: true}}
}

// Verdict is an implementation's judgment on a string.
type Verdict uint8

// The verdicts.
const (
	NoAnswer  Verdict = iota // it was not asked, or failed to answer
	Undecided                // it says that it cannot say
	Accepted                 // it takes the string for a URL
	Rejected                 // it does not
)

// String returns the verdict in words.
func (v Verdict) String() string {
	return [...]string{"no answer", "undecided", "accepted", "rejected"}[v&3]
}

// Answer is everything an implementation says about a string.
type Answer struct {
	Verdict    Verdict
	Components Components
	Named      map[string]Value // the components of a grammar that is not about URLs, by their names
	Error      string           // its own words on why it rejects
	Fault      *Fault           // what went wrong; with a Verdict other than NoAnswer, a fresh child answered after all
}

// requireScheme turns the acceptance of a string without a scheme into a rejection, as a judge of URLs needs
// it: such a string is no URL, whatever else the parser takes it for. A parser that says nothing about
// schemes keeps its answer.
func (a Answer) requireScheme() Answer {
	if scheme := a.Components[Scheme]; a.Verdict == Accepted && scheme.Said && scheme.Text == "" {
		return Answer{Verdict: Rejected, Error: "no scheme", Fault: a.Fault}
	}
	return a
}

// Limits on the text that a run keeps of an answer, so that an implementation that writes a megabyte about
// each of many strings does not fill the memory. A correct component is never that long.
const (
	keptText = 1 << 10
	keptEach = 16 // for each byte of the string
	keptHead = 100
)

// shortened returns the answer to w as a run keeps it: text that is far longer than w is cut to its
// beginning, followed by its length. The map Named is changed in place.
func (a Answer) shortened(w string) Answer {
	short := func(text string, most int) string {
		if len(text) <= most {
			return text
		}
		return fmt.Sprintf("%s... (%d bytes)", text[:keptHead], len(text))
	}
	for c := range a.Components {
		a.Components[c].Text = short(a.Components[c].Text, keptText+keptEach*len(w))
	}
	for name, v := range a.Named {
		v.Text = short(v.Text, keptText+keptEach*len(w))
		a.Named[name] = v
	}
	a.Error = short(a.Error, keptText)
	return a
}

// Component is a part of a URL that parsers report under much the same name.
type Component uint8

// The components, in the order of their names in the protocol: first those of [vectors.ComponentNames], which
// are RFC 1738's, then RFC 3986's userinfo, which is user and password in one. RFC 1738's search is RFC
// 3986's query.
const (
	Scheme Component = iota
	User
	Password
	Host
	Port
	Path
	Search
	Fragment
	UserInfo
	components // how many there are
)

// String returns the component's name in RFC 1738, or "userinfo", which that RFC does not have.
func (c Component) String() string {
	if c == UserInfo {
		return "userinfo"
	}
	return vectors.ComponentNames[c]
}

// componentNamed returns the component that the protocol calls name: "query" and "search" are the same one.
// It returns false if there is no such component.
func componentNamed(name string) (Component, bool) {
	if name == query {
		return Search, true
	}
	for c := range components {
		if c.String() == name {
			return c, true
		}
	}
	return 0, false
}

// query is RFC 3986's name of a search.
const query = "query"

// deriveUserInfo fills in the user information that a parser does not say: the user and the password, cut at the
// first ":" of the userinfo, if it says neither of the two; or the userinfo, if it says at least the user.
func (c *Components) deriveUserInfo() {
	user, password, info := &c[User], &c[Password], &c[UserInfo]
	switch {
	case info.Said && !user.Said && !password.Said:
		*user, *password = *info, None
		if before, behind, ok := strings.Cut(info.Text, ":"); ok {
			*user, *password = Is(before), Is(behind)
		}
	case user.Said && !info.Said:
		*info = *user
		if password.Present {
			*info = Is(user.Text + ":" + password.Text)
		}
	}
}

// Components are the components that a parser sees in a string.
type Components [components]Value

// Value is a parser's statement about one component.
type Value struct {
	Said    bool   // the parser says something about this component
	Present bool   // the component is there, even if empty
	Text    string // the component's text
}

// Is returns the value of a component that is there.
func Is(text string) Value { return Value{Said: true, Present: true, Text: text} }

// None is the value of a component that is absent.
var None = Value{Said: true}

// String returns the value as reports show it: "(not said)", "none", or its text in quotes, as inQuotes cuts it.
func (v Value) String() string {
	switch {
	case !v.Said:
		return "(not said)"
	case !v.Present:
		return "none"
	}
	return inQuotes(v.Text)
}

package regex

import (
	"regexp"
	"slices"
	"strings"
)

// People also paste the call that compiles an expression: re.compile(r"a"), regexp.MustCompile(`a`).
// Its argument is read where it is one literal. Every other text that begins as such a call is
// refused with the two spellings that have one meaning: the expression alone, and the text itself.

// A call is how programs of a language compile an expression.
type call struct {
	names []string // of the functions, as programs spell them
	// argument returns the literal in the text of s from s.from on, nil if there is none. It is nil for functions whose
	// argument is not read.
	argument func(s *scanner) *literal
	write    string // how the operand of an expression is spelled, for messages
}

var (
	pythonCall = call{names: []string{"re.compile"}, argument: (*scanner).pythonString, write: `r"..."`}
	// These match in ways of their own: re.match only at the beginning.
	pythonMatchCall = call{
		names: []string{
			"re.match", "re.fullmatch", "re.search", "re.findall", "re.finditer", "re.split", "re.sub", "re.subn",
		},
		write: `r"..."`,
	}
	goCall = call{names: []string{"regexp.MustCompile", "regexp.Compile"}, argument: (*scanner).goString,
		write: "`...`"}
	javaCall = call{
		names: []string{"Pattern.compile", "java.util.regex.Pattern.compile"}, argument: (*scanner).javaString,
		write: `"..."`,
	}
	jsCall   = call{names: []string{"new RegExp", "RegExp"}, argument: (*scanner).jsArgument, write: "/.../"}
	rubyCall = call{
		names: []string{"Regexp.new", "Regexp.compile"}, argument: (*scanner).rubyArgument, write: "/.../",
	}
	rustCall = call{
		names: []string{"Regex::new", "regex::Regex::new"}, argument: (*scanner).rustArgument, write: `r"..."`,
	}
	phpCall = call{
		names: []string{
			"preg_match", "preg_match_all", "preg_replace", "preg_replace_callback", "preg_split", "preg_grep",
		},
		write: "/.../",
	}
	goMatchCall   = call{names: []string{"regexp.MatchString", "regexp.Match"}, write: "`...`"}
	javaMatchCall = call{names: []string{"Pattern.matches"}, write: `"..."`}
	rustBuildCall = call{names: []string{"RegexBuilder::new", "regex::RegexBuilder::new"}, write: `r"..."`}
	goPOSIXCall   = call{names: []string{"regexp.MustCompilePOSIX", "regexp.CompilePOSIX"}, write: "`...`"}
	posixCall     = call{names: []string{"regcomp"}, write: "..."}
)

// assignment matches the text that may stand before a call, or a literal.
var assignment = regexp.MustCompile(
	`^(?:(?:const|let|var|final|static|public|private|Pattern|my|our)\s+)*[\w.$]+\s*:?=\s*`)

// afterCall matches the text that may stand after a call and does not change its meaning.
var afterCall = regexp.MustCompile(`(?:\s*(?:;|\?|\.unwrap\(\)))*$`)

// call returns the literal in a call that compiles an expression, perhaps after an assignment; nil if the text is no
// call. It panics for a call whose argument is not one literal, or is a wrong one, and for a call of a function whose
// argument is not read, such as re.match.
func (s *scanner) call() *literal {
	from := s.from
	if loc := assignment.FindStringIndex(s.text[from:]); loc != nil {
		from += loc[1]
	}
	for _, c := range s.regex.dialect.calls {
		for _, name := range c.names {
			rest, begins := strings.CutPrefix(s.text[from:], name)
			opened := strings.TrimLeft(rest, " \t\n")
			if !begins || !strings.HasPrefix(opened, "(") {
				continue
			}
			return s.argumentOf(c, name, len(s.text)-len(opened)+1)
		}
	}
	return nil
}

// argumentOf returns the literal that is the only argument of a call, from the offset from on, neither plain nor
// doubtful. A comma may stand after the argument, and what afterCall matches after the call. It panics for any other
// argument.
func (s *scanner) argumentOf(c call, name string, from int) *literal {
	end := len(strings.TrimRight(afterCall.ReplaceAllString(s.text, ""), " \t\n"))
	if c.argument == nil || end <= from || s.text[end-1] != ')' {
		s.refuseCall(c, name)
	}
	inside := strings.TrimRight(s.text[:end-1], " \t\n,")
	from += len(inside[min(from, len(inside)):]) - len(strings.TrimLeft(inside[min(from, len(inside)):], " \t\n"))
	if from >= len(inside) {
		s.refuseCall(c, name)
	}
	l := c.argument(&scanner{regex: s.regex, text: inside, from: from, again: s.again})
	if l == nil {
		s.refuseCall(c, name)
	}
	l.plain, l.doubtful = false, false
	return l
}

// refuseCall panics with the refusal that the argument of a call is not read. It says how to spell the expression,
// and how all of the text.
func (s *scanner) refuseCall(c call, name string) {
	write := c.write
	if s.regex.File == s.regex.Flavor {
		write = s.regex.Flavor + ":" + write
	}
	s.refuse(s.from, "%s(...) is a call whose argument is not one literal: write %s for the expression, "+
		"and %s for all of the text",
		name, write, s.regex.spelledWhole())
}

// jsArgument finds a string, a String.raw or /.../flags as the argument of RegExp. It returns nil if there is none, for
// a string that stringArgument does not read, and for a `...` in which a value is inserted. It panics as jsLiteral and
// jsRawTemplate do.
func (s *scanner) jsArgument() *literal {
	if s.text[s.from] == '/' {
		return s.jsLiteral()
	}
	if l := s.jsRawTemplate(); l != nil {
		return l
	}
	if s.text[s.from] == '`' && strings.Contains(s.text[s.from:], "${") {
		return nil
	}
	return s.stringArgument("JavaScript's string", "\"'`")
}

// rubyArgument finds a string or /.../flags as the argument of Regexp.new. It returns nil if there is none, or if a
// value may be inserted into the string. For one in double quotes that is so if a "#" stands anywhere in the text. It
// panics as rubyLiteral does.
func (s *scanner) rubyArgument() *literal {
	if s.text[s.from] == '/' {
		return s.rubyLiteral()
	}
	if s.text[s.from] == '"' && strings.Contains(s.text, "#") {
		return nil // a value may be inserted
	}
	return s.stringArgument("Ruby's string", `"'`)
}

// rustArgument finds r"..." or "..." as the argument of Regex::new. It returns nil if there is none, and panics as
// rustString does.
func (s *scanner) rustArgument() *literal {
	if s.text[s.from] == 'r' {
		return s.rustString()
	}
	return s.stringArgument("Rust's string", `"`)
}

// stringArgument finds a string in one of the quotation marks in marks, from s.from to the end of the text. kind is
// its name in messages. It returns nil if there is none, if a line ends in it, and if it has an escape other than of a
// \ and of its own quotation mark: the others differ between languages.
func (s *scanner) stringArgument(kind, marks string) *literal {
	mark := s.text[s.from]
	end := s.closing(s.from+1, mark, mark)
	if !slices.Contains([]byte(marks), mark) || end != len(s.text)-1 {
		return nil
	}
	l := &literal{kind: kind}
	for i := s.from + 1; i < end; i++ {
		at := i
		switch c := s.text[i]; {
		case c == '\n' || c == '\r':
			return nil
		case c == '\\':
			if i++; s.text[i] != '\\' && s.text[i] != mark {
				return nil
			}
		}
		l.add(s.text[i], at)
	}
	l.close(end)
	return l
}

package regex

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// A flavor is a row of one table, and has a file of its own: golang.go, java.go, javascript.go, pcre.go, perl.go,
// posix.go, python.go, ruby.go, rust.go. The parser, the scanner of literals and the writer of expressions ask the row
// and never the name. Where flavors differ by more than a word or a number, the row has a function.
//
// A row has to answer every question. A feature stands either in has or in lacks, and every other field has a
// value: noLetters where there are none. TestRows fails where one is missing, so that a new flavor takes nothing
// over in silence. TestFeatures shows what the answers come to: the syntax that each flavor reads.

// table has all flavors, in the order of the lists that are shown.
var table = []*row{
	{name: "js", read: &javascript, write: &javascriptWriting, page: true},
	{name: "go", read: &golang, write: &golangWriting, page: true},
	{name: "java", read: &java, write: &javaWriting},
	{name: "python", read: &python, write: &pythonWriting, page: true},
	{name: "pcre", read: &pcre, write: &pcreWriting, page: true},
	{name: "ruby", read: &ruby, write: &rubyWriting},
	{name: "html-pattern", write: &htmlPattern},
	{name: "json-schema", write: &jsonSchema},
	{name: "posix", read: &posix},
	{name: "rust", read: &rust},
	{name: "perl", read: &perl},
	{name: "js2024", read: &javascript},
	{name: "js2025", read: &javascript2025},
	{name: "python3.11", read: &python},
	{name: "python3.12", read: &python312},
	{name: "python3.13", read: &python313},
	{name: "python3.14", read: &python314},
}

// A row is one flavor. A name that ends in a number is that of a version; the name without one is that of the
// pinned engine.
type row struct {
	name  string
	read  *dialect // how its expressions are read; nil if they are read as those of another flavor
	write *Writing // how they are written; nil if they are not
	page  bool     // whether the playground writes it
}

// rowOf returns the row with a name, or nil.
func rowOf(name string) *row {
	for _, r := range table {
		if r.name == name {
			return r
		}
	}
	return nil
}

// dialectOf returns the dialect that a flavor is read by, nil for a flavor that is not read.
func dialectOf(name string) *dialect {
	if r := rowOf(name); r != nil {
		return r.read
	}
	return nil
}

// namesOf lists the names of the rows that a condition holds for.
func namesOf(holds func(*row) bool) (names []string) {
	for _, r := range table {
		if holds(r) {
			names = append(names, r.name)
		}
	}
	return names
}

// Flavors lists the flavors that are read, sorted.
func Flavors() []string {
	return slices.Sorted(slices.Values(namesOf(func(r *row) bool { return r.read != nil })))
}

// OnPage lists the flavors that the playground writes.
func OnPage() []string { return namesOf(func(r *row) bool { return r.page }) }

// MostRepeats returns the largest number that a quantifier of a flavor may have.
func MostRepeats(flavor string) int64 { return dialectOf(flavor).repeats }

// Backtracks reports whether the engine of a flavor tries one way to match after the other. It is false for a flavor
// that is not read.
func Backtracks(flavor string) bool {
	d := dialectOf(flavor)
	return d != nil && d.has[backtracks]
}

// A dialect is how expressions of a flavor are read.
type dialect struct {
	engine  string // the engine that this package agrees with, and its version
	strings string // the alphabet, as a clause of a sentence
	unicode string // the version of its tables of Unicode
	tables  string // the program with that version; often engine itself

	has, lacks features

	// What is written.
	types    letters // escapes that are classes: "dDwWsS"
	anchors  letters // escapes that are anchors: "AzZbB"
	controls letters // escapes of control characters: "fnrtv"
	refused  letters // escapes outside of classes that the engine has and that are not read here
	groups   words   // what may follow "(?"; "f" stands for flags
	flags    letters // the inline flags
	possess  letters // the ends of quantifiers that a "+" makes possessive: "?*+}"
	repeats  int64   // the largest number of a quantifier
	nesting  int     // how deep groups may nest, at most maxDepth

	openBrace    outcome // a "{" that begins no quantifier
	disorder     outcome // a quantifier whose numbers are out of order
	sameName     outcome // two groups of one name
	otherName    outcome // a name of a group with a character that isName does not allow
	half         outcome // the number of half of a surrogate pair
	bareProperty outcome // \p without { where a letter alone is no property
	typeInRange  outcome // an escape for a class at the beginning of a range
	bareFlags    outcome // (?)

	refusedInClass words   // what may follow a "\" in a class and is not read here
	errorsInClass  letters // escapes that are errors in a class
	refusedRanges  letters // escapes for classes that are refused at either end of a range
	refusedDash    words   // what is refused after a "-" in a class
	// Operators of classes that the engine has and that are not read here.
	refusedOperators words

	lookbehind lookbehind
	// isName reports whether a name of a group may have c, as its first character or later, and plainName returns the
	// name that some symbols stand for.
	isName    func(u *runes.Unicode, c rune, first bool) bool
	plainName func(symbols []rune) []rune

	// What is matched.
	newlines        set                      // what . does not match, and what multiline anchors stand at
	space           func(*runes.Unicode) set // \s
	wideSpace       func(*runes.Unicode) set // \s under the flag for Unicode
	wideWord        func(*runes.Unicode) set // \w under the flag for Unicode
	horizontalSpace set                      // \h
	boundary        func(*parser) set        // the word characters of \b
	fold            runes.Fold               // what ignoring case does
	foldTypes       foldTypes                // what ignoring case does to \w and \p{Lu}

	// begin sets the flags of the whole expression from a literal, and returns the offset in its pattern where the
	// parser begins. The flags after the literal are set already.
	begin func(p *parser, l *literal) (from int)
	// finish looks at a whole expression: it refuses what the engine does not take, and adds what the language
	// rests on.
	finish func(p *parser, n *node)
	// flag sets a flag that stands after a literal, and reports whether there is such a flag.
	flag func(p *parser, c rune, at int) bool
	// literal finds the literal of the flavor's language that a text is; nil if it is none.
	literal func(*scanner) *literal
	// delimiters are the marks around an expression in that language; messages try them in this order.
	delimiters letters
	calls      []call // of the functions that compile an expression
	// symbol returns the symbol that an escape stands for, and goes past the rest of the escape. c, which stands after
	// a "\" at an offset, was passed, and is no control that parser.symbol knows. symbol stops the parser for an
	// escape that the engine or this package does not have.
	symbol func(p *parser, at int, c rune, class bool) rune
	// property returns the members of a property that can stand in \p{}; false if there is no such property.
	property func(p *parser, name string) (set, bool)
	// posixClass returns the members of [:name:], before not negates them; false if there is no such class.
	posixClass func(p *parser, at int, name string, not bool) (set, bool)
}

// letters are single letters with some meaning; noLetters if there are none.
type letters string

const noLetters letters = " "

// has reports whether a character is one of the letters.
func (l letters) has(c rune) bool {
	return c > ' ' && c < utf8.RuneSelf && strings.ContainsRune(string(l), c)
}

// words are separated by spaces, noWords if there are none.
type words string

const noWords words = " "

// has reports whether a text is one of the words.
func (w words) has(text string) bool { return slices.Contains(strings.Fields(string(w)), text) }

// noSet is a set without members where a row has to have one.
var noSet = set{}

// An outcome says how a construct is treated.
type outcome uint8

const (
	unsaid  outcome = iota // the row says nothing
	read                   // the engine has it, and it is read here
	apart                  // the two may stand in different branches of a choice, and elsewhere are an error
	wrong                  // an error to the engine
	refused                // the engine may have it, and it is not read here
)

// stop ends the parser with an error if the outcome is wrong, and with a refusal if it is refused. Otherwise it
// returns, and the caller goes on. The caller must handle the outcome apart.
func (p *parser) stop(o outcome, at int, format string, args ...any) {
	switch o {
	case wrong:
		p.fail(at, format, args...)
	case refused:
		p.refuse(at, format, args...)
	}
}

// foldTypes says when an escape for a class is closed under case.
type foldTypes uint8

const (
	_          foldTypes = iota
	foldNever            // (?i)\p{Lu} matches upper case alone
	foldBefore           // before it is negated: (?i)\W has no K (Kelvin)
	foldAfter            // after it is negated
)

// A lookbehind is the condition that an engine sets for the body of a lookbehind.
type lookbehind uint8

const (
	_             lookbehind = iota
	noLookbehind             // there are none
	anyLength                // nothing
	fixedLength              // that all of it has one length
	fixedBranches            // that each branch at the top has one length
	boundedLength            // that there is a largest length
	shortLength              // that there is a largest length, of at most mostBehind
)

// mostBehind is the largest length of a lookbehind where the length is short. Perl 5.36 takes 255, too, and does not
// match (?<=a{0,255})b in "b", as it counts the places that it tries in a byte.
const mostBehind = 254

// features are a set of features.
type features [featureCount]bool

// these returns the set of the features in the list.
func these(list ...feature) (f features) {
	for _, x := range list {
		f[x] = true
	}
	return f
}

// with returns the features and some more.
func (f features) with(list ...feature) features {
	for _, x := range list {
		f[x] = true
	}
	return f
}

// without returns the features except for some.
func (f features) without(list ...feature) features {
	for _, x := range list {
		f[x] = false
	}
	return f
}

// A feature is something that a flavor has or lacks.
type feature uint8

const (
	// The engine and its strings.
	backtracks   feature = iota // it tries one way to match after the other
	ownParser                   // it is at hand: regexp/syntax says whether an expression is one
	brokenUTF8                  // a byte that is no part of a character is read as U+FFFD
	noZero                      // no string has a byte 0
	delimited                   // [Parse] reads an expression between delimiters, too
	finalNewline                // $ also matches before a newline that ends the input
	crlf                        // CR LF is one newline
	lineEnd                     // ^ of multiline mode does not match at the end of the input, after its last newline
	strict                      // text that the grammar does not have is an error: JavaScript with the flag u or v

	// Groups.
	strayParen        // a ) without a ( is a character
	verbs             // (*ACCEPT) and the like
	spacedGroups      // what extended mode ignores after a ( is not read here
	namesAlone        // where a group has a name, those without do not capture
	lookaheadRepeats  // a lookahead may be repeated
	lookbehindRepeats // a lookbehind may be repeated
	anchorsRepeat     // an anchor may be repeated
	groupsFixed       // the branches of a group in a lookbehind have one length
	// There is no lookaround or atomic group in a lookbehind, and no capturing group in one that is negated.
	simpleLookbehinds

	// Flags.
	isolatedFlags    // (?i) in a branch opens a group up to the end of all branches
	flagsFirst       // (?i) stands at the beginning of the expression only
	strictFlags      // a flag that is switched on and off is an error, and so are a and u together
	resetFlags       // (?^)
	doubleX          // (?xx): blanks in classes are ignored, and a class with one is not read here
	dotAllIsM        // m has . match newlines, and multiline anchors are the only ones
	wholeFlagGroups  // the branches of (?i:a|b) in a lookbehind have one length
	flagsRepeatPrior // a quantifier after (?i) repeats what stands before that
	scopedFlags      // flags are those of a group, and there is at least one
	flagsOnce        // a flag stands once among those of a group

	// Extended mode and comments.
	asciiExtended     // extended mode ignores white space of ASCII alone
	escapedComments   // a \ in a comment begins an escape
	pairedComments    // a \ in a comment keeps the symbol after it from ending the comment
	spacedQuantifiers // what extended mode ignores may stand between the signs of a quantifier
	spacedClasses     // extended mode ignores white space in classes, too

	// Quantifiers.
	lazyQuantifiers   // a*?
	stacked           // a** is a quantifier of a quantifier
	countThenOption   // so is the ? of a{2}?
	below             // {,n}
	belowNothing      // {,}
	refusedBelow      // {,n} is a quantifier in newer versions of the engine only
	plainCounts       // a{01} is text, as its number begins with a zero
	numbersChecked    // a number that is too large is an error, even where it is in no quantifier in the end
	emptyRepeats      // {2} after what cannot be repeated repeats the empty string
	countNeedsAtom    // {2} with nothing before it is an error
	anyNeedsAtom      // a quantifier with nothing before it is an error; a row that lacks it may read one
	emptyStopsRepeats // after an iteration that is empty there is no other

	// Escapes.
	quote             // \Q...\E
	strayQuoteEnd     // \E without \Q means nothing
	emptyQuote        // \Q\E is read
	properties        // \p{L}
	letterProperties  // \pL
	caretProperties   // \p{^L}
	upperZIsEnd       // \Z is \z
	boundaryNeedsText // neither \b nor \B matches in the empty string
	doubtfulBreaks    // \R is read as documented, which the engine may not do
	keep              // \K

	numberedCharacters // \N{U+41} is a character
	beyondAlphabet     // a number may be that of a character that no string has

	callEscapes       // \g<n> calls a group
	namedReferences   // \k<n> is a backreference
	bracedReferences  // with namedReferences: so are \k{n} and \k'n', and \g{n}, \g{1}, \g{-1}, \g1 and \g-1
	namesMakeK        // where a group has a name, \k is one, and never a letter
	references        // \1 is a backreference
	octalReferences   // \101 is a character
	looseReferences   // \1 is a character where there is no group 1
	checkedReferences // \1 is an error where there is no group 1
	remembers         // a backreference to a group with finitely many texts is read
	unsetIsEmpty      // a reference to a group that has not matched matches the empty string
	bareConditions    // (?(name)a|b), where others have (?(<name>)a|b)
	wideTypes         // the flag for Unicode changes \d, \w and \s
	asciiFolds        // without that flag, case is ignored in ASCII alone
	backspace         // \b is a character in a class
	latinWords        // \w alone, under the flag for Unicode, has [latinNumbers]
	doubtfulAscii     // what \d means in a group with the flag a or u is not read here

	// Classes.
	emptySet       // [] is a class without members
	refusedBracket // a ] at the beginning of a class is not read here
	posixClasses   // [[:alpha:]]
	// [: begins a class where its end is found as PCRE2 looks for it, and is an error outside of classes.
	posixScanned
	// [:x:] outside of classes is not read here: to regcomp it is a class of its characters, to grep -E an error
	colonsRefused
	posixBegun      // [: without an end is a [ and a :
	collating       // [[.a.]] and [[=a=]]
	nested          // classes in classes, and &&
	oddIntersection // && is read between two operands alone
	// A class with \D or the like in it is not read here where the engine takes the wrong characters beyond ASCII: in
	// a negated class in a class (Ruby) or, where classes do not nest, with a POSIX class or a property (PCRE2).
	lostComplements
	plainClasses  // a \ is a character in a class
	dashAtEnds    // a - in a class stands at its beginning or its end
	looseRanges   // [\w-a] has a -
	soleCharacter // [a] is read as a
	// Ignoring case relates a class to characters beyond ASCII by rules of its own, and joins characters.
	crossFolds
	fullFolds // ignoring case by the rules of Unicode compares full case foldings: see perlfold.go

	featureCount
)

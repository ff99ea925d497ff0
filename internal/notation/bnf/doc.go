// Package bnf reads notations of grammars into the one expression tree of package expr: RFC 1630's own, RFC 1738's
// offspring of RFC 822 and the ABNF of RFC 5234, in which URL grammars are published, and the notations that
// [EBNF], [GBNF], [ISO], [Naur] and [RBNF] describe. It also reads the ledger of readings, which settles what the
// two older RFCs leave open.
//
// # The file
//
// A grammar file holds productions exactly as they are printed, wrapped lines and layout included. Lines of its own
// start with "@" in the first column:
//
//	@ grammar rfc1630                           the name in messages
//	@ title RFC 1630                            the name in prose
//	@ notation rfc1630                          or rfc822 or abnf; before the first production
//	@ section 5                                 what is cited for the productions that follow
//	@ part generic "BNF of Generic URI Syntax"  a BNF of its own inside the text, and the heading that is cited for it
//	@ ids uri_ all                              every ID of the part is "uri_" and the name; "shared": only names that
//	                                            another part has as well. Without the line an ID is the name.
//	@ page 22 line 1220                         where the production that follows begins in the text
//
// A name means the production of that name in the same part. In the tree a reference holds the production's ID; a
// name that the part does not define stays as printed, a reference to nothing, which package lint finds.
//
// # rfc1630
//
// RFC 1630 describes its notation in two paragraphs ("BNF of Generic URI Syntax"): "|" separates alternatives,
// brackets hold optional parts, single characters stand for themselves, longer words are names, and the words "space"
// and "vline" stand for characters that cannot be written. There is no sign between a name and what it derives, no
// grouping, no repetition and no quoting:
//
//	production   = name [ alternatives ]
//	alternatives = alternative *( "|" alternative )
//	alternative  = "[" / "]" / 1*element      ; a bracket that is an alternative all by itself is a character
//	element      = character / name / "[" alternatives "]"
//
// A name without alternatives derives the empty word (void). Neighboring characters are one literal. A blank line
// ends a production; without one, a line that is not indented further than the first production is an error, since no
// sign tells a name from what it derives. Only after an "@ page" line need the lines of a production not be indented.
//
// A bracket is a character exactly where it is a whole alternative, with "|" or an end of the right-hand side next to
// it on either side. As a bracket it would there open or close an option with an empty alternative, which the
// notation does not have; so nothing that could be read otherwise is read this way.
//
// # rfc822
//
// RFC 1738 section 5 uses "the conventions of RFC822, except that "|" is used to designate alternatives, and brackets
// [] are used around optional or repeated elements":
//
//	production   = name "=" alternatives
//	alternatives = alternative *( "|" alternative )
//	alternative  = 1*( [count] element )
//	count        = [min] "*" [max] / number
//	element      = name / literal / "<" DQUOTE ">" / "/" / "[" alternatives "]" / "(" alternatives ")"
//
// Names hold "+" and "_" besides what is usual, a literal has no escapes (the text prints a backslash as "\"), <"> is
// the quote character, and ";" starts a comment. A production starts at the left margin. What brackets after a count
// mean, whether a bare "/" is a literal, and whether literals match either case is a matter of reading: [Notation].
// Names are the same in either case.
//
// # abnf
//
// RFC 5234 with RFC 7405: "/" separates alternatives, =/ adds some to a rule of the same file, quoted text matches
// either case unless it is written %s"...", %x41-5A is a range and %x41.42 a string. Names are the same in either
// case. The core rules of RFC 5234 appendix B.1 are there when they are used and not defined. A =/ may stand before
// the rule that it adds to; package lint notes it. Where a document only adds to a rule, the rule is read as what is
// added, which is noticed, and an import joins what it is added to.
//
// A rule begins where a name is followed by "=", whatever the indent. The page breaks of an RFC, form feeds, byte order
// marks and CR LF change nothing, and places are those of the file as it is. In the text of an RFC only the parts that
// hold rules are read; [Document.Blocks] lists them, and [Notation.Lines] chooses others. In xml2rfc's source of an
// RFC, and in Markdown, the blocks that are marked as ABNF are read.
//
// Values are octets. If one of them is above 255, all values of the document are code points, and the rules derive
// their encodings in UTF-8: [Notation.Values]. RFC 7230's lists, 1#element, are read as [Notation.Lists] has it. A
// name in angle brackets, <rule>, is that rule if there is one, so 0<pchar> is the empty word. Prose can also describe
// characters of US-ASCII, or a difference, <any CHAR except CTLs>; any other prose is a reference that nothing defines.
// Undefined names can come from other grammars, [Notation.Imports], and from the RFCs whose names others take,
// [Notation.StandardNames]: from the one that prose cites, <token, see [RFC9110], Section 5.6.2>, or else from the one
// that the document cites most. [Missing] lists the names that remain undefined, with the rules that use them.
//
// Deviations from RFC 5234 that have one meaning are read, and noticed: "_" in names, "|" for "/", "::=" for "=",
// 'text' for "text", {1*2} for 1*2, a comment for prose, the rest of a rule at the margin, a rule that is there again
// in the same words, a core rule defined again. [Document.Notices] has the notices, each with its place.
//
// # ebnf
//
// The notation of W3C's specifications is described at [EBNF]. An exclusion, a - b, is the difference of two
// languages: it is computed by automata, and becomes an expression that derives exactly it.
//
// # What is refused
//
// A name has one production: a second one that differs is an error, with both places, except in the text of an RFC,
// where the later one is read or, where the text collects its rules, that one, and the other is noticed. Prose in
// angle brackets, which no program can read, is refused in rfc822; [Notation.Define] supplies what it means, and
// productions for names that have none. A document has at most [Notation.MaxSize] bytes. Reading takes time and
// memory in proportion to them.
//
// # How a document is read
//
// takeApart splits a document into printed productions, readLayout reads each by its notation and makes a grammar of
// them. The readers of the notations descend recursively, and panic with an [*expr.Error] at the first mistake; the
// functions in the table of notations catch it. A comment names the mistakes that are not obvious, and there can be
// others. A refusal is an error about text that is in the notation, and that a program cannot read or compute with.
package bnf

package bnftoregexp

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
)

// A Flavour is a notation for regular expressions, as one engine reads it.
type Flavour struct {
	Name string

	open, shut string              // what stands around an expression that is to match whole strings
	group      string              // how a group with a name begins; "" if there are none
	octets     bool                // whether it matches octets, and characters as their UTF-8
	escaped    string              // what has a backslash in front outside of classes, beside ^$\.*+?()[]{}|
	inClass    string              // what has one in classes
	never      string              // an expression that matches nothing
	most       int64               // the largest count of a repetition
	extended   bool                // whether there is a mode with comments
	point      func(r rune) string // how a character is written by its number

	// The modes in which an expression may be written, of which the one that makes it shortest is taken.
	modes []mode
}

// A mode is how an expression abbreviates.
type mode struct {
	flags string // that it begins with, or that stand behind it for js
	short bool   // \d and \w stand for ASCII
	hex   bool   // \h stands for hexadecimal digits
	fold  bool   // letters match in either case, and these are ASCII, but for those in but
	but   string
}

// The modes that hold with others are not used: pcre has \d and \w of Unicode in PHP's mode u, which should change nothing.
var flavours = []*Flavour{
	{
		Name: "js", open: "^", shut: "$", group: "(?<", escaped: "/", inClass: `\][^`, never: "[]", most: regex.MostRepeats("js"), point: js,
		modes: []mode{{short: true}, {short: true, fold: true, flags: "i"}},
	},
	{
		Name: "go", open: "^", shut: "$", group: "(?P<", inClass: `\][^`, never: `[^\x00-\x{10FFFF}]`, most: regex.MostRepeats("go"), point: braced,
		modes: []mode{{short: true}, {short: true, fold: true, flags: "(?i)", but: "ks"}},
	},
	{
		Name: "java", open: "^", shut: `\z`, group: "(?<", inClass: `\][^&`, never: "(?!)", most: regex.MostRepeats("java"), point: braced,
		modes: []mode{{short: true}, {short: true, fold: true, flags: "(?i)"}},
	},
	{
		Name: "python", open: "^", shut: `\Z`, group: "(?P<", inClass: `\][^`, never: "(?!)", most: regex.MostRepeats("python"), extended: true,
		modes: []mode{{}, {short: true, flags: "(?a)"}, {short: true, fold: true, flags: "(?ai)"}},
		point: func(r rune) string {
			if r > 0xffff {
				return fmt.Sprintf(`\U%08X`, r)
			}
			return js(r)
		},
	},
	{
		Name: "pcre", open: "^", shut: `\z`, group: "(?<", escaped: "/", inClass: `\][^/`, never: "(?!)", most: regex.MostRepeats("pcre"), octets: true, extended: true, point: braced,
		modes: []mode{{}, {fold: true, flags: "(?i)", but: "ks"}},
	},
	{
		Name: "ruby", open: `\A`, shut: `\z`, group: "(?<", escaped: "/", inClass: `\][^/`, never: "(?!)", most: regex.MostRepeats("ruby"),
		extended: true, point: func(r rune) string {
			if r < 0x80 {
				return js(r)
			}
			return fmt.Sprintf(`\u{%X}`, r) // \xFF is an octet
		},
		modes: []mode{{short: true, hex: true}},
	},
	{
		// Since 2023 browsers read the attribute in mode v, before in mode u. Neither " nor & is there, so that it can be pasted.
		Name: "html-pattern", group: "(?<", escaped: `/`, inClass: `()[]{}/-\|^`, never: "[^\\s\\S]", most: regex.MostRepeats("js"), point: js,
		modes: []mode{{short: true}},
	},
	{
		// The specification has mode u.
		Name: "json-schema", open: "^", shut: "$", group: "(?<", escaped: "/", inClass: `\][^-`, never: "[^\\s\\S]", most: regex.MostRepeats("js"), point: js,
		modes: []mode{{short: true}},
	},
}

func js(r rune) string {
	switch {
	case r <= 0xff:
		return fmt.Sprintf(`\x%02X`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04X`, r)
	}
	return fmt.Sprintf(`\u{%X}`, r)
}

func braced(r rune) string {
	if r <= 0xff {
		return fmt.Sprintf(`\x%02X`, r)
	}
	return fmt.Sprintf(`\x{%X}`, r)
}

// Names lists the names of the flavours.
func Names() (list []string) {
	for _, f := range flavours {
		list = append(list, f.Name)
	}
	return list
}

// Of returns the flavour with this name, or nil.
func Of(name string) *Flavour {
	for _, f := range flavours {
		if f.Name == name {
			return f
		}
	}
	return nil
}

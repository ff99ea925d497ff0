package runes

import (
	"strings"
	"unicode"
)

// Property returns the characters that \p{name} of a regular expression of JavaScript matches, if it is known.
func Property(name string) (Set, bool) {
	if key, value, pair := strings.Cut(name, "="); pair {
		switch key {
		case "General_Category", "gc":
			return Category(value)
		case "Script", "sc":
			if t := unicode.Scripts[value]; t != nil {
				return Tables(t), true
			}
		}
		return nil, false
	}
	if full, ok := shortNames[name]; ok {
		name = full
	}
	switch name {
	case "Any":
		return Of(0, unicode.MaxRune), true
	case "ASCII":
		return Of(0, unicode.MaxASCII), true
	case "Assigned":
		return Tables(unicode.Categories["Cn"]).Not(unicode.MaxRune), true
	case "Alphabetic":
		return Tables(unicode.L, unicode.Nl, unicode.Other_Alphabetic), true
	case "Lowercase":
		return Tables(unicode.Ll, unicode.Other_Lowercase), true
	case "Uppercase":
		return Tables(unicode.Lu, unicode.Other_Uppercase), true
	case "Math":
		return Tables(unicode.Sm, unicode.Other_Math), true
	case "ID_Start", "ID_Continue":
		s := Tables(unicode.L, unicode.Nl, unicode.Other_ID_Start)
		if name == "ID_Continue" {
			s = s.Or(Tables(unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue))
		}
		return s.And(Tables(unicode.Pattern_Syntax, unicode.Pattern_White_Space).Not(unicode.MaxRune)), true
	case "STerm", "Hyphen", "Prepended_Concatenation_Mark": // which JavaScript does not know, or by another name
		return nil, false
	}
	if t := unicode.Properties[name]; t != nil && !strings.HasPrefix(name, "Other_") {
		return Tables(t), true
	}
	return Category(name)
}

// shortNames are other names of properties.
var shortNames = map[string]string{
	"Alpha": "Alphabetic", "Lower": "Lowercase", "Upper": "Uppercase", "space": "White_Space", "AHex": "ASCII_Hex_Digit", "Hex": "Hex_Digit",
	"Dia": "Diacritic", "Ideo": "Ideographic", "QMark": "Quotation_Mark", "Pat_Syn": "Pattern_Syntax", "Pat_WS": "Pattern_White_Space",
	"IDS": "ID_Start", "IDC": "ID_Continue",
}

// Category returns the characters of a general category, by its short or its long name.
func Category(name string) (Set, bool) {
	if short, ok := unicode.CategoryAliases[name]; ok {
		name = short
	}
	t := unicode.Categories[name]
	if t == nil {
		return nil, false
	}
	return Tables(t), true
}

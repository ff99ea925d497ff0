package runes

import (
	"strings"
	"unicode"
)

// Property returns the characters that \p{name} of a regular expression of JavaScript matches: the name of a property,
// of a category, or a pair such as "Script=Greek". It reports false if JavaScript does not know the name, and for some
// names that it knows but that have no tables here, such as Script_Extensions, Emoji and many short names. The set may
// be shared (see [Unicode]).
func (u *Unicode) Property(name string) (Set, bool) {
	if key, value, pair := strings.Cut(name, "="); pair {
		switch key {
		case "General_Category", "gc":
			return u.Category(value)
		case "Script", "sc":
			return u.Script(value)
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
		return u.Table("Cn").Not(unicode.MaxRune), true
	case "Alphabetic":
		return u.Table("L", "Nl", "Other_Alphabetic"), true
	case "Lowercase":
		return u.Table("Ll", "Other_Lowercase"), true
	case "Uppercase":
		return u.Table("Lu", "Other_Uppercase"), true
	case "Math":
		return u.Table("Sm", "Other_Math"), true
	case "ID_Start", "ID_Continue":
		s := u.Table("L", "Nl", "Other_ID_Start")
		if name == "ID_Continue" {
			s = s.Or(u.Table("Mn", "Mc", "Nd", "Pc", "Other_ID_Continue"))
		}
		return s.And(u.Table("Pattern_Syntax", "Pattern_White_Space").Not(unicode.MaxRune)), true
	case "STerm", "Hyphen", "Prepended_Concatenation_Mark": // package unicode has them
		// JavaScript does not know two of them, and versions.txt does not know STerm: it has the long name.
		return nil, false
	}
	if s, ok := u.binaryProperty(name); ok && !strings.HasPrefix(name, "Other_") {
		return s, true
	}
	return u.Category(name)
}

// shortNames are other names of properties.
var shortNames = map[string]string{
	"Alpha": "Alphabetic", "Lower": "Lowercase", "Upper": "Uppercase", "space": "White_Space",
	"AHex": "ASCII_Hex_Digit", "Hex": "Hex_Digit", "Dia": "Diacritic", "Ideo": "Ideographic",
	"QMark": "Quotation_Mark", "Pat_Syn": "Pattern_Syntax", "Pat_WS": "Pattern_White_Space", "IDS": "ID_Start",
	"IDC": "ID_Continue",
}

package peg

import (
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// propertyTable returns the characters that \p{name} of a regular expression of JavaScript matches, if it is known.
func propertyTable(name string) (runes.Set, bool) {
	key, value, pair := strings.Cut(name, "=")
	if pair {
		switch key {
		case "General_Category", "gc":
			return category(value)
		case "Script", "sc":
			if t := unicode.Scripts[value]; t != nil {
				return runes.Tables(t), true
			}
		}
		return nil, false
	}
	if c, ok := category(name); ok {
		return c, true
	}
	if t, ok := binary[name]; ok {
		return runes.Tables(t...), true
	}
	switch name {
	case "Any":
		return runes.Of(0, unicode.MaxRune), true
	case "ASCII":
		return runes.Of(0, unicode.MaxASCII), true
	}
	return nil, false
}

// category returns the characters of a general category, by its short or its long name.
func category(name string) (runes.Set, bool) {
	short := name
	if s, ok := categories[name]; ok {
		short = s
	}
	switch short {
	case "Cn": // what is in no other
		t, ok := category("C")
		if !ok {
			return nil, false
		}
		return t[:0:0], false
	case "LC":
		return runes.Tables(unicode.Lu, unicode.Ll, unicode.Lt), true
	case "C": // Go's leaves out what is not assigned
		return nil, false
	}
	if t := unicode.Categories[short]; t != nil {
		return runes.Tables(t), true
	}
	return nil, false
}

var categories = map[string]string{
	"Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
	"Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
	"Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
	"Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd",
	"Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf",
	"Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
	"Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
	"Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
}

// binary lists properties that characters have or have not, as unions.
var binary = map[string][]*unicode.RangeTable{
	"Alphabetic": {unicode.L, unicode.Nl, unicode.Other_Alphabetic}, "Alpha": {unicode.L, unicode.Nl, unicode.Other_Alphabetic},
	"Lowercase": {unicode.Ll, unicode.Other_Lowercase}, "Lower": {unicode.Ll, unicode.Other_Lowercase},
	"Uppercase": {unicode.Lu, unicode.Other_Uppercase}, "Upper": {unicode.Lu, unicode.Other_Uppercase},
	"White_Space": {unicode.White_Space}, "space": {unicode.White_Space},
	"ASCII_Hex_Digit": {unicode.ASCII_Hex_Digit}, "AHex": {unicode.ASCII_Hex_Digit},
	"Hex_Digit": {unicode.Hex_Digit}, "Hex": {unicode.Hex_Digit},
	"Dash": {unicode.Dash}, "Diacritic": {unicode.Diacritic}, "Dia": {unicode.Diacritic},
	"Ideographic": {unicode.Ideographic}, "Ideo": {unicode.Ideographic},
	"Quotation_Mark": {unicode.Quotation_Mark}, "QMark": {unicode.Quotation_Mark},
	"Math":           {unicode.Sm, unicode.Other_Math},
	"Pattern_Syntax": {unicode.Pattern_Syntax}, "Pat_Syn": {unicode.Pattern_Syntax},
	"Pattern_White_Space": {unicode.Pattern_White_Space}, "Pat_WS": {unicode.Pattern_White_Space},
	"ID_Start": {unicode.L, unicode.Nl, unicode.Other_ID_Start}, "IDS": {unicode.L, unicode.Nl, unicode.Other_ID_Start},
	"ID_Continue": idContinue, "IDC": idContinue,
}

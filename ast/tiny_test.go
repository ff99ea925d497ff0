package ast_test

import "github.com/bnfcheck/bnfcheck/ast"

// The grammar that the tests of this package use, with an automaton made by hand:
//
//	address    = pair | mail
//	pair       = host [ ":" port ]
//	host       = 1*alphadigit
//	port       = 1*digit
//	mail       = "m:" host
//	alphadigit = alpha | digit
//	digit      = "0" | "1" | ... | "9"
//	alpha      = "a" | "b" | ... | "z"
const (
	_ ast.Kind = iota
	Address
	Pair
	Host
	Port
	Mail
	Alphadigit
	Digit
	Alpha
	HostPort // a second name for what it is: host-port
)

var (
	digits       = ast.ByteSet{0x03ff_0000_0000_0000}
	alphas       = ast.ByteSet{0, 0x07ff_fffe_0000_0000}
	alphadigits  = ast.ByteSet{digits[0], alphas[1]}
	colon        = ast.ByteSet{1 << ':'}
	tinyClasses  = classes(map[string]byte{"abcdefghijklmnopqrstuvwxyz": 1, "0123456789": 2, ":": 3, "m": 4})
	tinyLexical  = []ast.TableStart{{"", 9, Alphadigit}}
	tinyProducts = []ast.Production{
		{},
		{ID: "address", Name: "address", Section: "5"},
		{ID: "pair", Name: "pair", Section: "5"},
		{ID: "uri_host", Name: "host", Section: "5"},
		{ID: "url_port", Name: "port", Section: "5.1"},
		{ID: "mail", Name: "mail", Section: "Mail"},
		{ID: "alphadigit", Name: "alphadigit", Section: "5", Lexical: true},
		{ID: "digit", Name: "digit", Section: "5", Lexical: true},
		{ID: "alpha", Name: "alpha", Section: "5", Lexical: true},
		{ID: "host-port+", Name: "host", Section: "5"},
	}
)

var tiny = &ast.Grammar{
	Name:        "tiny",
	Title:       "A tiny grammar",
	Productions: tinyProducts,
	Default:     Address,
	Schemes:     []ast.Scheme{{"m", Mail}},
	Tables: &ast.Tables{
		Classes: tinyClasses,
		Width:   5,
		Next: []uint16{
			//  a  0  :  m
			0, 0, 0, 0, 0, // 0 dead
			0, 2, 2, 0, 2, // 1 pair
			0, 2, 2, 3, 2, // 2 host
			0, 0, 4, 0, 0, // 3 host :
			0, 0, 4, 0, 0, // 4 host : port
			0, 0, 0, 0, 6, // 5 mail
			0, 0, 0, 7, 0, // 6 m
			0, 8, 8, 0, 8, // 7 m :
			0, 8, 8, 0, 8, // 8 m : host
			0, 10, 10, 0, 10, // 9 alphadigit
			0, 0, 0, 0, 0, // 10 alphadigit, read
		},
		Note: []uint16{0, 1, 2, 3, 4, 5, 6, 1, 7, 8, 9},
		Notes: []ast.TableNote{
			0: {},
			1: {In: []ast.Kind{Host, Pair}, Expected: []uint16{0, 1, 2}},
			2: {Accept: true, In: []ast.Kind{Host, Pair}, Expected: []uint16{0, 3}},
			3: {In: []ast.Kind{Port, Pair}, Expected: []uint16{4}},
			4: {Accept: true, In: []ast.Kind{Port, Pair}, Expected: []uint16{4}},
			5: {In: []ast.Kind{Mail}, Expected: []uint16{5}},
			6: {In: []ast.Kind{Mail}, Expected: []uint16{6}},
			7: {Accept: true, In: []ast.Kind{Host, Mail}, Expected: []uint16{0}},
			8: {In: []ast.Kind{Alphadigit}, Expected: []uint16{1, 2}},
			9: {Accept: true, In: []ast.Kind{Alphadigit}},
		},
		Expectations: []ast.Expectation{
			0: {"alphadigit", alphadigits, []ast.Kind{Host}},
			1: {"alpha", alphas, []ast.Kind{Alphadigit}},
			2: {"digit", digits, []ast.Kind{Alphadigit}},
			3: {`":"`, colon, []ast.Kind{Pair}},
			4: {"digit", digits, []ast.Kind{Port}},
			5: {`"m:"`, ast.ByteSet{0, 1 << ('m' - 64)}, []ast.Kind{Mail}},
			6: {`":"`, colon, []ast.Kind{Mail}},
		},
		Starts: [][]ast.TableStart{
			Address:    {{"m:", 5, Mail}, {"", 1, Pair}},
			Pair:       {{"", 1, Pair}},
			Host:       {{"", 7, Host}},
			Port:       {{"", 3, Port}},
			Mail:       {{"", 5, Mail}},
			Alphadigit: tinyLexical,
			Digit:      tinyLexical,
			Alpha:      tinyLexical,
			HostPort:   {{"", 0, HostPort}}, // derives nothing
		},
	},
}

func classes(of map[string]byte) (c [256]uint8) {
	for bytes, class := range of {
		for i := range len(bytes) {
			c[bytes[i]] = max(c[bytes[i]], class)
		}
	}
	return c
}

// pairTree returns the tree of "host:80" as an address.
func pairTree() *ast.Tree {
	return &ast.Tree{Grammar: tiny, Source: "host:80", Nodes: []ast.Raw{
		{Kind: Address, Start: 0, End: 7, Next: 4},
		{Kind: Pair, Start: 0, End: 7, Next: 4},
		{Kind: Host, Start: 0, End: 4, Next: 3},
		{Kind: Port, Start: 5, End: 7, Next: 4},
	}}
}

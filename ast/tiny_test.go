package ast_test

import "github.com/bnfcheck/bnfcheck/ast"

// The grammar that the tests of this package use, and the automaton that a reader makes of it by hand:
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
	tinyLexical  = []ast.Start{{"", 9, Alphadigit}}
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
	Machine: &ast.Machine{
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
		Notes: []ast.Note{
			0: {},
			1: {In: []ast.Kind{Host, Pair}, Reads: []ast.Read{{0, []ast.Kind{Host}}, {1, []ast.Kind{Alphadigit}}, {2, []ast.Kind{Alphadigit}}}},
			2: {Accept: true, In: []ast.Kind{Host, Pair}, Reads: []ast.Read{{0, []ast.Kind{Host}}, {3, []ast.Kind{Pair}}}},
			3: {In: []ast.Kind{Port, Pair}, Reads: []ast.Read{{2, []ast.Kind{Port}}}},
			4: {Accept: true, In: []ast.Kind{Port, Pair}, Reads: []ast.Read{{2, []ast.Kind{Port}}}},
			5: {In: []ast.Kind{Mail}, Reads: []ast.Read{{4, []ast.Kind{Mail}}}},
			6: {In: []ast.Kind{Mail}, Reads: []ast.Read{{3, []ast.Kind{Mail}}}},
			7: {Accept: true, In: []ast.Kind{Host, Mail}, Reads: []ast.Read{{0, []ast.Kind{Host}}}},
			8: {In: []ast.Kind{Alphadigit}, Reads: []ast.Read{{1, []ast.Kind{Alphadigit}}, {2, []ast.Kind{Alphadigit}}}},
			9: {Accept: true, In: []ast.Kind{Alphadigit}},
		},
		Terms: []ast.Term{{"alphadigit", alphadigits}, {"alpha", alphas}, {"digit", digits}, {`":"`, colon}, {`"m:"`, ast.ByteSet{0, 1 << ('m' - 64)}}},
		Starts: [][]ast.Start{
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

func classes(of map[string]byte) string {
	var c [256]byte
	for bytes, class := range of {
		for i := range len(bytes) {
			c[bytes[i]] = max(c[bytes[i]], class)
		}
	}
	return string(c[:])
}

// pairTree is the tree of "host:80" as an address.
func pairTree() *ast.Tree {
	return &ast.Tree{Grammar: tiny, Source: "host:80", Nodes: []ast.Raw{
		{Kind: Address, Start: 0, End: 7, Next: 4},
		{Kind: Pair, Start: 0, End: 7, Next: 4},
		{Kind: Host, Start: 0, End: 4, Next: 3},
		{Kind: Port, Start: 5, End: 7, Next: 4},
	}}
}

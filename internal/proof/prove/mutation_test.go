package prove

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A mutation is a change that someone could make to a .peg file, and the fault by which the proof finds it.
type mutation struct {
	grammar    string
	old, new   string // in the .peg file; old stands there once
	production string
	kind       Kind
	word       string // the shortest string that shows the fault; "" where there is none
	message    string // a part of the fault's message
}

// TestMutations breaks the .peg files, one place at a time: as the naive transcription would have it, by a slip of the
// pen, or in what stands above the rules.
func TestMutations(t *testing.T) {
	for i, m := range []mutation{
		// What a naive transcription loses (READINGS: "Traps in going from BNF to PEG").
		{
			"rfc1738", `v:( alphadigit ( "-"* alphadigit )* )`,
			`v:( alphadigit ( alphadigit / "-" )* alphadigit / alphadigit )`,
			"domainlabel", Language, "aa", `( alphadigit / "-" )* goes on, and what follows it fails, in domainlabel`,
		},
		{
			"rfc1738", `v:( alpha ( "-"* alphadigit )* )`, `v:( alpha / alpha ( alphadigit / "-" )* alphadigit )`,
			"httpurl", Language, "http://aa", `wrong because of toplabel`,
		},
		{
			"rfc1738", `newsurl EOF`, `newsurl`,
			"url", Language, "news:a/", `newsurl hides otherurl, in url`,
		},
		{
			"rfc1738", `v:( article / group / "*" )`, `v:( "*" / group / article )`,
			"newsurl", Language, "news:a@a", `wrong because of grouppart`,
		},
		{
			"rfc1738", `v:( waisdoc / waisindex / waisdatabase )`, `v:( waisdatabase / waisindex / waisdoc )`,
			"waisurl", Language, "wais://a/?", `waisdatabase hides waisindex, in waisurl`,
		},
		{
			"rfc1630", `v:( segment? ( "/" segment? )* )`, `v:( url_void / segment ( "/" url_path )? )`,
			"httpaddress", Language, "http://a/a", `wrong because of url_path`,
		},
		{
			"rfc1630", `	"mailto:"
	( v:( url_xalpha ( !( "@" url_alpha ) url_xalpha )* ( "@" ( !( "@" url_alpha ) url_xalpha )* &"@" )* ) { return c.node("url_xalphas", v) } )`,
			`	"mailto:" url_xalphas`,
			"mailtoaddress", Language, "mailto:a@a", `url_xalpha+ goes on, and what follows it fails, in url_xalphas`,
		},
		{
			"rfc1630", `( user ( ":" password )? "@" &( url_alpha / hostnumber !url_xalpha ) )? hostport`,
			`( user ( ":" password )? "@" )? hostport`,
			"login", Language, "a@", `user ( ":" password )? "@" is taken, and what follows it fails, in login`,
		},
		// Slips of the pen.
		{"rfc1738", `digit "digit" <- [0-9]`, `digit "digit" <- [0-9a]`, "digit", Language, "a",
			"the rule matches a, and the production does not"},
		{"rfc1738", `digit "digit" <- [0-9]`, `digit "digit" <- [0-8]`, "port", Language, "9",
			"the production derives 9, and the rule does not"},
		{"rfc1738", `safe "safe" <- [$_.+-]`, `safe "safe" <- [$_.+]`, "url", Language, "a:-",
			"the production derives a:-"},
		{"rfc1738", `( "/" fpath ( ";type=" ftptype )? )?`, `( "/" fpath ( ";type=" ftptype )? )`, "ftpurl", Language,
			"ftp://a", "derives ftp://a,"},
		{"rfc1630", `"mid:"`, `"mid"`, "midaddress", Language, "mida@a", "the rule matches mida@a"},
		{"rfc1630", `v:( url_digit+ )`, `v:( url_digit* )`, "digits", Language, "", `the rule matches "", and`},
		// The language stays, the tree is lost.
		{
			"rfc1738", `( v:( ( !( "%09" ( !"%09" ( uchar / [;:@&=] ) )* ( "%09" / !xchar ) ) xchar )* ) { return ` +
				`c.node("selector", v) } )`, `selector`,
			"gopherurl", TreeFault, "gopher://a/a%09", `shows gopher://[hostport a]/[gtype a][selector %09]`,
		},
		{
			"rfc1738", `v:( ip_schemepart !xchar / xchar* )`, `v:( xchar* / ip_schemepart )`,
			"schemepart", TreeFault, "//a", `shows //a, and 1738-schemepart leaves [ip-schemepart //a]`,
		},
		{
			"rfc1630", `v:( url_alpha url_xalphas? )`, `v:( url_xalphas )`,
			"url_ialpha", Language, "0", `the rule matches 0,`,
		},
		{
			"rfc1630", `( v:( url_xalpha ( !( "+" url_xalpha ) url_xalpha )* ) { return c.node("url_xalphas", v) } )
	( "+"`, `url_xalphas
	( "+"`,
			"url_search", TreeFault, "a+a", `shows [xalphas a+a], and 1630-search leaves [xalphas a]+[xalphas a]`,
		},
		{
			"rfc1630", `"mid:"
	( v:( url_xalpha ( !( "@" url_alpha ) url_xalpha )* ( "@" ( !( "@" url_alpha ) url_xalpha )* &"@" )* ) { return c.node("url_xalphas", v) } )
	"@" hostname`, `"mid:"
	( v:( url_xalpha ( !( "@" url_alpha ) url_xalpha )* ( "@" ( !( "@" url_alpha ) url_xalpha )* &"@" )* ) { return c.node("url_xalphas", v) } )
	"@" ( w:( url_ialpha ( "." url_ialpha )* ) { return c.node("hostname", w) } )`,
			"midaddress", TreeFault, "mid:a@a.a", `a node that its production does not make`,
		},
		{
			"rfc1738", `v:( host ( ":" port )? ) { return c.node("hostport", v) }`,
			`v:( host ( ":" digits )? ) { return c.node("hostport", v) }`,
			"hostport", TreeFault, "a:0", `is no derivation: [host a]:[digits 0]`,
		},
		{
			"rfc1738", `v:( host ( ":" port )? ) { return c.node("hostport", v) }`,
			`v:( host ( ":" ( v:( port ) { return c.node("number", v) } ) )? ) { return c.node("hostport", v) }`,
			"hostport", TreeFault, "a:0", `is no derivation: [host a]:[number 0]`,
		},
		{
			"rfc1738", `v:( host ( ":" port )? ) { return c.node("hostport", v) }`, `v:( host ( ":" ( v:( port ) { return c.node("number", v) } ) )? ) { return c.node("hostport", v) }`,
			"login", TreeFault, "a:0", `a node that its production does not make`,
		},
		// The text above the rules.
		{"rfc1738", `// =  host           = hostname`, `// ~  host           = hostname`, "host", Transcription, "",
			`the mark is "~", and should be "="`},
		{"rfc1738", `// ~  grouppart      =`, `// =  grouppart      =`, "grouppart", Transcription, "",
			`the mark is "=", and should be "~"`},
		{"rfc1738", `// *! gopherurl`, `// !  gopherurl`, "gopherurl", Transcription, "",
			`the mark is "!", and should be "*!"`},
		{"rfc1738", `v:( hostname / hostnumber )`, `v:( hostnumber / hostname )`, "host", Transcription, "",
			`the mark is "=", and should be "~"`},
		{"rfc1738", `= hostname | hostnumber  `, `= hostnumber | hostname  `, "host", Transcription, "",
			`where the text has "host = hostname | hostnumber RFC 1738 section 5, page 18"`},
		{"rfc1738", `// =  digits         = 1*digit                                                          RFC ` +
			`1738 section 5, page 20`,
			`// =  digits         = 1*digit                                                          RFC 1738 ` +
				`section 5, page 21`,
			"digits", Transcription, "", `where the text has "digits = 1*digit RFC 1738 section 5, page 20"`},
		{"rfc1738", "//   1738-E5118: the bare / is \"/\"\n", "", "gopherurl", Transcription, "",
			"does not name 1738-E5118"},
		{"rfc1738", "//   1738-localhost:", "//   1738-lokalhost:", "fileurl", Transcription, "",
			"1738-lokalhost, which is not in the ledger"},
		{"rfc1738", "//   1738-localhost:", "//   1738-schemepart:", "fileurl", Transcription, "",
			"1738-schemepart, which is not about this production"},
		{"rfc1630", "//   1630-hostname: as group\n", "", "hostname", Transcription, "",
			`the mark is "!", and no reason is given`},
		{"rfc1738", `hostname "hostname" <-`, `hostname "host name" <-`, "hostname", Transcription, "",
			`is called "host name"`},
		// Rules that are missing, invented or elsewhere.
		{"rfc1738", "national_entry          <- national !.\n", "", "national", Transcription, "",
			"there is no national_entry"},
		{"rfc1738", "national_entry          <- national !.\n", "national_entry          <- national\n", "national",
			Transcription, "", "national_entry is national, not national !."},
		{"rfc1738", `national "national" <- [{}|\\^~[\]` + "`]\n", "", "national", Missing, "",
			"rfc1738.peg has no rule for it"},
		{"rfc1738", "EOF <- !.", "EOF <- !.\nqchar <- [q]", "qchar",
			Transcription, "", "transcribes no production"},
		{"rfc1738", "EOF <- !.", "EOF <- !.\nqchar_entry <- [q]", "qchar_entry",
			Transcription, "", "neither a production nor the entry of one"},
		// A rule that calls itself: its language stays, and its nodes would nest.
		{"rfc1738", `v:( fsegment ( "/" fsegment )* ) { return c.node("fpath", v) }`,
			`v:( fsegment ( "/" fpath )? ) { return c.node("fpath", v) }`, "fpath", TreeFault, "", "stand in one another"},
	} {
		if i%3 != 0 && !longtest.Enabled() {
			continue
		}
		t.Run(m.production+"/"+strings.Join(strings.Fields(m.new), " "), func(t *testing.T) {
			pair := mutated(t, m)
			var only []string
			if pair.BNF.Rule(m.production) != nil && pair.PEG.Rule(m.production) != nil {
				only = []string{m.production}
			}
			r := must.Of(Prove(pair, Options{Productions: only}))(t)
			if !slices.ContainsFunc(r.Faults, m.is) {
				t.Errorf("not found; found is")
				for _, f := range r.Faults {
					t.Logf("%s %v: %s", f.Kind, f.Word, f)
				}
			}
		})
	}
}

// is reports whether f is the fault that m makes.
func (m mutation) is(f Fault) bool {
	w := ""
	if f.Word != nil {
		w = string(*f.Word)
	}
	return f.Production == m.production && f.Kind == m.kind && w == m.word && strings.Contains(f.Message, m.message)
}

// changed returns a file with the change in it.
func (m mutation) changed(t *testing.T, file string) string {
	t.Helper()
	src := must.Of(fs.ReadFile(grammar.Files, file))(t)
	if n := strings.Count(string(src), m.old); n != 1 {
		t.Fatalf("%q stands in the file %d times", m.old, n)
	}
	return strings.Replace(string(src), m.old, m.new, 1)
}

// mutated is the grammar with a change in its .peg file. No parser is made from it.
func mutated(t *testing.T, m mutation) catalog.Pair {
	t.Helper()
	ledger := must.Of(bnf.Load(m.grammar))(t)
	changed := m.changed(t, m.grammar+".peg")
	if strings.HasPrefix(m.message, "rfc1738.peg has no rule") {
		changed = strings.Replace(changed, "national_entry          <- national !.\n", "", 1)
	}
	rules := must.Of(peg.Options{ActionsSucceed: true}.Read(m.grammar+".peg", []byte(changed)))(t)
	return catalog.Pair{BNF: ledger.Default, PEG: peg.For(ledger.Default, rules), Ledger: ledger}
}

// TestLedgerMutations breaks the ledgers: entries that settle nothing, or otherwise than the rule, and ambiguities that
// no entry settles.
func TestLedgerMutations(t *testing.T) {
	for _, m := range []mutation{
		{"rfc1738", "choose:     schemepart: ip-schemepart present", "choose:     newsurl: grouppart present",
			"schemepart", Derivation, "//a",
			"several derivations, [ip-schemepart //a] and //a, and no reading chooses one"},
		{"rfc1738", "choose:     schemepart: ip-schemepart present", "choose:     newsurl: grouppart present",
			"newsurl", Derivation, "", "1738-schemepart chooses among derivations, and there is one of every string"},
		{"rfc1738", "choose:     schemepart: ip-schemepart present", "choose:     schemepart: ip-schemepart absent",
			"schemepart", TreeFault, "//a", "shows [ip-schemepart //a], and 1738-schemepart leaves //a"},
		{"rfc1738", "gopherurl: search present, selector shortest, gopher+_string present",
			"gopherurl: search present, gopher+_string present",
			"gopherurl", TreeFault, "gopher://a/a%09%09%09", "leaves"},
		{"rfc1630", "choose:     login: user present, user shortest", "choose:     login: user absent",
			"login", TreeFault, "a@a", "shows [user a]@[hostport a], and 1630-login leaves [hostport a@a]"},
		{"rfc1630", "choose:     prosperolink: version present, hsoname longest, version longest",
			"choose:     prosperolink: version present, hsoname longest",
			"prosperolink", TreeFault, "prospero://a/%0000", ""},
	} {
		t.Run(m.production+"/"+m.new, func(t *testing.T) {
			pair := must.Of(catalog.PublishedPair(m.grammar))(t)
			changed := *pair.Ledger
			changed.Readings = must.Of(bnf.ParseReadings(m.grammar+".readings", []byte(m.changed(t, m.grammar+".readings"))))(t)
			pair.Ledger, pair.Parsers = &changed, nil
			r := must.Of(Prove(pair, Options{Productions: []string{m.production}}))(t)
			if !slices.ContainsFunc(r.Faults, m.is) {
				t.Errorf("not found; found is")
				for _, f := range r.Faults {
					t.Logf("%s %v: %s", f.Kind, f.Word, f)
				}
			}
		})
	}
}

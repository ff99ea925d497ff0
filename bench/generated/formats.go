package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/mail"
	"net/netip"
	"strings"
	"time"

	"github.com/dunglas/httpsfv"
	"github.com/emiago/sipgo/sip"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"golang.org/x/mod/semver"
	"golang.org/x/text/language"

	"github.com/bnfcheck/bnfcheck/bench/generated/cookie"
	"github.com/bnfcheck/bnfcheck/bench/generated/ipv6"
	"github.com/bnfcheck/bnfcheck/bench/generated/languagetag"
	"github.com/bnfcheck/bnfcheck/bench/generated/mailbox"
	"github.com/bnfcheck/bnfcheck/bench/generated/mediatype"
	"github.com/bnfcheck/bnfcheck/bench/generated/metric"
	"github.com/bnfcheck/bnfcheck/bench/generated/rulelist"
	"github.com/bnfcheck/bnfcheck/bench/generated/sipuri"
	"github.com/bnfcheck/bnfcheck/bench/generated/structured"
	"github.com/bnfcheck/bnfcheck/bench/generated/timestamp"
	"github.com/bnfcheck/bnfcheck/bench/generated/version"
)

// invalid is the error of peers that only report whether they accept.
type invalid struct{}

func (invalid) Error() string { return "invalid" }

var metrics = expfmt.NewTextParser(model.UTF8Validation)

// Parts of expressions.
const (
	token  = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
	quoted = `"(?:[\t !#-\[\]-~]|\\[\t -~])*"`
	dotted = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
	item   = `(?:-?[0-9]{1,12}\.[0-9]{1,3}|-?[0-9]{1,15}|"(?:[ !#-\[\]-~]|\\["\\])*"|[A-Za-z*][!#$%&'*+.^_|~0-9A-Za-z:/-]*|:[A-Za-z0-9+/=]*:|\?[01])`
	params = `(?:; *[a-z*][a-z0-9_.*-]*(?:=` + item + `)?)*`
	number = `[+-]?(?:(?i:inf(?:inity)?|nan)|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)`
)

var formats = []*format{
	{
		name: "language tags", file: "languagetag.abnf", rule: "Language-Tag",
		start: languagetag.KindLanguageTag, grammar: languagetag.Grammar, accepts: languagetag.Accepts,
		regexp: `(?<language>[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-(?<script>[A-Za-z]{4}))?(?:-(?<region>[A-Za-z]{2}|[0-9]{3}))?` +
			`(?<variants>(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*)(?<extensions>(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*)(?<private>-[xX](?:-[A-Za-z0-9]{1,8})+)?`,
		peer: "x/text/language", byPeer: func(s string) error { _, err := language.Parse(s); return err },
		list: []string{"en", "de-CH", "zh-Hant-TW", "sr-Latn-RS", "es-419", "sl-rozaj", "de-CH-1901", "en-US-u-co-phonebk", "pt-BR", "ja-JP-u-ca-japanese", "hy-Latn-IT-arevela", "az-Arab-x-AZE-derbend"},
	},
	{
		name: "IPv6 addresses", file: "ipv6.abnf", rule: "IPv6address",
		start: ipv6.KindIPv6address, grammar: ipv6.Grammar, accepts: ipv6.Accepts,
		regexp: ipv6Regexp(),
		peer:   "net/netip", byPeer: func(s string) error { _, err := netip.ParseAddr(s); return err },
		list: addresses(500),
	},
	{
		name: "media types", file: "mediatype.abnf", rule: "media-type",
		start: mediatype.KindMediaType, grammar: mediatype.Grammar, accepts: mediatype.Accepts,
		regexp: `(?<type>` + token + `)/(?<subtype>` + token + `)(?<parameters>(?:[\t ]*;[\t ]*(?:` + token + `=(?:` + token + `|` + quoted + `))?)*)`,
		peer:   "mime", byPeer: func(s string) error { _, _, err := mime.ParseMediaType(s); return err },
		list: []string{"text/html", "text/html; charset=utf-8", "application/json", "application/vnd.api+json", "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
			`text/plain; charset="utf-8"; format=flowed`, "image/svg+xml", "application/x-www-form-urlencoded", `multipart/related; boundary="a b"; type="text/xml"; start="<a@b>"`, "font/woff2"},
	},
	{
		name: "RFC 3339 times", file: "timestamp.abnf", rule: "date-time",
		start: timestamp.KindDateTime, grammar: timestamp.Grammar, accepts: timestamp.Accepts,
		regexp: `(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})[Tt](?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})(?<fraction>\.[0-9]+)?(?<offset>[Zz]|[+-][0-9]{2}:[0-9]{2})`,
		peer:   "time", byPeer: func(s string) error { _, err := time.Parse(time.RFC3339, s); return err },
		list: []string{"1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1990-12-31T23:59:59Z", "1937-01-01T12:00:27.87+00:20", "2024-02-29T00:00:00Z", "2026-11-22T13:43:06.123456789Z", "2000-01-01T00:00:00+14:00"},
	},
	{
		name: "semantic versions", file: "version.abnf", rule: "go-version",
		start: version.KindGoVersion, grammar: version.Grammar, accepts: version.Accepts,
		regexp: `v(?<major>0|[1-9][0-9]*)\.(?<minor>0|[1-9][0-9]*)\.(?<patch>0|[1-9][0-9]*)` +
			`(?:-(?<pre>(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*))?(?:\+(?<build>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?`,
		peer: "x/mod/semver", byPeer: func(s string) error {
			if !semver.IsValid(s) {
				return invalid{}
			}
			return nil
		},
		list: versions(500),
	},
	{
		name: "cookies", file: "cookie.abnf", rule: "cookie-string",
		start: cookie.KindCookieString, grammar: cookie.Grammar, accepts: cookie.Accepts,
		regexp: `(?<name>` + token + `)=(?<value>[!#-+\--:<-\[\]-~]*|"[!#-+\--:<-\[\]-~]*")(?<others>(?:; ` + token + `=(?:[!#-+\--:<-\[\]-~]*|"[!#-+\--:<-\[\]-~]*"))*)`,
		peer:   "net/http", byPeer: func(s string) error { _, err := http.ParseCookie(s); return err },
		list: []string{"SID=31d4d96e407aad42", "SID=31d4d96e407aad42; lang=en-US", "_ga=GA1.2.1234567890.1600000000; _gid=GA1.2.987654321.1600000001; theme=dark",
			`session="abc123"`, "a=", "csrftoken=u32t4o3tb3gg43; sessionid=298zf09hf012fh2; _gat=1"},
	},
	{
		name: "mail addresses", file: "mailbox.abnf", rule: "mailbox",
		start: mailbox.KindMailbox, grammar: mailbox.Grammar, accepts: mailbox.Accepts,
		regexp: `(?:(?<name>(?:[ \t]*(?:` + quoted + `|` + dotted + `))*)[ \t]*<(?<local>` + dotted + `|` + quoted + `)@(?<domain>` + dotted + `)>|(?<local2>` + dotted + `|` + quoted + `)@(?<domain2>` + dotted + `))`,
		peer:   "net/mail", byPeer: func(s string) error { _, err := mail.ParseAddress(s); return err },
		list: []string{"jdoe@machine.example", "Mary Smith <mary@example.net>", `"Joe Q. Public" <john.q.public@example.com>`, "<boss@nil.test>", `"Giant; \"Big\" Box" <sysservices@example.net>`,
			"first.last+tag@sub.domain.example", "Who Am I <who@example.com>"},
	},
	{
		name: "structured fields", file: "structured.abnf", rule: "sf-list",
		start: structured.KindSfList, grammar: structured.Grammar, accepts: structured.Accepts,
		regexp: `(?<first>` + item + params + `|\( *(?:` + item + params + `(?: +` + item + params + `)* *)?\)` + params + `)(?<others>(?:[\t ]*,[\t ]*(?:` +
			item + params + `|\( *(?:` + item + params + `(?: +` + item + params + `)* *)?\)` + params + `))*)`,
		peer: "dunglas/httpsfv", byPeer: func(s string) error { _, err := httpsfv.UnmarshalList([]string{s}); return err },
		list: []string{"sugar, tea, rum", `("foo" "bar"), ("baz"), ("bat" "one"), ()`, `("foo"; a=1;b=2);lvl=5, ("bar" "baz");lvl=1`, "abc;a=1;b=2; cde_456, (ghi;jk=4 l);q=\"9\";r=w",
			`"Chromium";v="118", "Not=A?Brand";v="99"`, "42, 4.5, ?1, :aGVsbG8=:", "ExampleCache; hit; ttl=376"},
	},
	{
		name: "SIP URIs", file: "sipuri.abnf", rule: "SIP-or-SIPS-URI",
		start: sipuri.KindSIPOrSIPSURI, grammar: sipuri.Grammar, accepts: sipuri.Accepts,
		regexp: `(?<scheme>[Ss][Ii][Pp][Ss]?):(?:(?<user>(?:[A-Za-z0-9_.!~*'()&=+$,;?/-]|%[0-9A-Fa-f]{2})+)(?::(?<password>(?:[A-Za-z0-9_.!~*'()&=+$,-]|%[0-9A-Fa-f]{2})*))?@)?` +
			`(?<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(?<port>[0-9]+))?(?<parameters>(?:;(?:[\][/:&+$A-Za-z0-9_.!~*'()-]|%[0-9A-Fa-f]{2})+(?:=(?:[\][/:&+$A-Za-z0-9_.!~*'()-]|%[0-9A-Fa-f]{2})+)?)*)` +
			`(?<headers>\?(?:[\][/?:+$A-Za-z0-9_.!~*'()&=-]|%[0-9A-Fa-f]{2})+)?`,
		peer: "emiago/sipgo", byPeer: func(s string) error { var u sip.Uri; return sip.ParseUri(s, &u) },
		list: []string{"sip:alice@atlanta.com", "sip:alice:secretword@atlanta.com;transport=tcp", "sips:alice@atlanta.com?subject=project%20x&priority=urgent", "sip:+1-212-555-1212:1234@gateway.com;user=phone",
			"sips:1212@gateway.com", "sip:alice@192.0.2.4", "sip:atlanta.com", "sip:alice@[2001:db8::10]:5070", "sip:bob@biloxi.example.com:5060;lr;transport=udp"},
	},
	{
		name: "OpenMetrics samples", file: "metric.abnf", rule: "sample",
		start: metric.KindSample, grammar: metric.Grammar, accepts: metric.Accepts,
		regexp: `(?<name>[A-Za-z_:][A-Za-z0-9_:]*)(?<labels>\{(?:[A-Za-z_][A-Za-z0-9_]*="(?:[^"\\\n]|\\[n"\\])*"(?:,[A-Za-z_][A-Za-z0-9_]*="(?:[^"\\\n]|\\[n"\\])*")*)?\})? (?<value>` + number + `)(?: (?<time>` + number + `))?\n`,
		peer:   "prometheus/common/expfmt", byPeer: func(s string) error { _, err := metrics.TextToMetricFamilies(strings.NewReader(s)); return err },
		list: []string{"go_goroutines 69\n", "process_cpu_seconds_total 4.20072246e+06\n", "http_requests_total{method=\"post\",code=\"200\"} 1027 1395066363000\n", "acme_http_router_request_seconds_sum{path=\"/api/v1\",method=\"GET\"} 9036.32\n",
			"foo_bucket{le=\"+Inf\"} 17\n", "node_filesystem_avail_bytes{device=\"/dev/sda1\",fstype=\"ext4\",mountpoint=\"/\"} 2.1e10\n", "up{job=\"a \\\"b\\\"\"} 1\n"},
	},
	{
		name: "ABNF, by the general parser", file: "abnf.abnf", rule: "rulelist",
		start: rulelist.KindRulelist, grammar: rulelist.Grammar, accepts: rulelist.Accepts,
		peer: "-", list: texts(),
	},
}

// texts returns the grammars of all formats.
func texts() (list []string) {
	files, _ := grammars.ReadDir("abnf")
	for _, f := range files {
		text, _ := grammars.ReadFile("abnf/" + f.Name())
		list = append(list, strings.ReplaceAll(string(text), "\n", "\r\n"))
	}
	return list
}

// addresses returns n addresses as net/netip writes them, with random groups of which some are zero; every eighth is one of IPv4
// inside IPv6.
func addresses(n int) (list []string) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		var a [16]byte
		if i%8 == 0 {
			a[10], a[11] = 0xff, 0xff
			for k := 12; k < 16; k++ {
				a[k] = byte(rng.UintN(256))
			}
		} else {
			for k := 0; k < 16; k += 2 {
				if rng.UintN(3) > 0 {
					binary.BigEndian.PutUint16(a[k:], uint16(rng.UintN(1<<16)>>(4*rng.UintN(4))))
				}
			}
		}
		list = append(list, netip.AddrFrom16(a).String())
	}
	return list
}

// versions returns n versions with random numbers, of which a third has a pre-release and a tenth a build; every eighth is a
// pseudo-version of the go command.
func versions(n int) (list []string) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		v := fmt.Sprintf("v%d.%d.%d", rng.UintN(4), rng.UintN(60), rng.UintN(20))
		switch {
		case i%8 == 0:
			v = fmt.Sprintf("v0.0.0-20%012d-%012x", rng.Uint64N(1e12), rng.Uint64N(1<<48))
		case rng.UintN(3) == 0:
			v += fmt.Sprintf("-%s.%d", []string{"alpha", "beta", "rc", "pre"}[rng.UintN(4)], rng.UintN(12))
		}
		if rng.UintN(10) == 0 {
			v += "+incompatible"
		}
		list = append(list, v)
	}
	return list
}

// ipv6Regexp returns the nine forms of an address.
func ipv6Regexp() string {
	const (
		h16   = `[0-9A-Fa-f]{1,4}`
		octet = `(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])`
		ls32  = `(?:` + h16 + `:` + h16 + `|` + octet + `\.` + octet + `\.` + octet + `\.` + octet + `)`
	)
	left := func(n string) string { return `(?:(?:` + h16 + `:){0,` + n + `}` + h16 + `)?::` }
	right := func(n string) string { return `(?:` + h16 + `:){` + n + `}` + ls32 }
	return `(?<address>` + strings.Join([]string{right("6"), "::" + right("5"), `(?:` + h16 + `)?::` + right("4"), left("1") + right("3"), left("2") + right("2"), left("3") + right("1"),
		left("4") + ls32, left("5") + h16, left("6")}, "|") + `)`
}

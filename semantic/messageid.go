package semantic

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// MessageID is a mail message by its Message-Id (RFC 1630, Message-Id) or a body part by its Content-Id (RFC 1630,
// Content-Id).
type MessageID struct {
	Content bool // cid:, a body part of the same MIME message
	Address Part // without the "<" and ">" around it
}

// readMessageID sets u.Specific to a [MessageID].
func (u *URL) readMessageID(n ast.Node) {
	// midaddress = m i d : addr-spec        cidaddress = c i d : content-identifier      (RFC 1630, URL BNF)
	u.Specific = storeIn(&u.reader.messageID, MessageID{u.name == "cid", u.span(n.Start()+len("mid:"), n.End())})
}

// fields lists the identifier and, if it has an "@", its two halves.
func (m *MessageID) fields(u *URL, list *fieldList) {
	if m.Content {
		list.part("content-id", m.Address)
	} else {
		list.part("message-id", m.Address)
	}
	if unique, domain, ok := splitAddress(m.Address.Decoded()); ok {
		list.value("unique", ast.Quote(unique))
		list.value("domain", ast.Quote(domain))
	}
}

func (m *MessageID) canonical(u *URL, e *editor) {
	e.recode(m.Address, u.component("mid", "message-id"))
}

// access adds one [Read]: nothing is fetched for a message at hand.
func (m *MessageID) access(u *URL, d *dialogue) {
	if m.Content {
		d.note(Read, "the body part <"+quote.Visible(m.Address.Decoded())+"> of the same MIME message", "",
			"Content-Id")
		return
	}
	d.note(Read, "the message <"+quote.Visible(m.Address.Decoded())+"> among the mail already received", "",
		"Message-Id")
}

var messageIDRules = []Rule{
	{
		ID: "1630/mid-addr-spec", Schemes: []string{"mid", "cid"}, Severity: Error,
		Title: "a mail identifier has the format of an addr-spec",
		Requirement: "What follows \"mid:\" is the msg-id of RFC 822 with its constant wrapper removed, whose " +
			"format is that of addr-spec; \"cid:\" is similar.",
		check: on(func(u *URL, m *MessageID, r *report) {
			text := m.Address.Decoded()
			if strings.HasPrefix(text, "<") || strings.HasSuffix(text, ">") {
				r.at(m.Address, "remove the angle brackets: they are not part of the URL")
			} else if why := addrSpec(text); why != "" {
				r.at(m.Address, why)
			}
		}),
	},
	{
		ID: "1630/cid-context", Schemes: []string{"cid"}, Severity: Note,
		Title: "a content-id is good in its own message only",
		Requirement: "Content identifiers need only be unique within one MIME message, so a cid URL has a meaning " +
			"only there.",
		check: func(u *URL, r *report) {
			r.at(u.specificPart(), "do not use this outside the MIME message that it stands in")
		},
	},
	{
		ID: "1630/mid-news", Schemes: []string{"mid"}, Severity: Note,
		Title: "mid is for mail, news for news",
		Requirement: "A mid URL implies access to mail already received; for a message distributed over the news " +
			"system the news form should be used.",
		check: func(u *URL, r *report) {
			r.at(u.Scheme, "write news: if the message was distributed as news")
		},
	},
}

package semantic

// components calls f for each part of u in which octets can be encoded, with its component, in the order of the URL, until f returns
// false. The parts of a URL that only the generic production derives, though its scheme has one of its own, are unknown: f is called
// for its host only.
func (u *URL) components(f func(Part, *Component) bool) {
	scheme := u.name
	each := func(p Part, scheme, name string) bool {
		if !p.Present() {
			return true
		}
		c := u.component(scheme, name)
		return c == nil || f(p, c)
	}
	known := u.Match != MatchGeneric
	login := scheme
	if u.component(scheme, "user") == nil {
		login = ""
	}
	if known && !(each(u.Login.User, login, "user") && each(u.Login.Password, login, "password")) {
		return
	}
	if !u.Host.Number && !each(u.Host.Part, "", "host") {
		return
	}
	if !known {
		each(u.Fragment, "", "fragment")
		return
	}
	ok := true
	switch s := u.Specific.(type) {
	case *FTP:
		ok = each(s.Path, "ftp", "segment")
	case *File:
		ok = each(s.Path, "file", "segment")
	case *HTTP:
		ok = each(s.Path, "http", "segment") && each(s.Search, "http", "search")
	case *Gopher:
		ok = each(s.Type, "gopher", "type") && each(s.Command, "gopher", "command") &&
			each(s.Selector, "gopher", "selector") && each(s.Search, "gopher", "search") && each(s.PlusString, "gopher", "gopher+ string")
	case *Mailto:
		ok = each(s.Address, "mailto", "addr-spec")
	case *MessageID:
		ok = each(s.Address, "mid", "message-id")
	case *News:
		ok = each(s.Group, "news", "newsgroup") && each(s.Article, "news", "message-id")
	case *NNTP:
		ok = each(s.Group, "nntp", "newsgroup")
	case *WAIS:
		ok = each(s.Database, "wais", "database") && each(s.Search, "wais", "search") && each(s.Type, "wais", "type")
		if u.Family == Family1738 {
			ok = ok && each(s.Path, "wais", "document-id")
			break
		}
		for field := range s.IdentifierFields() {
			ok = ok && each(field.Content, "wais", "document-id")
		}
	case *Prospero:
		ok = each(s.Name, "prospero", "hsoname")
		for field := range s.FieldSpecs() {
			ok = ok && each(field.Name, "prospero", "field") && each(field.Value, "prospero", "value")
		}
	case *AFS:
		ok = each(s.Path, "", "segment")
	case *URN:
		ok = each(s.Name, "", "segment")
	case *Other:
		ok = each(s.Path, "", "segment") && each(s.Search, "", "search")
	}
	if ok {
		each(u.Fragment, "", "fragment")
	}
}

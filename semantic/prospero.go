package semantic

import (
	"iter"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// Prospero is an object of the Prospero directory service (RFC 1738 section 3.11; RFC 1630, Prospero).
type Prospero struct {
	Name       Part // the host-specific object name, hsoname; its slashes need not be a hierarchy
	Fields     Part // RFC 1738: the fieldspecs with ";" between them, without the first ";"; absent if there are none
	Version    Part // RFC 1630: the number after "%00"
	Attributes Part // RFC 1630: what follows the version
}

// readProspero sets u's host and port, and u.Specific to a [Prospero].
func (u *URL) readProspero(n ast.Node) {
	u.readLoginOrHostport(n)
	rest := u.tail(n)
	p := Prospero{Name: rest.sub(len("/"), len(rest.Raw))}
	if u.Family == Family1738 {
		// prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]      (RFC 1738 section 5)
		p.Name, p.Fields = p.Name.cut(';')
	} else if p.Version = u.child(n, isVersion); p.Version.Present() {
		// prosperolink = p r o s p e r o : / / hostport / hsoname [ % 0 0 version [ attributes ] ]
		p.Name = u.span(p.Name.Start(), p.Version.Start()-len("%00"))
		p.Attributes = u.child(n, isAttributes)
	}
	u.Specific = storeIn(&u.reader.prospero, p)
}

// FieldSpecs returns the names and values of the fields of RFC 1738's form in their order. The value of a field without
// "=" is absent. They serve to identify the target of a URL, as OBJECT-VERSION does.
func (p *Prospero) FieldSpecs() iter.Seq2[Part, Part] {
	return func(yield func(name, value Part) bool) {
		for spec := range p.Fields.Split(';') {
			if name, value := spec.cut('='); !yield(name, value) {
				return
			}
		}
	}
}

// fields lists the name, each field with its value, the version and the attributes.
func (p *Prospero) fields(u *URL, list *fieldList) {
	list.part("hsoname", p.Name)
	for name, value := range p.FieldSpecs() {
		list.part("field", name)
		list.part("value", value)
	}
	list.part("version", p.Version)
	list.part("attributes", p.Attributes)
}

// canonical recodes the name and the fields; version and attributes stay.
func (p *Prospero) canonical(u *URL, e *editor) {
	// In RFC 1630 what follows the last "%00" of a name without a version could be one, were it decoded.
	till := 0
	if u.Family == Family1630 && !p.Version.Present() {
		till = strings.LastIndex(p.Name.Raw, "%00") + 1
	}
	e.recodePart(p.Name, u.component("prospero", "hsoname"), recoding{till: till})
	for name, value := range p.FieldSpecs() {
		e.recode(name, u.component("prospero", "field"))
		e.recode(value, u.component("prospero", "value"))
	}
	e.keep(p.Version)
	e.keep(p.Attributes)
}

// access adds the steps that connect to the directory server, ask it for the access methods, and choose one.
func (p *Prospero) access(u *URL, d *dialogue) {
	d.connect(u, "3.11", "Prospero")
	text := []byte("the directory server for the access methods of " + ast.Quote(p.Name.Decoded()))
	for name, value := range p.FieldSpecs() {
		text = append(text, ", "+ast.Quote(name.Decoded())+" = "+ast.Quote(value.Decoded())...)
	}
	if p.Version.Present() {
		text = append(text, ", version "+p.Version.Raw...)
	}
	d.note(Ask, string(text), "3.11", "Prospero")
	d.note(Choose, "one of the access methods, and go on with the URL that stands for it", "3.11", "Prospero")
}

var prosperoRules = []Rule{
	{
		ID: "1738/prospero-no-user", Schemes: []string{"prospero"}, Severity: Error, about: userName,
		Title:       "a prospero URL has no user name or password",
		Requirement: "No user name or password is allowed in a prospero URL.",
		check: func(u *URL, r *report) {
			r.at(u.User, "remove the user name and the \"@\": a prospero URL allows neither user name nor "+
				"password")
		},
	},
	{
		ID: "1738/prospero-field", Schemes: []string{"prospero"}, Severity: Warning,
		Title:       "a prospero field has a name",
		Requirement: "The name of a field and its value are separated by \"=\". The BNF lets either be empty.",
		check: on(func(u *URL, p *Prospero, r *report) {
			for name := range p.FieldSpecs() {
				if name.Raw == "" {
					r.at(name, "write the name of the field before \"=\"")
					return
				}
			}
		}),
	},
}

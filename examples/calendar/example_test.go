package calendar_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/examples/calendar"
)

// An event is what a program keeps of a VEVENT.
type event struct {
	Start, Zone, Summary string
}

// The lines of a calendar become structs. A fold, a line end before a space, is taken out first (RFC 5545 section 3.1).
func Example() {
	folded := "BEGIN:VEVENT\r\nDTSTART;TZID=\"Europe/Paris\":20260714T190000\r\nSUMMARY:Fire\r\n works\r\nEND:VEVENT\r\n" +
		"BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261225\r\nSUMMARY:Closed\r\nEND:VEVENT\r\n"
	tree, err := calendar.Parse(strings.ReplaceAll(folded, "\r\n ", ""))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range events(calendar.AsCalendar(tree.Root())) {
		fmt.Printf("%+v\n", e)
	}
	// Output:
	// {Start:20260714T190000 Zone:Europe/Paris Summary:Fireworks}
	// {Start:20261225 Zone: Summary:Closed}
}

// Lines arrive in packets, which end anywhere. Each is parsed as soon as it is whole.
func Example_stream() {
	buffered := ""
	for _, packet := range []string{"BEGIN:VEV", "ENT\r\nSUMMARY:Fire", "works\r\nEND:VEVENT\r\nSUM;", "=\r\n"} {
		buffered += packet
		for {
			tree, n, err := calendar.Grammar.ParsePrefix(calendar.KindContentline, buffered)
			if errors.Is(err, ast.ErrIncomplete) {
				break // more has to arrive
			}
			if err != nil {
				fmt.Println(err)
				return
			}
			line := calendar.AsContentline(tree.Root())
			fmt.Println(line.Name().Text(), line.Value().Text())
			buffered = buffered[n:]
		}
	}
	// Output:
	// BEGIN VEVENT
	// SUMMARY Fireworks
	// END VEVENT
	// calendar: offset 4: unexpected "=" in param-name; expected ALPHA, DIGIT or "-" (calendar.abnf:6)
}

// events returns the events of a calendar in order.
func events(n calendar.Calendar) (list []event) {
	for line := range n.Contentline() {
		if line.Name().Text() == "BEGIN" && line.Value().Text() == "VEVENT" {
			list = append(list, event{})
		}
		if len(list) == 0 {
			continue
		}
		e := &list[len(list)-1]
		switch line.Name().Text() {
		case "DTSTART":
			e.Start, e.Zone = line.Value().Text(), param(line, "TZID")
		case "SUMMARY":
			e.Summary = line.Value().Text()
		}
	}
	return list
}

// param returns the first value of a parameter of a line, without its quotes, and "" if the line does not have it.
func param(n calendar.Contentline, name string) string {
	for p := range n.Param() {
		if p.ParamName().Text() != name {
			continue
		}
		for v := range p.ParamValue() {
			switch v.Alternative() {
			case calendar.ParamValueQuoted:
				return strings.Trim(v.Text(), `"`)
			case calendar.ParamValuePlain:
				return v.Text()
			}
		}
	}
	return ""
}

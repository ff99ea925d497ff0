package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/internal/check/render"
	"github.com/bnfcheck/bnfcheck/internal/describe"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// steps prints how a client accesses what a URL designates, under each grammar.
func (e *explaining) steps(url string) error {
	if e.via != "" {
		if err := checkGateway(e.via); err != nil {
			return err
		}
	}
	var b []byte
	rejected := false
	for _, g := range *e.rfcs {
		tree, err := g.Parse(url)
		if err != nil {
			rejected = true
			e.complain("%v", err)
			continue
		}
		u, err := semantic.Of(tree)
		if err != nil {
			return err
		}
		steps := u.Access()
		if e.via != "" {
			steps = u.AccessVia(e.via)
		}
		if e.format.value == "json" {
			b = render.JSON(b, describe.AccessJSON(g.Name, url, steps))
			continue
		}
		if len(*e.rfcs) > 1 {
			if len(b) > 0 {
				b = append(b, '\n')
			}
			b = append(e.Paint(b, layout.Bold, g.Name), '\n')
		}
		b = describe.AppendSteps(b, steps)
	}
	if rejected {
		e.earned = errNegative
	}
	if _, err := e.out.Write(b); err != nil {
		return err
	}
	return e.earned
}

// checkGateway looks at the flag --via: a host as RFC 1738 spells it, and a port.
func checkGateway(via string) error {
	host, port, _ := strings.Cut(via, ":")
	kind, err := bnfcheck.RFC1738.Lookup("host")
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 || !rfc1738.Accepts(kind, host) {
		return fmt.Errorf("invalid argument %s for \"--via\" flag: HOST:PORT, with a port from 1 to 65535", ast.Quote(via))
	}
	return nil
}

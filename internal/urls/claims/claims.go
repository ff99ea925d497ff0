// Package claims decides, on the grammars, what the RFCs say about them: each claim of a text is an assertion about
// languages, and holds or is refuted by a witness.
package claims

import (
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// A Claim is something that an RFC says about its own grammar, as an assertion that is decided on that grammar.
type Claim struct {
	ID      string `json:"id"`      // "1738/host-toplabel", unique among all texts
	Grammar string `json:"grammar"` // "rfc1738"
	Title   string `json:"title"`   // "RFC 1738"
	Section string `json:"section"`
	Lines   string `json:"lines"` // of the RFC: "302-304"
	Quote   string `json:"quote"` // a few words that stand there
	Says    string `json:"says"`  // in our words

	AsRead    Outcome `json:"as_read"`    // by the default grammar
	AsPrinted Outcome `json:"as_printed"` // with no reading but those that give the notation a meaning
}

// An Outcome says whether a claim holds in one version of the grammar.
type Outcome struct {
	Holds      bool        `json:"holds"`
	Assertions []Assertion `json:"assertions"` // what was decided; the claim holds if all do that are no asides
}

// An Assertion is one thing that is decided about languages.
type Assertion struct {
	Says  string `json:"says"`
	Holds bool   `json:"holds"`

	// Witness is the string that refutes it: the shortest of a language, and of these the most readable, or the first
	// of a list. It is nil if the assertion holds, or if it fails because there is no string.
	Witness *quote.Word `json:"witness,omitempty"`

	// Aside adds something worth knowing that is no part of the claim.
	Aside bool `json:"aside,omitempty"`

	// Refutation says in a sentence why the claim is false: "A is not an ftptype". If the assertion itself
	// needs words of its own, it comes first, in parentheses. It is of no use if the assertion holds.
	Refutation string `json:"-"`
}

// Of decides the claims that RFCs make about their own grammars: those of the named grammars, or of all if
// none is named. Whether each grammar derives the URLs that its text prints is among the claims; [Printed]
// has the details. left is the budget, and may be nil. Of fails, and decides nothing, if a name is unknown, a
// file or a term of claims is malformed, or a limit is passed.
func Of(left *budget.Budget, names ...string) ([]Claim, error) {
	read, err := catalog.Load(catalog.Version{Budget: left}, names...)
	if err != nil {
		return nil, err
	}
	printed, err := catalog.Load(catalog.Version{AsPrinted: true, Budget: left}, names...)
	if err != nil {
		return nil, err
	}
	var out []Claim
	for i, s := range read {
		src, err := bnf.Load(s.Name)
		if err != nil {
			return nil, err
		}
		asRead, asPrinted := newText(s, src, bnf.Default), newText(printed[i], src, bnf.AsPrinted)
		list, err := claimsOf(s.Name)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			d := c.Claim
			d.Title = s.Title
			if d.AsRead, err = asRead.decideClaim(c); err != nil {
				return nil, err
			}
			if d.AsPrinted, err = asPrinted.decideClaim(c); err != nil {
				return nil, err
			}
			out = append(out, d)
		}
	}
	return out, nil
}

// Undecided returns the claims of one grammar without deciding them, and so at no cost. They have no title
// and no outcomes. There are none for a grammar without a file of claims, and for a name that is unknown.
func Undecided(name string) (list []Claim, err error) {
	claims, err := claimsOf(name)
	for _, c := range claims {
		list = append(list, c.Claim)
	}
	return list, err
}

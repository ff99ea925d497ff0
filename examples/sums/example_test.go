package sums_test

import (
	"fmt"
	"strconv"

	"github.com/bnfcheck/bnfcheck/examples/sums"
)

// A sum is evaluated along its tree: Alternative says which of the productions it is.
func Example() {
	for _, text := range []string{"1+2*3", "8-4-2", "-(1-4)/2", "2*"} {
		tree, err := sums.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(text, "=", sum(sums.AsSum(tree.Root())))
	}
	// Output:
	// 1+2*3 = 7
	// 8-4-2 = 2
	// -(1-4)/2 = 1.5
	// sums: offset 2: unexpected end of input in factor; expected DIGIT, "(" or "-" (sums.abnf:8)
}

// sum returns the value of a sum.
func sum(n sums.Sum) float64 {
	switch n.Alternative() {
	case sums.SumAdded:
		return sum(n.Added().Sum()) + term(n.Added().Term())
	case sums.SumSubtracted:
		return sum(n.Subtracted().Sum()) - term(n.Subtracted().Term())
	}
	return term(n.Term())
}

// term returns the value of a term.
func term(n sums.Term) float64 {
	switch n.Alternative() {
	case sums.TermProduct:
		return term(n.Product().Term()) * factor(n.Product().Factor())
	case sums.TermQuotient:
		return term(n.Quotient().Term()) / factor(n.Quotient().Factor())
	}
	return factor(n.Factor())
}

// factor returns the value of a factor.
func factor(n sums.Factor) float64 {
	switch n.Alternative() {
	case sums.FactorGroup:
		return sum(n.Group().Sum())
	case sums.FactorNegated:
		return -factor(n.Negated().Factor())
	}
	value, _ := strconv.ParseFloat(n.Number().Text(), 64) // every number of the grammar is one of Go's
	return value
}

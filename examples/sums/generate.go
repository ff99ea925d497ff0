package sums

//go:generate go run ../../cmd/bnfcheck generate sums.abnf#sum --package sums -o .

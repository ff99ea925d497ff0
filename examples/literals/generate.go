package literals

//go:generate go run ../../cmd/bnfcheck generate literals.abnf#responses --scan literal --package literals -o .

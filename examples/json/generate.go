package json

//go:generate go run ../../cmd/bnfcheck generate json.abnf#JSON-text --package json -o .

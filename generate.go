package bnfcheck

//go:generate go run ./internal/compile/builtin rfc1630
//go:generate go run ./internal/compile/builtin rfc1738
//go:generate go run ./internal/compile/builtin draft06
//go:generate go run ./internal/compile/builtin rfc3986

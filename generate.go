package bnfcheck

//go:generate go run ./internal/generate rfc1630
//go:generate go run ./internal/generate rfc1738
//go:generate go run ./internal/generate draft06
//go:generate go run ./internal/generate rfc3986

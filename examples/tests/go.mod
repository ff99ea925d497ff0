module example.org/tests

go 1.26.0

require github.com/bnfcheck/bnfcheck v0.0.0

require (
	github.com/alecthomas/participle/v2 v2.1.4 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/bnfcheck/bnfcheck => ../..

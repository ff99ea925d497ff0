module github.com/bnfcheck/bnfcheck/bench/generated

go 1.26.0

require (
	github.com/bnfcheck/bnfcheck v0.0.0
	github.com/dunglas/httpsfv v1.1.2
	github.com/emiago/sipgo v1.7.3
	github.com/pandatix/go-abnf v0.5.5
	github.com/prometheus/common v0.74.0
	golang.org/x/mod v0.43.0
	golang.org/x/text v0.44.0
)

require (
	github.com/gobwas/httphead v0.1.0 // indirect
	github.com/gobwas/pool v0.2.1 // indirect
	github.com/gobwas/ws v1.3.2 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/prometheus/client_model v0.6.3 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/bnfcheck/bnfcheck => ../..

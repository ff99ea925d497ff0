package calendar

//go:generate go run ../../cmd/bnfcheck generate calendar.abnf#calendar --package calendar -o .

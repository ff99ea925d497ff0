//go:build js && wasm

// Command wasm is the engine of the pages, compiled to WebAssembly. It gives a page the function bnfcheck(question, tell), which
// answers as package engine does and calls tell(steps, production) while it works; and then waits to be called.
package main

import (
	"syscall/js"

	"github.com/bnfcheck/bnfcheck/internal/report/playground/engine"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

func main() {
	session := engine.New()
	js.Global().Set("bnfcheck", js.FuncOf(func(_ js.Value, args []js.Value) any {
		session.Tell = func(steps int64, production string) { args[1].Invoke(float64(steps), production) }
		return string(session.Answer([]byte(args[0].String())))
	}))
	select {}
}

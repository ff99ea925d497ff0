//go:build js && wasm

// Command wasm is the live checker of the report and the engine of the playground, compiled to WebAssembly. It gives a page the
// functions bnfcheck(text, chosen), which answers with the JSON of package inspect, and bnfplay(question, tell), which answers with
// that of package engine and calls tell(steps, production) meanwhile; and then waits to be called.
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/bnfcheck/bnfcheck/internal/report/playground/engine"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck/inspect"
)

func main() {
	js.Global().Set("bnfcheck", js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer, err := json.Marshal(inspect.Check(args[0].String(), args[1].Int()))
		if err != nil {
			return js.Null() // the page says that there is no answer
		}
		return string(answer)
	}))
	session := engine.New()
	js.Global().Set("bnfplay", js.FuncOf(func(_ js.Value, args []js.Value) any {
		session.Tell = func(steps int64, production string) { args[1].Invoke(float64(steps), production) }
		return string(session.Answer([]byte(args[0].String())))
	}))
	select {}
}

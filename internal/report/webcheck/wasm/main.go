//go:build js && wasm

// Command wasm is the live checker of the report, compiled to WebAssembly. It gives the page one function, bnfcheck(text,
// chosen), which answers with the JSON of package inspect, and then waits to be called.
package main

import (
	"encoding/json"
	"syscall/js"

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
	select {}
}

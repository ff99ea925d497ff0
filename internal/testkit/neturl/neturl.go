// Package neturl is a program for tests: a parser behind the protocol of adapters.
package neturl

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
)

// Main is the program net-url of tests: net/url, spoken to as docs/adapter-protocol.md has it. As long
// as there is a file "slow" in its folder, it takes a millisecond for an answer, and as long as there is a file
// "wavering", every thousandth answer is wrong.
func Main() {
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var q struct {
			ID    uint64
			Input *string
			Bytes []byte `json:"base64"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		w := string(q.Bytes)
		if q.Input != nil {
			w = *q.Input
		}
		answer, err := conform.NetURL().Ask(context.Background(), w)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		components := map[string]*quote.Word{}
		for c, v := range answer.Components {
			if text := quote.Word(v.Text); v.Present {
				components[conform.Component(c).String()] = &text
			} else if v.Said {
				components[conform.Component(c).String()] = nil
			}
		}
		if _, err := os.Stat("slow"); err == nil {
			time.Sleep(time.Millisecond)
		}
		accepted := answer.Verdict == conform.Accepted
		if _, err := os.Stat("wavering"); err == nil && q.ID%1000 == 0 {
			accepted = !accepted
		}
		out.Encode(map[string]any{"id": q.ID, "accepted": accepted, "components": components, "error": answer.Error})
	}
}

// Package neturl is the test program net-url, which answers for net/url in the protocol of docs/adapter-protocol.md.
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

// Main reads questions from standard input and answers them, until the input ends. As long as there is a file "slow" in
// the working directory, an answer takes a millisecond more, and as long as there is a file "wavering", every thousandth
// one is wrong.
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

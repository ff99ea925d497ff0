package command

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// The watch is the last resort against a computation that charges its budget too little, or not at all. It looks at
// what the process itself takes, and ends the program where that is several times what the budgets are made for. A
// budget gives the same answer on every machine; the watch does not, so nothing that is charged rightly may come near
// it.
//
// Processor time is counted from the last sign of life: a line that was judged, an answer of a program, a rule that
// is proven, output. A list may be as long as it likes.

const (
	watchTimes = 4 // the watch ends a command that takes this many times what it may
	// Of goroutines; Go ends a program at 1 GB of one, with a trace and with temporary files left.
	watchStacks = 256 << 20
	watchEvery  = 50 * time.Millisecond
)

// What a command may take, and how long one may take to end by itself once it knows of a signal. The test of the
// watch sets less.
var (
	watchCPU     = 10 * time.Second
	watchHeap    = uint64(512 << 20)
	signalsGrace = 10 * time.Second
)

// A watch measures the process. It is safe for concurrent use.
type watch struct {
	cpu  time.Duration // the most from one sign of life to the next; 0 for no limit
	heap uint64        // in bytes; 0 for no limit
	sign atomic.Bool   // a sign of life since the last look
	end  func(cause string)
	stop chan struct{}
}

// alive is a sign of life. Workers give one for each line, so that it is mostly there and only read.
func (s *streams) alive() {
	if !s.watch.sign.Load() {
		s.watch.sign.Store(true)
	}
}

// scaled has the flags that let a command take more, each with the highest value that takes no more than
// usual.
var scaled = map[string]int64{
	"limit-steps": budget.DefaultSteps, "limit-memory": budget.DefaultBytes >> 20, "limit-states": 1 << 18,
	"max-length": bnfcheck.DefaultMaxLength, "max-grammar-size": bnf.DefaultMaxSize,
	"words": 10_000, "random": 10_000, "longest": 1024, "states": 1,
}

// scaleOf returns how many times more than usual the flags of a command let it take: at least 1, or 0 if one of them is
// negative, which is no limit.
func scaleOf(cmd *cobra.Command) int64 {
	scale := int64(1)
	for name, usual := range scaled {
		f := cmd.Flag(name)
		if f == nil || !f.Changed {
			continue
		}
		n, err := strconv.ParseInt(f.Value.String(), 10, 64)
		if err != nil {
			continue
		}
		if n < 0 {
			return 0
		}
		scale = max(scale, (n-1)/usual+1)
	}
	return scale
}

// guard begins to watch a command, if the process is this program: it sets s.watch, and starts the goroutines of the
// watch and of passOnSignals. A command that takes too much is ended by os.Exit, with a message and after its temporary
// files are removed. Closing s.watch.stop ends the watch.
func (s *streams) guard(cmd *cobra.Command) {
	if !s.guarded {
		return
	}
	const most = 1 << 20 // so that nothing overflows
	scale := min(scaleOf(cmd), most)
	w := &s.watch
	w.cpu, w.heap = watchTimes*watchCPU*time.Duration(scale), watchTimes*watchHeap*uint64(scale)
	w.stop = make(chan struct{})
	w.end = func(cause string) {
		atomicfile.DiscardAll()
		fmt.Fprintf(s.err, "bnfcheck: %s: %s%s. No limit had stopped it, which is a defect of bnfcheck: please "+
			"report it with the input. "+
			"--limit-steps and --limit-memory, where the command has them, give it more.\n", cmd.Name(), cause,
			layout.Printable(s.doingWhat()))
		os.Exit(statusOf(cmd, defect))
	}
	go w.run()
	go passOnSignals()
}

// doingWhat returns ", with `production`, 34 of 213 rules", as far as it is known.
func (s *streams) doingWhat() string {
	with := ""
	if at := s.spent.Load().At(); at != "" {
		with = ", in the middle of `" + at + "`"
	}
	return with + s.doing.String()
}

// run looks at the process every watchEvery, and calls w.end with the cause once it takes too much; it returns when
// w.stop is closed.
func (w *watch) run() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"}}
	since := processorTime()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
		}
		now := processorTime()
		if w.sign.Swap(false) {
			since = now
		}
		metrics.Read(samples)
		heap, stacks := samples[0].Value.Uint64(), samples[1].Value.Uint64()
		switch {
		case w.cpu > 0 && now-since > w.cpu:
			w.end(fmt.Sprintf("ended after %.0f s of processor time without a result", (now - since).Seconds()))
		case w.heap > 0 && heap > w.heap:
			w.end(fmt.Sprintf("ended when it had taken %d MB of memory", heap>>20))
		case stacks > watchStacks:
			w.end(fmt.Sprintf("ended when its recursion had taken %d MB of memory", stacks>>20))
		}
	}
}

// waiting counts the callers of untilStopped that have not finished: they clean up and end the program by themselves.
var waiting atomic.Int32

// passOnSignals waits for a signal that ends the program, removes temporary files and ends the program by that
// signal. It runs in a goroutine of its own, and does not return. Callers of untilStopped get signalsGrace to end the
// program in their own way.
func passOnSignals() {
	all := make(chan os.Signal, 1)
	signal.Notify(all, endingSignals()...)
	sig := <-all
	if waiting.Load() > 0 {
		time.Sleep(signalsGrace)
	}
	atomicfile.DiscardAll()
	endBySignal(sig)
}

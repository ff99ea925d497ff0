// Command beam judges lists of URLs as an Apache Beam pipeline: what bnfcheck check does, on as many machines as a runner has.
//
//	go run . -input 'crawl/*.gz' -output result
//
// It writes summary.json, which bnfcheck summary reads; hosts.tsv, the verdicts of each host; and rejected.tsv, the URLs that
// were rejected, with the reason.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

func main() {
	input := flag.String("input", "", "the `FILES` of URLs: a pattern, of text files or .gz or .zst")
	output := flag.String("output", "", "the `FOLDER` for the results")
	rfc := flag.String("rfc", "1630,1738", "the `RFCS` that judge, with commas between them: 1630, 1738, 3986")
	flag.Parse()
	beam.Init()
	if err := run(context.Background(), *input, *output, *rfc); err != nil {
		fmt.Fprintln(os.Stderr, "beam:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, input, output, rfc string) error {
	switch {
	case input == "":
		return errors.New("no -input: a pattern of files, as 'crawl/*.gz'")
	case output == "":
		return errors.New("no -output: a folder for the results")
	}
	judge, err := newJudging(strings.Split(rfc, ","))
	if err != nil {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	r := judge.judge(s, input)
	textio.Write(s, output+"/summary.json", r.summary)
	textio.Write(s, output+"/hosts.tsv", r.hosts)
	textio.Write(s, output+"/rejected.tsv", r.rejected)
	return beamx.Run(ctx, p)
}

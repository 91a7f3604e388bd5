// Command bench compares w2v with fastText, gensim and others: speed, memory, start-up,
// queries and, beside them, what the vectors are worth. It installs nothing; a
// peer that is not on the machine is left out. docs/benchmarks.md says what is
// measured and how.
//
//	cd lab && go run ./bench -corpus FILE -eval DIR -runs words,subwords -rounds 3
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/lab/trainers"
)

// options are the flags.
type options struct {
	corpus     string
	eval       string
	runs       string
	peers      string
	rounds     int
	epochs     int
	threads    int
	threadRuns int
	queries    int
	rate       float64
	limit      time.Duration
	w2v        string
	json       string
}

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.corpus, "corpus", "", "text, plain or compressed, a sentence a `file`'s line (default the demo's, generated)")
	flags.StringVar(&o.eval, "eval", "", "`folder` with the sets of a language, which is its name: en or de (default the demo's sets with its corpus, else none)")
	flags.StringVar(&o.runs, "runs", defaultRuns(), "the `parts` to run, of "+strings.Join(partNames(), ", "))
	flags.StringVar(&o.peers, "peers", strings.Join(trainers.PeerNames(), ","), "the `programs` to compare with, as far as they are here")
	flags.IntVar(&o.rounds, "rounds", 3, "how often everything is measured; the round is the seed")
	flags.IntVar(&o.epochs, "epochs", 5, "passes over the corpus")
	flags.IntVar(&o.threads, "threads", 1, "threads of training, except in the parts that say how many")
	flags.IntVar(&o.threadRuns, "thread-runs", 10, "how often the parts threads, deterministic and checkpoints take turns")
	flags.IntVar(&o.queries, "queries", 300, "queries a round in the part query")
	flags.Float64Var(&o.rate, "rate", 0, "learning rate of all programs, instead of each peer's default")
	flags.DurationVar(&o.limit, "limit", 2*time.Hour, "the longest that one child process may take")
	flags.StringVar(&o.w2v, "w2v", "", "the w2v `binary` to measure (default is built from this repository)")
	flags.StringVar(&o.json, "json", "", "write every sample to `file` too")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	for _, n := range []int{o.rounds, o.epochs, o.threads, o.threadRuns, o.queries} {
		if n < 1 {
			return o, errors.New("-rounds, -epochs, -threads, -thread-runs and -queries must be at least 1")
		}
	}
	return o, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	if len(args) > 0 && args[0] == queryChild {
		return answerQueries(os.Stdout, args[1:])
	}
	if len(args) > 0 && args[0] == productChild {
		return search(os.Stdout)
	}
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	chosen, err := chooseParts(o.runs)
	if err != nil {
		return err
	}
	b, err := newBench(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()

	all := report{
		Machine: machine.Describe(), Command: append([]string{"bench"}, args...), Programs: b.versions(),
		Corpus: b.text.name, Tokens: b.text.Tokens, Lines: b.text.Lines,
	}
	fmt.Print(all.preamble())
	for _, p := range chosen {
		r, err := p.run(b, ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		r.Part = p.name
		all.Results = append(all.Results, r)
		fmt.Print("\n", r.markdown())
		if o.json != "" { // after each part, so that an interrupt loses only one
			if err := all.save(o.json); err != nil {
				return err
			}
		}
	}
	return nil
}

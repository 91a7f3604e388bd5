// Command lines counts the rows that move between the caches of cores when several threads train: it trains a text
// with as many workers as there would be cores, which take turns, a block each, and follows which core has which
// row as it is now. From measured speeds it fits what a line from another core costs, and what many cores would
// gain. docs/scale.md has results.
//
//	cd lab && go run ./lines -corpus FILE -threads 2,16,64
//	cd lab && go run ./lines -corpus FILE -threads 2,64 -fast 3.9,7.2,7.3 -slow 3.9,4.4,7.1
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vocab"
)

// options are the flags.
type options struct {
	corpus  string
	threads []int
	sharing []string
	die     int
	sockets int
	blocks  int
	dim     int
	fast    *speeds
	slow    *speeds
	across  float64
	config  sgns.Config
	json    string
}

func parseOptions(args []string) (options, error) {
	o := options{config: sgns.Defaults()}
	flags := flag.NewFlagSet("lines", flag.ContinueOnError)
	flags.StringVar(&o.corpus, "corpus", "", "text, plain or compressed, a sentence a `file`'s line")
	flags.Func("threads", "`numbers` of threads, each on a core (default 2,64)", numbers(&o.threads))
	sharing := flags.String("sharing", "hogwild,copies", "how threads share rows, of hogwild and copies")
	flags.IntVar(&o.die, "die", 8, "`cores` that share a cache")
	flags.IntVar(&o.sockets, "sockets", 2, "sockets, for more threads than a die has cores")
	flags.IntVar(&o.blocks, "blocks", 300_000, "blocks to train; the last two thirds are counted")
	flags.IntVar(&o.dim, "dim", 100, "dimensions, also of what was measured for -fast and -slow")
	flags.IntVar(&o.config.Epochs, "epochs", sgns.UsualEpochs, "epochs that the training would have")
	flags.Func("fast", "measured in fast seconds: million `tokens` a second of one thread, two as Hogwild and two with copies", measured(&o.fast))
	flags.Func("slow", "the same, in slow seconds", measured(&o.slow))
	flags.Float64Var(&o.across, "across", 1, "`times` that a line from another socket costs what one from another die does")
	flags.StringVar(&o.json, "json", "", "write all counts to `file` too")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.threads == nil {
		o.threads = []int{2, 64}
	}
	o.sharing = strings.Split(*sharing, ",")
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.corpus == "":
		return o, errors.New("-corpus is needed")
	case o.die < 1 || o.sockets < 1 || o.dim < 1 || o.blocks < 3:
		return o, errors.New("-die, -sockets and -dim must be at least 1, and -blocks at least 3")
	case (o.fast == nil) != (o.slow == nil):
		return o, errors.New("-fast and -slow need each other")
	}
	for _, s := range o.sharing {
		if s != hogwild && s != copies {
			return o, fmt.Errorf("-sharing: %q is neither %s nor %s", s, hogwild, copies)
		}
	}
	for _, n := range o.threads {
		if n < 1 || n > most {
			return o, fmt.Errorf("-threads must be from 1 to %d", most)
		}
	}
	return o, nil
}

// numbers parses a list of numbers.
func numbers(list *[]int) func(string) error {
	return func(text string) error {
		for field := range strings.SplitSeq(text, ",") {
			n, err := strconv.Atoi(field)
			if err != nil || n < 1 {
				return fmt.Errorf("%q is not a number from 1", field)
			}
			*list = append(*list, n)
		}
		return nil
	}
}

// measured parses speeds.
func measured(s **speeds) func(string) error {
	return func(text string) error {
		var x [3]float64
		fields := strings.Split(text, ",")
		if len(fields) != len(x) {
			return fmt.Errorf("needs %d numbers", len(x))
		}
		for i, field := range fields {
			n, err := strconv.ParseFloat(field, 64)
			if err != nil || !(n > 0) {
				return fmt.Errorf("%q is not a speed", field)
			}
			x[i] = n
		}
		*s = &speeds{x[0], x[1], x[2]}
		return nil
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	source, err := corpus.Files([]string{o.corpus}, nil, corpus.Options{})
	if err != nil {
		return err
	}
	words, ids, err := vocab.Index(ctx, source, vocab.Options{MinCount: 5}, "")
	if err != nil {
		return err
	}
	defer ids.Close()
	all := report{
		Machine: machine.Describe(), Command: append([]string{"lines"}, args...), Corpus: filepath.Base(o.corpus),
		Tokens: ids.Tokens(), Words: words.Len(),
	}
	var trials []*trial
	for _, threads := range o.threads {
		m := newCaches(threads, (threads+o.die-1)/o.die, o.sockets)
		for _, sharing := range o.sharing {
			c := o.config
			c.Threads, c.Dim, c.Affinity = threads, o.dim, "none" // the cores of this machine do not matter
			if sharing == hogwild {
				c.Sharing = hogwild
			}
			t, err := observe(ctx, ids, words, c, o.blocks, m)
			if err != nil {
				return err
			}
			trials = append(trials, t)
			all.Trials = append(all.Trials, t.json())
		}
	}
	fmt.Fprintf(out, "Rows that move for a block: %s, %d tokens of %d words.\n\n%s\n%s%s", all.Corpus, all.Tokens, all.Words,
		movedTable(trials, o.dim), fewerTable(trials), rankTables(trials))
	if o.fast != nil {
		if err := all.cost(o, trials, out); err != nil {
			return err
		}
	}
	if o.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(text, '\n'), 0o666)
}

// cost fits the cost of a block to measured speeds and carries it to all trials.
func (r *report) cost(o options, trials []*trial, out io.Writer) (err error) {
	var two [2]*trial
	for _, t := range trials {
		if t.config.Threads != 2 {
			continue
		}
		if t.sharing() == hogwild {
			two[0] = t
		} else {
			two[1] = t
		}
	}
	if two[0] == nil || two[1] == nil {
		return errors.New("-fast and -slow need -threads 2 with both ways of sharing")
	}
	if r.Fit, err = fitted(*o.fast, *o.slow, two[0], two[1], o.dim); err != nil {
		return err
	}
	var table string
	r.Predictions, table = r.Fit.costs(trials, o.across, o.dim)
	_, err = fmt.Fprintf(out, "\nA block takes %.0f ns, %.0f ns more with copies, and %.1f ns for a near line, %.1f ns for a far one (dim %d; errors of the fit %s).\n\n%s",
		r.Fit.Block, r.Fit.Copies, r.Fit.Near, r.Fit.Far, o.dim, percents(r.Fit.Errors), table)
	return err
}

// percents shows relative errors.
func percents(errors []float64) string {
	var all []string
	for _, x := range errors {
		all = append(all, fmt.Sprintf("%+.0f %%", 100*x))
	}
	return strings.Join(all, ", ")
}

// Command variants trains every variant of word vectors that w2v knows on an English and a
// German corpus, scores them, and writes the tables of docs/variants.md.
//
//	cd lab && go run ./variants -en FILE -de FILE -eval DIR
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// options are the flags.
type options struct {
	corpora     map[string]string // by language
	eval        string
	doc         string
	results     string
	only        string
	seeds       string
	epochs      int
	threads     int
	pool        int
	importances int
	render      bool
	list        bool
}

func parseOptions(args []string) (options, error) {
	var en, de string
	o := options{}
	flags := flag.NewFlagSet("variants", flag.ContinueOnError)
	flags.StringVar(&en, "en", "", "English text, plain or compressed, a sentence a `file`'s line; without it there are no English rows")
	flags.StringVar(&de, "de", "", "German text; without it there are no German rows")
	flags.StringVar(&o.eval, "eval", "../../shared/data/eval", "`folder` with en/sim/ws353.tsv, de/sim/gur350.tsv and so on")
	flags.StringVar(&o.doc, "doc", "../docs/variants.md", "`file` to write the tables to, between its markers; nothing else of it changes")
	flags.StringVar(&o.results, "results", filepath.Join(os.TempDir(), "w2v-variants"), "`folder` of raw results; what is there already is not done again")
	flags.StringVar(&o.only, "only", "", "the `rows` to make, also if they are there already (default all that are not)")
	flags.StringVar(&o.seeds, "seeds", "1", "`seeds`, 1,2,3 for example; with several, scores have a standard deviation")
	flags.IntVar(&o.epochs, "epochs", 5, "passes over the corpora")
	flags.IntVar(&o.threads, "threads", 0, "threads of w2v; 0 for one a core. gensim has one")
	flags.IntVar(&o.pool, "pool", 50_000, "rows of the pool of hash embeddings")
	flags.IntVar(&o.importances, "importances", 500_000, "rows of importances of hash embeddings")
	flags.BoolVar(&o.render, "render", false, "train nothing: make the tables of the results that are there")
	flags.BoolVar(&o.list, "list", false, "list the rows, and do nothing")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	o.corpora = map[string]string{english: en, german: de}
	if en == "" && de == "" && !o.list {
		return o, errors.New("there is no text: -en FILE or -de FILE, or both")
	}
	if o.threads == 0 {
		o.threads = runtime.NumCPU()
	}
	for _, n := range []int{o.epochs, o.threads, o.pool, o.importances} {
		if n < 1 {
			return o, errors.New("-epochs, -threads, -pool and -importances must be at least 1")
		}
	}
	return o, nil
}

// parseSeeds reads a list of numbers.
func parseSeeds(list string) ([]uint64, error) {
	var seeds []uint64
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("-seeds: %q is not a list of numbers, as 1,2,3 is", list)
		}
		seeds = append(seeds, n)
	}
	return seeds, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "variants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	all := variants(o)
	if o.list {
		for _, v := range all {
			fmt.Printf("%-24s %s %s\n", v.name, v.title, v.flags)
		}
		return nil
	}
	chosen, err := choose(all, o.only)
	if err != nil {
		return err
	}
	seeds, err := parseSeeds(o.seeds)
	if err != nil {
		return err
	}
	doc, err := readDocument(o.doc)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.results, 0o777); err != nil {
		return err
	}
	record, err := openRecord(filepath.Join(o.results, "results.jsonl"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, record.close()) }()
	w, err := newWorkshop(ctx, o, record)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()

	var stopped error
	if !o.render {
		stopped = w.trainAll(ctx, chosen, seeds, o.only != "")
	}
	generated := w.report(all, seeds)
	return errors.Join(stopped, doc.replace(generated))
}

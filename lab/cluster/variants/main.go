//go:build linux

// Command variants trains each variant in one process and on ranks of mpirun, and compares the loss on text that was held out. docs/scale.md
// has results.
//
//	zcat text.gz | head -c 11500000 >text.txt
//	zcat text.gz | tail -c 2000000 >held.txt
//	cd lab && go run ./cluster/variants -corpus text.txt -validate held.txt -train '--epochs 3 --dim 50'
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/w2v-go/w2v/lab/cluster"
	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/lab/product"
)

// variants are flags of w2v train. Those of which ranks refuse something are not among them.
var variants = []string{
	"", "--arch cbow", "--arch structured", "--loss hs", "--loss directional", "--arch cbow --loss hs", "--tied", "--nested 16,32,50", "--rank 16",
	"--arch cbow --position-weights", "--arch cbow --word-ngrams 2 --word-buckets 50000",
	"--subwords fasttext --buckets 50000", "--arch cbow --subwords fasttext --buckets 50000",
	"--subwords floret --buckets 20000", "--subwords hash --buckets 10000", "--window-mode harmonic", "--shuffle",
}

type options struct {
	corpus, validate, w2v string
	train                 []string
	ranks                 []int
	seeds                 int
	only                  string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "variants:", err)
		os.Exit(1)
	}
}

func parseOptions(args []string) (o options, err error) {
	flags := flag.NewFlagSet("variants", flag.ContinueOnError)
	flags.StringVar(&o.corpus, "corpus", "", "`text` to train on (required)")
	flags.StringVar(&o.validate, "validate", "", "held-out `text` (required)")
	ranks := flags.String("ranks", "2,4,8", "numbers of ranks")
	train := flags.String("train", "--epochs 3 --dim 50", "more `flags` of w2v train, with spaces between them")
	flags.IntVar(&o.seeds, "seeds", 1, "how often each is trained, with other seeds")
	flags.StringVar(&o.only, "only", "", "only variants whose flags have this `text`; none for skip-gram alone")
	flags.StringVar(&o.w2v, "w2v", "", "the w2v `binary` with MPI (default is built from this repository)")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.corpus == "" || o.validate == "" || flags.NArg() > 0 {
		return o, errors.New("-corpus or -validate is missing, or there are further arguments")
	}
	o.train = strings.Fields(*train)
	for text := range strings.SplitSeq(*ranks, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 {
			return o, fmt.Errorf("-ranks: %q is not a number of ranks", text)
		}
		o.ranks = append(o.ranks, n)
	}
	return o, nil
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "w2v-variants-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if o.w2v == "" {
		o.w2v = filepath.Join(folder, "w2v")
		if err := product.BuildMPI(ctx, o.w2v); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%s\n%s, 1 thread a rank, %s\n\n", machine.Describe(), product.Version(ctx), strings.Join(o.train, " "))
	head := []string{"variant", "one process"}
	for _, n := range o.ranks {
		head = append(head, fmt.Sprintf("%d ranks", n))
	}
	table := figures.Table{head}
	for _, flags := range variants {
		if o.only == "none" && flags != "" || o.only != "none" && !strings.Contains(flags, o.only) {
			continue
		}
		row := []string{"skip-gram"}
		if flags != "" {
			row = []string{"`" + flags + "`"}
		}
		alone := math.NaN()
		for _, n := range slices.Concat([]int{0}, o.ranks) {
			var losses []float64
			for seed := range o.seeds {
				loss, err := o.heldOut(ctx, n, seed+1, strings.Fields(flags), folder)
				if err != nil {
					return err
				}
				losses = append(losses, loss)
			}
			mean, _ := figures.MeanDeviation(losses)
			if n == 0 {
				alone = mean
				row = append(row, fmt.Sprintf("%.3f", mean))
			} else {
				row = append(row, fmt.Sprintf("%+.3f", mean-alone))
			}
		}
		table = append(table, row)
		fmt.Fprintln(os.Stderr, strings.Join(row, "\t"))
	}
	_, err = fmt.Fprint(out, table.Markdown())
	return err
}

// heldOut trains on so many ranks, or in one process that mpirun does not start, and returns the loss at the end.
func (o options) heldOut(ctx context.Context, ranks, seed int, flags []string, folder string) (float64, error) {
	log := filepath.Join(folder, "log.jsonl")
	args := []string{o.corpus, "-o", filepath.Join(folder, "model.w2v"), "--threads", "1", "--seed", strconv.Itoa(seed), "--validate", o.validate, "--log-json", log, "--force"}
	args = slices.Concat(args, o.train, flags)
	if _, err := (cluster.Launcher{Ranks: ranks, Options: []string{"--quiet"}}).Train(ctx, command.Runner{}, o.w2v, args...); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	loss := math.NaN()
	for line := range bytes.Lines(text) {
		var e struct {
			Event string   `json:"event"`
			Loss  *float64 `json:"held_out_loss"`
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return 0, fmt.Errorf("%s: %w", log, err)
		}
		if e.Event == "evaluation" && e.Loss != nil {
			loss = *e.Loss
		}
	}
	if math.IsNaN(loss) {
		return 0, fmt.Errorf("%s has no loss on held-out text", log)
	}
	return loss, nil
}

//go:build linux

// Command measure trains on 1, 2, 4 … ranks with mpirun, and says what each run took: time, speed,
// bytes that ranks sent, and scores. docs/scale.md has results.
//
//	cd lab && go run ./cluster/measure -corpus text.gz -eval sets/ -ranks 1,2,4,8 -seeds 3 -train '--epochs 5'
//	cd lab && go run ./cluster/measure -corpus text.txt -ranks 2 -links none,free,1e9:1ms -threads 1
package main

import (
	"context"
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
	"time"

	"github.com/w2v-go/w2v/lab/cluster"
	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/lab/product"
)

// options are the flags.
type options struct {
	corpus  string
	eval    []string
	ranks   []int
	links   []string
	train   []string
	threads int
	seeds   int
	w2v     string
}

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.StringVar(&o.corpus, "corpus", "", "`text` to train on (required)")
	sets := flags.String("eval", "", "evaluation `sets`, with commas between them")
	ranks := flags.String("ranks", "1,2,4,8", "numbers of ranks; 0 is the program without MPI")
	links := flags.String("links", "none", "what joins ranks: none (one machine), free (two namespaces and a veth pair), or RATE:DELAY in bits a second, such as 1e9:1ms")
	train := flags.String("train", "--epochs 5", "more `flags` of w2v train, with spaces between them")
	flags.IntVar(&o.threads, "threads", 1, "of each rank")
	flags.IntVar(&o.seeds, "seeds", 1, "how often each is trained, with other seeds")
	flags.StringVar(&o.w2v, "w2v", "", "the w2v `binary` with MPI (default is built from this repository)")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.corpus == "" || flags.NArg() > 0 {
		return o, errors.New("-corpus is missing, or there are further arguments")
	}
	o.links, o.train = strings.Split(*links, ","), strings.Fields(*train)
	if *sets != "" {
		o.eval = strings.Split(*sets, ",")
	}
	for text := range strings.SplitSeq(*ranks, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return o, fmt.Errorf("-ranks: %q is not a number of ranks", text)
		}
		o.ranks = append(o.ranks, n)
	}
	return o, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "w2v-measure-")
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
	fmt.Fprintf(out, "%s\n%s, %d threads a rank, %s\n\n", machine.Describe(), product.Version(ctx), o.threads, strings.Join(o.train, " "))
	head := []string{"ranks", "link", "tokens a second", "training", "CPU", "sent", "bytes a token", "carried", "loss"}
	for _, set := range o.eval {
		head = append(head, filepath.Base(set))
	}
	table := figures.Table{head}
	for _, link := range o.links {
		for _, ranks := range o.ranks {
			row, err := o.measure(ctx, ranks, link, folder)
			if err != nil {
				return err
			}
			table = append(table, row)
			fmt.Fprintln(os.Stderr, strings.Join(row, "\t"))
		}
	}
	_, err = fmt.Fprint(out, table.Markdown())
	return err
}

// measure trains with all seeds, and returns a row of the table.
func (o options) measure(ctx context.Context, ranks int, link, folder string) (row []string, err error) {
	launcher := cluster.Launcher{Ranks: ranks, Options: []string{"--quiet"}}
	if link != "none" {
		limits, err := parseLink(link)
		if err != nil {
			return nil, err
		}
		if launcher.Network, err = cluster.NewNetwork(ctx, limits); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, launcher.Network.Close()) }()
	}
	var speed, training, cpu, sent, carried, loss []float64
	var tokens float64
	scores := make([][]float64, len(o.eval))
	for seed := range o.seeds {
		before, err := launcher.Network.Bytes(ctx)
		if err != nil {
			return nil, err
		}
		model := filepath.Join(folder, "model.w2v")
		args := append([]string{o.corpus, "-o", model, "--threads", strconv.Itoa(o.threads), "--seed", strconv.Itoa(seed + 1)}, o.train...)
		got, err := launcher.Train(ctx, command.Runner{}, o.w2v, args...)
		if err != nil {
			return nil, err
		}
		after, err := launcher.Network.Bytes(ctx)
		if err != nil {
			return nil, err
		}
		tokens = float64(got.Trained)
		speed, training, cpu = append(speed, got.TokensPerSecond), append(training, got.Seconds), append(cpu, got.CPUSeconds)
		sent, carried, loss = append(sent, got.SentBytes), append(carried, float64(after-before)), append(loss, got.Loss)
		for i, set := range o.eval {
			score, err := o.score(ctx, model, set)
			if err != nil {
				return nil, err
			}
			scores[i] = append(scores[i], score)
		}
	}
	name := strconv.Itoa(ranks)
	if ranks == 0 {
		name = "1, without MPI"
	}
	row = []string{
		name, link, figures.Millions(figures.Median(speed)), figures.Seconds(figures.Median(training)), figures.Seconds(figures.Median(cpu)),
		figures.Megabytes(figures.Median(sent)), figures.Significant(figures.Median(sent) / tokens), figures.Megabytes(figures.Median(carried)), figures.Significant(figures.Median(loss)),
	}
	for _, samples := range scores {
		row = append(row, figures.MeanAndDeviation(samples))
	}
	return row, nil
}

// score evaluates a model on a set.
func (o options) score(ctx context.Context, model, set string) (float64, error) {
	used, err := command.Runner{}.Run(ctx, command.Order{Name: o.w2v, Args: []string{"eval", model, set, "--json"}})
	if err != nil {
		return 0, err
	}
	return scoreOf(used.Stdout)
}

// parseLink reads a link: free, or RATE:DELAY.
func parseLink(text string) (cluster.Link, error) {
	if text == "free" {
		return cluster.Link{}, nil
	}
	rate, delay, _ := strings.Cut(text, ":")
	bits, err := strconv.ParseFloat(rate, 64)
	wait, errDelay := time.ParseDuration(delay)
	if err != nil || errDelay != nil {
		return cluster.Link{}, fmt.Errorf("-links: %q is not none, free, or a rate and a delay such as 1e9:1ms", text)
	}
	return cluster.Link{Rate: bits, Delay: wait}, nil
}

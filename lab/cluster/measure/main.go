//go:build linux

// Command measure trains on 1, 2, 4 … ranks with mpirun, and says what each run took: time, speed,
// bytes that ranks sent, and scores. docs/scale.md has results.
//
//	cd lab && go run ./cluster/measure -corpus text.gz -eval sets/ -ranks 1,2,4,8 -seeds 3 -train '--epochs 5'
//	cd lab && go run ./cluster/measure -corpus text.txt -ranks 2 -links none,free,1e9:1ms -threads 1
//	cd lab && go run ./cluster/measure -corpus text.txt -ranks 0x1,0x2,2 -links none,free,1e9,1e10 -pin -seeds 3
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
	ranks   []size
	links   []string
	pin     bool
	train   []string
	threads int
	seeds   int
	w2v     string
}

// A size is how many ranks there are, and how many threads each has.
type size struct{ ranks, threads int }

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.StringVar(&o.corpus, "corpus", "", "`text` to train on (required)")
	sets := flags.String("eval", "", "evaluation `sets`, with commas between them")
	ranks := flags.String("ranks", "1,2,4,8", "numbers of ranks, or RANKSxTHREADS; 0 is the program without MPI, which no link joins")
	links := flags.String("links", "none", "what joins ranks: none (one machine), free (two namespaces and a veth pair), RATE in bits a second, such as 1e9 (the same, limited by the kernel), or RATE:DELAY, such as 1e9:1ms (carried by this program)")
	flags.BoolVar(&o.pin, "pin", false, "let each rank run on one processor: two ranks, or one process")
	train := flags.String("train", "--epochs 5", "more `flags` of w2v train, with spaces between them")
	flags.IntVar(&o.threads, "threads", 1, "of each rank")
	flags.IntVar(&o.seeds, "seeds", 1, "how often each is trained, by turns, with other seeds")
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
		ranks, threads, both := strings.Cut(text, "x")
		n, err := strconv.Atoi(ranks)
		each := o.threads
		if both && err == nil {
			each, err = strconv.Atoi(threads)
		}
		if err != nil || n < 0 || each < 0 {
			return o, fmt.Errorf("-ranks: %q is not a number of ranks", text)
		}
		if o.pin && n > 2 {
			return o, errors.New("-pin is for two ranks")
		}
		o.ranks = append(o.ranks, size{n, each})
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
	fmt.Fprintf(out, "%s\n%s, %s\n\n", machine.Describe(), product.Version(ctx), strings.Join(o.train, " "))
	head := []string{"ranks × threads", "link", "tokens a second", "× the first", "training", "CPU", "sent", "bytes a token", "carried", "loss"}
	for _, set := range o.eval {
		head = append(head, filepath.Base(set))
	}
	var all []*measured
	for i, link := range o.links {
		for _, size := range o.ranks {
			if i == 0 || size.ranks > 0 {
				all = append(all, &measured{size: size, link: link, scores: make([][]float64, len(o.eval))})
			}
		}
	}
	for seed := range o.seeds {
		for _, m := range all {
			if err := o.measure(ctx, m, seed+1, folder); err != nil {
				return err
			}
			fmt.Fprintln(os.Stderr, strings.Join(m.row(all[0]), "\t"))
		}
	}
	table := figures.Table{head}
	for _, m := range all {
		table = append(table, m.row(all[0]))
	}
	_, err = fmt.Fprint(out, table.Markdown())
	return err
}

// A measured has what the runs of a number of ranks took, by their seeds.
type measured struct {
	size
	link                                      string
	tokens                                    float64
	speed, training, cpu, sent, carried, loss []float64
	scores                                    [][]float64
}

// row is the row of the table. The speed of each run is compared with that of the first in the same round.
func (m *measured) row(first *measured) []string {
	name := fmt.Sprintf("%d × %d", m.ranks, m.threads)
	if m.ranks == 0 {
		name = fmt.Sprintf("1 × %d, without MPI", m.threads)
	}
	var times []float64
	for i, speed := range m.speed {
		times = append(times, speed/first.speed[i])
	}
	row := []string{
		name, m.link, figures.Millions(figures.Median(m.speed)), figures.Significant(figures.Median(times)), figures.Seconds(figures.Median(m.training)), figures.Seconds(figures.Median(m.cpu)),
		figures.Megabytes(figures.Median(m.sent)), figures.Significant(figures.Median(m.sent) / m.tokens), figures.Megabytes(figures.Median(m.carried)), figures.Significant(figures.Median(m.loss)),
	}
	for _, samples := range m.scores {
		row = append(row, figures.MeanAndDeviation(samples))
	}
	return row
}

// measure trains with a seed.
func (o options) measure(ctx context.Context, m *measured, seed int, folder string) (err error) {
	launcher := cluster.Launcher{Ranks: m.ranks, Options: []string{"--quiet"}}
	if o.pin && m.link == "none" {
		launcher.Options = append(launcher.Options, "--bind-to", "core")
	}
	if m.link != "none" && m.ranks > 0 {
		limits, err := parseLink(m.link)
		if err != nil {
			return err
		}
		var cores []int
		if o.pin {
			cores = []int{0, 1}
		}
		if launcher.Network, err = cluster.NewNetwork(ctx, limits, cores...); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, launcher.Network.Close()) }()
	}
	before, err := launcher.Network.Bytes(ctx)
	if err != nil {
		return err
	}
	model := filepath.Join(folder, "model.w2v")
	args := append([]string{o.corpus, "-o", model, "--threads", strconv.Itoa(m.threads), "--seed", strconv.Itoa(seed)}, o.train...)
	if o.pin && m.ranks == 0 {
		args = append(args, "--affinity", "cores")
	}
	got, err := launcher.Train(ctx, command.Runner{}, o.w2v, args...)
	if err != nil {
		return err
	}
	after, err := launcher.Network.Bytes(ctx)
	if err != nil {
		return err
	}
	m.tokens = float64(got.Trained)
	m.speed, m.training, m.cpu = append(m.speed, got.TokensPerSecond), append(m.training, got.Seconds), append(m.cpu, got.CPUSeconds)
	m.sent, m.carried, m.loss = append(m.sent, got.SentBytes), append(m.carried, float64(after-before)), append(m.loss, got.Loss)
	for i, set := range o.eval {
		score, err := o.score(ctx, model, set)
		if err != nil {
			return err
		}
		m.scores[i] = append(m.scores[i], score)
	}
	return nil
}

// score evaluates a model on a set.
func (o options) score(ctx context.Context, model, set string) (float64, error) {
	used, err := command.Runner{}.Run(ctx, command.Order{Name: o.w2v, Args: []string{"eval", model, set, "--json"}})
	if err != nil {
		return 0, err
	}
	return scoreOf(used.Stdout)
}

// parseLink reads a link: free, RATE, or RATE:DELAY.
func parseLink(text string) (cluster.Link, error) {
	if text == "free" {
		return cluster.Link{}, nil
	}
	rate, delay, late := strings.Cut(text, ":")
	bits, err := strconv.ParseFloat(rate, 64)
	var wait time.Duration
	var errDelay error
	if late {
		wait, errDelay = time.ParseDuration(delay)
	}
	if err != nil || errDelay != nil {
		return cluster.Link{}, fmt.Errorf("-links: %q is not none, free, a rate such as 1e9, or a rate and a delay such as 1e9:1ms", text)
	}
	return cluster.Link{Rate: bits, Delay: wait}, nil
}

// Command quality compares models that one process trained with models that several ranks trained
// together. The ranks are goroutines of this process with one thread each. So it says what vectors are
// worth and what ranks send, and nothing of time.
//
//	cd lab && go run ./cluster/quality -ranks 1,2,4,8 -seeds 3 -sets eval/en text.gz
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

// options are what the flags say.
type options struct {
	ranks    string
	seeds    int
	sets     string
	settings string
	divide   bool
	every    uint64
	budget   uint64
	texts    []string
}

func run(ctx context.Context, args []string, out, diagnostics io.Writer) error {
	var o options
	flags := flag.NewFlagSet("quality", flag.ContinueOnError)
	flags.SetOutput(diagnostics)
	flags.StringVar(&o.ranks, "ranks", "1,2,4,8", "numbers of ranks")
	flags.IntVar(&o.seeds, "seeds", 3, "models of each kind")
	flags.StringVar(&o.sets, "sets", "", "folder of English evaluation sets")
	flags.StringVar(&o.settings, "set", "", "settings of training, such as epochs=1,dim=50")
	flags.BoolVar(&o.divide, "divide", false, "divide the model over the ranks")
	flags.Uint64Var(&o.every, "sync-every", 0, "see w2v train --help")
	flags.Uint64Var(&o.budget, "sync-budget", 0, "see w2v train --help")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.texts = flags.Args(); len(o.texts) == 0 {
		return fmt.Errorf("name the text to train on")
	}
	b, err := battery.Read(o.sets, "en")
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| ranks | WS353 | SimLex-999 | questions-words, 30,000 words | loss | bytes sent a token | questions-words |\n|---:|---:|---:|---:|---:|---:|---:|")
	for _, text := range strings.Split(o.ranks, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("-ranks %q: expected numbers such as 1,2,4", o.ranks)
		}
		if err := o.compare(ctx, out, b, n); err != nil {
			return err
		}
	}
	return nil
}

// compare prints what models of so many ranks are worth.
func (o *options) compare(ctx context.Context, out io.Writer, b battery.Battery, n int) error {
	var columns [6][]float64
	for seed := range o.seeds {
		result, err := o.train(ctx, n, uint64(seed)+1)
		if err != nil {
			return err
		}
		scores, err := b.Score(ctx, result.Vectors)
		if err != nil {
			return err
		}
		for _, s := range scores {
			for column, name := range []string{"WS353", "SimLex-999", "questions-words"} {
				if s.Set == name {
					columns[column] = append(columns[column], 100*float64(s.Value))
				}
			}
		}
		sets, _, err := eval.ReadSets([]string{o.sets + "/analogy/questions-words.txt"}, eval.ReadOptions{})
		if err != nil {
			return err
		}
		all, err := eval.Measure(ctx, result.Vectors, sets[0], eval.Options{})
		if err != nil {
			return err
		}
		columns[5] = append(columns[5], 100*float64(all.Score))
		p := result.Progress
		columns[3] = append(columns[3], p.Loss)
		columns[4] = append(columns[4], float64(p.Sent)/float64(p.Tokens))
	}
	fmt.Fprintf(out, "| %d |", n)
	for _, values := range columns {
		mean, deviation := spread(values)
		fmt.Fprintf(out, " %.4g ± %.2g |", mean, deviation)
	}
	_, err := fmt.Fprintln(out)
	return err
}

// train trains on so many ranks.
func (o *options) train(ctx context.Context, n int, seed uint64) (*train.Result, error) {
	var first *train.Result
	var once sync.Mutex
	var model bytes.Buffer // of a divided model, which nobody has in memory
	divide := o.divide && n > 1
	err := ranktest.Each(n, func(comm cluster.Comm) error {
		var t train.Options
		t.Settings = train.Defaults()
		for _, setting := range strings.FieldsFunc(o.settings, func(r rune) bool { return r == ',' }) {
			name, value, _ := strings.Cut(setting, "=")
			if err := t.Settings.Set(name, value); err != nil {
				return err
			}
		}
		t.Settings.Model.Threads, t.Settings.Model.Seed = 1, seed
		t.Ranks, t.Divide, t.SyncEvery, t.SyncBudget = comm, divide, o.every, o.budget
		if divide && comm.Rank() == 0 {
			t.Writer = &model
		}
		result, err := train.Run(ctx, train.Files(o.texts...), t, train.Hooks{})
		if err == nil && comm.Rank() == 0 {
			once.Lock()
			first = result
			once.Unlock()
		}
		return err
	})
	if err == nil && divide {
		first.Vectors, err = format.Read(&model)
	}
	return first, err
}

// spread returns the mean and the standard deviation.
func spread(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(deviation / float64(max(len(values)-1, 1)))
}

// Command divided trains a divided model with ranks that are goroutines of one process, on files
// that are the parts of a corpus, and says what was sent.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

var divide bool

func main() {
	output := flag.String("output", "model.w2v", "the model")
	minCount := flag.Int("min-count", 5, "least count of words")
	c := sgns.Defaults()
	c.Threads = 1
	flag.Uint64Var(&c.Seed, "seed", 1, "seed")
	flag.IntVar(&c.Epochs, "epochs", c.Epochs, "epochs")
	flag.IntVar(&c.Threads, "threads", 1, "threads of each rank")
	flag.BoolVar(&divide, "divide", true, "divide rows")
	flag.Float64Var(&c.LearningRate, "lr", 0, "learning rate")
	arch := flag.String("arch", "skipgram", "architecture")
	flag.Parse()
	c.Arch = sgns.Arch(*arch)
	ctx := context.Background()
	whole, err := corpus.Files(flag.Args(), nil, corpus.Options{})
	if err != nil {
		log.Fatal(err)
	}
	v, _, err := vocab.Index(ctx, whole, vocab.Options{MinCount: *minCount, Threads: 2}, "")
	if err != nil {
		log.Fatal(err)
	}
	ranks := cluster.Local(flag.NArg())
	errs := make(chan error)
	start := time.Now()
	for i, comm := range ranks {
		go func() {
			err := train(ctx, comm, v, flag.Arg(i), c, *output, start)
			if err != nil {
				comm.Abort(err)
			}
			errs <- err
		}()
	}
	for range ranks {
		if err := <-errs; err != nil {
			log.Fatal(err)
		}
	}
	var sent uint64
	for _, c := range ranks {
		sent += c.Sent()
	}
	million := float64(v.Total()) * float64(c.Epochs) / 1e6
	fmt.Printf("ranks %d  seconds %.1f  words %d  MB/million tokens %.2f\n", len(ranks), time.Since(start).Seconds(), v.Len(), float64(sent)/1e6/million)
}

func train(ctx context.Context, comm cluster.Comm, v *vocab.Vocab, file string, c sgns.Config, output string, start time.Time) error {
	source, err := corpus.Files([]string{file}, nil, corpus.Options{})
	if err != nil {
		return err
	}
	_, ids, err := vocab.Index(ctx, source, vocab.Options{Fixed: v, Threads: 1}, "")
	if err != nil {
		return err
	}
	defer ids.Close()
	var h sgns.Hooks
	if comm.Rank() == 0 {
		h.Every = 20 * time.Second
		h.Progress = func(p sgns.Progress) {
			log.Printf("%.1f s  %d of %d tokens  loss %.4f  lr %.4f  %.0f/s", time.Since(start).Seconds(), p.Tokens, p.Total, p.Loss, p.LearningRate, p.Recent)
		}
	}
	m, err := sgns.Train(ctx, sgns.Data{IDs: ids, Vocab: v, Ranks: comm, Divide: divide}, c, h)
	if err != nil || comm.Rank() != 0 {
		return err
	}
	if err := format.Write(ctx, output, m.Vectors, format.W2V); err != nil {
		return err
	}
	return m.Close()
}

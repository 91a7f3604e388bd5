// Command serve loads w2v serve and a small server of gensim on the same vectors, on loopback, and
// measures what docs/serve.md says of the server.
//
//	go run ./serve -model big.w2v -gensim big.bin
//	go run ./serve -model big.w2v -requests 100000
//	go run ./serve -model big.w2v -large gigabyte.w2v
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/lab/product"
	"github.com/w2v-go/w2v/vectors/format"
)

// options are what a measurement needs.
type options struct {
	w2v, model, gensim, python, script, large string
	clients, requests, bad, slow              int
	seconds                                   time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.w2v, "w2v", "", "the program; built if it is not given")
	flag.StringVar(&o.model, "model", "", "the model to serve")
	flag.StringVar(&o.gensim, "gensim", "", "the same vectors in the format word2vec, to compare with gensim")
	flag.StringVar(&o.python, "python", "/usr/bin/python3", "a Python that has gensim")
	flag.StringVar(&o.script, "script", "serve/gensim_server.py", "the server of gensim")
	flag.StringVar(&o.large, "large", "", "a model of which to measure the time to the first answer")
	flag.IntVar(&o.clients, "clients", 32, "that ask at a time")
	flag.DurationVar(&o.seconds, "time", 20*time.Second, "of each load")
	flag.IntVar(&o.requests, "requests", 0, "after which memory must not have grown")
	flag.IntVar(&o.bad, "malformed", 0, "malformed requests")
	flag.IntVar(&o.slow, "slow", 0, "slow clients")
	flag.Parse()
	if err := measure(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

// measure does what the options ask for.
func measure(ctx context.Context, o options) error {
	if o.w2v == "" {
		folder, err := os.MkdirTemp("", "w2v-serve")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		o.w2v = filepath.Join(folder, product.FileName())
		if err := product.Build(ctx, o.w2v); err != nil {
			return err
		}
	}
	fmt.Println(machine.Describe(), "·", product.Version(ctx))
	var errs []error
	if o.model != "" {
		errs = append(errs, o.ofModel(ctx))
	}
	if o.large != "" {
		for _, path := range []string{"/v1/vectors?word=", "/v1/neighbors?word="} {
			errs = append(errs, o.firstAnswer(ctx, path))
		}
	}
	return errors.Join(errs...)
}

// wordsOf returns some of the first words of a model, which are frequent ones.
func wordsOf(path string, n int) ([]string, error) {
	set, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	defer set.Close()
	words := make([]string, min(n, set.Len()))
	for i := range words {
		words[i] = set.Words().At(i)
	}
	return words, nil
}

func (o options) ofModel(ctx context.Context) error {
	words, err := wordsOf(o.model, 20_000)
	if err != nil {
		return err
	}
	p, err := serve(ctx, o.w2v, o.model)
	if err != nil {
		return err
	}
	err = errors.Join(o.loads(ctx, p, words), o.checks(ctx, p, words))
	return errors.Join(err, p.stop())
}

// loads compares both servers.
func (o options) loads(ctx context.Context, p *program, words []string) error {
	if o.gensim == "" {
		return nil
	}
	g, err := run(ctx, o.python, o.script, o.gensim)
	if err != nil {
		return err
	}
	defer func() { _ = g.stop() }() // Python says that a signal ended it
	type comparison struct {
		name         string
		ours, theirs question
	}
	all := []comparison{{"neighbours", neighbors(p.url+"/v1/neighbors", words), neighbors(g.url+"/neighbors", words)}}
	for _, texts := range []int{1, 16} {
		ours, err := embeddings(p.url+"/v1/embeddings", words, texts)
		if err != nil {
			return err
		}
		theirs, err := embeddings(g.url+"/embeddings", words, texts)
		if err != nil {
			return err
		}
		all = append(all, comparison{fmt.Sprintf("embeddings, %d texts of %d words a request", texts, textWords), ours, theirs})
	}
	var slower []error
	for _, kind := range all {
		for _, ask := range []question{kind.ours, kind.theirs} { // what is done once is done
			if _, err := load(ctx, ask, 2, 4, time.Minute); err != nil {
				return err
			}
		}
		ours, err := o.load(ctx, p, kind.ours)
		if err != nil {
			return err
		}
		theirs, err := o.load(ctx, g, kind.theirs)
		if err != nil {
			return err
		}
		fmt.Printf("%s, %d clients\n  w2v    %v\n  gensim %v\n  ratio  %.1f\n", kind.name, o.clients, ours, theirs, ours.Second/theirs.Second)
		if ours.Failed > 0 || ours.Second < 10*theirs.Second {
			slower = append(slower, fmt.Errorf("%s: less than 10 times as many requests as gensim, or some failed", kind.name))
		}
	}
	return errors.Join(slower...)
}

// load asks a program, and notes what processor time it takes.
func (o options) load(ctx context.Context, p *program, ask question) (result, error) {
	before, err := p.busy()
	if err != nil {
		return result{}, err
	}
	r, err := load(ctx, ask, o.clients, 1<<30, o.seconds)
	if err != nil {
		return result{}, err
	}
	after, err := p.busy()
	r.Busy = (after - before) / time.Duration(r.Requests)
	return r, err
}

// checks are what must hold of a server that runs for long.
func (o options) checks(ctx context.Context, p *program, words []string) error {
	if o.bad > 0 {
		before, err := p.memory()
		if err != nil {
			return err
		}
		statuses, err := malformed(p, o.bad)
		if err != nil {
			return err
		}
		after, err := p.memory()
		if err != nil {
			return err
		}
		fmt.Printf("%d malformed requests: statuses %v, memory %d MB before and %d MB after\n", o.bad, statuses, before>>20, after>>20)
	}
	if o.slow > 0 {
		alone, err := load(ctx, neighbors(p.url+"/v1/neighbors", words), 2, 100, time.Minute)
		if err != nil {
			return err
		}
		beside, err := slow(ctx, p, words, o.slow, 100)
		if err != nil {
			return err
		}
		fmt.Printf("neighbours, 2 clients\n  alone                     %v\n  beside %4d slow clients  %v\n", alone, o.slow, beside)
	}
	if o.requests > 0 {
		memory, err := flat(ctx, p, words, o.requests, o.clients)
		fmt.Printf("memory without mapped files after each tenth of %d requests:", o.requests)
		for _, m := range memory {
			fmt.Printf(" %d", m>>20)
		}
		fmt.Println(" MB")
		return err
	}
	return nil
}

// firstAnswer measures the time from the start of the program to its first answer.
func (o options) firstAnswer(ctx context.Context, path string) error {
	words, err := wordsOf(o.large, 1)
	if err != nil {
		return err
	}
	info, err := os.Stat(o.large)
	if err != nil {
		return err
	}
	p, err := serve(ctx, o.w2v, o.large)
	if err != nil {
		return err
	}
	start, again, err := first(p, path+words[0])
	if err == nil {
		fmt.Printf("%s of a model of %.2f GB: the first answer %.0f ms after the start of the program, the next after %.1f ms\n", path, float64(info.Size())/1e9, ms(start), ms(again))
	}
	return errors.Join(err, p.stop())
}

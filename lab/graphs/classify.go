package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/lab/peers/gensim"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A partition is a graph with planted communities, and how to train on it.
type partition struct {
	nodes, labels  int
	degree, inside float64
	walks          graph.WalkOptions
	dim, window    int
	epochs         int
	seeds          int
}

// classify trains on walks over a graph with planted communities, here and with gensim on the same
// walks, and tells communities from vectors by logistic regression.
func classify(out io.Writer, args []string) error {
	p := partition{dim: 64, window: 5, epochs: 5}
	flags := flag.NewFlagSet("classify", flag.ContinueOnError)
	flags.IntVar(&p.nodes, "nodes", 5000, "nodes")
	flags.IntVar(&p.labels, "labels", 20, "communities")
	flags.Float64Var(&p.degree, "degree", 8, "edges of a node, on average")
	flags.Float64Var(&p.inside, "inside", 0.5, "share of edges that are drawn within a community")
	flags.IntVar(&p.seeds, "seeds", 3, "graphs, walks and trainings, of which the means are printed")
	flags.IntVar(&p.walks.PerNode, "walks", 10, "walks from each node")
	flags.IntVar(&p.walks.Length, "length", 40, "nodes in a walk")
	flags.Float64Var(&p.walks.P, "p", 1, "p of node2vec")
	flags.Float64Var(&p.walks.Q, "q", 1, "q of node2vec")
	if err := flags.Parse(args); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n%+v\n", machine.Describe(), p)
	var ours, theirs []score
	for seed := range uint64(p.seeds) {
		o, t, err := p.compare(seed + 1)
		if err != nil {
			return err
		}
		ours, theirs = append(ours, o), append(theirs, t)
		fmt.Fprintf(out, "seed %d: w2v micro %.4f macro %.4f, gensim micro %.4f macro %.4f\n", seed+1, o.micro, o.macro, t.micro, t.macro)
	}
	o, t := mean(ours), mean(theirs)
	fmt.Fprintf(out, "mean:   w2v micro %.4f macro %.4f, gensim micro %.4f macro %.4f\n", o.micro, o.macro, t.micro, t.macro)
	return nil
}

// compare scores vectors of both programs, on the same walks.
func (p partition) compare(seed uint64) (ours, theirs score, err error) {
	dir, err := os.MkdirTemp("", "w2v-graphs-")
	if err != nil {
		return ours, theirs, err
	}
	defer os.RemoveAll(dir)
	edges, walks, model := filepath.Join(dir, "edges"), filepath.Join(dir, "walks"), filepath.Join(dir, "gensim.bin")
	labels, err := p.write(edges, walks, seed)
	if err != nil {
		return ours, theirs, err
	}
	ctx := context.Background()
	settings := train.Defaults()
	c := &settings.Model
	c.Dim, c.Window, c.Epochs, c.Threads, c.Seed = p.dim, p.window, p.epochs, 1, seed
	settings.MinCount = 1
	o := p.walks
	o.Seed = seed
	result, err := train.Run(ctx, train.Walks(nil, []string{edges}, graph.ReadOptions{Folder: dir}, o), train.Options{Settings: settings, Cache: dir}, train.Hooks{})
	if err != nil {
		return ours, theirs, err
	}
	if ours, err = judge(result.Vectors, labels, p.labels, seed); err != nil {
		return ours, theirs, err
	}
	training := gensim.Training{Corpus: walks, Output: model, Dim: p.dim, Window: p.window, Epochs: p.epochs, Negatives: c.Negatives, MinCount: 1, Sample: c.Sample, Threads: 1, Seed: seed}
	var trained gensim.Trained
	if _, err := gensim.Ask(ctx, command.Runner{}, gensim.TrainScript, &trained, training.Argument()); err != nil {
		return ours, theirs, err
	}
	set, err := format.Open(model)
	if err != nil {
		return ours, theirs, err
	}
	defer set.Close()
	theirs, err = judge(set, labels, p.labels, seed)
	return ours, theirs, err
}

// write writes the edges of a graph and walks over it, and returns the labels of its nodes.
func (p partition) write(edges, walks string, seed uint64) (labels []int, err error) {
	file, err := os.Create(edges)
	if err != nil {
		return nil, err
	}
	labels, err = communities(file, p.nodes, p.labels, p.degree, p.inside, seed)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	ctx := context.Background()
	g, err := graph.Load(ctx, []string{edges}, nil, graph.ReadOptions{})
	if err != nil {
		return nil, err
	}
	defer g.Close()
	if file, err = os.Create(walks); err != nil {
		return nil, err
	}
	o := p.walks
	o.Seed = seed
	_, err = g.WriteWalks(ctx, file, o)
	return labels, errors.Join(err, file.Close())
}

// A score is F1 of a classification: of all nodes, and the mean of all labels.
type score struct{ micro, macro float64 }

func mean(all []score) (m score) {
	for _, s := range all {
		m.micro += s.micro / float64(len(all))
		m.macro += s.macro / float64(len(all))
	}
	return m
}

// judge trains logistic regression on the vectors of half of the nodes, and scores the others.
func judge(set *vectors.Set, labels []int, kinds int, seed uint64) (score, error) {
	var x [][]float64
	var y []int
	for node, label := range labels {
		v := make([]float32, set.Dim())
		if !set.Vector(v, "n"+strconv.Itoa(node)) {
			continue // no edge leads to it
		}
		row := make([]float64, len(v)+1)
		for i := range v {
			row[i] = float64(v[i])
		}
		row[len(v)] = 1 // for the intercept
		x, y = append(x, row), append(y, label)
	}
	random := rand.New(rand.NewPCG(seed, 3))
	random.Shuffle(len(x), func(i, j int) { x[i], x[j], y[i], y[j] = x[j], x[i], y[j], y[i] })
	half := len(x) / 2
	standardize(x, half)
	weights, err := regress(x[:half], y[:half], kinds)
	if err != nil {
		return score{}, err
	}
	return f1(predict(weights, x[half:], kinds), y[half:], kinds), nil
}

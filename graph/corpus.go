package graph

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
)

// Load reads edge lists, by the rules of Read, or opens a graph that was kept if that is the only
// name. Names are files, directories and globs, and "-" for stdin: see corpus.Files.
func Load(ctx context.Context, names []string, stdin io.Reader, o ReadOptions) (*Graph, error) {
	if len(names) == 1 && IsGraph(names[0]) {
		g, err := Open(names[0])
		switch {
		case err != nil:
			return nil, err
		case o.Output != "":
			return nil, errors.Join(errors.New(names[0]+" is a graph that was kept already: it is not kept again"), g.Close())
		case o.Directed && !g.Directed():
			return nil, errors.Join(errors.New(names[0]+" is a graph that was kept without directions: make it again from the edges"), g.Close())
		}
		return g, nil
	}
	if i := slices.IndexFunc(names, IsGraph); i >= 0 {
		return nil, errors.New(names[i] + " is a graph that was kept: it is read alone, without other edges")
	}
	source, err := corpus.Files(names, stdin, corpus.Options{})
	if err != nil {
		return nil, err
	}
	return Read(ctx, source, o)
}

// Corpus returns the corpus of walks over the graph that Load gets of these names. The walks are
// never text: their nodes are numbers from the start, and names when they are counted.
func Corpus(names []string, stdin io.Reader, read ReadOptions, walks WalkOptions) (*corpus.Source, error) {
	if err := walks.Validate(); err != nil {
		return nil, err
	}
	files := names
	if !slices.ContainsFunc(names, IsGraph) {
		source, err := corpus.Files(names, stdin, corpus.Options{})
		if err != nil {
			return nil, err
		}
		files = source.Files()
	}
	return corpus.FromNumbered(strings.Join(names, ", "), files, &walked{names: names, stdin: stdin, read: read, walks: walks}), nil
}

// walked is walks as a corpus.
type walked struct {
	names []string
	stdin io.Reader
	read  ReadOptions
	walks WalkOptions
	nodes names // of the graph
}

// Record reads the graph and records the walks.
func (w *walked) Record(ctx context.Context, workers int, create func() (*corpus.Recorder, error), progress func(uint64)) (recorders []*corpus.Recorder, counts []uint64, err error) {
	read, o := w.read, w.walks
	read.Threads, o.Threads, o.Progress = workers, workers, progress
	g, err := Load(ctx, w.names, w.stdin, read)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	w.nodes = names{text: append([]byte(nil), g.text...), ends: append([]uint64(nil), g.ends...)}
	workers = min(workers, g.Batches(o))
	seen := make([][]uint64, workers)
	for i := range workers {
		r, err := create()
		if err != nil {
			return nil, nil, err
		}
		recorders = append(recorders, r)
		seen[i] = make([]uint64, g.Nodes())
	}
	err = g.Walk(ctx, o, func(worker int, b Batch) error {
		return record(recorders[worker], seen[worker], b)
	})
	if err != nil {
		return nil, nil, err
	}
	counts = make([]uint64, g.Nodes())
	for _, some := range seen {
		for node, n := range some {
			counts[node] += n
		}
	}
	return recorders, counts, nil
}

// record records and counts a batch.
func record(r *corpus.Recorder, seen []uint64, b Batch) error {
	for _, node := range b.Nodes {
		seen[node]++
	}
	if r == nil {
		return nil
	}
	r.Begin(b.Number)
	first := 0
	for _, end := range b.Ends {
		for _, node := range b.Nodes[first:end] {
			if err := r.Add(node); err != nil {
				return err
			}
		}
		r.EndSentence()
		first = end
	}
	return nil
}

// Token returns the name of a node.
func (w *walked) Token(node int) string { return string(w.nodes.name(node)) }

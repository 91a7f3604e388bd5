package graph

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/w2v-go/w2v/corpus"
)

// Stats describe the walks.
type Stats struct {
	Walks uint64
	Nodes uint64 // in all walks
	Took  time.Duration
}

// WriteWalks walks, and writes a line for each walk: the names of its nodes with spaces between
// them, or with Arrays a JSON array of them. The lines are in the same order on any number of
// threads. A name that cannot be written is a *NameError.
func (g *Graph) WriteWalks(ctx context.Context, w io.Writer, o WalkOptions) (Stats, error) {
	begin := time.Now()
	var stats Stats
	for node := range g.Nodes() {
		name := g.name(uint32(node))
		if o.Arrays && !utf8.Valid(name) || !o.Arrays && bytes.ContainsFunc(name, isBlank) {
			return stats, &NameError{string(name), o.Arrays}
		}
	}
	o = o.orDefaults()
	if err := o.Validate(); err != nil {
		return stats, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var failed error   // of writing
	var turns sync.Map // channels, which are closed when it is the turn of a batch
	turn := func(number int) chan struct{} {
		c, _ := turns.LoadOrStore(number, make(chan struct{}))
		return c.(chan struct{})
	}
	close(turn(0))
	lines := make([][]byte, o.Threads)
	err := g.Walk(ctx, o, func(worker int, b corpus.Batch) error {
		text, first := lines[worker][:0], 0
		for _, end := range b.Ends {
			text = g.appendWalk(text, b.Tokens[first:end], o.Arrays)
			first = end
		}
		lines[worker] = text
		select {
		case <-turn(b.Number):
			turns.Delete(b.Number)
		case <-ctx.Done():
			return ctx.Err()
		}
		stats.Walks += uint64(len(b.Ends))
		stats.Nodes += uint64(len(b.Tokens))
		if _, failed = w.Write(text); failed != nil {
			stop()
			return failed
		}
		close(turn(b.Number + 1))
		return nil
	})
	stats.Took = time.Since(begin)
	return stats, cmp.Or(failed, err) // Walk may say only that it was stopped
}

func (g *Graph) appendWalk(text []byte, nodes []uint32, array bool) []byte {
	if array {
		names := make([]string, len(nodes))
		for i, node := range nodes {
			names[i] = g.Name(int(node))
		}
		line, err := json.Marshal(names)
		if err != nil {
			panic(err) // strings always marshal
		}
		return append(append(text, line...), '\n')
	}
	for i, node := range nodes {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, g.name(node)...)
	}
	return append(text, '\n')
}

// A NameError says that a node's name cannot be written in a line of a walk.
type NameError struct {
	Name   string
	Arrays bool // the lines are arrays
}

func (e *NameError) Error() string {
	if e.Arrays {
		return fmt.Sprintf("the name %.40q is not UTF-8, and JSON is", e.Name)
	}
	return fmt.Sprintf("the name %.40q has a blank, and blanks separate the names of a walk", e.Name)
}

// Load opens a graph file if names is a single graph file. Otherwise it reads edge lists as Read does. Names
// are files, directories and globs, and "-" for stdin: see corpus.Files.
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
	source, err := corpus.FilesContext(ctx, names, stdin, corpus.Options{})
	if err != nil {
		return nil, err
	}
	return Read(ctx, source, o)
}

// Corpus returns the walks over a graph as a corpus. The graph is what Load returns for these names. The
// context ends the listing of objects. Walks
// never become text: they are node numbers, and only counting looks up the names.
func Corpus(ctx context.Context, names []string, stdin io.Reader, read ReadOptions, walks WalkOptions) (*corpus.Source, error) {
	if err := walks.Validate(); err != nil {
		return nil, err
	}
	files := names
	if !slices.ContainsFunc(names, IsGraph) {
		source, err := corpus.FilesContext(ctx, names, stdin, corpus.Options{})
		if err != nil {
			return nil, err
		}
		files = source.Files()
	}
	return corpus.FromNumbered(strings.Join(names, ", "), files, &walked{names: names, stdin: stdin, read: read, walks: walks}), nil
}

type walked struct {
	names []string
	stdin io.Reader
	read  ReadOptions
	walks WalkOptions
	nodes nameList
}

func (w *walked) Read(ctx context.Context, workers int, use func(worker int, b corpus.Batch) error) (err error) {
	read, o := w.read, w.walks
	read.Threads, o.Threads = workers, workers
	g, err := Load(ctx, w.names, w.stdin, read)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	w.nodes = nameList{slices.Clone(g.text), slices.Clone(g.ends)}
	return g.Walk(ctx, o, use)
}

func (w *walked) Token(node int) string { return string(w.nodes.name(uint32(node))) }

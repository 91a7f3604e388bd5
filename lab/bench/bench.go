package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/product"
	"github.com/w2v-go/w2v/lab/trainers"
)

// A bench has what all parts need.
type bench struct {
	options
	command.Runner
	dir   string // everything that is written, removed at the end
	text  text
	sets  battery.Battery // empty without -eval
	ours  *trainers.W2V
	peers []trainers.Trainer // those that are here
	fast  *trainers.FastText // nil if it is not here
	gen   *trainers.Gensim   // nil if it is not here
	notes []string           // what is missing
}

// newBench finds the programs and prepares corpus and evaluation sets.
func newBench(ctx context.Context, o options) (_ *bench, err error) {
	b := &bench{options: o, Runner: command.Runner{Limit: o.limit}}
	if b.dir, err = os.MkdirTemp("", "w2v-bench-*"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(b.dir))
		}
	}()
	if b.ours, err = b.findW2V(ctx); err != nil {
		return nil, err
	}
	if err := b.findPeers(ctx); err != nil {
		return nil, err
	}
	if b.text, err = b.prepareText(); err != nil {
		return nil, err
	}
	if b.sets, err = b.readSets(); err != nil {
		return nil, err
	}
	return b, nil
}

// findW2V builds the program, unless -w2v names one. Models are written as fastText's .bin where
// fastText writes one.
func (b *bench) findW2V(ctx context.Context) (*trainers.W2V, error) {
	path, version := b.path(product.FileName()), ""
	if b.w2v != "" {
		var err error
		if path, err = exec.LookPath(b.w2v); err != nil {
			return nil, err
		}
		version = "w2v: " + path
	} else {
		if err := product.Build(ctx, path); err != nil {
			return nil, err
		}
		version = product.Version(ctx)
	}
	ours, err := trainers.NewW2V(path, version, b.Runner)
	if err == nil {
		ours.Extension = ".bin"
	}
	return ours, err
}

// findPeers finds the programs to compare with, as far as they are here.
func (b *bench) findPeers(ctx context.Context) error {
	for name := range strings.SplitSeq(b.options.peers, ",") {
		if name == "" {
			continue
		}
		if !slices.Contains(trainers.PeerNames(), name) {
			return fmt.Errorf("-peers: %q is none of %s", name, strings.Join(trainers.PeerNames(), ", "))
		}
		peer, err := trainers.FindPeer(ctx, name, b.Runner)
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			b.notes = append(b.notes, name+" is not here")
			continue
		}
		b.add(peer)
	}
	return nil
}

// add adds a peer. Some parts compare with fastText or gensim alone.
func (b *bench) add(peer trainers.Trainer) {
	b.peers = append(b.peers, peer)
	switch p := peer.(type) {
	case *trainers.FastText:
		b.fast = p
	case *trainers.Gensim:
		b.gen = p
	}
}

// path is where a temporary file of this name goes.
func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// versions names all programs that take part, and those that are missing.
func (b *bench) versions() []string {
	all := []string{b.ours.Version()}
	for _, p := range b.peers {
		all = append(all, p.Version())
	}
	return append(all, b.notes...)
}

// logf says on stderr what is going on.
func (b *bench) logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A bench has what all parts need.
type bench struct {
	options
	dir   string // everything that is written, removed at the end
	text  text
	sets  evalSets
	ours  *w2v
	fast  *fastText   // nil if it is not here
	gen   *gensimPeer // nil if it is not here
	notes []string    // what is missing
}

// newBench finds the programs and prepares corpus and evaluation sets.
func newBench(ctx context.Context, o options) (_ *bench, err error) {
	wanted := strings.Split(o.peers, ",")
	for _, name := range wanted {
		if name != "" && name != "fasttext" && name != "gensim" {
			return nil, fmt.Errorf("-peers: %q is neither fasttext nor gensim", name)
		}
	}
	b := &bench{options: o}
	if b.dir, err = os.MkdirTemp("", "w2v-bench-*"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(b.dir))
		}
	}()
	if b.ours, err = b.buildW2V(ctx); err != nil {
		return nil, err
	}
	if slices.Contains(wanted, "fasttext") {
		b.fast = b.findFastText(ctx)
	}
	if slices.Contains(wanted, "gensim") {
		if b.gen, err = b.findGensim(ctx); err != nil {
			return nil, err
		}
	}
	if b.text, err = b.prepareText(); err != nil {
		return nil, err
	}
	if b.sets, err = b.findSets(); err != nil {
		return nil, err
	}
	return b, nil
}

// path is where a temporary file of this name goes.
func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// peers are the programs to train against that are here.
func (b *bench) peers() []trainer {
	var found []trainer
	if b.fast != nil {
		found = append(found, b.fast)
	}
	if b.gen != nil {
		found = append(found, b.gen)
	}
	return found
}

// gensimAlone is gensim, if it is here.
func (b *bench) gensimAlone() []trainer {
	if b.gen == nil {
		return nil
	}
	return []trainer{b.gen}
}

// versions names all programs that take part, and those that are missing.
func (b *bench) versions() []string {
	all := []string{b.ours.version}
	if b.fast != nil {
		all = append(all, b.fast.version)
	}
	if b.gen != nil {
		all = append(all, b.gen.version)
	}
	return append(all, b.notes...)
}

// logf says on stderr what is going on.
func (b *bench) logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

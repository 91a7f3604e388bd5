package train

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/graph"
)

// Walks is the corpus of random walks over a graph. The names are edge lists, as those of Files, or
// one graph that was kept; "-" is stdin. Without a seed of their own they have that of the run, which
// a resumed run takes from its checkpoint. Every epoch has the same walks. For new walks in every
// epoch, multiply walks.PerNode by the epochs and train one: the learning rate falls alike.
func Walks(stdin io.Reader, names []string, read graph.ReadOptions, walks graph.WalkOptions) Corpus {
	of := func(walks graph.WalkOptions) Corpus {
		return derived("random walks over a graph", stdin, names, func(corpus.Options) (*corpus.Source, error) { return graph.Corpus(names, stdin, read, walks) })
	}
	c := of(walks)
	if walks.Seed == 0 {
		c.seeded = func(seed uint64) Corpus {
			walks.Seed = seed
			return of(walks)
		}
	}
	return c
}

// Kmers is the corpus of the k-mers in the sequences of FASTA or FASTQ files, which are named as
// those of Files. Done, if it is not nil, is told what was in each file.
func Kmers(stdin io.Reader, names []string, o kmers.Options, done func(name string, s kmers.Stats)) Corpus {
	made := fmt.Sprintf("%d-mers of %s", o.K, cmp.Or(o.Alphabet, kmers.DNA))
	if o.Canonical {
		made = "canonical " + made
	}
	return derived(made, stdin, names, func(text corpus.Options) (*corpus.Source, error) {
		source, err := corpus.Files(names, stdin, text)
		if err != nil {
			return nil, err
		}
		return kmers.Source(source, o, done)
	})
}

// derived is a corpus that is made of files, and what its sentences are.
func derived(made string, stdin io.Reader, names []string, open func(corpus.Options) (*corpus.Source, error)) Corpus {
	c := Corpus{name: strings.Join(names, ", "), open: open, made: made}
	if slices.Contains(names, "-") {
		c.stdin = stdin
	}
	return c
}

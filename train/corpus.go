package train

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/graph"
)

// A Corpus is what vectors are trained on: text in files or from a reader, or sentences of tokens.
// Files, FS, Reader, Sentences, Seq and Seq2 make one. Run reads it once, however many epochs there
// are, and keeps it in a file of about 2 bytes per token: see Options.Cache and Options.NoCache.
type Corpus struct {
	open  opener
	name  string    // in messages
	stdin io.Reader // nil if the corpus does not read it
	made  string    // what the sentences are made of, if not of text

	fresh  bool // every epoch has sentences of its own
	epochs int  // that a fresh corpus has; 0 means 1
}

// An opener opens a corpus. Random sentences are drawn with the seed, anew in each epoch.
type opener func(seed uint64, epochs int, o corpus.Options) (*corpus.Source, error)

func fixed(open func(corpus.Options) (*corpus.Source, error)) opener {
	return func(_ uint64, _ int, o corpus.Options) (*corpus.Source, error) { return open(o) }
}

// Files is the corpus in files, directories and globs, in the order given; "-" is standard
// input. Plain text, gzip, bzip2, xz and Zstandard are told apart by content; a newline ends a
// sentence. Package corpus has the details.
func Files(names ...string) Corpus { return FilesAndInput(os.Stdin, names...) }

// FilesAndInput is Files with another reader for the name "-".
func FilesAndInput(stdin io.Reader, names ...string) Corpus {
	return derived("", stdin, names, fixed(func(o corpus.Options) (*corpus.Source, error) { return corpus.Files(names, stdin, o) }))
}

// FS is Files in a file system; "." is all of it.
func FS(fsys fs.FS, names ...string) Corpus {
	return Corpus{name: strings.Join(names, ", "), open: fixed(func(o corpus.Options) (*corpus.Source, error) { return corpus.FS(fsys, names, o) })}
}

// Reader is the text that r reads, which may be compressed. Messages call it name.
func Reader(name string, r io.Reader) Corpus {
	return Corpus{name: name, open: fixed(func(o corpus.Options) (*corpus.Source, error) { return corpus.Stream(name, r, o), nil })}
}

// sentencesName names sentences in messages.
const sentencesName = "the corpus"

// Sentences is a corpus in memory: sentences of tokens, used unchanged. The vectors are the same as
// for a text with the same tokens.
func Sentences(sentences [][]string) Corpus {
	return Corpus{name: sentencesName, open: fixed(func(o corpus.Options) (*corpus.Source, error) {
		return corpus.Sentences(sentencesName, sentences, o), nil
	})}
}

// Seq is the sentences that an iterator yields. It is called once, and may reuse the slice
// that it yields. Seq and Seq2 panic if the iterator is nil.
func Seq(seq iter.Seq[[]string]) Corpus {
	if seq == nil {
		panic("train: Seq of a nil iterator")
	}
	return Seq2(func(yield func([]string, error) bool) {
		for sentence := range seq {
			if !yield(sentence, nil) {
				return
			}
		}
	})
}

// Seq2 is Seq for an iterator that may fail: the first error that it yields ends the run
// with that error.
func Seq2(seq iter.Seq2[[]string, error]) Corpus {
	if seq == nil {
		panic("train: Seq2 of a nil iterator")
	}
	return Corpus{name: sentencesName, open: fixed(func(o corpus.Options) (*corpus.Source, error) { return corpus.Seq(sentencesName, seq, o), nil })}
}

// Through returns the corpus with a stage that changes its tokens while it is read: see
// corpus.Source.Through.
func (c Corpus) Through(stage func() corpus.Stage) Corpus {
	if open := c.open; open != nil {
		c.open = func(seed uint64, epochs int, o corpus.Options) (*corpus.Source, error) {
			src, err := open(seed, epochs, o)
			if err != nil {
				return nil, err
			}
			return src.Through(stage), nil
		}
	}
	return c
}

func (c Corpus) source(seed uint64, o corpus.Options) (*corpus.Source, error) {
	if c.open == nil {
		return nil, errors.New("train: there is no corpus: Files, Reader, Sentences and others make one")
	}
	return c.open(seed, max(1, c.epochs), o)
}

// Paths returns the files of the corpus, in order, without reading them. A corpus that is not in
// files has no paths.
func (c Corpus) Paths(o corpus.Options) ([]string, error) {
	src, err := c.source(0, o)
	if err != nil {
		return nil, err
	}
	return src.Files(), nil
}

// input names what the sentences are made of, for checkpoints.
func (c Corpus) input() string { return cmp.Or(c.made, textInput) }

const textInput = "text"

func (c Corpus) isZero() bool { return c.open == nil }

// Walks is the corpus of random walks over a graph. The names are edge lists, given as in Files, or
// one stored graph; "-" is stdin. If walks.Seed is 0, the walks use the seed of the run; a resumed
// run takes it from the checkpoint. Every epoch has the same walks.
func Walks(stdin io.Reader, names []string, read graph.ReadOptions, walks graph.WalkOptions) Corpus {
	return derived("random walks over a graph", stdin, names, func(seed uint64, epochs int, _ corpus.Options) (*corpus.Source, error) {
		of := walks
		of.Seed = cmp.Or(walks.Seed, seed)
		if epochs > 1 {
			of.PerNode = epochs * cmp.Or(walks.PerNode, graph.DefaultPerNode)
		}
		return graph.Corpus(names, stdin, read, of)
	})
}

// FreshWalks is Walks with new walks in every epoch. Run and Bootstrap train one epoch that holds
// the walks of all epochs; the learning rate falls as it would over all epochs.
func FreshWalks(stdin io.Reader, names []string, read graph.ReadOptions, walks graph.WalkOptions) Corpus {
	c := Walks(stdin, names, read, walks)
	c.fresh = true
	return c
}

// withFreshEpochs returns the corpus of a run with these settings, and completes the settings.
func (c Corpus) withFreshEpochs(s *Settings) (Corpus, error) {
	if !c.fresh {
		return c, nil
	}
	c.epochs = s.Model.Epochs
	return c, s.Set("epochs", "1")
}

// Kmers is the corpus of the k-mers in the sequences of FASTA or FASTQ files, given as in Files.
// Done, if not nil, is called after each file.
func Kmers(stdin io.Reader, names []string, o kmers.Options, done func(name string, s kmers.Stats)) Corpus {
	made := fmt.Sprintf("%d-mers of %s", o.K, cmp.Or(o.Alphabet, kmers.DNA))
	if o.Canonical {
		made = "canonical " + made
	}
	return derived(made, stdin, names, fixed(func(text corpus.Options) (*corpus.Source, error) {
		source, err := corpus.Files(names, stdin, text)
		if err != nil {
			return nil, err
		}
		return kmers.Source(source, o, done)
	}))
}

// derived is a corpus computed from files, and a description of its sentences.
func derived(made string, stdin io.Reader, names []string, open opener) Corpus {
	c := Corpus{name: strings.Join(names, ", "), open: open, made: made}
	if slices.Contains(names, "-") {
		c.stdin = stdin
	}
	return c
}

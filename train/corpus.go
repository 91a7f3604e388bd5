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
	open  func(corpus.Options) (*corpus.Source, error)
	name  string    // in messages
	stdin io.Reader // nil if the corpus does not read it
	made  string    // what the sentences are made of, if not of text

	seeded func(seed uint64) Corpus          // returns the corpus of a run with this seed; nil if all seeds have the same corpus
	fresh  func(s *Settings) (Corpus, error) // returns the corpus of all epochs as a single epoch; nil if epochs are alike
}

// Files is the corpus in files, directories and globs, in the order given; "-" is standard
// input. Plain text, gzip, bzip2, xz and Zstandard are told apart by content; a newline ends a
// sentence. Package corpus has the details.
func Files(names ...string) Corpus { return FilesAndInput(os.Stdin, names...) }

// FilesAndInput is Files with another reader for the name "-".
func FilesAndInput(stdin io.Reader, names ...string) Corpus {
	return derived("", stdin, names, func(o corpus.Options) (*corpus.Source, error) { return corpus.Files(names, stdin, o) })
}

// FS is Files in a file system; "." is all of it.
func FS(fsys fs.FS, names ...string) Corpus {
	return Corpus{name: strings.Join(names, ", "), open: func(o corpus.Options) (*corpus.Source, error) { return corpus.FS(fsys, names, o) }}
}

// Reader is the text that r reads, which may be compressed. Messages call it name.
func Reader(name string, r io.Reader) Corpus {
	return Corpus{name: name, open: func(o corpus.Options) (*corpus.Source, error) { return corpus.Stream(name, r, o), nil }}
}

// sentencesName names sentences in messages.
const sentencesName = "the corpus"

// Sentences is a corpus in memory: sentences of tokens, used unchanged. The vectors are the same as
// for a text with the same tokens.
func Sentences(sentences [][]string) Corpus {
	return Corpus{name: sentencesName, open: func(o corpus.Options) (*corpus.Source, error) {
		return corpus.Sentences(sentencesName, sentences, o), nil
	}}
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
	return Corpus{name: sentencesName, open: func(o corpus.Options) (*corpus.Source, error) { return corpus.Seq(sentencesName, seq, o), nil }}
}

// Through returns the corpus with a stage that changes its tokens while it is read: see
// corpus.Source.Through.
func (c Corpus) Through(stage func() corpus.Stage) Corpus {
	through := c
	if c.open != nil {
		through.open = func(o corpus.Options) (*corpus.Source, error) {
			src, err := c.source(o)
			if err != nil {
				return nil, err
			}
			return src.Through(stage), nil
		}
	}
	if c.seeded != nil {
		through.seeded = func(seed uint64) Corpus { return c.seeded(seed).Through(stage) }
	}
	if c.fresh != nil {
		through.fresh = func(s *Settings) (Corpus, error) {
			all, err := c.fresh(s)
			if err != nil {
				return Corpus{}, err
			}
			return all.Through(stage), nil
		}
	}
	return through
}

func (c Corpus) source(o corpus.Options) (*corpus.Source, error) {
	if c.open == nil {
		return nil, errors.New("train: there is no corpus: Files, Reader, Sentences and others make one")
	}
	return c.open(o)
}

// Paths returns the files of the corpus, in order, without reading them. A corpus that is not in
// files has no paths.
func (c Corpus) Paths(o corpus.Options) ([]string, error) {
	src, err := c.source(o)
	if err != nil {
		return nil, err
	}
	return src.Files(), nil
}

// of returns the corpus for a run with these settings.
func (c Corpus) of(s Settings) Corpus {
	if c.seeded != nil {
		return c.seeded(s.Model.Seed)
	}
	return c
}

// input names what the sentences are made of, for checkpoints.
func (c Corpus) input() string { return cmp.Or(c.made, textInput) }

const textInput = "text"

func (c Corpus) isZero() bool { return c.open == nil }

// Walks is the corpus of random walks over a graph. The names are edge lists, given as in Files, or
// one stored graph; "-" is stdin. If walks.Seed is 0, the walks use the seed of the run; a resumed
// run takes it from the checkpoint. Every epoch has the same walks.
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

// FreshWalks is Walks with new walks in every epoch. Run and Bootstrap train one epoch that holds
// the walks of all epochs; the learning rate falls as it would over all epochs.
func FreshWalks(stdin io.Reader, names []string, read graph.ReadOptions, walks graph.WalkOptions) Corpus {
	c := Walks(stdin, names, read, walks)
	c.fresh = func(s *Settings) (Corpus, error) {
		walks.PerNode = cmp.Or(walks.PerNode, graph.DefaultPerNode) * s.Model.Epochs
		return Walks(stdin, names, read, walks), s.Set("epochs", "1")
	}
	return c
}

// withFreshEpochs returns the corpus of a run with these settings, and completes the settings.
func (c Corpus) withFreshEpochs(s *Settings) (Corpus, error) {
	if c.fresh == nil {
		return c, nil
	}
	return c.fresh(s)
}

// Kmers is the corpus of the k-mers in the sequences of FASTA or FASTQ files, given as in Files.
// Done, if not nil, is called after each file.
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

// derived is a corpus computed from files, and a description of its sentences.
func derived(made string, stdin io.Reader, names []string, open func(corpus.Options) (*corpus.Source, error)) Corpus {
	c := Corpus{name: strings.Join(names, ", "), open: open, made: made}
	if slices.Contains(names, "-") {
		c.stdin = stdin
	}
	return c
}

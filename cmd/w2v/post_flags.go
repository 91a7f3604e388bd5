package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/transform"
)

// postFlags say what is made of a model's vectors before they are asked, scored or written.
type postFlags struct {
	options convert.Options // of which these flags set some
	kind    string
	first   beginning
}

// postHelp is the part of a command's help about these flags.
const postHelp = `--vectors, --first, --dim, --center, --abtt, --whiten and --normalize apply in this
order, as in w2v convert, which writes a file with the same vectors. Mean, components
and covariance are those of the vectors of all words, each counted once.`

func (p *postFlags) add(c *cobra.Command) {
	flags := c.Flags()
	p.kind = string(transform.KindInput)
	grouped(flags, "Vector", func() {
		addEnum(flags, &p.kind, "vectors", "which vectors of a word", choicesOf(transform.Kinds(), map[transform.Kind]string{
			transform.KindInput:  "the default",
			transform.KindOutput: "context vectors",
			transform.KindSum:    "both, added",
			transform.KindConcat: "both, concatenated",
		}))
		p.first.add(c)
		flags.IntVar(&p.options.Dim, "dim", 0, "reduce to `N` dimensions by principal components")
		flags.BoolVar(&p.options.Center, "center", false, "subtract the mean of all vectors")
		flags.IntVar(&p.options.AllButTheTop, "abtt", 0, "all-but-the-top: subtract the mean and remove the first `D` principal components")
		flags.BoolVar(&p.options.Whiten, "whiten", false, "subtract the mean and make dimensions uncorrelated, of variance 1 (ZCA)")
		flags.BoolVar(&p.options.Normalize, "normalize", false, "scale every vector to length 1")
	})
}

// check looks for what makes no sense whatever the model is, and completes the options.
func (p *postFlags) check(c *cobra.Command) error {
	for _, f := range []struct {
		name string
		n    int
	}{{"dim", p.options.Dim}, {"abtt", p.options.AllButTheTop}} {
		if c.Flags().Changed(f.name) && f.n < 1 {
			return fmt.Errorf("--%s must be at least 1, is %d", f.name, f.n)
		}
	}
	if err := p.first.check(c); err != nil {
		return err
	}
	if p.first > 0 && p.options.Dim > 0 {
		return errors.New("--first and --dim exclude each other: dimensions are left as they are, or new ones are made of all")
	}
	p.options.Vectors, p.options.First = transform.Kind(p.kind), int(p.first)
	return nil
}

// slow tells whether all vectors have to be looked at first.
func (p *postFlags) slow() bool {
	return p.options.Dim > 0 || p.options.Center || p.options.AllButTheTop > 0 || p.options.Whiten
}

// A postSettings is what the flags ask for, for the record of a result.
type postSettings struct {
	Vectors      string `json:"vectors,omitempty"` // empty for input vectors
	First        int    `json:"first,omitempty"`
	Dim          int    `json:"dim,omitempty"`
	Center       bool   `json:"center,omitempty"`
	AllButTheTop int    `json:"abtt,omitempty"`
	Whiten       bool   `json:"whiten,omitempty"`
	Normalize    bool   `json:"normalize,omitempty"`
}

// settings returns what the flags ask for; it is zero if they ask for nothing.
func (p *postFlags) settings() postSettings {
	s := postSettings{Vectors: p.kind, First: int(p.first), Dim: p.options.Dim, Center: p.options.Center,
		AllButTheTop: p.options.AllButTheTop, Whiten: p.options.Whiten, Normalize: p.options.Normalize}
	if s.Vectors == string(transform.KindInput) {
		s.Vectors = ""
	}
	return s
}

// String names the settings as flags, in the order in which they apply: nothing for none.
func (s postSettings) String() string {
	var flags []string
	add := func(given bool, format string, values ...any) {
		if given {
			flags = append(flags, fmt.Sprintf(format, values...))
		}
	}
	add(s.Vectors != "", "--vectors %s", s.Vectors)
	add(s.First > 0, "--first %d", s.First)
	add(s.Dim > 0, "--dim %d", s.Dim)
	add(s.Center, "--center")
	add(s.AllButTheTop > 0, "--abtt %d", s.AllButTheTop)
	add(s.Whiten, "--whiten")
	add(s.Normalize, "--normalize")
	return strings.Join(flags, " ")
}

// apply makes of a model what the flags ask for, and notes on stderr what came of it.
func (p *postFlags) apply(ctx context.Context, s streams, path string, set *vectors.Set) (*vectors.Set, error) {
	if p.settings() == (postSettings{}) {
		return set, nil
	}
	o := p.options
	if p.slow() {
		how, end := computation(s, false)
		defer end()
		o.Computation = how
	}
	r, err := convert.Process(ctx, set, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	notes := postNotes(r)
	if r.ByOption.Subwords {
		notes = append(notes, "n-grams are dropped, and with them the vectors of words outside the vocabulary: "+p.drops(set))
	}
	for _, text := range notes {
		s.note(text)
	}
	return r.Set, nil
}

// drops says why n-grams of a set do not stay.
func (p *postFlags) drops(set *vectors.Set) string {
	switch s := p.settings(); {
	case s.Vectors != "":
		return "context vectors have none"
	case s.Normalize:
		return "a mean of rows of length 1 is another vector"
	}
	return "vectors of hash embeddings are not means of rows"
}

// open returns an opener whose models are what the flags make of those that open opens.
func (p *postFlags) open(ctx context.Context, s streams, open opener) opener {
	return func(path string, use func(*vectors.Set) error) error {
		return open(path, func(set *vectors.Set) error {
			processed, err := p.apply(ctx, s, path, set)
			if err != nil {
				return err
			}
			return use(processed)
		})
	}
}

// noting returns an opener that notes which vectors, of those that the flags ask for, have no part
// in answers. It looks at the model before anything is made of it, where that takes less time.
func (p *postFlags) noting(s streams, open opener) opener {
	return func(path string, use func(*vectors.Set) error) error {
		return open(path, func(set *vectors.Set) error {
			if p.settings().Vectors == "" {
				if err := noteLeftOut(s.err, path, set); err != nil {
					return err
				}
			} else if found, err := set.NotFinite(); err != nil {
				return err
			} else {
				noteRows(s.err, path, found, leftOut)
			}
			return use(set)
		})
	}
}

// withModel is withWholeModel for what the flags make of the model, and notes vectors that have no
// part in answers.
func (p *postFlags) withModel(ctx context.Context, s streams, path string, use func(*vectors.Set) error) error {
	return p.open(ctx, s, p.noting(s, s.withWholeModel))(path, use)
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// exportFlags say which of a model's vectors are written, and how.
type exportFlags struct {
	kind      string
	top       int
	wordsFile string
	dim       int
	first     beginning
	normalize bool
	bridge    bridgeFlags

	words []string // of wordsFile
}

// exportHelp is the part of a command's help about these flags.
const exportHelp = `--vectors takes the context vectors, or both kinds, in place of the input vectors;
--top or --words then take some of the words, --first the first dimensions, as they
are, or --dim fewer ones, by principal components of the vectors of these words, and
--normalize scales what comes out of that to length 1. N-grams stay, with --words and
--dim too, except with --vectors and --normalize, and those of hash embeddings with
--dim. Where they do not stay, --words takes words that are not in the vocabulary as
well, composed of their n-grams, and puts them last. Nodes of hierarchical softmax stay
only where all words do.`

func (f *exportFlags) add(c *cobra.Command) {
	flags := c.Flags()
	f.kind = string(vectors.KindInput)
	addEnum(flags, &f.kind, "vectors", "which vectors of a word", choicesOf(vectors.Kinds(), map[vectors.Kind]string{
		vectors.KindInput:  "what all other commands mean",
		vectors.KindOutput: "context vectors",
		vectors.KindSum:    "both, added",
		vectors.KindConcat: "both, one behind the other",
	}))
	flags.IntVar(&f.top, "top", 0, "only the `N` most frequent words, or the first N if there are no counts")
	flags.StringVar(&f.wordsFile, "words", "", "only the words in `FILE`, one a line; - is standard input")
	flags.IntVar(&f.dim, "dim", 0, "reduce to `N` dimensions by principal components")
	f.first.add(c)
	flags.BoolVar(&f.normalize, "normalize", false, "scale every vector to length 1")
	f.bridge.add(c)
}

// check looks for what makes no sense whatever the model is.
func (f *exportFlags) check(c *cobra.Command) error {
	for name, n := range map[string]int{"top": f.top, "dim": f.dim} {
		if c.Flags().Changed(name) && n < 1 {
			return fmt.Errorf("--%s must be at least 1, is %d", name, n)
		}
	}
	if err := f.first.check(c); err != nil {
		return err
	}
	if f.top > 0 && f.wordsFile != "" {
		return errors.New("--top and --words exclude each other")
	}
	if f.first > 0 && f.dim > 0 {
		return errors.New("--first and --dim exclude each other: dimensions are left as they are, or new ones are made of all")
	}
	return f.bridge.check()
}

// read reads the words that are asked for.
func (f *exportFlags) read(stdin io.Reader) error {
	if f.wordsFile == "" {
		return nil
	}
	r := stdin
	if f.wordsFile != "-" {
		file, err := os.Open(f.wordsFile)
		if err != nil {
			return named(f.wordsFile, err)
		}
		defer file.Close()
		r = file
	}
	var err error
	var long error
	tooLong := func(p piece) {
		long = cmp.Or(long, fmt.Errorf("line %d: %.20q… has %d bytes, and no word has more than %d", p.line, p.text, p.size, vectors.MaxWord))
	}
	for word := range queries(nil, r, "\n", tooLong, &err) {
		f.words = append(f.words, word)
	}
	err = errors.Join(err, long)
	if err != nil {
		return named(f.wordsFile, err)
	}
	if len(f.words) > 0 { // what some editors begin a text with
		f.words[0] = strings.TrimPrefix(f.words[0], "\ufeff")
	}
	if len(f.words) == 0 {
		return fmt.Errorf("%s: there are no words in it", f.wordsFile)
	}
	return nil
}

// keepsNgrams tells whether n-grams stay in formats that hold them.
func (f *exportFlags) keepsNgrams() bool {
	return f.kind == string(vectors.KindInput) && !f.normalize && f.bridge.keepsNgrams()
}

// An export is what came of the flags.
type export struct {
	set      *vectors.Set
	missing  []string        // words that have no vector
	variance *float64        // kept by fewer dimensions; nil without --dim
	notes    []string        // for a person
	byFlags  vectors.LeftOut // what the flags leave out that the format would hold
	byFormat vectors.LeftOut // what it does not hold
}

// apply makes of set what is asked for, to be written in that format. How is for what takes long.
func (f *exportFlags) apply(ctx context.Context, set *vectors.Set, format vectors.Format, how vectors.Computation) (export, error) {
	var e export
	can, err := vectors.Describe(format)
	if err != nil {
		return e, err
	}
	if e.set, err = set.WordVectors(vectors.Kind(f.kind)); err != nil {
		return e, err
	}
	keeps := vectors.KeepsSubword(set.Subword, set.Composition, format)
	plain := !f.keepsNgrams() || !keeps
	switch {
	case f.words == nil && f.top > 0:
		e.set = e.set.Top(f.top)
	case f.words != nil && plain:
		e.set, e.missing = e.set.SelectComposed(f.words)
	case f.words != nil:
		e.set, e.missing = e.set.Select(f.words)
	}
	if f.words != nil && e.set.Len() == 0 {
		return e, fmt.Errorf("none of the words in %s is in the vocabulary", f.wordsFile)
	}
	if n := len(e.missing); n > 0 {
		e.notes = append(e.notes, fmt.Sprintf("%d of the words in %s have no vector: %s", n, f.wordsFile, some(e.missing)))
	}
	if e.set, err = f.first.of(e.set, set.Format, func(note string) { e.notes = append(e.notes, note) }); err != nil {
		return e, err
	}
	if f.dim > 0 {
		if plain {
			e.set = e.set.Plain()
		}
		had := e.set.Dim()
		var done vectors.Reduction
		ctx, stop := untilSignal(ctx)
		e.set, done, err = e.set.Reduce(ctx, f.dim, how)
		stop()
		if err != nil {
			return e, err
		}
		e.variance = &done.VarianceKept
		e.notes = append(e.notes, fmt.Sprintf("%d of %d dimensions keep %.2f %% of the variance", f.dim, had, 100*done.VarianceKept))
		if n := done.NotFinite; n > 0 {
			e.notes = append(e.notes, fmt.Sprintf("%d words have vectors that are not finite, before and after", n))
		}
	}
	if f.normalize {
		e.set = e.set.Normalized()
	}
	if e.set, err = f.bridge.apply(e.set); err != nil {
		return e, err
	}
	e.byFormat = e.set.LeftOut(format)
	if set.Subword != nil && e.set.Subword == nil {
		e.byFlags.Subwords, e.byFormat.Subwords = keeps, !keeps
	}
	held, notHeld := vectors.DroppedParts(set, e.set, can.Keeps)
	e.byFlags.Parts, e.byFormat.Parts = held, append(notHeld, e.byFormat.Parts...)
	if set.Output.Rows > 0 && e.set.Output.Rows == 0 && f.kind == string(vectors.KindInput) {
		e.byFlags.Context, e.byFormat.Context = can.Keeps.Context, !can.Keeps.Context
	}
	return e, nil
}

// some lists the first few of words.
func some(words []string) string {
	const shown = 10
	if len(words) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:shown], " "), len(words)-shown)
	}
	return strings.Join(words, " ")
}

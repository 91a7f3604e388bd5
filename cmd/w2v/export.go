package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// exportFlags say which of a model's vectors are written, and how.
type exportFlags struct {
	kind      string
	top       int
	list      wordList
	skip      skipFlag
	dim       int
	first     beginning
	normalize bool
	bridge    bridgeFlags
}

// exportHelp is the part of a command's help about these flags.
const exportHelp = `--vectors takes the context vectors, or both kinds, in place of the input vectors;
--top or --words then take some of the words, --first the first dimensions, as they
are, or --dim fewer ones, by principal components of the vectors of these words, and
--normalize scales what comes out of that to length 1. N-grams stay, with --words and
--dim too, except with --vectors and --normalize, and those of hash embeddings with
--dim. Where they do not stay, --words takes words that are not in the vocabulary as
well, composed of their n-grams. Nodes of hierarchical softmax stay only where all
words do. The time of --dim grows by the third power of the model's dimensions: about
a second for 1,000 of them, half a minute for 3,000.

` + listHelp

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
	f.list.add(c)
	flags.IntVar(&f.dim, "dim", 0, "reduce to `N` dimensions by principal components")
	f.first.add(c)
	flags.BoolVar(&f.normalize, "normalize", false, "scale every vector to length 1")
	f.bridge.add(c)
	f.skip.add(c)
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
	if f.top > 0 && f.list.file != "" {
		return errors.New("--top and --words exclude each other")
	}
	if err := f.list.check(c); err != nil {
		return err
	}
	if f.first > 0 && f.dim > 0 {
		return errors.New("--first and --dim exclude each other: dimensions are left as they are, or new ones are made of all")
	}
	return f.bridge.check()
}

// keepsNgrams tells whether n-grams stay in formats that hold them.
func (f *exportFlags) keepsNgrams() bool {
	return f.kind == string(vectors.KindInput) && !f.normalize && f.list.keepsNgrams() && f.bridge.keepsNgrams()
}

// notFiniteBecome says what becomes of rows that are not finite.
func (f *exportFlags) notFiniteBecome(format vectors.Format) string {
	switch {
	case f.normalize:
		return "--normalize makes such vectors zeros"
	case format == vectors.FormatProjector:
		return "they are written as they are, and the Embedding Projector may not show anything"
	}
	return "they are written as they are"
}

// An export is what came of the flags.
type export struct {
	set      *vectors.Set
	list     listed
	skipped  []*vectors.UnwritableWord
	variance *float64        // kept by fewer dimensions; nil without --dim
	notes    []string        // for a person
	byFlags  vectors.LeftOut // what the flags leave out that the format would hold
	byFormat vectors.LeftOut // what it does not hold
}

// apply makes of set what is asked for, to be written in that format. How is for what takes long.
func (f *exportFlags) apply(ctx context.Context, s streams, set *vectors.Set, format vectors.Format, how vectors.Computation) (export, error) {
	var e export
	can, err := vectors.Describe(format)
	if err != nil {
		return e, err
	}
	if e.set, err = set.WordVectors(vectors.Kind(f.kind)); err != nil {
		return e, err
	}
	keeps := vectors.KeepsSubword(set.Subword(), set.Composition(), format)
	plain := !f.keepsNgrams() || !keeps
	if f.top > 0 {
		e.set = e.set.Top(f.top)
	}
	if e.set, e.list, err = f.list.selectFrom(e.set, plain); err != nil {
		return e, err
	}
	e.notes = append(e.notes, e.list.notes...)
	if e.set, err = f.first.of(e.set, set.Format(), func(note string) { e.notes = append(e.notes, note) }); err != nil {
		return e, err
	}
	if f.dim > 0 {
		if plain {
			e.set = e.set.Plain()
		}
		had := e.set.Dim()
		var done vectors.Reduction
		ctx, stop := untilSignal(ctx, s.err)
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
	if e.set, err = f.bridge.apply(e.set, f.list.fill); err != nil {
		return e, err
	}
	if e.set, e.skipped, err = f.skip.of(e.set, format); err != nil {
		return e, err
	}
	e.notes = append(e.notes, f.skip.notes(e.skipped, format)...)
	e.byFormat = e.set.LeftOut(format)
	if set.Subword() != nil && e.set.Subword() == nil {
		e.byFlags.Subwords, e.byFormat.Subwords = keeps, !keeps
	}
	held, notHeld := vectors.DroppedParts(set, e.set, can.Keeps)
	e.byFlags.Parts, e.byFormat.Parts = held, append(notHeld, e.byFormat.Parts...)
	if set.Output().Rows > 0 && e.set.Output().Rows == 0 && f.kind == string(vectors.KindInput) {
		e.byFlags.Context, e.byFormat.Context = can.Keeps.Context, !can.Keeps.Context
	}
	return e, nil
}

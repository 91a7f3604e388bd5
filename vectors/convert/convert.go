// Package convert makes of a model what another file is to hold: some of its words, other
// vectors, fewer dimensions, another scale, in a format that may hold less than the model
// has. It is what w2v convert does, in one call:
//
//	done, err := convert.File(ctx, "model.w2v", "start.npy", convert.Options{
//		Top:   50_000,
//		Dim:   100,
//		DType: vectors.F16,
//	})
//
// QuantizeFile and FactorizeFile make a model smaller in one call.
//
// Options are applied in one order, whatever the order in which they are named: which
// vectors of a word, which words, the first dimensions or the principal components, centring,
// the removal of components, whitening, unit length, then what a network that starts from the vectors wants (scale, special tokens,
// number type), and last the words that the format can hold. Result says what was left out
// on the way, and why. Process does only the first of these, up to unit length, and so shows what
// a file would answer that was written with the same options.
package convert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A Result is what Apply makes of a set, and what was left out on the way.
type Result struct {
	Set      *vectors.Set
	Format   format.Format            // that the set is to be written in; empty for the result of Process
	Words    Selected                 // of Options.Words
	Skipped  []*format.UnwritableWord // by Options.SkipUnwritable
	Reduced  *Reduced                 // nil without Options.Dim
	First    *First                   // nil without Options.First
	Centred  *transform.Statistic     // nil without Options.Center
	Removed  *transform.Removal       // nil without Options.AllButTheTop
	Whitened *transform.Whitening     // nil without Options.Whiten
	ByOption format.LeftOut           // what options leave out that the format would hold
	ByFormat format.LeftOut           // what the format does not hold
}

// Reduced says what Options.Dim has done.
type Reduced struct {
	From, To int // dimensions
	transform.Reduction
}

// A First says how many of the first dimensions Options.First took, and whether the model was
// trained to have vectors of that length.
type First struct {
	Dim int
	// Trained says that the model was trained to have vectors of Dim dimensions. Where Trained is
	// false, Known tells a model that was not from one that does not say.
	Trained, Known bool
}

// Apply makes of set what is asked for, to be written in format f. Rows of the result are
// made when they are asked for: close set after it. If the context ends, its error is
// returned.
func Apply(ctx context.Context, set *vectors.Set, f format.Format, o Options) (*Result, error) {
	can, err := format.Describe(f)
	if err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := o.Words.validate(); err != nil {
		return nil, err
	}
	if err := o.Fits(f); err != nil {
		return nil, err
	}
	keeps := set.Subword() != nil && !format.LeavesOut(set, f).Subwords
	r, err := process(ctx, set, !o.KeepsNgrams() || !keeps, o)
	if err != nil {
		return nil, err
	}
	r.Format = f
	if err := r.prepare(o); err != nil {
		return nil, err
	}
	if o.SkipUnwritable {
		if r.Set, r.Skipped, err = Writable(r.Set, f); err != nil {
			return nil, err
		}
	}
	r.leftOut(set, can, keeps, o)
	return r, ctx.Err()
}

// prepare makes of the set what a network wants to start from.
func (r *Result) prepare(o Options) (err error) {
	if o.OneMatrix {
		r.Set = transform.OneMatrix(r.Set)
	}
	if r.Set, err = transform.Scaled(r.Set, o.scale()); err != nil {
		return err
	}
	// Rows of missing words are not scaled.
	if r.Set, err = transform.WithSpecialTokens(o.Words.fill(r.Set), o.SpecialTokens...); err != nil {
		return err
	}
	if o.DType != "" {
		r.Set = transform.WithDType(r.Set, o.DType)
	}
	return nil
}

// leftOut says what of set is not in the result, or not in its file.
func (r *Result) leftOut(set *vectors.Set, can format.Capabilities, keepsNgrams bool, o Options) {
	r.ByFormat = format.LeavesOut(r.Set, can.Format)
	if set.Subword() != nil && r.Set.Subword() == nil {
		r.ByOption.Subwords, r.ByFormat.Subwords = keepsNgrams, !keepsNgrams
	}
	held, notHeld := format.DroppedParts(set, r.Set, can.Keeps)
	r.ByOption.Parts, r.ByFormat.Parts = held, append(notHeld, r.ByFormat.Parts...)
	if set.Output().Rows > 0 && r.Set.Output().Rows == 0 && o.kind() == transform.KindInput {
		r.ByOption.Context, r.ByFormat.Context = can.Keeps.Context, !can.Keeps.Context
	}
}

// Process makes of set what Vectors, Top, Words, First, Dim, Center, AllButTheTop, Whiten and
// Normalize of o ask for, in this order, and nothing else of o. The result has no format and
// keeps n-grams where the options do, so that one sees what Apply would write with the same
// options: words have the same vectors, up to rounding to float32. Rows of the result are made
// when they are asked for: close set after it. ByOption of the result says what was left out.
func Process(ctx context.Context, set *vectors.Set, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := o.Words.validate(); err != nil {
		return nil, err
	}
	r, err := process(ctx, set, !o.KeepsNgrams(), o)
	if err != nil {
		return nil, err
	}
	r.ByOption.Subwords = set.Subword() != nil && r.Set.Subword() == nil
	return r, nil
}

// process is Process of options that make sense. Plain says that n-grams do not stay.
func process(ctx context.Context, set *vectors.Set, plain bool, o Options) (r *Result, err error) {
	r = &Result{}
	if r.Set, err = transform.WordVectors(set, o.kind()); err != nil {
		return nil, err
	}
	if o.Top > 0 {
		r.Set = transform.Top(r.Set, o.Top)
	}
	if r.Set, r.Words, err = o.Words.from(r.Set, plain); err != nil {
		return nil, err
	}
	if err := r.first(o.First, format.Format(set.Format())); err != nil {
		return nil, err
	}
	if plain && o.maps() {
		r.Set = r.Set.Plain()
	}
	if err := r.reduce(ctx, o); err != nil {
		return nil, err
	}
	if err := r.center(ctx, o); err != nil {
		return nil, err
	}
	if o.Normalize {
		r.Set = transform.Normalized(r.Set)
	}
	return r, nil
}

// maps tells whether vectors are mapped by what all of them are computed to.
func (o *Options) maps() bool { return o.Dim > 0 || o.Center || o.AllButTheTop > 0 || o.Whiten }

// first takes the first dimensions, of a set that was read from a file of that format.
func (r *Result) first(dim int, from format.Format) error {
	if dim == 0 || dim == r.Set.Dim() {
		return nil
	}
	first, info, err := FirstOf(r.Set, dim, from)
	r.Set, r.First = first, info
	return err
}

// FirstOf returns the first dimensions of a set that was read from a file of that format,
// and what is known of them.
func FirstOf(set *vectors.Set, dim int, from format.Format) (*vectors.Set, *First, error) {
	first, err := transform.First(set, dim)
	if err != nil {
		return nil, nil, err
	}
	info := &First{Dim: dim, Trained: first.Training().Text("nested") != ""}
	can, err := format.Describe(from)
	if info.Trained || err != nil && from == "" { // a set that was not read
		return first, info, nil
	}
	if err != nil {
		return nil, nil, err
	}
	info.Known = slices.Contains(can.Keeps.Training, "nested") && set.Training().Text("arch") != ""
	return first, info, nil
}

// reduce takes the principal components.
func (r *Result) reduce(ctx context.Context, o Options) error {
	if o.Dim == 0 {
		return nil
	}
	had := r.Set.Dim()
	reduced, done, err := transform.Reduce(ctx, r.Set, o.Dim, o.Computation)
	if err != nil {
		return err
	}
	r.Set, r.Reduced = reduced, &Reduced{From: had, To: o.Dim, Reduction: done}
	return nil
}

// center subtracts the mean, removes components and whitens what is left.
func (r *Result) center(ctx context.Context, o Options) error {
	if o.Center {
		centred, of, err := transform.Center(ctx, r.Set, o.Computation)
		if err != nil {
			return err
		}
		r.Set, r.Centred = centred, &of
	}
	if o.AllButTheTop > 0 {
		left, done, err := transform.AllButTheTop(ctx, r.Set, o.AllButTheTop, o.Computation)
		if err != nil {
			return err
		}
		r.Set, r.Removed = left, &done
	}
	if o.Whiten {
		white, done, err := transform.Whiten(ctx, r.Set, o.Computation)
		if err != nil {
			return err
		}
		r.Set, r.Whitened = white, &done
	}
	return nil
}

// Options say which of a model's vectors are written, and how. The zero value is all of
// them, as they are.
type Options struct {
	Files
	Vectors transform.Kind // which vectors of a word; empty for the input vectors
	Top     int            // only so many of the most frequent words; 0 for all
	Words   *WordList      // only these words; nil for all
	First   int            // only so many of the first dimensions, as they are; 0 for all
	Dim     int            // reduce to so many dimensions by principal components; 0 for none of that

	Center       bool // subtract the mean of all vectors: transform.Center
	AllButTheTop int  // remove so many of the first principal components, after centring: transform.AllButTheTop; 0 for none
	Whiten       bool // make numbers uncorrelated, of variance 1, after centring: transform.Whiten
	Normalize    bool // scale every vector to length 1

	Scale         transform.Scale // what vectors are multiplied by; empty for transform.ScaleNone
	SpecialTokens []string        // to have the first rows, of zeros
	OneMatrix     bool            // one matrix for the input and the output of a network
	DType         vectors.DType   // type of the numbers; empty for that of the model

	Computation transform.Computation // how what takes long is done

	Made func(*Result) error // is called by File with the result before it is written; may be nil
}

// Validate looks for what makes no sense whatever the model is.
func (o *Options) Validate() error {
	for name, n := range map[string]int{"Top": o.Top, "First": o.First, "Dim": o.Dim} {
		if n < 0 {
			return fmt.Errorf("convert: %s is %d, must be 0 (all) or more", name, n)
		}
	}
	switch {
	case o.AllButTheTop < 0:
		return fmt.Errorf("convert: AllButTheTop is %d, must be 0 (none) or more", o.AllButTheTop)
	case o.Top > 0 && o.Words != nil:
		return errors.New("convert: Top and Words exclude each other")
	case o.First > 0 && o.Dim > 0:
		return errors.New("convert: First and Dim exclude each other: dimensions are left as they are, or new ones are made of all")
	}
	for i, token := range o.SpecialTokens {
		if token == "" {
			return errors.New("convert: a special token is empty")
		}
		if slices.Contains(o.SpecialTokens[:i], token) {
			return fmt.Errorf("convert: the special token %s is named twice", token)
		}
	}
	return nil
}

// KeepsNgrams tells whether n-grams stay in formats that hold them.
func (o *Options) KeepsNgrams() bool {
	return o.kind() == transform.KindInput && !o.Normalize && o.scale() != transform.ScaleUnit && len(o.SpecialTokens) == 0 &&
		(o.Words == nil || !o.Words.Aligned())
}

func (o *Options) kind() transform.Kind {
	if o.Vectors == "" {
		return transform.KindInput
	}
	return o.Vectors
}

func (o *Options) scale() transform.Scale {
	if o.Scale == "" {
		return transform.ScaleNone
	}
	return o.Scale
}

// A FitError says that a format has no use for an option.
type FitError struct {
	Option string // what does not fit: "DType", "OneMatrix", or what QuantizeFits names
	Format format.Format
	Reason string
}

func (e *FitError) Error() string { return fmt.Sprintf("convert: %s: %s", e.Option, e.Reason) }

// Fits returns a *FitError if the format has no use for an option.
func (o *Options) Fits(f format.Format) error {
	if known := f.DTypes(); o.DType != "" && !slices.Contains(known, o.DType) {
		if len(known) == 0 {
			return &FitError{"DType", f, fmt.Sprintf("the format %s has numbers in decimal", f)}
		}
		var names []string
		for _, d := range known {
			names = append(names, string(d))
		}
		return &FitError{"DType", f, fmt.Sprintf("the format %s cannot hold %s, only %s", f, o.DType, strings.Join(names, ", "))}
	}
	if o.OneMatrix && f != format.Torch {
		return &FitError{"OneMatrix", f, fmt.Sprintf("only the format %s says that it is one matrix, not %s", format.Torch, f)}
	}
	return nil
}

// A Missing says what is done with words of a list that have no vector.
type Missing string

const (
	// MissingSkip leaves them out, and repeated words too, so that there are fewer rows
	// than words in the list.
	MissingSkip Missing = "skip"
	// MissingFail makes them an error. Like the next two, it gives every word of the list
	// its row, repeated or not.
	MissingFail Missing = "fail"
	// MissingZero gives them rows of zeros.
	MissingZero Missing = "zero"
	// MissingRandom gives them random rows, as large as those of the other words.
	MissingRandom Missing = "random"
)

// A WordList is the words that are asked for, in the order in which they come out.
type WordList struct {
	Words   []string
	Missing Missing // empty for MissingSkip
	Seed    uint64  // of the random rows of MissingRandom
}

// Aligned tells whether word i of the list has row i.
func (l *WordList) Aligned() bool { return l.Missing != "" && l.Missing != MissingSkip }

// Repeated returns the words that stand in the list more than once.
func (l *WordList) Repeated() []string {
	times := make(map[string]int, len(l.Words))
	var repeated []string
	for _, word := range l.Words {
		if times[word]++; times[word] == 2 {
			repeated = append(repeated, word)
		}
	}
	return repeated
}

// Selected says what came of a list of words.
type Selected struct {
	Missing   []string // words that have no vector
	Repeated  []string // words that stand in the list more than once
	Fewer     int      // rows than words in the list
	LowerCase int      // of the missing words, how many a model in lower case has in lower case
}

// A MissingError says that words of a list have no vector: all of them, or some where
// that was to be an error.
type MissingError struct {
	Selected
	All bool
}

func (e *MissingError) Error() string {
	if e.All {
		return "none of the words that are asked for is in the vocabulary"
	}
	return fmt.Sprintf("%d of the words that are asked for have no vector, first %.40q", len(e.Missing), e.Missing[0])
}

// from returns the words of the list that have a vector. Rows of the others are added by
// fill. Plain says that n-grams do not stay.
func (l *WordList) from(set *vectors.Set, plain bool) (*vectors.Set, Selected, error) {
	if l == nil {
		return set, Selected{}, nil
	}
	done := Selected{Repeated: l.Repeated()}
	of := transform.Select
	if plain {
		of = transform.SelectComposed
	}
	selected, missing := of(set, l.Words)
	done.Missing, done.LowerCase = missing, inLowerCase(set, missing)
	if selected.Len() == 0 {
		return nil, done, &MissingError{done, true}
	}
	if l.Missing == MissingFail && len(missing) > 0 {
		return nil, done, &MissingError{done, false}
	}
	if !l.Aligned() {
		done.Fewer = len(l.Words) - selected.Len()
	}
	return selected, done, nil
}

// inLowerCase counts the missing words that a lower-case model has in lower case.
func inLowerCase(set *vectors.Set, missing []string) (n int) {
	words, err := set.Lookup(vectors.CaseAuto)
	if err != nil {
		return 0
	}
	for _, word := range missing {
		if _, id := words.Find(word); id >= 0 {
			n++
		}
	}
	return n
}

// fill returns set with a row for every word of the list, if that is asked for.
func (l *WordList) fill(set *vectors.Set) *vectors.Set {
	if l == nil || !l.Aligned() {
		return set
	}
	filled, _ := transform.SelectRows(set, l.Words, transform.RowOptions{Random: l.Missing == MissingRandom, Seed: l.Seed})
	return filled
}

// Missings returns everything that can be done with missing words.
func Missings() []Missing { return []Missing{MissingFail, MissingSkip, MissingZero, MissingRandom} }

// validate looks for what makes no sense.
func (l *WordList) validate() error {
	switch {
	case l == nil:
		return nil
	case l.Missing != "" && !slices.Contains(Missings(), l.Missing):
		return fmt.Errorf("convert: nothing is known to be done with missing words by the name of %q", l.Missing)
	case len(l.Words) == 0:
		return fmt.Errorf("convert: there are no words in the list of words")
	}
	return nil
}

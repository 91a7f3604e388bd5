// Package convert converts a model: it selects words, vectors and dimensions, changes the scale, and writes
// another format, which may hold less than the model has. It does the work of the command w2v convert in one
// call:
//
//	done, err := convert.File(ctx, "model.w2v", "start.npy", convert.Options{
//		Top:   50_000,
//		Dim:   100,
//		DType: vectors.F16,
//	})
//
// QuantizeFile and FactorizeFile make a model smaller in one call.
//
// Options are applied in a fixed order: kind of vectors, selection of words, first dimensions or principal
// components, centring, removal of components, whitening, unit length, then the options for a network that
// starts from the vectors (scale, special tokens, number type), and last the words that the format can hold.
// Result says what was left out, and why. Process applies only the options up to unit length, so it shows
// what a file written with the same options would answer.
package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A Result is the set that Apply makes, and what it left out.
type Result struct {
	Set      *vectors.Set
	Format   format.Format            // the format to write; empty for the result of Process
	Words    Selected                 // outcome of Options.Words
	Skipped  []*format.UnwritableWord // words left out by Options.SkipUnwritable
	Reduced  *Reduced                 // nil without Options.Dim
	First    *First                   // nil without Options.First
	Centred  *transform.Statistic     // nil without Options.Center
	Removed  *transform.Removal       // nil without Options.AllButTheTop
	Whitened *transform.Whitening     // nil without Options.Whiten
	ByOption format.LeftOut           // what options leave out although the format could hold it
	ByFormat format.LeftOut           // what the format cannot hold
}

// Reduced describes the effect of Options.Dim.
type Reduced struct {
	From, To int // dimensions
	transform.Reduction
}

// A First says how many of the first dimensions Options.First kept, and whether the model was trained for
// vectors of that length.
type First struct {
	Dim int
	// Trained says that the model was trained for vectors of Dim dimensions. If Trained is false, Known says
	// that the model was not; otherwise it is unknown.
	Trained, Known bool
}

// Apply applies the options to set, for writing in format f. Rows of the result are computed on demand: close
// set after the result. If the context ends, Apply returns its error.
func Apply(ctx context.Context, set *vectors.Set, f format.Format, o Options) (*Result, error) {
	can, err := format.Describe(f)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(o.Validate(), o.Words.validate(), o.Fits(f)); err != nil {
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

func (r *Result) prepare(o Options) (err error) {
	if o.OneMatrix {
		r.Set = transform.OneMatrix(r.Set)
	}
	if r.Set, err = transform.Scaled(r.Set, o.scale()); err != nil {
		return err
	}
	// Rows of missing words are added after scaling, so they are not scaled.
	if r.Set, err = transform.WithSpecialTokens(o.Words.fill(r.Set), o.SpecialTokens...); err != nil {
		return err
	}
	if o.DType != "" {
		r.Set = transform.WithDType(r.Set, o.DType)
	}
	return nil
}

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

// Process applies Vectors, Top, Words, First, Dim, Center, AllButTheTop, Whiten and Normalize to set, in this
// order, and no other options. The result has no format and keeps n-grams if the options do, so it shows what
// Apply would write: words have the same vectors, up to rounding to float32. Rows of the result are computed
// on demand: close set after the result.
func Process(ctx context.Context, set *vectors.Set, o Options) (*Result, error) {
	if err := cmp.Or(o.Validate(), o.Words.validate()); err != nil {
		return nil, err
	}
	r, err := process(ctx, set, !o.KeepsNgrams(), o)
	if err != nil {
		return nil, err
	}
	r.ByOption.Subwords = set.Subword() != nil && r.Set.Subword() == nil
	return r, nil
}

// process is Process of valid options. Plain drops n-grams.
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
	if err := r.compute(ctx, o); err != nil {
		return nil, err
	}
	if o.Normalize {
		r.Set = transform.Normalized(r.Set)
	}
	return r, nil
}

func (o *Options) maps() bool { return o.Dim > 0 || o.Center || o.AllButTheTop > 0 || o.Whiten }

// first keeps the first dimensions. The set was read from a file of that format.
func (r *Result) first(dim int, from format.Format) error {
	if dim == 0 || dim == r.Set.Dim() {
		return nil
	}
	of := r.Set.Training().Text("arch")
	var err error
	if r.Set, err = transform.First(r.Set, dim); err != nil {
		return err
	}
	r.First = &First{Dim: dim, Trained: r.Set.Training().Text("nested") != ""}
	if r.First.Trained || from == "" { // or the set was not read from a file
		return nil
	}
	can, err := format.Describe(from)
	r.First.Known = slices.Contains(can.Keeps.Training, "nested") && of != ""
	return err
}

func (r *Result) compute(ctx context.Context, o Options) error {
	if o.Dim > 0 {
		from := r.Set.Dim()
		reduced, done, err := transform.Reduce(ctx, r.Set, o.Dim, o.Computation)
		if err != nil {
			return err
		}
		r.Set, r.Reduced = reduced, &Reduced{From: from, To: o.Dim, Reduction: done}
	}
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

// Options say which vectors of a model are written, and how. The zero value writes all of them unchanged.
type Options struct {
	Files
	Vectors transform.Kind // kind of vectors; empty means input vectors
	Top     int            // keep only the most frequent words, this many; 0 keeps all
	Words   *WordList      // keep only these words; nil keeps all
	First   int            // keep only the first dimensions, this many, unchanged; 0 keeps all
	Dim     int            // reduce to this many dimensions by principal components; 0 does not reduce

	Center       bool // subtract the mean of all vectors: transform.Center
	AllButTheTop int  // remove this many of the first principal components, after centring: transform.AllButTheTop; 0 removes none
	Whiten       bool // make dimensions uncorrelated with variance 1, after centring: transform.Whiten
	Normalize    bool // scale every vector to length 1

	Scale         transform.Scale // scaling of vectors; empty means transform.ScaleNone
	SpecialTokens []string        // get the first rows, which are zeros
	OneMatrix     bool            // for a network that uses one matrix for input and output
	DType         vectors.DType   // type of the numbers; empty means the type in the model

	Computation transform.Computation // settings of long computations

	Made func(*Result) error // called by File with the result before it is written; may be nil
}

// Validate reports options that are invalid for every model.
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

// KeepsNgrams reports whether n-grams are kept in formats that hold them.
func (o *Options) KeepsNgrams() bool {
	return o.kind() == transform.KindInput && !o.Normalize && o.scale() != transform.ScaleUnit && len(o.SpecialTokens) == 0 &&
		(o.Words == nil || !o.Words.Aligned())
}

func (o *Options) kind() transform.Kind { return cmp.Or(o.Vectors, transform.KindInput) }

func (o *Options) scale() transform.Scale { return cmp.Or(o.Scale, transform.ScaleNone) }

// A FitError says that a format does not support an option.
type FitError struct {
	Option string // "DType", "OneMatrix", or a name from QuantizeFits
	Format format.Format
	Reason string
}

func (e *FitError) Error() string { return fmt.Sprintf("convert: %s: %s", e.Option, e.Reason) }

// Fits returns a *FitError if the format does not support an option.
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

// A Missing says how to handle words of a list that have no vector.
type Missing string

const (
	// MissingSkip leaves out missing words and repeated words, so there may be fewer rows than words in the
	// list.
	MissingSkip Missing = "skip"
	// MissingFail returns an error for missing words. Like the following, it gives every word of the list a
	// row.
	MissingFail   Missing = "fail"
	MissingZero   Missing = "zero"   // rows of zeros
	MissingRandom Missing = "random" // random rows, as long as those of the other words
)

// A WordList lists words to keep, in the order of the result.
type WordList struct {
	Words   []string
	Missing Missing // empty means MissingSkip
	Seed    uint64  // seed of the random rows of MissingRandom
}

// Aligned reports whether word i of the list has row i.
func (l *WordList) Aligned() bool { return l.Missing != "" && l.Missing != MissingSkip }

// Repeated returns the words that occur in the list more than once.
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

// Selected describes the outcome of a word list.
type Selected struct {
	Missing   []string // words without a vector
	Repeated  []string // words that occur in the list more than once
	Fewer     int      // number of words in the list minus the number of rows
	LowerCase int      // missing words whose lower-case form a lower-case model has
}

// A MissingError says that words of a list have no vector: all words, or some with MissingFail.
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

// from returns the words of the list that have a vector. fill adds rows for the others. Plain drops n-grams.
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

func (l *WordList) fill(set *vectors.Set) *vectors.Set {
	if l == nil || !l.Aligned() {
		return set
	}
	filled, _ := transform.SelectRows(set, l.Words, transform.RowOptions{Random: l.Missing == MissingRandom, Seed: l.Seed})
	return filled
}

// Missings returns all ways to handle missing words.
func Missings() []Missing { return []Missing{MissingFail, MissingSkip, MissingZero, MissingRandom} }

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

// Files say how File, QuantizeFile and FactorizeFile read and write. The zero value reads and writes the
// named files.
type Files struct {
	In     io.Reader     // read into memory instead of the input file; nil reads the file
	Out    io.Writer     // written instead of the output file; nil writes the file
	Format format.Format // of the output; empty means the format of the extension

	// SkipUnwritable leaves out words that the format cannot hold. Otherwise such a word is an error.
	SkipUnwritable bool

	Whole  func(reason string)      // called with the reason if all rows of the input must be in memory; may be nil
	Opened func(*vectors.Set) error // called with the input before it is converted; may be nil
}

// File converts the model at in and writes it to out. It closes the sets of the result and sets them to nil.
func File(ctx context.Context, in, out string, o Options) (*Result, error) {
	keepsNgrams := func(set *vectors.Set) bool { return set.Subword() != nil && o.KeepsNgrams() }
	return converted(ctx, o.Files, in, out, o.Computation.Force, keepsNgrams, o.Made, func(set *vectors.Set, f format.Format) (*Result, **vectors.Set, error) {
		r, err := Apply(ctx, set, f, o)
		if err != nil {
			return nil, nil, err
		}
		return r, &r.Set, nil
	})
}

func told[T any](f func(T) error, value T) error {
	if f == nil {
		return nil
	}
	return f(value)
}

// converted reads a set, calls do to make a result for a format, with another set, calls made, and writes
// that set. The set of the result is then nil.
func converted[R any](ctx context.Context, o Files, in, out string, force bool, ngrams func(*vectors.Set) bool, made func(*R) error, do func(*vectors.Set, format.Format) (*R, **vectors.Set, error)) (r *R, err error) {
	err = o.Use(in, func(set *vectors.Set) error {
		f := o.Format
		if f == "" {
			if f, err = format.ForPath(out, ngrams(set) || set.Labels() != nil); err != nil {
				return err
			}
		}
		var other **vectors.Set
		if r, other, err = do(set, f); err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		defer func() { *other = nil }()
		if err := told(made, r); err != nil {
			return err
		}
		if o.Out != nil {
			return format.Encode(o.Out, *other, f)
		}
		return Write(ctx, out, *other, f, force)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Use opens the model at in, or reads it from In, calls Opened and do with it, and closes it.
func (o *Files) Use(in string, do func(*vectors.Set) error) error {
	use := func(set *vectors.Set) error {
		if err := told(o.Opened, set); err != nil {
			return err
		}
		return do(set)
	}
	if o.In != nil {
		set, err := format.Read(o.In)
		if err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		return use(set)
	}
	set, err := format.OpenStream(in, o.Whole)
	if err != nil {
		return err
	}
	err = set.Guard(func() error {
		if err := set.Check(); err != nil {
			return fmt.Errorf("%s: not a valid model: %w", in, err)
		}
		return use(set)
	})
	return errors.Join(err, set.Close())
}

// Write writes a set to the file or folder at path. It fails if the disk is too small, unless force is true.
func Write(ctx context.Context, path string, set *vectors.Set, f format.Format, force bool) error {
	if !force {
		if err := sysinfo.CheckDisk(path, format.EstimateSize(path, set.Shape(), f)); err != nil {
			return err
		}
	}
	return format.Write(ctx, path, set, f)
}

// Writable returns a set of the words of s that a file in format f can hold, in their order, and the other
// words. If f can hold all words, the set is s. Rows are read on demand, and n-grams are kept. Words are not
// changed, so no word gets the vector of another word. It is an error if no word is left.
func Writable(s *vectors.Set, f format.Format) (writable *vectors.Set, others []*format.UnwritableWord, err error) {
	if others, err = format.Unwritable(s, f); err != nil {
		return nil, others, err
	}
	if len(others) == 0 {
		return s, nil, nil
	}
	ids, left := make([]uint32, 0, s.Len()-len(others)), others
	for id := range s.Len() {
		if len(left) > 0 && left[0].ID == id {
			left = left[1:]
		} else {
			ids = append(ids, uint32(id))
		}
	}
	err = s.Guard(func() error { writable = transform.Pick(s, ids); return nil })
	return writable, others, err
}

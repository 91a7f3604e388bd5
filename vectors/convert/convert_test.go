package convert_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Options are applied in one order.
func TestApplyIsTheStepsInOrder(t *testing.T) {
	s := trial.Quantizable(60, 40, 8)
	r, err := convert.Apply(t.Context(), s, format.Npy, convert.Options{Vectors: transform.KindSum, Top: 20, Dim: 3, Normalize: true, DType: vectors.F16})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := transform.WordVectors(s, transform.KindSum)
	if err != nil {
		t.Fatal(err)
	}
	reduced, done, err := transform.Reduce(t.Context(), transform.Top(sum, 20), 3, transform.Computation{})
	if err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, r.Set, transform.WithDType(transform.Normalized(reduced), vectors.F16))
	if r.Reduced == nil || *r.Reduced != (convert.Reduced{From: 8, To: 3, Reduction: done}) {
		t.Errorf("%+v, want %+v", r.Reduced, done)
	}
	if !r.ByFormat.Subwords || r.ByOption.Subwords {
		t.Errorf("left out by the format %v, by options %v", r.ByFormat, r.ByOption)
	}
	r, err = convert.Apply(t.Context(), s, format.W2V, convert.Options{Normalize: true})
	if err != nil || !r.ByOption.Subwords || !r.ByOption.Context || r.ByFormat.Subwords {
		t.Errorf("%v: left out by the format %v, by options %v", err, r.ByFormat, r.ByOption)
	}
}

// What Process makes of a set has the vectors that Apply writes, composed words included where
// n-grams stay.
func TestProcessIsWhatApplyWrites(t *testing.T) {
	s := trial.Quantizable(60, 40, 8)
	for name, o := range map[string]convert.Options{
		"nothing":   {},
		"centre":    {Center: true},
		"abtt":      {AllButTheTop: 2},
		"whiten":    {Whiten: true},
		"normalize": {Normalize: true},
		"all":       {Vectors: transform.KindSum, Top: 40, Dim: 6, Center: true, AllButTheTop: 2, Whiten: true, Normalize: true},
		"first":     {First: 5, AllButTheTop: 1, Whiten: true},
	} {
		processed, err := convert.Process(t.Context(), s, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range []format.Format{format.W2V, format.Text, format.FastText} {
			path := filepath.Join(t.TempDir(), "model."+string(f))
			written, err := convert.Apply(t.Context(), s, f, o)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, f, err)
			}
			if err := convert.Write(t.Context(), path, written.Set, f, false); err != nil {
				t.Fatalf("%s, %s: %v", name, f, err)
			}
			file, err := format.Open(path)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, f, err)
			}
			words := processed.Set.Words().Strings()
			if f != format.Text {
				words = append(words, "unheard-of", "matters")
			}
			for _, word := range words {
				got, ok := trial.Vector(file, word)
				want, wanted := trial.Vector(processed.Set, word)
				if ok != wanted {
					t.Fatalf("%s, %s: %q has a vector in the file: %t, want %t", name, f, word, ok, wanted)
				}
				if ok {
					trial.Near(t, name+", "+string(f)+", "+word, got, want)
				}
			}
			if kept := processed.Set.Subword() != nil; kept != o.KeepsNgrams() || processed.ByOption.Subwords == kept || f == format.W2V && written.ByOption.Subwords == kept {
				t.Errorf("%s: n-grams kept %t, %+v", name, kept, processed.ByOption)
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		}
		steps := processed
		if (steps.Centred != nil) != o.Center || (steps.Removed != nil) != (o.AllButTheTop > 0) || (steps.Whitened != nil) != o.Whiten {
			t.Errorf("%s: %+v", name, steps)
		}
	}
}

// Words come out as the list has them.
func TestWordList(t *testing.T) {
	s := trial.Plain(5, 3) // word0 … word4
	list := []string{"word3", "none", "word1", "word3"}
	for missing, want := range map[convert.Missing][]string{
		"": {"word3", "word1"}, convert.MissingSkip: {"word3", "word1"}, convert.MissingZero: list, convert.MissingRandom: list,
	} {
		r, err := convert.Apply(t.Context(), s, format.Npy, convert.Options{Words: &convert.WordList{Words: list, Missing: missing, Seed: 3}})
		if err != nil {
			t.Fatal(err)
		}
		fewer := len(list) - len(want)
		if got := r.Set.Words().Strings(); !slices.Equal(got, want) || r.Words.Fewer != fewer || !slices.Equal(r.Words.Missing, []string{"none"}) || !slices.Equal(r.Words.Repeated, []string{"word3"}) {
			t.Errorf("%q: %q, %+v", missing, got, r.Words)
		}
	}
	for _, test := range []struct {
		words []string
		all   bool
	}{{list, false}, {[]string{"none"}, true}} {
		_, err := convert.Apply(t.Context(), s, format.Npy, convert.Options{Words: &convert.WordList{Words: test.words, Missing: convert.MissingFail}})
		if e, ok := errors.AsType[*convert.MissingError](err); !ok || e.All != test.all || !slices.Equal(e.Missing, []string{"none"}) {
			t.Errorf("%q: error %v", test.words, err)
		}
	}
	lower := trial.New(vectors.Parts{Words: vectors.NewWords("paris"), Input: vectors.NewMatrix(1, 2)})
	_, err := convert.Apply(t.Context(), lower, format.Npy, convert.Options{Words: &convert.WordList{Words: []string{"Paris"}}})
	if e, ok := errors.AsType[*convert.MissingError](err); !ok || e.LowerCase != 1 {
		t.Errorf("error %v", err)
	}
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	s := trial.Plain(5, 3)
	for want, o := range map[string]convert.Options{
		"convert: Top is -1, must be 0 (all) or more":                          {Top: -1},
		"convert: Top and Words exclude each other":                            {Top: 1, Words: &convert.WordList{Words: []string{"a"}}},
		"convert: First and Dim exclude each other":                            {First: 1, Dim: 1},
		"convert: a special token is empty":                                    {SpecialTokens: []string{""}},
		"convert: the special token a is named twice":                          {SpecialTokens: []string{"a", "b", "a"}},
		"convert: there are no words in the list of words":                     {Words: &convert.WordList{}},
		`convert: nothing is known to be done with missing words by the name`:  {Words: &convert.WordList{Words: []string{"a"}, Missing: "guess"}},
		"convert: OneMatrix: only the format torch says that it is one matrix": {OneMatrix: true},
		"convert: DType: the format npy cannot hold bf16, only":                {DType: vectors.BF16},
		`there are no "both" vectors; known are input, output, sum, concat`:    {Vectors: "both"},
		`the scale "twice" is not known; known are none, unit, sqrt-dim, std=`: {Scale: "twice"},
	} {
		if _, err := convert.Apply(t.Context(), s, format.Npy, o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if _, err := convert.Apply(t.Context(), s, "zip", convert.Options{}); err == nil {
		t.Error("an unknown format")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := convert.Apply(ctx, s, format.Npy, convert.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("in a context that has ended: %v", err)
	}
}

// What is known of the beginning of vectors depends on the model and on its file.
func TestFirst(t *testing.T) {
	s := trial.Plain(5, 4)
	nested := trial.With(s, func(p *vectors.Parts) { p.Training.Set("arch", "skipgram"); p.Training.Set("nested", "2,4") })
	for _, test := range []struct {
		set  *vectors.Set
		dim  int
		from format.Format
		want convert.First
	}{
		{nested, 2, format.W2V, convert.First{Dim: 2, Trained: true}},
		{nested, 3, format.W2V, convert.First{Dim: 3, Known: true}},
		{nested, 3, format.Text, convert.First{Dim: 3}},
		{s, 2, format.W2V, convert.First{Dim: 2}},
		{s, 2, "", convert.First{Dim: 2}},
	} {
		set := trial.With(test.set, func(p *vectors.Parts) { p.Origin.Format = string(test.from) })
		r, err := convert.Process(t.Context(), set, convert.Options{First: test.dim})
		if err != nil || *r.First != test.want || r.Set.Dim() != test.dim {
			t.Errorf("%+v, %v, want %+v", r, err, test.want)
		}
	}
}

// Files are converted in one call.
func TestFile(t *testing.T) {
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in.w2v"), filepath.Join(folder, "out.vec")
	s := trial.With(trial.Plain(50, 4), func(p *vectors.Parts) { p.Words = vectors.NewWords(append(p.Words.Strings()[:49], "")...) })
	if err := format.Write(t.Context(), in, s, format.W2V); err != nil {
		t.Fatal(err)
	}
	_, err := convert.File(t.Context(), in, out, convert.Options{})
	if _, ok := errors.AsType[*format.UnwritableWord](err); !ok {
		t.Errorf("a text of an empty word: error %v", err)
	}
	r, err := convert.File(t.Context(), in, out, convert.Options{Files: convert.Files{SkipUnwritable: true}})
	if err != nil || len(r.Skipped) != 1 || r.Skipped[0].ID != 49 {
		t.Fatalf("%+v, %v", r, err)
	}
	got, err := format.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	trial.SameMatrix(t, "rows", got.Input(), s.Input().First(49))
	if _, err := convert.File(t.Context(), filepath.Join(folder, "none"), out, convert.Options{}); err == nil {
		t.Error("a file that is not there")
	}
}

// A format that is named wins over that of the extension.
func TestFileInAFormat(t *testing.T) {
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in.w2v"), filepath.Join(folder, "out")
	if err := format.Write(t.Context(), in, trial.Plain(50, 4), format.W2V); err != nil {
		t.Fatal(err)
	}
	if _, err := convert.File(t.Context(), in, out, convert.Options{Files: convert.Files{Format: format.Torch}}); err != nil {
		t.Fatal(err)
	}
	if f, err := format.Detect(out); err != nil || f != format.Torch {
		t.Errorf("wrote %s, %v", f, err)
	}
}

// Files are made smaller in one call.
func TestSmallerFiles(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	s := trial.Quantizable(80, 60, 6)
	if err := format.Write(t.Context(), at("in.w2v"), s, format.W2V); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pq.w2v", "pq.fifu"} {
		q, err := convert.QuantizeFile(t.Context(), at("in.w2v"), at(name), convert.QuantizeOptions{})
		if err != nil || q.Set != nil || q.Original != nil {
			t.Fatalf("%s: %+v, %v", name, q, err)
		}
	}
	if r, err := convert.FactorizeFile(t.Context(), at("in.w2v"), at("factors.w2v"), convert.FactorizeOptions{FactorizeOptions: transform.FactorizeOptions{Rank: 2}}); err != nil || r.Set != nil || r.Rank != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, name := range []string{"pq.w2v", "pq.fifu", "factors.w2v"} {
		got, err := format.Open(at(name))
		if err != nil {
			t.Fatal(err)
		}
		if got.Len() != s.Len() || got.Dim() != s.Dim() {
			t.Errorf("%s: %d words of %d dimensions", name, got.Len(), got.Dim())
		}
		got.Close()
	}
}

// What a format cannot hold of quantised vectors is said before anything is computed.
func TestQuantizeFits(t *testing.T) {
	for _, test := range []struct {
		f      format.Format
		o      transform.QuantizeOptions
		option string // empty if it fits
	}{
		{format.W2V, transform.QuantizeOptions{Method: transform.QuantizeInt8, KeepOutput: true}, ""},
		{format.Finalfusion, transform.QuantizeOptions{Method: transform.QuantizeOPQ}, ""},
		{format.Finalfusion, transform.QuantizeOptions{}, ""},
		{format.Finalfusion, transform.QuantizeOptions{Method: transform.QuantizeF16}, "Method"},
		{format.Finalfusion, transform.QuantizeOptions{KeepOutput: true}, "KeepOutput"},
		{format.Word2Vec, transform.QuantizeOptions{}, "Format"},
	} {
		option := ""
		err := convert.QuantizeFits(test.f, test.o)
		if e, ok := errors.AsType[*convert.FitError](err); ok {
			option = e.Option
		}
		if option != test.option || err != nil && option == "" {
			t.Errorf("%s, %+v: error %v, want one of %q", test.f, test.o, err, test.option)
		}
		if _, err := convert.Quantize(t.Context(), trial.Plain(5, 4), test.f, test.o, false); option != "" && err == nil {
			t.Errorf("%s, %+v: quantised what does not fit", test.f, test.o)
		}
	}
}

// What is made smaller for a file of finalfusion has the vectors that it had.
func TestQuantizeForAFormat(t *testing.T) {
	s := trial.Quantizable(80, 60, 6)
	for _, f := range []format.Format{format.W2V, format.Finalfusion} {
		q, err := convert.Quantize(t.Context(), s, f, transform.QuantizeOptions{}, false)
		if err != nil {
			t.Fatal(err)
		}
		if q.LeftOut.Subwords || q.Original != s {
			t.Errorf("%s: %+v", f, q)
		}
		var off float64
		for id := range s.Len() {
			off += 1 - vectors.Cosine(trial.WordVector(s, id), trial.WordVector(q.Set, id))
		}
		if off/80 > 0.1 {
			t.Errorf("%s: cosines lose %.3f", f, off/80)
		}
	}
	factored, err := convert.Factorize(t.Context(), s, format.Text, transform.FactorizeOptions{Rank: 2}, false)
	if err != nil || !factored.MultipliedOut || !factored.Context || math.IsNaN(factored.Error) {
		t.Errorf("%+v, %v", factored, err)
	}
}

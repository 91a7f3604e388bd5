package transform

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/coded"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// methods are those of Quantize, with and without choices.
var methods = map[string]QuantizeOptions{
	"f16":              {Method: QuantizeF16},
	"int8":             {Method: QuantizeInt8, KeepOutput: true},
	"pq":               {},
	"pq, two bytes":    {Method: QuantizePQ, Bytes: 2, KeepOutput: true},
	"opq":              {Method: QuantizeOPQ, Seed: 3},
	"opq, all buckets": {Method: QuantizeOPQ, KeepUnused: true, KeepOutput: true},
}

func mustQuantize(t testing.TB, s *vectors.Set, opt QuantizeOptions) *vectors.Set {
	t.Helper()
	q, err := Quantize(t.Context(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Check(); err != nil {
		t.Fatalf("%+v: %v", opt, err)
	}
	return q
}

// quantizables are sets of all kinds.
func quantizables(t testing.TB) map[string]*vectors.Set {
	pieces := trial.With(trial.Quantizable(200, 300, 6), func(p *vectors.Parts) {
		p.Composition, p.Output = subword.Pieces, vectors.Matrix{}
		p.Input.Rows = 300
	})
	whole := trial.With(trial.Quantizable(200, 300, 6), func(p *vectors.Parts) { p.Composition = subword.Whole })
	sets := map[string]*vectors.Set{
		"fasttext":   openGolden(t, "fasttext/skipgram.bin"),
		"pruned":     openGolden(t, "fasttext/pruned.ftz"),
		"words":      openGolden(t, "fasttext/words.bin"),
		"text":       openGolden(t, "fasttext/words.vec"),
		"shared":     trial.Shared(),
		"random":     trial.Quantizable(300, 900, 10),
		"dimension":  trial.Quantizable(100, 100, 1),
		"whole":      whole,
		"pieces":     pieces,
		"one word":   trial.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.Matrix{Data: []float32{1, 2, 3}, Rows: 1, Cols: 3, Stride: 3}}),
		"no words":   trial.New(vectors.Parts{Input: vectors.Matrix{Cols: 3, Stride: 3}}),
		"other rows": trial.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), WordRows: []uint32{1, 1, 0}, Input: vectors.Matrix{Data: []float32{1, 2, 3, 4}, Rows: 2, Cols: 2, Stride: 2}}),
	}
	for name, s := range trial.NgramKinds(t) { // of other programs
		sets["n-grams, "+name] = s
	}
	return sets
}

// What is quantised is the same after it was written and read, mapped or not.
func TestQuantizeRoundTrip(t *testing.T) {
	for name, s := range quantizables(t) {
		for method, opt := range methods {
			t.Run(name+"/"+method, func(t *testing.T) {
				q := mustQuantize(t, s, opt)
				if q.Words() != s.Words() || (q.Output().Rows > 0) != (opt.KeepOutput && s.Output().Rows > 0) || !q.Training().Equal(s.Training()) {
					t.Errorf("%d words, %d output rows, %+v", q.Len(), q.Output().Rows, q.Training())
				}
				var once, twice bytes.Buffer
				if err := format.Encode(&once, q, format.W2V); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(t.TempDir(), "model.w2v")
				if err := format.Write(t.Context(), path, q, format.W2V); err != nil {
					t.Fatal(err)
				}
				read, err := format.Read(bytes.NewReader(once.Bytes()))
				if err != nil {
					t.Fatal(err)
				}
				mapped, err := format.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer mapped.Close()
				if err := mapped.Check(); err != nil {
					t.Fatal(err)
				}
				trial.SameSet(t, read, q)
				trial.SameSet(t, mapped, q)
				if err := format.Encode(&twice, mapped, format.W2V); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(once.Bytes(), twice.Bytes()) {
					t.Error("writing what was read gives other bytes")
				}
			})
		}
	}
}

// Every word that had a vector has one, in the vocabulary or not, near to what it was
// and where the numbers allow it, very near.
func TestQuantizeVectors(t *testing.T) {
	most := map[string]float64{ // of one minus the cosine
		"f16": 1e-6, "int8": 1e-4, "pq": 0.2, "pq, two bytes": 0.7, "opq": 0.2, "opq, all buckets": 0.2,
	}
	s := trial.Quantizable(300, 900, 10)
	strange := []string{"abc", "ak1", "ak100000", "日本語", "bl", "x", "ak12 el4"}
	for method, opt := range methods {
		q := mustQuantize(t, s, opt)
		for _, word := range append(s.Words().Strings(), strange...) {
			was, had := trial.Vector(s, word)
			is, has := trial.Vector(q, word)
			if had != has {
				t.Errorf("%s: %q: there was a vector: %v, there is one: %v", method, word, had, has)
			}
			_, known := s.ID(word)
			if c := cosineOf(was, is); has && known && 1-c > most[method] {
				t.Errorf("%s: %q: %v became %v, cosine %.4f", method, word, was, is, c)
			}
		}
		// All that can be asked of a set can be asked of this one.
		near := trial.Nearest(q, was(t, s, "bl1"), 3)
		if len(near) != 3 || near[0].Word != "bl1" && method != "pq, two bytes" {
			t.Errorf("%s: near to bl1 are %v", method, near)
		}
	}
}

func was(t *testing.T, s *vectors.Set, word string) []float32 {
	t.Helper()
	v, ok := trial.Vector(s, word)
	if !ok {
		t.Fatalf("%q has no vector", word)
	}
	return v
}

func cosineOf(a, b []float32) float64 {
	var ab, aa, bb float64
	for k := range a {
		ab += float64(a[k]) * float64(b[k])
		aa += float64(a[k]) * float64(a[k])
		bb += float64(b[k]) * float64(b[k])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestEncoding(t *testing.T) {
	s := trial.Quantizable(10, 20, 10)
	for want, opt := range map[string]QuantizeOptions{
		"f16 20": {Method: QuantizeF16}, "int8 14": {Method: QuantizeInt8}, "pq 4": {}, "opq 2": {Method: QuantizeOPQ, Bytes: 2}, "pq 5": {Bytes: 9},
	} {
		q := mustQuantize(t, s, opt).Input()
		if got := fmt.Sprint(q.Encoding(), " ", q.RowBytes()); got != want {
			t.Errorf("%+v: got %s, want %s", opt, got, want)
		}
	}
	if got := fmt.Sprint(s.Input().Encoding(), " ", s.Input().RowBytes()); got != "f32 64" { // a cache line
		t.Errorf("float32: got %s", got)
	}
	if q := openGolden(t, "fasttext/pruned.ftz").Input(); q.Encoding() != "pq" || q.RowBytes() != 3 {
		t.Errorf(".ftz: %s of %d bytes", q.Encoding(), q.RowBytes())
	}
}

// A quantised set stays one unless numbers are asked for.
func TestQuantisedWithDType(t *testing.T) {
	q := mustQuantize(t, trial.Quantizable(30, 40, 6), QuantizeOptions{KeepOutput: true})
	for _, d := range []vectors.DType{vectors.F32, vectors.F16, vectors.BF16} {
		full := WithDType(q, d)
		var buf bytes.Buffer
		if err := format.Encode(&buf, full, format.W2V); err != nil {
			t.Fatal(err)
		}
		s, err := format.Read(&buf)
		if err != nil {
			t.Fatal(err)
		}
		if s.Input().Encoding() != string(d) || s.Output().Encoding() != string(d) {
			t.Errorf("%s is written as %s and %s", d, s.Input().Encoding(), s.Output().Encoding())
		}
		trial.SameSet(t, s, full)
	}
}

// A row is what float64 makes of its codes.
func TestQuantisedRead(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	floats := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(random.NormFloat64())
		}
		return x
	}
	bytesBelow := func(n, most int) []uint8 {
		x := make([]uint8, n)
		for i := range x {
			x[i] = uint8(random.IntN(most))
		}
		return x
	}
	const rows, dim, part, size = 40, 11, 4, 100
	for _, tt := range []struct {
		name                         string
		norms, normCodes, rotational bool
	}{
		{"codes", false, false, false}, {"norms", true, false, false}, {"coded norms", true, true, false},
		{"rotation", false, false, true}, {"all", true, true, true},
	} {
		q := &coded.Quantised{Book: pq.Codebook{Dim: dim, Part: part, Size: size, Centroids: floats(dim * size)}, Codes: bytesBelow(3*rows, size)}
		if tt.norms {
			q.Norms = floats(rows)
		}
		if tt.normCodes {
			q.NormCodes = bytesBelow(rows, rows)
		}
		if tt.rotational {
			q.Rotation = floats(dim * dim)
		}
		m := vectors.Stored(rows, dim, q)
		if err := m.CheckSizes(); err != nil {
			t.Fatal(err)
		}
		sum, sumWant := make([]float32, dim), make([]float64, dim)
		q.SumRows(sum, []uint32{3, 0, 39, 3}, nil)
		for r := range rows {
			var plain [dim]float64
			for k := range plain {
				p := k / part
				width := min(part, dim-p*part)
				plain[k] = float64(q.Book.Centroids[p*size*part+int(q.Codes[3*r+p])*width+k%part])
				switch {
				case tt.normCodes:
					plain[k] *= float64(q.Norms[q.NormCodes[r]])
				case tt.norms:
					plain[k] *= float64(q.Norms[r])
				}
			}
			got := m.Row(r)
			for i := range plain {
				want := plain[i]
				if tt.rotational {
					want = 0
					for k, x := range plain {
						want += x * float64(q.Rotation[i*dim+k])
					}
				}
				if math.Abs(want-float64(got[i])) > 1e-5 || !tt.rotational && !tt.norms && float64(got[i]) != want {
					t.Fatalf("%s: number %d of row %d is %v, want %v", tt.name, i, r, got[i], want)
				}
				if r == 3 || r == 0 || r == 39 {
					sumWant[i] += want
					if r == 3 {
						sumWant[i] += want
					}
				}
			}
		}
		for i, x := range sum {
			if math.Abs(sumWant[i]-float64(x)) > 1e-4 {
				t.Errorf("%s: number %d of a sum is %v, want %v", tt.name, i, x, sumWant[i])
			}
		}
	}
}

// Of a number at most half of the row's scale is lost.
func TestInt8(t *testing.T) {
	for _, row := range [][]float32{
		{0, 0, 0}, {1, -1, 0.5}, {127, 126.5, -126.4}, {1e-30, -3e-30, 0}, {math.MaxFloat32 / 4, 1, -5},
		{math.SmallestNonzeroFloat32, 0, 0}, {3, 3, 3},
	} {
		codes, back := make([]uint8, 3), make([]float32, 3)
		scale := coded.EncodeInt8(codes, row)
		m := &coded.Int8s{Codes: codes, Scales: []float32{scale}, Cols: 3}
		m.Read(back, 0)
		for k, x := range row {
			if math.Abs(float64(x)-float64(back[k])) > float64(scale)/2*1.0001+1e-44 {
				t.Errorf("%v came back as %v", row, back)
			}
		}
		m.SumRows(back, []uint32{0, 0}, nil)
		for k := range back {
			if want := 2 * scale * float32(int8(codes[k])); back[k] != want {
				t.Errorf("%v added to itself is %v", row, back)
			}
		}
	}
}

// The result does not depend on the number of cores.
func TestQuantizeDeterministic(t *testing.T) {
	s := trial.Quantizable(500, 500, 12)
	for method, opt := range methods {
		var first []byte
		for _, cores := range []int{1, 3} {
			before := runtime.GOMAXPROCS(cores)
			q := mustQuantize(t, s, opt)
			runtime.GOMAXPROCS(before)
			var buf bytes.Buffer
			if err := format.Encode(&buf, q, format.W2V); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = buf.Bytes()
			}
			if !bytes.Equal(buf.Bytes(), first) {
				t.Errorf("%s: %d cores make other bytes", method, cores)
			}
		}
	}
}

// Rows that were shared, and expanded by a format that cannot share them, are shared
// again; buckets that no word uses are dropped; and vectors stay as they were.
func TestQuantizeCompacts(t *testing.T) {
	native := trial.Quantizable(200, 600, 4)
	fasttext := native.Subword().(subword.FastText)
	table := rowtable.New(native.Words().Strings(), fasttext, rowtable.Options{})
	rows := 0
	for _, r := range table.WordRow {
		rows = max(rows, int(r)+1)
	}
	for _, r := range table.BucketRow {
		rows = max(rows, int(r)+1)
	}
	native = trial.With(native, func(p *vectors.Parts) {
		p.WordRows, p.BucketRows = table.WordRow, table.BucketRow
		p.Input.Rows = rows
	})
	path := filepath.Join(t.TempDir(), "model.bin")
	if err := format.Write(t.Context(), path, native, format.FastText); err != nil {
		t.Fatal(err)
	}
	s, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Input().Rows != 800 || rows >= 600 {
		t.Fatalf("%d rows of %d, which tests too little", rows, s.Input().Rows)
	}
	q := mustQuantize(t, s, QuantizeOptions{Method: QuantizeF16})
	if q.Input().Rows != rows {
		t.Errorf("%d rows of %d in the .bin are left, want %d as in the native file", q.Input().Rows, s.Input().Rows, rows)
	}
	// What is dropped are rows that no word has.
	full := trial.Quantizable(200, 600, 4)
	unused := 0
	for b, r := range table.BucketRow {
		if r < 0 {
			unused++
			full.Input().Row(200 + b)[0] = 77
		}
	}
	q = mustQuantize(t, full, QuantizeOptions{Method: QuantizeInt8})
	for b, r := range q.BucketRows() {
		if (r < 0) != (table.BucketRow[b] < 0) {
			t.Errorf("bucket %d has row %d, in training %d", b, r, table.BucketRow[b])
		}
	}
	if q.Input().Rows != 800-unused {
		t.Errorf("%d rows are left, want %d", q.Input().Rows, 800-unused)
	}
	if all := mustQuantize(t, full, QuantizeOptions{Method: QuantizeInt8, KeepUnused: true}); all.Input().Rows != 800 {
		t.Errorf("%d rows with all buckets, want 800", all.Input().Rows)
	}
}

// Zeros stay zeros, of words and of buckets.
func TestQuantizeZeros(t *testing.T) {
	for method, opt := range methods {
		s := trial.Quantizable(400, 100, 6)
		plain := trial.New(vectors.Parts{Words: s.Words(), Input: s.Input().First(400), Output: s.Output()})
		for _, r := range []int{7, 399, 400, 450} {
			clear(s.Input().Row(r))
		}
		clear(s.Output().Row(3))
		q := mustQuantize(t, plain, opt)
		for id := range q.Len() {
			v := make([]float32, 6)
			q.WordVector(v, id)
			if isZero(v) != (id == 7 || id == 399) {
				t.Errorf("%s: word %d has %v", method, id, v)
			}
		}
		if q.Output().Rows > 0 && !isZero(q.Output().Row(3)) {
			t.Errorf("%s: output row 3 is %v", method, q.Output().Row(3))
		}
		q = mustQuantize(t, s, opt)
		if q.BucketRows()[0] != -1 || q.BucketRows()[50] != -1 || q.BucketRows()[1] == -1 {
			t.Errorf("%s: buckets have the rows %v", method, q.BucketRows())
		}
	}
}

// A table without words is for words that nobody knows yet: all of it stays.
func TestQuantizeTable(t *testing.T) {
	s := trial.Table(200)
	for method, opt := range methods {
		q := mustQuantize(t, s, opt)
		if q.Input().Rows != s.Input().Rows {
			t.Errorf("%s: %d rows of %d", method, q.Input().Rows, s.Input().Rows)
		}
		got, _ := trial.Vector(q, "bread")
		want, _ := trial.Vector(s, "bread")
		if c := cosineOf(got, want); c < 0.8 {
			t.Errorf("%s: the cosine of a word with what it was is %.3f", method, c)
		}
	}
}

func TestQuantizeErrors(t *testing.T) {
	nan := trial.Quantizable(20, 30, 2)
	nan.Input().Row(21)[1] = float32(math.NaN())
	plain := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 2), Output: vectors.NewMatrix(2, 2)})
	plain.Input().Row(1)[0] = float32(math.Inf(1))
	output := trial.New(vectors.Parts{Words: plain.Words(), Input: vectors.NewMatrix(2, 2), Output: plain.Input()})
	unchecked := trial.Shared() // as a mapped file may be
	unchecked.WordRows()[1] = 9
	const infinite = "has a number that is not finite, or too large to compute with: choose the method f16"
	for _, tt := range []struct {
		name string
		s    *vectors.Set
		opt  QuantizeOptions
		want string
	}{
		{"method", plain, QuantizeOptions{Method: "zip"}, `the method "zip" is not known; known are f16, int8, pq, opq`},
		{"bytes", plain, QuantizeOptions{Bytes: -1}, "-1 bytes a row, must be at least 1"},
		{"bytes of int8", plain, QuantizeOptions{Method: QuantizeInt8, Bytes: 3}, "the method int8 has no choice of bytes a row"},
		{"row", nan, QuantizeOptions{KeepUnused: true}, "input row 21 " + infinite},
		{"word", plain, QuantizeOptions{Method: QuantizeInt8}, `the vector of word 1, "b", ` + infinite},
		{"context", output, QuantizeOptions{KeepOutput: true}, `the context vector of word 1, "b", ` + infinite},
		{"word row", unchecked, QuantizeOptions{}, "not a valid set: word 1 has input row 9 of 4"},
	} {
		if _, err := Quantize(t.Context(), tt.s, tt.opt); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
	if _, err := Quantize(t.Context(), nan, QuantizeOptions{Method: QuantizeF16}); err != nil {
		t.Errorf("f16 holds what is not finite: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for method, opt := range methods {
		if opt.Method == QuantizeF16 {
			continue // nothing is done yet
		}
		for _, s := range []*vectors.Set{trial.Quantizable(20, 30, 2), plain} {
			if _, err := Quantize(ctx, s, opt); err == nil || err.Error() != "context canceled" {
				t.Errorf("%s: got %v", method, err)
			}
		}
	}
}

// Words take up what their n-grams lose: their vectors are nearer than rows are.
func TestTakeUp(t *testing.T) {
	s := trial.Quantizable(300, 900, 12)
	opt := QuantizeOptions{Bytes: 4}
	kept, zeros, err := compact(t.Context(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	input, err := encode(t.Context(), kept, kept.Input(), opt, zeros)
	if err != nil {
		t.Fatal(err)
	}
	lost := func(q *vectors.Set) float64 {
		var sum float64
		for id := range s.Len() {
			sum += 1 - cosineOf(trial.WordVector(s, id), trial.WordVector(q, id))
		}
		return sum
	}
	without := lost(made(withMatrices(kept, input, vectors.Matrix{})))
	with := lost(mustQuantize(t, s, opt))
	if with > without*0.8 {
		t.Errorf("cosines lose %.3f, and %.3f if no row takes up what others lose", with, without)
	}
}

// A compressed text is quantised from its stream as from memory.
func TestQuantizeStream(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.vec.gz")
	s := trial.Quantizable(300, 1, 6)
	if err := format.Write(t.Context(), path, s, format.Text); err != nil {
		t.Fatal(err)
	}
	for method, opt := range methods {
		var want []byte
		for _, open := range []func(string) (*vectors.Set, error){format.Open, func(path string) (*vectors.Set, error) { return format.OpenStream(path, nil) }} {
			s, err := open(path)
			if err != nil {
				t.Fatal(err)
			}
			var buf bytes.Buffer
			if err := format.Encode(&buf, mustQuantize(t, s, opt), format.W2V); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = buf.Bytes()
			}
			if !bytes.Equal(buf.Bytes(), want) {
				t.Errorf("%s: the stream makes other bytes", method)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Quantised sets are written in other formats, with numbers in full.
func TestQuantisedToOthers(t *testing.T) {
	q := mustQuantize(t, trial.Quantizable(100, 60, 6), QuantizeOptions{Method: QuantizeOPQ, KeepOutput: true})
	for _, f := range []format.Format{format.FastText, format.Text, format.Word2Vec, format.GloVe} {
		var buf bytes.Buffer
		if err := format.Encode(&buf, q, f); err != nil {
			t.Fatal(err)
		}
		s, err := format.Read(&buf)
		if err != nil {
			t.Fatal(err)
		}
		for id := range q.Len() {
			if want, got := trial.WordVector(q, id), trial.WordVector(s, id); cosineOf(want, got) < 1-1e-6 {
				t.Errorf("%s: word %d is %v, want %v", f, id, got, want)
			}
		}
	}
	pruned := openGolden(t, "fasttext/pruned.ftz")
	defer pruned.Close()
	if err := format.Encode(&bytes.Buffer{}, pruned, format.FastText); err != nil {
		t.Errorf("a pruned classifier: %v", err)
	}
	p := pruned.Parts()
	p.Labels = nil
	words, err := vectors.New(p)
	if err != nil {
		t.Fatal(err)
	}
	want := "some n-grams were left out when the model was quantised, which fastText does not take in a .bin"
	if err := format.Encode(&bytes.Buffer{}, words, format.FastText); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Two million buckets take little room where few are trained.
func TestBucketSet(t *testing.T) {
	s := trial.Quantizable(50, 200_000, 4)
	q := mustQuantize(t, s, QuantizeOptions{})
	var buf bytes.Buffer
	if err := format.Encode(&buf, q, format.W2V); err != nil {
		t.Fatal(err)
	}
	if buf.Len() > 200_000/8+10_000 {
		t.Errorf("%d bytes", buf.Len())
	}
	read, err := format.Read(&buf)
	if err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, read, q)
}

// Some of the words of a quantised set are as small as they were, and the same.
func TestPickKeepsCodes(t *testing.T) {
	for _, file := range []string{"fasttext/skipgram.bin", "fasttext/words.bin"} {
		for _, method := range []QuantizeMethod{QuantizeInt8, QuantizePQ, QuantizeOPQ} {
			s, err := Quantize(t.Context(), openGolden(t, file), QuantizeOptions{Method: method, KeepOutput: true})
			if err != nil {
				t.Fatal(err)
			}
			top := Top(s, 20)
			if got, want := top.Input().Encoding(), s.Input().Encoding(); got != want {
				t.Errorf("%s, %s: rows are %s, want %s", file, method, got, want)
			}
			if err := top.Check(); err != nil {
				t.Fatal(err)
			}
			for id, word := range top.Words().All() {
				want, _ := trial.Vector(s, word)
				if got, _ := trial.Vector(top, word); !slices.Equal(got, want) {
					t.Errorf("%s, %s: %q is %v, want %v", file, method, word, got, want)
				}
				was, _ := s.ID(word)
				if got, want := top.Output().Row(id), s.Output().Row(was); !slices.Equal(got, want) {
					t.Errorf("%s, %s: context of %q is %v, want %v", file, method, word, got, want)
				}
			}
		}
	}
}

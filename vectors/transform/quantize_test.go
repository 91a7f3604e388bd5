package vectors

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/internal/coded"
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

// quantizable returns a set of random rows, n words with n-grams in buckets, as a
// model of fastText: a row for every word and every bucket.
func quantizable(n, buckets, dim int) *Set {
	random := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	s := newSet(Parts{
		Subword: subword.FastText{MinN: 3, MaxN: 4, Buckets: buckets},
		Input:   NewMatrix(n+buckets, dim), Output: NewMatrix(n, dim),
		Training: Training{Architecture: "skipgram", Tokens: 99},
	})
	var words []string
	for i := range n {
		words = append(words, fmt.Sprintf("%c%c%d", 'a'+i%7, 'k'+i%5, i))
		s.counts = append(s.counts, uint64(2*n-i))
	}
	s.words = NewWords(words...)
	for _, m := range []Matrix{s.input, s.output} {
		for r := range m.Rows {
			for k := range m.Row(r) {
				m.Row(r)[k] = float32(random.NormFloat64() + 0.2)
			}
		}
	}
	return s
}

func mustQuantize(t testing.TB, s *Set, opt QuantizeOptions) *Set {
	t.Helper()
	q, err := s.Quantize(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Check(); err != nil {
		t.Fatalf("%+v: %v", opt, err)
	}
	return q
}

// quantizables are sets of all kinds.
func quantizables(t testing.TB) map[string]*Set {
	pieces := quantizable(200, 300, 6)
	pieces.composition, pieces.output = ComposePieces, Matrix{}
	pieces.input.Rows = 300
	whole := quantizable(200, 300, 6)
	whole.composition = ComposeWhole
	sets := map[string]*Set{
		"fasttext":   openGolden(t, "fasttext/skipgram.bin"),
		"pruned":     openGolden(t, "fasttext/pruned.ftz"),
		"words":      openGolden(t, "fasttext/words.bin"),
		"text":       openGolden(t, "fasttext/words.vec"),
		"shared":     shared(),
		"random":     quantizable(300, 900, 10),
		"dimension":  quantizable(100, 100, 1),
		"whole":      whole,
		"pieces":     pieces,
		"one word":   newSet(Parts{Words: NewWords("a"), Input: Matrix{Data: []float32{1, 2, 3}, Rows: 1, Cols: 3, Stride: 3}}),
		"no words":   newSet(Parts{Input: Matrix{Cols: 3, Stride: 3}}),
		"other rows": newSet(Parts{Words: NewWords("a", "b", "c"), WordRows: []uint32{1, 1, 0}, Input: Matrix{Data: []float32{1, 2, 3, 4}, Rows: 2, Cols: 2, Stride: 2}}),
	}
	for name, s := range ngramKinds(t) { // of other programs
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
				if q.words != s.words || (q.output.Rows > 0) != (opt.KeepOutput && s.output.Rows > 0) || q.training != s.training {
					t.Errorf("%d words, %d output rows, %+v", q.Len(), q.output.Rows, q.training)
				}
				var once, twice bytes.Buffer
				if err := Encode(&once, q, FormatW2V); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(t.TempDir(), "model.w2v")
				if err := Write(t.Context(), path, q, FormatW2V); err != nil {
					t.Fatal(err)
				}
				read, err := Read(bytes.NewReader(once.Bytes()))
				if err != nil {
					t.Fatal(err)
				}
				mapped, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer mapped.Close()
				if err := mapped.Check(); err != nil {
					t.Fatal(err)
				}
				sameSet(t, read, q)
				sameSet(t, mapped, q)
				if err := Encode(&twice, mapped, FormatW2V); err != nil {
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
	s := quantizable(300, 900, 10)
	strange := []string{"abc", "ak1", "ak100000", "日本語", "bl", "x", "ak12 el4"}
	for method, opt := range methods {
		q := mustQuantize(t, s, opt)
		for _, word := range append(s.words.Strings(), strange...) {
			was, had := vector(s, word)
			is, has := vector(q, word)
			if had != has {
				t.Errorf("%s: %q: there was a vector: %v, there is one: %v", method, word, had, has)
			}
			_, known := s.ID(word)
			if c := cosineOf(was, is); has && known && 1-c > most[method] {
				t.Errorf("%s: %q: %v became %v, cosine %.4f", method, word, was, is, c)
			}
		}
		// All that can be asked of a set can be asked of this one.
		near := q.Nearest(was(t, s, "bl1"), 3)
		if len(near) != 3 || near[0].Word != "bl1" && method != "pq, two bytes" {
			t.Errorf("%s: near to bl1 are %v", method, near)
		}
	}
}

func was(t *testing.T, s *Set, word string) []float32 {
	t.Helper()
	v, ok := vector(s, word)
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
	s := quantizable(10, 20, 10)
	for want, opt := range map[string]QuantizeOptions{
		"f16 20": {Method: QuantizeF16}, "int8 14": {Method: QuantizeInt8}, "pq 4": {}, "opq 2": {Method: QuantizeOPQ, Bytes: 2}, "pq 5": {Bytes: 9},
	} {
		q := mustQuantize(t, s, opt).input
		if got := fmt.Sprint(q.Encoding(), " ", q.RowBytes()); got != want {
			t.Errorf("%+v: got %s, want %s", opt, got, want)
		}
	}
	if got := fmt.Sprint(s.input.Encoding(), " ", s.input.RowBytes()); got != "f32 64" { // a cache line
		t.Errorf("float32: got %s", got)
	}
	if q := openGolden(t, "fasttext/pruned.ftz").input; q.Encoding() != "pq" || q.RowBytes() != 3 {
		t.Errorf(".ftz: %s of %d bytes", q.Encoding(), q.RowBytes())
	}
}

// A quantised set stays one unless numbers are asked for.
func TestQuantisedWithDType(t *testing.T) {
	q := mustQuantize(t, quantizable(30, 40, 6), QuantizeOptions{KeepOutput: true})
	for _, d := range []DType{F32, F16, BF16} {
		full := q.WithDType(d)
		var buf bytes.Buffer
		if err := Encode(&buf, full, FormatW2V); err != nil {
			t.Fatal(err)
		}
		s, err := Read(&buf)
		if err != nil {
			t.Fatal(err)
		}
		if s.input.Encoding() != string(d) || s.output.Encoding() != string(d) {
			t.Errorf("%s is written as %s and %s", d, s.input.Encoding(), s.output.Encoding())
		}
		sameSet(t, s, full)
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
		m := Stored(rows, dim, q)
		if err := m.check(); err != nil {
			t.Fatal(err)
		}
		sum, sumWant := make([]float32, dim), make([]float64, dim)
		q.AddRows(sum, []uint32{3, 0, 39, 3}, nil)
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
		m.AddRows(back, []uint32{0}, nil)
		for k := range back {
			if want := 2 * scale * float32(int8(codes[k])); back[k] != want {
				t.Errorf("%v added to itself is %v", row, back)
			}
		}
	}
}

// The result does not depend on the number of cores.
func TestQuantizeDeterministic(t *testing.T) {
	s := quantizable(500, 500, 12)
	for method, opt := range methods {
		var first []byte
		for _, cores := range []int{1, 3, 8} {
			before := runtime.GOMAXPROCS(cores)
			q := mustQuantize(t, s, opt)
			runtime.GOMAXPROCS(before)
			var buf bytes.Buffer
			if err := Encode(&buf, q, FormatW2V); err != nil {
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
	native := quantizable(200, 600, 4)
	fasttext := native.subword.(subword.FastText)
	table := subword.NewTable(native.words.Strings(), fasttext, subword.TableOptions{})
	native.wordRows, native.bucketRows = table.WordRow, table.BucketRow
	rows := 0
	for _, r := range native.wordRows {
		rows = max(rows, int(r)+1)
	}
	for _, r := range native.bucketRows {
		rows = max(rows, int(r)+1)
	}
	native.input.Rows = rows
	path := filepath.Join(t.TempDir(), "model.bin")
	if err := Write(t.Context(), path, native, FormatFastText); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.input.Rows != 800 || rows >= 600 {
		t.Fatalf("%d rows of %d, which tests too little", rows, s.input.Rows)
	}
	q := mustQuantize(t, s, QuantizeOptions{Method: QuantizeF16})
	if q.input.Rows != rows {
		t.Errorf("%d rows of %d in the .bin are left, want %d as in the native file", q.input.Rows, s.input.Rows, rows)
	}
	// What is dropped are rows that no word has.
	full := quantizable(200, 600, 4)
	unused := 0
	for b, r := range table.BucketRow {
		if r < 0 {
			unused++
			full.input.Row(200 + b)[0] = 77
		}
	}
	q = mustQuantize(t, full, QuantizeOptions{Method: QuantizeInt8})
	for b, r := range q.bucketRows {
		if (r < 0) != (table.BucketRow[b] < 0) {
			t.Errorf("bucket %d has row %d, in training %d", b, r, table.BucketRow[b])
		}
	}
	if q.input.Rows != 800-unused {
		t.Errorf("%d rows are left, want %d", q.input.Rows, 800-unused)
	}
	if all := mustQuantize(t, full, QuantizeOptions{Method: QuantizeInt8, KeepUnused: true}); all.input.Rows != 800 {
		t.Errorf("%d rows with all buckets, want 800", all.input.Rows)
	}
}

// Zeros stay zeros, of words and of buckets.
func TestQuantizeZeros(t *testing.T) {
	for method, opt := range methods {
		s := quantizable(400, 100, 6)
		plain := newSet(Parts{Words: s.words, Input: s.input.First(400), Output: s.output})
		for _, r := range []int{7, 399, 400, 450} {
			clear(s.input.Row(r))
		}
		clear(s.output.Row(3))
		q := mustQuantize(t, plain, opt)
		for id := range q.Len() {
			v := make([]float32, 6)
			q.WordVector(v, id)
			if isZero(v) != (id == 7 || id == 399) {
				t.Errorf("%s: word %d has %v", method, id, v)
			}
		}
		if q.output.Rows > 0 && !isZero(q.output.Row(3)) {
			t.Errorf("%s: output row 3 is %v", method, q.output.Row(3))
		}
		q = mustQuantize(t, s, opt)
		if q.bucketRows[0] != -1 || q.bucketRows[50] != -1 || q.bucketRows[1] == -1 {
			t.Errorf("%s: buckets have the rows %v", method, q.bucketRows)
		}
	}
}

// A table without words is for words that nobody knows yet: all of it stays.
func TestQuantizeTable(t *testing.T) {
	s := trialTable(200)
	for method, opt := range methods {
		q := mustQuantize(t, s, opt)
		if q.input.Rows != s.input.Rows {
			t.Errorf("%s: %d rows of %d", method, q.input.Rows, s.input.Rows)
		}
		got, _ := vector(q, "bread")
		want, _ := vector(s, "bread")
		if c := cosineOf(got, want); c < 0.8 {
			t.Errorf("%s: the cosine of a word with what it was is %.3f", method, c)
		}
	}
}

func TestQuantizeErrors(t *testing.T) {
	nan := quantizable(20, 30, 2)
	nan.input.Row(21)[1] = float32(math.NaN())
	plain := newSet(Parts{Words: NewWords("a", "b"), Input: NewMatrix(2, 2), Output: NewMatrix(2, 2)})
	plain.input.Row(1)[0] = float32(math.Inf(1))
	output := newSet(Parts{Words: plain.words, Input: NewMatrix(2, 2), Output: plain.input})
	wrong := quantizable(20, 30, 2)
	wrong.counts = wrong.counts[1:]
	unchecked := shared() // as a mapped file may be
	unchecked.wordRows[1] = 9
	const infinite = "has a number that is not finite, or too large to compute with: choose the method f16"
	for _, tt := range []struct {
		name string
		s    *Set
		opt  QuantizeOptions
		want string
	}{
		{"method", plain, QuantizeOptions{Method: "zip"}, `the method "zip" is not known; known are f16, int8, pq, opq`},
		{"bytes", plain, QuantizeOptions{Bytes: -1}, "-1 bytes a row, must be at least 1"},
		{"bytes of int8", plain, QuantizeOptions{Method: QuantizeInt8, Bytes: 3}, "the method int8 has no choice of bytes a row"},
		{"row", nan, QuantizeOptions{KeepUnused: true}, "input row 21 " + infinite},
		{"word", plain, QuantizeOptions{Method: QuantizeInt8}, `the vector of word 1, "b", ` + infinite},
		{"context", output, QuantizeOptions{KeepOutput: true}, `the context vector of word 1, "b", ` + infinite},
		{"set", wrong, QuantizeOptions{}, "not a valid set: 19 counts for 20 words"},
		{"word row", unchecked, QuantizeOptions{}, "not a valid set: word 1 has input row 9 of 4"},
	} {
		if _, err := tt.s.Quantize(t.Context(), tt.opt); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
	if _, err := nan.Quantize(t.Context(), QuantizeOptions{Method: QuantizeF16}); err != nil {
		t.Errorf("f16 holds what is not finite: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for method, opt := range methods {
		if opt.Method == QuantizeF16 {
			continue // nothing is done yet
		}
		for _, s := range []*Set{quantizable(20, 30, 2), plain} {
			if _, err := s.Quantize(ctx, opt); err == nil || err.Error() != "context canceled" {
				t.Errorf("%s: got %v", method, err)
			}
		}
	}
}

// Words take up what their n-grams lose: their vectors are nearer than rows are.
func TestTakeUp(t *testing.T) {
	s := quantizable(300, 900, 12)
	opt := QuantizeOptions{Bytes: 4}
	kept, zeros, err := s.compact(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	input, err := kept.encode(t.Context(), kept.input, opt, zeros)
	if err != nil {
		t.Fatal(err)
	}
	lost := func(q *Set) float64 {
		var sum float64
		for id := range s.Len() {
			sum += 1 - cosineOf(s.wordVector(id), q.wordVector(id))
		}
		return sum
	}
	without := lost(kept.withMatrices(input, Matrix{}))
	with := lost(mustQuantize(t, s, opt))
	if with > without*0.8 {
		t.Errorf("cosines lose %.3f, and %.3f if no row takes up what others lose", with, without)
	}
}

// A compressed text is quantised from its stream as from memory.
func TestQuantizeStream(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.vec.gz")
	s := quantizable(300, 1, 6)
	if err := Write(t.Context(), path, s, FormatText); err != nil {
		t.Fatal(err)
	}
	for method, opt := range methods {
		var want []byte
		for _, open := range []func(string) (*Set, error){Open, func(path string) (*Set, error) { return OpenStream(path, nil) }} {
			s, err := open(path)
			if err != nil {
				t.Fatal(err)
			}
			var buf bytes.Buffer
			if err := Encode(&buf, mustQuantize(t, s, opt), FormatW2V); err != nil {
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
	q := mustQuantize(t, quantizable(100, 60, 6), QuantizeOptions{Method: QuantizeOPQ, KeepOutput: true})
	for _, f := range []Format{FormatFastText, FormatText, FormatWord2Vec, FormatGloVe} {
		var buf bytes.Buffer
		if err := Encode(&buf, q, f); err != nil {
			t.Fatal(err)
		}
		s, err := Read(&buf)
		if err != nil {
			t.Fatal(err)
		}
		for id := range q.Len() {
			if want, got := q.wordVector(id), s.wordVector(id); cosineOf(want, got) < 1-1e-6 {
				t.Errorf("%s: word %d is %v, want %v", f, id, got, want)
			}
		}
	}
	pruned := openGolden(t, "fasttext/pruned.ftz")
	defer pruned.Close()
	want := "some n-grams were left out when the model was quantised, which fastText does not take in a .bin"
	if err := Encode(&bytes.Buffer{}, pruned, FormatFastText); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Two million buckets take little room where few are trained.
func TestBucketSet(t *testing.T) {
	s := quantizable(50, 2_000_000, 4)
	q := mustQuantize(t, s, QuantizeOptions{})
	var buf bytes.Buffer
	if err := Encode(&buf, q, FormatW2V); err != nil {
		t.Fatal(err)
	}
	if buf.Len() > 2_000_000/8+10_000 {
		t.Errorf("%d bytes", buf.Len())
	}
	read, err := Read(&buf)
	if err != nil {
		t.Fatal(err)
	}
	sameSet(t, read, q)

	for _, tt := range []struct {
		set     []uint8
		rows    []int32
		buckets int
		want    string
	}{
		{[]uint8{0b101, 0b1}, []int32{7, 8, 9}, 9, ""},
		{[]uint8{0b101, 0b10}, []int32{7, 8, 9}, 9, `tensor "bucket_set": expected no bits after that of bucket 8, found some`},
		{[]uint8{0b101, 0b1}, []int32{7, 8}, 9, `tensor "bucket_rows": expected a row for each of the 3 bits of "bucket_set", found 2`},
		{[]uint8{0b101}, []int32{7, 8}, 9, `tensor "bucket_set": expected 2 bytes for 9 buckets, found 1`},
		{nil, nil, 0, ""},
	} {
		rows, err := expandBuckets(tt.set, tt.rows, tt.buckets)
		if err != nil && err.Error() != tt.want || err == nil && tt.want != "" {
			t.Errorf("%+v: got %v", tt, err)
		}
		if tt.buckets == 9 && tt.want == "" && !slices.Equal(rows, []int32{7, -1, 8, -1, -1, -1, -1, -1, 9}) {
			t.Errorf("got %v", rows)
		}
	}
}

// Files of ours whose tensors do not fit together.
func TestNativeQuantisedErrors(t *testing.T) {
	const words = `"word_offsets":{"dtype":"U64","shape":[3],"data_offsets":[0,24]},"words":{"dtype":"U8","shape":[2],"data_offsets":[24,26]}`
	offsets := file(uint64(0), uint64(1), uint64(2), "ab")
	metadata := func(more string) string {
		return `{"__metadata__":{"format":"w2v","version":"1"` + more + `},` + words
	}
	one := `,"input_centroids":{"dtype":"F32","shape":[2,2],"data_offsets":[28,44]}}`
	centroids := file([4]float32{1, 2, 3, 4})
	for _, tt := range []struct{ name, file, want string }{
		{"good", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x01"+centroids), ""},
		{"code", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x02"+centroids),
			`byte 8: input matrix: row 1 has code 2 of 2`},
		{"part", safetensorsFileOf(metadata(`,"input_part":"3"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x01"+centroids),
			`byte 8: metadata "input_part": expected a number from 1 to 2, found "3"`},
		{"parts", safetensorsFileOf(metadata(`,"input_part":"1"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}`+one, offsets+"\x00\x01"+centroids),
			`byte 8: tensor "input": 2 codes for 2 rows of 2`},
		{"no centroids", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]}}`, offsets+"\x00\x01"),
			`byte 8: expected a tensor "input_centroids" beside "input" of U8, found none`},
		{"no scales", safetensorsFileOf(metadata("")+`,"input":{"dtype":"I8","shape":[2,1],"data_offsets":[26,28]}}`, offsets+"\x00\x01"),
			`byte 8: expected a tensor "input_scales" beside "input" of I8, found none`},
		{"scales", safetensorsFileOf(metadata("")+`,"input":{"dtype":"I8","shape":[2,1],"data_offsets":[26,28]},"input_scales":{"dtype":"F32","shape":[1],"data_offsets":[28,32]}}`, offsets+"\x00\x01abcd"),
			`byte 8: tensor "input": scales of 1 rows for 2 rows`},
		{"norm codes", safetensorsFileOf(metadata(`,"input_part":"2"`)+`,"input":{"dtype":"U8","shape":[2,1],"data_offsets":[26,28]},"input_norm_codes":{"dtype":"U8","shape":[2],"data_offsets":[44,46]}`+one[:len(one)-1]+`}`, offsets+"\x00\x01"+centroids+"ab"),
			`byte 8: expected a tensor "input_norms" beside "input" of U8, found none`},
		{"dtype", safetensorsFileOf(metadata("")+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]},"input_scales":{"dtype":"U8","shape":[1],"data_offsets":[34,35]}}`, offsets+"12345678a"),
			`byte 8: tensor "input_scales": expected dtype F32, found "U8"`},
		{"composition without subwords", safetensorsFileOf(metadata(`,"composition":"whole"`)+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]}}`, offsets+"12345678"),
			`byte 8: composition "whole" in a set without subwords`},
		{"bucket set without subwords", safetensorsFileOf(metadata("")+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]},"bucket_set":{"dtype":"U8","shape":[1],"data_offsets":[34,35]}}`, offsets+"12345678a"),
			`byte 8: tensor "bucket_set": expected only with metadata "subword"`},
		{"n-grams without subwords", safetensorsFileOf(metadata("")+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[26,34]},"ngram_buckets":{"dtype":"U32","shape":[1],"data_offsets":[34,38]}}`, offsets+"12345678abcd"),
			`byte 8: tensor "ngram_buckets": expected only with metadata "subword"`},
		{"n-gram", safetensorsFileOf(metadata(`,"subword":"fasttext","minn":"3","maxn":"6","buckets":"9"`)+`,"input":{"dtype":"F32","shape":[3,1],"data_offsets":[26,38]},"ngram_buckets":{"dtype":"U32","shape":[1],"data_offsets":[38,42]}}`, offsets+"12345678abcd"+"\x09\x00\x00\x00"),
			`byte 8: n-grams: bucket 9 of 9`},
		{"shape", safetensorsFileOf(metadata("")+`,"input":{"dtype":"I8","shape":[2],"data_offsets":[26,28]}}`, offsets+"\x00\x01"),
			`byte 8: tensor "input": expected a shape of rows and columns, found [2]`},
	} {
		_, err := Read(strings.NewReader(tt.file))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
			t.Errorf("%s: got  %v\nwant %s", tt.name, err, tt.want)
		}
		view, viewErr := readNative(newView([]byte(tt.file)))
		if viewErr == nil {
			// Codes are looked at by Check, and until then stand for zeros.
			_ = view.Vectors()
			viewErr = view.Check()
		}
		if (viewErr == nil) != (tt.want == "") {
			t.Errorf("%s: mapped: got %v", tt.name, viewErr)
		}
	}
}

// Some of the words of a quantised set are as small as they were, and the same.
func TestPickKeepsCodes(t *testing.T) {
	for _, file := range []string{"fasttext/skipgram.bin", "fasttext/words.bin"} {
		for _, method := range []QuantizeMethod{QuantizeInt8, QuantizePQ, QuantizeOPQ} {
			s, err := openGolden(t, file).Quantize(t.Context(), QuantizeOptions{Method: method, KeepOutput: true})
			if err != nil {
				t.Fatal(err)
			}
			top := s.Top(20)
			if got, want := top.input.Encoding(), s.input.Encoding(); got != want {
				t.Errorf("%s, %s: rows are %s, want %s", file, method, got, want)
			}
			if err := top.Check(); err != nil {
				t.Fatal(err)
			}
			for id, word := range top.words.All() {
				want, _ := vector(s, word)
				if got, _ := vector(top, word); !slices.Equal(got, want) {
					t.Errorf("%s, %s: %q is %v, want %v", file, method, word, got, want)
				}
				was, _ := s.ID(word)
				if got, want := top.output.Row(id), s.output.Row(was); !slices.Equal(got, want) {
					t.Errorf("%s, %s: context of %q is %v, want %v", file, method, word, got, want)
				}
			}
		}
	}
}

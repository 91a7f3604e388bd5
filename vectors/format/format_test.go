package format

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// reduced returns how often a quick test does what a long one does n times.
func reduced(n, quick int) int {
	if longtest.Enabled() {
		return n
	}
	return quick
}

func TestFormatOf(t *testing.T) {
	tests := []struct {
		path        string
		plain, subs Format
	}{
		{"m.w2v", W2V, W2V},
		{"m.safetensors", W2V, W2V},
		{"m.bin", Word2Vec, FastText},
		{"m.w2vbin", Word2Vec, Word2Vec},
		{"m.vec", Text, Text},
		{"m.txt", Text, Text},
		{"m.glove", GloVe, GloVe},
		{"dir.d/M.VEC", Text, Text},
		{"m.bin.gz", Word2Vec, FastText},
		{"m.vec.zst", Text, Text},
		{"m.fifu", Finalfusion, Finalfusion},
		{"m.floret", Floret, Floret},
	}
	for _, tt := range tests {
		for subwords, want := range map[bool]Format{false: tt.plain, true: tt.subs} {
			if got, err := ForPath(tt.path, subwords); got != want || err != nil {
				t.Errorf("ForPath(%q, %v) = %q, %v; want %q", tt.path, subwords, got, err, want)
			}
		}
	}
	var extensions []string
	for _, c := range codecs {
		for _, e := range c.Extensions {
			extensions = append(extensions, e.Name)
		}
	}
	for path, want := range map[string]string{
		"m.model":   `m.model: the extension ".model" is not known; known are ` + strings.Join(slices.Compact(slices.Sorted(slices.Values(extensions))), " ") + `, each with .gz or .zst after it if wanted`,
		"dir.bin/m": `dir.bin/m: there is no extension to tell the format by; known are `,
		"m.gz":      `m.gz: there is no extension to tell the format by; known are `,
		"m.bin.gz2": `m.bin.gz2: the extension ".gz2" is not known; known are `,
	} {
		if f, err := ForPath(path, false); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ForPath(%q) = %q, %v; want %s", path, f, err, want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range All() {
		if got, err := Parse(string(f)); got != f || err != nil {
			t.Errorf("Parse(%q) = %q, %v", f, got, err)
		}
	}
	if !slices.Contains(All(), FastText) || len(All()) != len(codecs) {
		t.Errorf("All() = %v", All())
	}
	var names []string
	for _, f := range All() {
		names = append(names, string(f))
	}
	want := `the format "word2vecc" is not known; known are ` + strings.Join(names, ", ")
	if !slices.IsSorted(names) {
		t.Errorf("the formats are %q, which are not in order", names)
	}
	if _, err := Parse("word2vecc"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSniff(t *testing.T) {
	tests := []struct {
		name, head string
		want       Format
	}{
		{"header and text", "2 3\nthe 1 2 3\ncat 4 5 6\n", Text},
		{"header with tabs and a carriage return", "2\t3 \r\nthe\t1\t2\t3\r\n", Text},
		{"header alone", "0 5\n", Text},
		{"words with spaces", "2 2\nNew York 1 2\n", Text},
		{"broken text is text", "2 2\nthe 1 x\n", Text},
		{"zeros", "1 1\nthe \x00\x00\x00\x00\n", Word2Vec},
		{"newline before the first word", "1 2\n\nthe \x00\x00\x80\x3f\x00\x00\x00\x3f\n", Word2Vec},
		{"letters by chance", "1 1\nthe abcd\n", Word2Vec},
		{"no header", "the 0.1 -2e-5 nan\n", GloVe},
		{"no header, a number as word", "2000 0.1 0.2\n", GloVe},
		{"no header, a number as word, one dimension", "the 5\n", GloVe},
		{"no final newline", "the 0.1", GloVe},
		{"a long row", "the" + strings.Repeat(" 0.25", source.SniffLen), GloVe},
		{"a long row after a header", "1 65536\nthe" + strings.Repeat(" 0.25", source.SniffLen), Text},
		{"finalfusion", "FiFu\x00\x00\x00\x00", Finalfusion},
		{"floret", "50 5 2 3 2 2166136261 < >\n0 1 2 3 4 5 \n", Floret},
		{"floret with carriage returns", "50 5 2 3 2 2166136261 < >\r\n0 1 2 3 4 5\r\n", Floret},
		{"floret, numbers as marks", "50 7 2 3 2 2166136261 1 2\n0 1 2 3 4 5 6 7\n", Floret},
		{"floret, the first line alone", "50 5 2 3 2 2166136261 < >", Floret},
		{"floret, a broken row", "50 5 2 3 2 2166136261 < >\n0 1 x", Floret},
		{"seven dimensions of small integers", "50 7 2 3 2 21 1 2\nthe 1 2 3 4 5 6 7\n", GloVe},
		{"as many of another sort", "50 7 2 3 9 21 1 2\n0 1 2 3 4 5 6 7\n", GloVe},
		{"a long binary row", "1 65536\nthe " + strings.Repeat("\x00\x00\x80\x3f", source.SniffLen), Word2Vec},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := sniff([]byte(tt.head[:min(len(tt.head), source.SniffLen)]))
			if Format(c.Name) != tt.want || err != nil {
				t.Errorf("got %q, %v; want %q", Format(c.Name), err, tt.want)
			}
		})
	}
}

// What a caller gets wrong is an error that says so.
func TestFormatsMisuse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	plain := func() *vectors.Set {
		return trial.Unchecked(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(3, 4)})
	}
	unknown := func(f Format) string { _, err := codecOf(f); return err.Error() }
	_, extension := ForPath("", true)
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"reading no bytes", func() error { _, err := Read(strings.NewReader("")); return err }, "byte 0: expected a model, but the file is empty: unexpected EOF"},
		{"writing in no format", func() error { return Write(t.Context(), path, plain(), "") }, unknown("")},
		{"writing a set of nothing", func() error { return Write(t.Context(), path, trial.Unchecked(vectors.Parts{}), W2V) }, path + ": not a valid set: 0 dimensions, must be at least 1"},
		{"a place for no format", func() error { return CheckTarget(path, "") }, unknown("")},
		{"words in no format", func() error { return CheckWords(nil, "zip") }, unknown("zip")},
		{"n-grams in no format", func() error { return CheckSubword(nil, nil, "zip") }, unknown("zip")},
		{"no file", func() error { _, err := Open(""); return err }, "format: there is no path to open: it is empty"},
		{"no format", func() error { _, err := Describe(""); return err }, unknown("")},
		{"no extension", func() error { _, err := ForPath("", false); return err }, extension.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

// What Write makes is what TargetFiles says.
func TestTargetFiles(t *testing.T) {
	for _, f := range All() {
		t.Run(string(f), func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "model")
			set := trial.Plain(3, 4)
			if f == Floret {
				set = trial.Table(20)
			}
			if err := Write(t.Context(), path, set, f); err != nil {
				t.Fatal(err)
			}
			want, err := TargetFiles(path, f)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			err = filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					got = append(got, path)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("wrote %q, TargetFiles has %q", got, want)
			}
		})
	}
}

func TestHasState(t *testing.T) {
	folder := t.TempDir()
	state := trial.Plain(3, 4)
	state = alter(state, func(p *vectors.Parts) { p.State = []byte(`{"version":1}`) })
	for name, tt := range map[string]struct {
		set    *vectors.Set
		format Format
		want   bool
	}{
		"state.w2v":    {state, W2V, true},
		"state.w2v.gz": {state, W2V, true},
		"model.w2v":    {trial.Plain(3, 4), W2V, false},
		"model.vec":    {trial.Plain(3, 4), Text, false},
	} {
		path := filepath.Join(folder, name)
		if err := Write(t.Context(), path, tt.set, tt.format); err != nil {
			t.Fatal(err)
		}
		if got, err := HasState(path); err != nil || got != tt.want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, tt.want)
		}
	}
	for name, content := range map[string]string{"empty": "", "prose": "Once upon a time there was a dog.\n", "cut": string(encode(t, state, W2V)[:200])} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if has, err := HasState(path); err == nil || has {
			t.Errorf("%s: %v, %v, want an error", name, has, err)
		}
	}
	if _, err := HasState(filepath.Join(folder, "missing")); err == nil {
		t.Error("no error of a file that is not there")
	}
}

// Words that a format cannot hold are left out by name, and all others are written
// with their
func TestWritable(t *testing.T) {
	words := []string{"the", "", "caf\xe9", "a b", "a\nb", "the", "a\x00b", "naïve"}
	const twice = "stands there twice, first as word 0, which "
	for format, want := range map[Format]map[int]string{
		W2V:                  {},
		Npy:                  {1: "is empty", 4: "contains a newline"},
		Text:                 {1: "is empty", 4: "contains a newline"},
		GloVe:                {1: "is empty", 4: "contains a newline"},
		Word2Vec:             {1: "is empty", 3: "contains a space", 4: "contains a space or a newline"},
		FastText:             {1: "is empty", 5: twice + "fastText", 6: "contains a zero byte"},
		Finalfusion:          {2: "is not UTF-8", 5: twice + "finalfusion"},
		Model2Vec:            {1: "is empty", 2: "is not valid UTF-8", 5: twice + "a tokenizer"},
		SentenceTransformers: {1: "is empty", 2: "is not valid UTF-8", 5: twice + "a tokenizer"},
		Projector:            {1: "is nothing but white space", 4: "contains a tab or the end of a line"},
	} {
		t.Run(string(format), func(t *testing.T) {
			s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(words), 2), Counts: []uint64{8, 7, 6, 5, 4, 3, 2, 1}})
			for i := range words {
				s.Input().Row(i)[0], s.Input().Row(i)[1] = float32(i), 1
			}
			got, others, err := writable(t, s, format)
			if err != nil {
				t.Fatal(err)
			}
			if len(others) != len(want) || len(want) == 0 && got != s {
				t.Errorf("%d words are left out, want %d: %v", len(others), len(want), others)
			}
			for _, other := range others {
				if reason, ok := want[other.ID]; !ok || other.Word != words[other.ID] || !strings.HasPrefix(other.Reason.Error(), reason) {
					t.Errorf("left out: %v; want %q", other, reason)
				}
			}
			files := filesOf(t, got, format)
			if len(files) == 0 {
				t.Fatal("nothing was written")
			}
			at := 0
			for id := range words {
				if _, out := want[id]; out {
					continue
				}
				if got.Words().At(at) != words[id] || trial.WordVector(got, at)[0] != float32(id) || got.Counts()[at] != s.Counts()[id] {
					t.Errorf("word %d is %q, %v, want %q", at, got.Words().At(at), trial.WordVector(got, at), words[id])
				}
				at++
			}
			if len(want) > 0 { // and all of them are refused by type
				err := Write(t.Context(), t.TempDir()+"/x", s, format)
				if other, ok := errors.AsType[*UnwritableWord](err); !ok || other.Word != words[other.ID] {
					t.Errorf("got %v, want an unwritable word", err)
				}
			}
		})
	}
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("\xff"), Input: vectors.NewMatrix(1, 2)})
	if _, _, err := writable(t, s, Finalfusion); errorText(err) != `the format finalfusion can hold none of the 1 words: word 0, "\xff", is not UTF-8, which finalfusion insists on` {
		t.Errorf("of no writable word: %v", err)
	}
}

// N-grams stay when words that cannot be written are left out.
func TestWritableKeepsNgrams(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin") // has a word that is not UTF-8
	got, others, err := writable(t, s, Finalfusion)
	if err != nil || len(others) == 0 {
		t.Fatalf("%d words left out, %v", len(others), err)
	}
	again, err := Read(bytes.NewReader(encode(t, got, Finalfusion)))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"the", "zzyzx", "naïvely"} {
		want, _ := vector(s, word)
		v, ok := vector(again, word)
		if !ok {
			t.Errorf("%q has no vector", word)
			continue
		}
		trial.Near(t, word, v, want)
	}
}

// alter returns s with some of its parts changed, whether they fit together or not.
func alter(s *vectors.Set, change func(p *vectors.Parts)) *vectors.Set {
	p := s.Parts()
	change(&p)
	return trial.Unchecked(p)
}

// mustQuantize returns s quantised.
func mustQuantize(t testing.TB, s *vectors.Set, o transform.QuantizeOptions) *vectors.Set {
	t.Helper()
	q, err := transform.Quantize(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// read reads a set from r, which holds size bytes or, if size is negative, who knows.
func read(r io.Reader, size int64) (*vectors.Set, error) {
	in, err := source.Decompress(r, size)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readFile(in)
}

// writable returns s without the words that a format cannot hold, and these.
func writable(t *testing.T, s *vectors.Set, f Format) (*vectors.Set, []*UnwritableWord, error) {
	t.Helper()
	others, err := Unwritable(s, f)
	if err != nil || len(others) == 0 {
		return s, others, err
	}
	var ids []uint32
	for id := range s.Len() {
		if !slices.ContainsFunc(others, func(w *UnwritableWord) bool { return w.ID == id }) {
			ids = append(ids, uint32(id))
		}
	}
	return transform.Pick(s, ids), others, nil
}

// nativeRows are the matrices of many rows in a native file.
func nativeRows() []string {
	names := []string{"input", "output", "labels", "label_nodes", "label_runs"}
	for _, k := range vectors.MatrixKinds() {
		if !k.Table {
			names = append(names, k.Name)
		}
	}
	return names
}

// withDType returns a matrix whose numbers are rounded to a type.
func withDType(m vectors.Matrix, d vectors.DType) vectors.Matrix {
	s := trial.Unchecked(vectors.Parts{Input: m})
	return transform.WithDType(s, d).Input()
}

// A forward storage tells how often it was begun anew, as one reads rows.
type forward struct {
	of    vectors.Matrix
	last  atomic.Int64
	begun atomic.Int64
}

func (f *forward) Read(dst []float32, r int) {
	if int64(r) < f.last.Swap(int64(r)) || f.begun.Load() == 0 {
		f.begun.Add(1)
	}
	f.of.Read(dst, r)
}

// isZero reports whether all numbers of a row are 0.
func isZero(row []float32) bool {
	return !slices.ContainsFunc(row, func(x float32) bool { return x != 0 })
}

// scale multiplies a row by a number.
func scale(row []float32, by float32) {
	for k := range row {
		row[k] *= by
	}
}

// methods are those of Quantize, with and without choices.
var methods = map[string]transform.QuantizeOptions{
	"f16":              {Method: transform.QuantizeF16},
	"int8":             {Method: transform.QuantizeInt8, KeepOutput: true},
	"pq":               {},
	"pq, two bytes":    {Method: transform.QuantizePQ, Bytes: 2, KeepOutput: true},
	"opq":              {Method: transform.QuantizeOPQ, Seed: 3},
	"opq, all buckets": {Method: transform.QuantizeOPQ, KeepUnused: true, KeepOutput: true},
}

// What is written to a file or a folder is read from a file system as from there, and its
// format is detected.
func TestOpenFSAndDetect(t *testing.T) {
	for _, f := range All() {
		t.Run(string(f), func(t *testing.T) {
			s := trial.Plain(20, 3)
			if CheckSubword(nil, nil, f) != nil {
				s = trial.Table(20)
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "sub", "model")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := Write(t.Context(), path, s, f); err != nil {
				t.Fatal(err)
			}
			if found, err := Detect(path); err != nil || found != f {
				t.Errorf("detected as %q, %v", found, err)
			}
			want, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer want.Close() //nolint:errcheck // it was only read
			got, err := OpenFS(os.DirFS(dir), "sub/model")
			if err != nil {
				t.Fatal(err)
			}
			trial.SameSet(t, got, want)
			if Format(got.Format()) != f || got.InFile() {
				t.Errorf("format %s, in the file: %v", got.Format(), got.InFile())
			}
		})
	}
}

// Errors of file systems are one line that begins with the name.
func TestOpenFSErrors(t *testing.T) {
	files := fstest.MapFS{
		"empty.vec":      {},
		"m.npy":          {Data: []byte(npyMatrix("<f4", "(1, 1)", "\x00\x00\x80\x3f"))},
		"folder/a.txt":   {Data: []byte("a")},
		"broken/x.vec":   {Data: []byte("2 1\na 1\nb x\n")},
		"m2/config.json": {Data: []byte("{}")},
	}
	for name, want := range map[string]string{
		"none":         "none: file does not exist",
		"empty.vec":    "empty.vec: byte 0: expected a model, but the file is empty: unexpected EOF",
		"m.npy":        "m.npy: the words, one a line, are expected in m.npy.vocab.txt: file does not exist",
		"folder":       "folder: is a folder, want a model file or a folder that a model was written to",
		"broken/x.vec": "broken/x.vec: line 3: expected a word and 1 numbers, found \"x\" for number 1",
		"m2":           "m2: the vectors are expected in m2/model.safetensors: file does not exist",
	} {
		if _, err := OpenFS(files, name); err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", name, err, want)
		}
	}
	for path, want := range map[string]string{"": "no such file", t.TempDir(): "is a folder, want a model file"} {
		if _, err := Detect(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Detect(%q): %v", path, err)
		}
	}
}

package format

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

var update = flag.Bool("update", false, "write the table of formats into docs/formats.md")

// The table of formats in docs/formats.md is what the registry says, which
// TestCapabilities has tried.
func TestFormatsTable(t *testing.T) {
	const begin, end = "<!-- formats: generated -->\n", "<!-- formats: end -->\n"
	path := filepath.Join("..", "..", "docs", "formats.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	got, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no lines %q and %q", path, begin, end)
	}
	want := formatsTable(t)
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the formats are: run go test ./vectors/format -run TestFormatsTable -update", path)
	}
	if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

func formatsTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| format | extension | read | write | stream | map | subwords kept | context vectors | nodes of a tree | counts | lossless | who else reads it |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, f := range All() {
		d, err := Describe(f)
		if err != nil {
			t.Fatal(err)
		}
		if d.Programs == "" {
			t.Errorf("%s: nobody reads it", f)
		}
		where := "a folder"
		if !d.Folder && len(d.Extensions) == 0 {
			where = "by name"
		} else if !d.Folder {
			where = "`" + strings.Join(d.Extensions, "` `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s |", f, where)
		for _, can := range []bool{
			d.Read, d.Write, d.Stream, d.Map, d.Keeps.Subwords, d.Keeps.Context, d.Keeps.Nodes, d.Keeps.Counts, d.Lossless,
		} {
			b.WriteString(map[bool]string{true: " yes |", false: " |"}[can])
		}
		fmt.Fprintf(&b, " %s |\n", d.Programs)
	}
	return b.String()
}

// trialSets are what formats are tried with: each one with the first that it can
// hold.
func trialSets() []*vectors.Set { return []*vectors.Set{fullSet(), cutSet(), trial.Table(200)} }

// What the registry says of a format is tried, for every format there is.
func TestCapabilities(t *testing.T) {
	if known := fullSet().Training().Known(); !slices.Equal(known, vectors.TrainingNames()) {
		t.Fatalf("the set to try has only %q", known)
	}
	for _, f := range All() {
		t.Run(string(f), func(t *testing.T) {
			d, err := Describe(f)
			if err != nil {
				t.Fatal(err)
			}
			if !d.Folder {
				for _, ext := range d.Extensions {
					plain, _ := ForPath("x"+ext, false)
					subwords, _ := ForPath("x"+ext, true)
					if plain != f && subwords != f {
						t.Errorf("the extension %s asks for %s or %s", ext, plain, subwords)
					}
				}
			}
			if !d.Write {
				if err := Write(t.Context(), filepath.Join(t.TempDir(), "model"), fullSet(), f); err == nil {
					t.Error("written")
				}
				return
			}
			path := filepath.Join(t.TempDir(), "model")
			var s *vectors.Set
			for _, s = range trialSets() {
				if err = Write(t.Context(), path, s, f); err == nil {
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := Open(path)
			if (err == nil) != d.Read {
				t.Fatalf("read: %v, Open says %v", d.Read, err)
			}
			if err != nil {
				return
			}
			defer got.Close()
			if Format(got.Format()) != f || !slices.Equal(got.Words().Strings(), s.Words().Strings()) {
				t.Fatalf("read as %s, words %q, want %q", got.Format(), got.Words(), s.Words())
			}
			for id, word := range s.Words().All() {
				trial.Near(t, word, trial.WordVector(got, id), trial.WordVector(s, id))
			}
			tryKept(t, d, got, s)
			tryMapped(t, d, got)
			tryStream(t, d)
		})
	}
}

// tryKept compares what d says is kept of s with what was read.
func tryKept(t *testing.T, d Capabilities, got, s *vectors.Set) {
	t.Helper()
	if s.Len() > 0 && slices.Equal(got.Counts(), s.Counts()) != d.Keeps.Counts {
		t.Errorf("counts kept: %v, but there are %v", d.Keeps.Counts, got.Counts())
	}
	if context := s.Len() > 0 && got.Output().Rows == s.Len(); context != d.Keeps.Context {
		t.Errorf("context vectors kept: %v, but there are %d", d.Keeps.Context, got.Output().Rows)
	} else if context {
		trial.SameMatrix(t, "output", got.Output(), s.Output())
	}
	if (got.Subword() != nil) != d.Keeps.Subwords {
		t.Errorf("subwords kept: %v, but they are %v", d.Keeps.Subwords, got.Subword())
	}
	for _, word := range append([]string{"then", "w1", "日本日"}, trial.Unknown()...) {
		want, ok := vector(s, word)
		v, answered := vector(got, word)
		if answered != (ok && d.Keeps.Subwords) {
			t.Errorf("subwords kept: %v, but %q has a vector: %v", d.Keeps.Subwords, word, answered)
		}
		if answered {
			trial.Near(t, word, v, want)
		}
	}
	known, keeps := got.Training().Known(), slices.Clone(d.Keeps.Training)
	if got.Training().Text("loss") == "" { // that of nodes is said by their being there: TestTreeInFastText
		keeps = slices.DeleteFunc(keeps, func(name string) bool { return name == "loss" })
	}
	keeps = slices.DeleteFunc(keeps, func(name string) bool { return !slices.Contains(s.Training().Known(), name) })
	if !slices.Equal(known, keeps) {
		t.Errorf("of Training %q are kept, but there are %q", d.Keeps.Training, known)
	}
	all := slices.Equal(d.Keeps.Training, vectors.TrainingNames())
	want := s.Training()
	for _, name := range vectors.Attachments() {
		if !slices.Contains(d.Keeps.Attached, name) {
			want.Attach(name, nil)
		}
	}
	if all && !got.Training().Equal(want) {
		t.Errorf("training %+v, want %+v", got.Training(), want)
	}
	if !d.Lossless {
		return
	}
	for seed := range uint64(20) { // sets of every shape, words of any bytes
		r := dice{rand.New(rand.NewPCG(seed, 1))}
		s := r.set(anyPieces, true)
		path := filepath.Join(t.TempDir(), "any")
		if err := Write(t.Context(), path, s, d.Format); err != nil {
			t.Fatal(err)
		}
		got, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		trial.SameSet(t, got, s)
		if !got.Training().Equal(s.Training()) || got.Composition() != s.Composition() {
			t.Errorf("training %+v, want %+v", got.Training(), s.Training())
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}

// tryMapped looks where the rows of a plain file are.
func tryMapped(t *testing.T, d Capabilities, got *vectors.Set) {
	t.Helper()
	mapped := backing.Behind(got.Parts().Source).Mapped()
	if !endian.Big && mapped != d.Map {
		t.Errorf("maps: %v, but it is mapped: %v", d.Map, mapped)
	}
}

// tryStream writes plain words, or a table without words, whose rows come one by
// one, and leaves them in the file when it reads them.
func tryStream(t *testing.T, d Capabilities) {
	t.Helper()
	s := trial.Plain(1500, 8)
	if CheckSubword(nil, subword.Mean, d.Format) != nil {
		s = trial.Table(1500)
	}
	rows := &forward{of: s.Input()}
	s = alter(s, func(p *vectors.Parts) { p.Input = vectors.Stored(s.Input().Rows, s.Dim(), rows) })
	s = alter(s, func(p *vectors.Parts) { p.Source = &backing.File{Sequential: true} })
	ext := ".gz"
	if d.Folder {
		ext = ""
	}
	path := filepath.Join(t.TempDir(), "plain"+ext)
	if err := Write(t.Context(), path, s, d.Format); err != nil {
		if d.Stream {
			t.Error(err)
		}
		return
	}
	// A second pass is for what has to be known before the first row is written.
	if begun := rows.begun.Load(); d.Stream && begun > 2 {
		t.Errorf("streams, but goes back in the rows: %d times", begun)
	}
	got, err := OpenStream(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if got.InFile() != d.Stream {
		t.Errorf("streams: %v, but the rows are left in the file: %v", d.Stream, got.InFile())
	}
	if got.Input().Rows != s.Input().Rows {
		t.Fatalf("%d rows, want %d", got.Input().Rows, s.Input().Rows)
	}
	for r := range s.Input().Rows {
		trial.Near(t, "row", got.Input().Row(r), s.Input().Row(r))
	}
}

// encodeFiles returns the files of a set in a file system, where m is the set.
func encodeFiles(s *vectors.Set, f Format) (fstest.MapFS, error) {
	inMemory, err := filesInMemory(s, f)
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	for name, file := range inMemory {
		if can, err := Describe(f); err == nil && can.Folder {
			name = "/" + name
		}
		files["m"+name] = &fstest.MapFile{Data: file}
	}
	return files, nil
}

// Every variant goes into every format: its words have their vectors there, and what else
// there is of it is what Describe and KeepsSubword say.
func TestFormatsOfVariants(t *testing.T) {
	for _, f := range All() {
		d, err := Describe(f)
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		for name, s := range trial.Variants() {
			facts := s.Training()
			facts.Set("pooling", "mean") // so that rows are vectors in formats that pool them
			s = s.WithTraining(facts)
			keeps := KeepsSubword(s.Subword(), s.Composition(), f)
			if CheckSubword(s.Subword(), s.Composition(), f) != nil {
				continue
			}
			written++
			files, err := encodeFiles(s, f)
			if err != nil {
				t.Fatalf("%s as %s: %v", name, f, err)
			}
			got, err := OpenFS(files, "m")
			if err != nil {
				t.Fatalf("%s as %s: %v", name, f, err)
			}
			if err := got.Check(); err != nil {
				t.Fatalf("%s as %s: %v", name, f, err)
			}
			for _, word := range s.Words().Strings() {
				v, ok := vector(got, word)
				if got.Len() == 0 && word == "</s>" { // of no pieces, and known to the list of words alone
					continue
				}
				if !ok {
					t.Errorf("%s as %s: %q has no vector", name, f, word)
					continue
				}
				trial.Near(t, name+" as "+string(f)+": "+word, v, trial.Narrow(trial.Definition(s, word)))
			}
			for _, word := range trial.Unknown() {
				want, had := vector(s, word)
				v, ok := vector(got, word)
				if ok != (had && keeps) {
					t.Errorf("%s as %s: n-grams are kept: %v, but %q has a vector: %v", name, f, keeps, word, ok)
				}
				if ok {
					trial.Near(t, name+" as "+string(f)+": "+word, v, want)
				}
			}
			if n := s.Matrix(vectors.MatrixNodes).Rows; n > 0 && got.Len() > 0 && (got.Matrix(vectors.MatrixNodes).Rows == n) != d.Keeps.Nodes {
				t.Errorf("%s as %s: %d nodes", name, f, got.Matrix(vectors.MatrixNodes).Rows)
			}
			if s.Output().Rows > 0 && got.Len() > 0 && (got.Output().Rows > 0) != d.Keeps.Context {
				t.Errorf("%s as %s: %d context vectors", name, f, got.Output().Rows)
			}
			_, _, had := s.Input().Factors()
			_, _, has := got.Input().Factors()
			for what, kept := range map[string][2]bool{
				"word n-grams":     {s.Matrix(vectors.MatrixWordNgrams).Rows > 0, got.Matrix(vectors.MatrixWordNgrams).Rows > 0},
				"position weights": {s.Matrix(vectors.MatrixPositionWeights).Rows > 0, got.Matrix(vectors.MatrixPositionWeights).Rows > 0},
				"output rows":      {s.Matrix(vectors.MatrixPositionOutput).Rows > 0, got.Matrix(vectors.MatrixPositionOutput).Rows > 0},
				"factors":          {had, has},
			} {
				if kept[0] && kept[1] != d.Keeps.Rest {
					t.Errorf("%s as %s: %s are kept: %v", name, f, what, kept[1])
				}
			}
			if err := got.Close(); err != nil {
				t.Error(err)
			}
		}
		if want := map[Format]int{Floret: 3}[f]; want > 0 && written != want || want == 0 && written != len(trial.Variants()) {
			t.Errorf("%s: %d variants are written", f, written)
		}
	}
}

// written returns how many bytes a set takes in a format, and false if it cannot hold it.
func written(t *testing.T, s *vectors.Set, f Format) (uint64, bool) {
	t.Helper()
	c, err := codecOf(f)
	if err != nil {
		t.Fatal(err)
	}
	var n counter
	err = backing.Behind(s.Parts().Source).Guarded(func() error {
		parts, err := partsOf(c, s)
		for _, part := range parts {
			w := bufio.NewWriter(&n)
			err = errors.Join(err, part.Write(w), w.Flush())
		}
		return err
	})
	return uint64(n), err == nil
}

// sizable are sets of many rows, as training makes them: of words, and with n-grams.
func sizable() map[string]*vectors.Set {
	r := rand.New(rand.NewPCG(3, 4))
	matrix := func(rows int) vectors.Matrix {
		m := vectors.NewMatrix(rows, 20)
		for row := range rows {
			for k := range m.Row(row) {
				m.Row(row)[k] = float32(r.NormFloat64() / 4)
			}
		}
		return m
	}
	words := randomWords(r, 1000, []string{"a", "the", "é", "日本"})
	plain := trial.Unchecked(vectors.Parts{Words: vectors.NewWords(words...), Counts: make([]uint64, len(words)), Input: matrix(len(words)), Output: matrix(len(words))})
	for id := range words {
		plain.Counts()[id] = uint64(90_000 / (id + 1))
	}
	sub := subword.FastText{MinN: 3, MaxN: 6, Buckets: 2000}
	table := rowtable.New(words, sub, rowtable.Options{})
	ngrams := trial.Unchecked(vectors.Parts{
		Words: plain.Words(), Counts: plain.Counts(), Input: matrix(table.Rows()), Output: plain.Output(),
		Subword: sub, WordRows: table.WordRow, BucketRows: table.BucketRow,
	})
	pieces := trial.Unchecked(vectors.Parts{
		Subword:     subword.Floret{MinN: 2, MaxN: 4, Buckets: 2000, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"},
		Composition: subword.Pieces,
		Input:       matrix(2000),
	})
	checkpoint := trial.Unchecked(vectors.Parts{
		Words: plain.Words(), Counts: plain.Counts(), Input: plain.Input(), Output: plain.Output(),
		State: make([]byte, 1000), StateRows: []vectors.Matrix{matrix(len(words))},
	})
	return map[string]*vectors.Set{"words": plain, "checkpoint": checkpoint, "n-grams": ngrams, "pieces": pieces, "half": transform.WithDType(plain, vectors.F16)}
}

func TestEstimateSizeIsNearWhatIsWritten(t *testing.T) {
	tried := map[Format]bool{}
	for name, s := range sizable() {
		for _, f := range All() {
			size, ok := written(t, s, f)
			if !ok {
				continue
			}
			tried[f] = true
			shape := s.Shape()
			shape.Trained = shape.Encoding == string(vectors.F32)
			least := 0.75
			if len(f.DTypes()) == 0 { // in decimal
				least = 0.1
				if shape.Trained {
					least = 0.6
				}
			}
			got := EstimateSize("model", shape, f)
			if got > size || float64(got) < least*float64(size) {
				t.Errorf("%s as %s: estimated %d bytes, written %d", name, f, got, size)
			}
		}
	}
	if len(tried) != len(All()) {
		t.Errorf("%d of %d formats are tried", len(tried), len(All()))
	}
}

// Whatever the set, what is estimated fits where it can be written.
func TestEstimateSizeIsNeverMore(t *testing.T) {
	r := dice{rand.New(rand.NewPCG(11, 12))}
	sets := []*vectors.Set{fullSet(), trial.Table(200), trial.Unchecked(vectors.Parts{Input: vectors.Matrix{Cols: 3}})}
	for range reduced(30, 4) {
		sets = append(sets, r.set(plainPieces, r.IntN(2) == 0))
	}
	for _, method := range []transform.QuantizeMethod{transform.QuantizeF16, transform.QuantizePQ, transform.QuantizeInt8}[:reduced(3, 2)] {
		small, err := transform.Quantize(t.Context(), sizable()["n-grams"], transform.QuantizeOptions{Method: method, KeepOutput: true, EqualParts: true})
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, small, transform.Whole(small))
	}
	for _, s := range trial.Variants() {
		sets = append(sets, s, transform.WithDType(s, vectors.F16))
	}
	for i, s := range sets {
		for _, f := range All() {
			if size, ok := written(t, s, f); ok {
				if got := EstimateSize("model", s.Shape(), f); got > size {
					t.Errorf("set %d as %s: estimated %d bytes, written %d: %+v", i, f, got, size, s.Shape())
				}
			}
		}
	}
}

func TestEstimateSizeOfCompressedFilesIsUnknown(t *testing.T) {
	shape := fullSet().Shape()
	for path, known := range map[string]bool{"m.vec": true, "m.vec.gz": false, "m.w2v.zst": false, "m.bz2": true} {
		if got := EstimateSize(path, shape, Text); (got > 0) != known {
			t.Errorf("%s: %d bytes", path, got)
		}
	}
}

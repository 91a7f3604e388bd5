package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A checkpoint says that it is one, and what other formats leave out of it.
func TestInfoOfCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.w2v")
	set := newSet(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 2)})
	for _, state := range [][]byte{nil, []byte("{}")} {
		set := with(set, func(p *vectors.Parts) { p.State = state })
		if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
			t.Fatal(err)
		}
		opened, err := format.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		i, err := describe(path, opened)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		i.print(&text)
		if got, want := strings.Contains(text.String(), "checkpoint   yes\n"), state != nil; got != want || i.Checkpoint != want {
			t.Errorf("state %q: checkpoint %v, printed:\n%s", state, i.Checkpoint, &text)
		}
		want := ""
		if state != nil {
			want = "the state of the training"
		}
		if got := format.LeavesOut(opened, format.Text).String(); got != want {
			t.Errorf("state %q: text leaves out %q, want %q", state, got, want)
		}
		if got := format.LeavesOut(opened, format.W2V).String(); got != "" {
			t.Errorf("state %q: the native format leaves out %q", state, got)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What a variant has besides rows of words is said, and all its numbers are counted, once.
func TestInfoOfVariants(t *testing.T) {
	words := vectors.NewWords("a", "b", "c")
	rows, context := vectors.NewMatrix(3, 8), vectors.NewMatrix(3, 8)
	positions := vectors.NewMatrix(4*3, 8)
	for _, c := range []struct {
		name string
		set  *vectors.Set
		text []string
		json string
	}{
		{"words", newSet(vectors.Parts{Words: words, Input: rows, Output: context}),
			[]string{"input rows   3", "output rows  3", "parameters   48: 24 of input, 24 of output"},
			`"input_rows":3,"output_rows":3,"parameters":{"input":24,"output":24,"total":48}`},
		{"rank", newSet(vectors.Parts{Words: words, Input: vectors.Product(vectors.NewMatrix(3, 2), vectors.NewMatrix(2, 8)), Output: context}),
			[]string{"dimensions   8,", "input rows   3, of 2 numbers each, times a projection", "parameters   46: 22 of input, 24 of output"},
			`"input_rows":3,"rank":2,"output_rows":3,"parameters":{"input":22,`},
		{"tied", newSet(vectors.Parts{Words: words, Input: rows, Output: rows, Training: vectors.NewTraining("tied", true)}),
			[]string{"output rows  the input rows", "parameters   24: 24 of input, 0 of output", "tied true"},
			`"output_rows":3,"parameters":{"input":24,"output":0,"total":24}`},
		{"tied, made smaller", newSet(vectors.Parts{Words: words, Input: rows, Training: vectors.NewTraining("tied", true)}),
			[]string{"output rows  0", "parameters   24: 24 of input, 0 of output", "tied true"},
			`"output_rows":0,"parameters":{"input":24,"output":0,"total":24}`},
		{"structured", newSet(vectors.Parts{Words: words, Input: rows, Matrices: []vectors.NamedMatrix{{Name: vectors.MatrixPositionOutput, Matrix: positions}}}),
			[]string{"output rows  3 for each of 4 relative positions", "parameters   120: 24 of input, 96 of output"},
			`"output_rows":3,"position_outputs":4,"parameters":{"input":24,"output":96,"total":120}`},
		{"directions", newSet(vectors.Parts{Words: words, Input: rows, Output: context, Matrices: []vectors.NamedMatrix{{Name: vectors.MatrixDirections, Matrix: rows}}}),
			[]string{"output rows  3", "directions   3, which tell contexts on the left from those on the right", "parameters   72: 24 of input, 48 of output"},
			`"output_rows":3,"directions":3,"parameters":{"input":24,"output":48,"total":72}`},
		{"tree", newSet(vectors.Parts{Words: words, Input: rows, Matrices: []vectors.NamedMatrix{{Name: vectors.MatrixNodes, Matrix: vectors.NewMatrix(2, 8)}}}),
			[]string{"output rows  2, of the inner nodes of the vocabulary's tree", "parameters   40: 24 of input, 16 of output"},
			`"output_rows":0,"nodes":2,"parameters":{"input":24,"output":16,"total":40}`},
		{"positions and runs", newSet(vectors.Parts{Words: words, Input: rows, Output: context, Matrices: []vectors.NamedMatrix{{Name: vectors.MatrixPositionWeights, Matrix: vectors.NewMatrix(4, 8)}, {Name: vectors.MatrixWordNgrams, Matrix: vectors.NewMatrix(50, 8)}}, Training: vectors.NewTraining("word_ngrams", 2)}),
			[]string{"position weights  of 4 relative positions", "word n-grams      of up to 2 words, in 50 rows", "480: 456 of input, 24 of output"},
			`"position_weights":4,"word_ngram_rows":50,"parameters":{"input":456,`},
		{"hash", newSet(vectors.Parts{Words: words, Input: vectors.NewMatrix(20, 6), Output: context, Composition: subword.Weighted,
			Subword: subword.Hash{Buckets: 20, Hashes: 2, Importances: 40, AppendWeights: true}, Matrices: []vectors.NamedMatrix{{Name: vectors.MatrixImportance, Matrix: vectors.NewMatrix(40, 2)}}}),
			[]string{"dimensions   8,", "n-grams      whole words alone, in 20 rows, 2 for each, weighted by 40 rows of importances, which are the last dimensions too", "224: 200 of input, 24 of output"},
			`"ngrams":{"kind":"hash","minn":0,"maxn":0,"buckets":20,"hashes":2,"importances":40,"append_weights":true}`},
	} {
		if err := c.set.Check(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		i, err := describe("info.go", c.set) // some file
		if err != nil {
			t.Fatal(err)
		}
		var text, json strings.Builder
		i.print(&text)
		if err := printJSON(&json, i); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.text {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, &text)
			}
		}
		if !strings.Contains(json.String(), c.json) {
			t.Errorf("%s: no %s in %s", c.name, c.json, &json)
		}
	}
}

// The rows of a word of hash embeddings come with what each counts for its n-gram.
func TestNgramsHaveImportances(t *testing.T) {
	set := newSet(vectors.Parts{Words: vectors.NewWords("ab"), Composition: subword.Weighted, Input: vectors.NewMatrix(5, 1),
		Subword: subword.Hash{MinN: 2, MaxN: 2, Buckets: 5, Hashes: 2, Importances: 7}, Matrices: []vectors.NamedMatrix{{Name: vectors.MatrixImportance, Matrix: vectors.NewMatrix(7, 2)}}})
	for r := range 7 {
		copy(set.Matrix(vectors.MatrixImportance).Row(r), []float32{float32(r), float32(r) + 0.5})
	}
	rows := ngramsOf(set, "ab")
	if len(rows) != 2*4 { // <ab> <a ab b>
		t.Fatalf("%d rows", len(rows))
	}
	importances := set.Subword().(subword.Hash).AppendImportances(nil, "ab")
	for i, r := range rows {
		if want := float32(importances[i/2]) + 0.5*float32(i%2); r.Importance == nil || *r.Importance != want {
			t.Errorf("row %d, of %s, counts %v, want %v", i, r.Ngram, r.Importance, want)
		}
	}
	bucket := strings.Fields(string(rows[0].line(nil)))
	if len(bucket) != 4 || bucket[0] != "<ab>" {
		t.Errorf("printed as %q", bucket)
	}
}

// newSet is vectors.New of parts that fit together.
func newSet(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(err)
	}
	return s
}

// with returns s with some of its parts changed.
func with(s *vectors.Set, change func(p *vectors.Parts)) *vectors.Set {
	p := s.Parts()
	change(&p)
	return newSet(p)
}

package scorer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// chars returns a classifier with n-grams whose rows are drawn at random, as if it were read from fastText's file. The
// scores of its labels are multiplied by a number.
func chars(t *testing.T, by float32, changes ...change) *Model {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	const words, buckets, dim, labels = 50, 300, 13, 5
	fill := func(rows int, by float32) vectors.Matrix {
		m := vectors.NewMatrix(rows, dim)
		for i := range m.Data {
			m.Data[i] = by * float32(random.NormFloat64())
		}
		return m
	}
	var names, of []string
	for i := range words {
		names = append(names, fmt.Sprintf("w%dx%d", i*i, i))
	}
	for i := range labels {
		of = append(of, fmt.Sprint(corpus.DefaultPrefix, i))
	}
	inputs, outputs := fill(words+buckets, 1), fill(labels, by)
	for _, c := range changes {
		outputs.Row(c.label)[dim/2] = c.number
	}
	set, err := vectors.New(vectors.Parts{
		Words: vectors.NewWords(names...), Input: inputs, Subword: &subword.FastText{MinN: 2, MaxN: 4, Buckets: buckets},
		Labels:   &vectors.Labels{Names: vectors.NewWords(of...), Rows: outputs},
		Training: vectors.NewTraining("arch", "supervised", "loss", lossSoftmax),
		Origin:   vectors.Origin{Format: formatFastText},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(set)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A change puts a number into a label's row.
type change struct {
	label  int
	number float32
}

func randomLines(n int) (lines []string) {
	random := rand.New(rand.NewPCG(3, 4))
	for range n {
		var words []string
		for range random.IntN(30) {
			i := random.IntN(70) // some are unknown
			words = append(words, fmt.Sprintf("w%dx%d", i*i, i))
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return append(lines, "", "漢", strings.Repeat("w4x2 w9x3 ", 1000))
}

// Labels that sums of words are certain of are those of sums in fastText's order; most are certain where scores differ,
// and none where they hardly do.
func TestLabelsFromSums(t *testing.T) {
	for by, least := range map[float32]float64{1: 0.9, 0.01: 0.5, 1e-5: 0, 0: 0} {
		m := chars(t, by)
		if by == 0 {
			if m.sums != nil {
				t.Error("labels without numbers have sums")
			}
			continue
		}
		lines, sure := randomLines(400), 0
		var all sync.WaitGroup
		for range 2 { // words are summed once
			all.Go(func() {
				p := NewPredictor(m)
				for _, line := range lines {
					p.ReadQuick([]byte(line), true)
				}
			})
		}
		all.Wait()
		p, q := NewPredictor(m), NewPredictor(m)
		for _, line := range lines {
			p.ReadQuick([]byte(line), true)
			q.Read([]byte(line), true)
			if p.sure {
				sure++
			}
			if err := p.Predict(1, 0); err != nil {
				t.Fatal(err)
			}
			if err := q.Predict(1, 0); err != nil {
				t.Fatal(err)
			}
			if len(p.Best) != len(q.Best) || len(p.Best) > 0 && p.Best[0].ID != q.Best[0].ID || p.N != q.N {
				t.Fatalf("%q: %v of %d rows, want %v of %d", line, p.Best, p.N, q.Best, q.N)
			}
		}
		if share := float64(sure) / float64(len(lines)); share < least || least == 0 && share > 0 {
			t.Errorf("times %v: %v of the lines are certain", by, share)
		}
	}
}

// Labels with a number that is not finite, or so large that scores may not be, have no sums: whichever label it is of.
func TestSumsOfNumbersThatAreNotFinite(t *testing.T) {
	for _, x := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 2e30, -2e30} {
		for at := range 5 {
			if m := chars(t, 1, change{at, x}); m.sums != nil {
				t.Errorf("labels have sums with %v in row %d, the largest is %v", x, at, m.sums.largest)
			}
		}
	}
	if m := chars(t, 1, change{3, 1e29}); m.sums == nil {
		t.Error("labels with large numbers have no sums")
	}
}

// Sums never take more memory than the rows that they are of.
func TestSumsAreNoLargerThanRows(t *testing.T) {
	of := func(rows int) *Model {
		var names []string
		for i := range 50 {
			names = append(names, fmt.Sprint("w", i))
		}
		set, err := vectors.New(vectors.Parts{
			Words: vectors.NewWords(names...), Input: vectors.NewMatrix(rows, 4),
			Subword:  &subword.Floret{MinN: 2, MaxN: 4, Buckets: rows, Hashes: 1, Seed: 1, BOW: "<", EOW: ">"},
			Labels:   &vectors.Labels{Names: vectors.NewWords("__label__0", "__label__1"), Rows: vectors.NewMatrix(2, 4)},
			Training: vectors.NewTraining("arch", "supervised", "loss", lossSoftmax),
		})
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(set)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if of(49).sums != nil {
		t.Error("50 words with 49 rows have sums")
	}
	if of(50).sums == nil {
		t.Error("50 words with 50 rows have no sums")
	}
}

// The bound of a line is no less than what it bounds, and differs by words, not by lines.
func TestBoundOfLines(t *testing.T) {
	m := chars(t, 1)
	p, q := NewPredictor(m), NewPredictor(m)
	p.quick = true
	for range 2 { // before words are summed, and then
		for _, line := range randomLines(50) {
			p.Read([]byte(line), true)
			p.bound += float64(p.boundOf(p.rows))
			q.Read([]byte(line), true)
			sum := 0.0
			for _, r := range q.rows {
				most := 0.0
				for _, x := range m.input.Row(int(r)) {
					most = max(most, math.Abs(float64(x)))
				}
				sum += most
			}
			if p.bound < sum || p.bound > 10*sum {
				t.Fatalf("%q: %v for %v", line, p.bound, sum)
			}
		}
	}
}

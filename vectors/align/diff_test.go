package align_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// periods returns two sets of the same words and counts. The new one is the old one rotated, with
// noise that is larger for rarer words, and with the vectors of two words exchanged.
func periods(t *testing.T, n, d int, x, y int) (old, new *vectors.Set) {
	t.Helper()
	var counts []uint64
	for id := range n {
		counts = append(counts, uint64(100_000/(id+1)))
	}
	old = trial.With(trial.Plain(n, d), func(p *vectors.Parts) { p.Counts = counts })
	m, r := vectors.NewMatrix(n, d), rand.New(rand.NewPCG(3, 4))
	for id := range n {
		from := id
		switch id {
		case x:
			from = y
		case y:
			from = x
		}
		for k, v := range old.Input().Row(from) {
			m.Row(id)[k] = v + float32(r.NormFloat64()*0.04/math.Sqrt(float64(n-id+n/10)/float64(n)))
		}
	}
	return old, rotate(t, trial.With(old, func(p *vectors.Parts) { p.Input = m }), orthogonal(d, 8))
}

// Words whose use was exchanged come first, in every order.
func TestPlantedChangesComeFirst(t *testing.T) {
	old, new := periods(t, 1500, 20, 40, 300)
	for _, by := range append(align.Orders(), "") {
		d, err := align.Diff(t.Context(), old, new, align.DiffOptions{By: by, Most: 5})
		if err != nil {
			t.Fatal(err)
		}
		first := []string{d.Moved[0].Word, d.Moved[1].Word}
		slices.Sort(first)
		if !slices.Equal(first, []string{"word300", "word40"}) || len(d.Moved) != 5 || d.Compared != 1500 || d.Fit.Anchors != 1500 {
			t.Errorf("%q: %q first of %d", by, first, d.Compared)
		}
		for _, m := range d.Moved[:2] {
			if m.Distance < 0.5 || m.Deviation < 4 || m.Local < 0.4 || m.Jaccard > 0.1 || len(m.OldNeighbors) != 25 || len(m.NewNeighbors) != 25 {
				t.Errorf("%q: %s: distance %v, deviation %v, local %v, jaccard %v", by, m.Word, m.Distance, m.Deviation, m.Local, m.Jaccard)
			}
		}
		if len(d.Bands) != 10 || !(d.Bands[0].Median < d.Bands[9].Median) || d.Bands[0].MaxCount != 100_000 || d.Bands[9].MinCount != 66 || d.Bands[3].Words != 150 {
			t.Errorf("bands %+v", d.Bands)
		}
	}
}

// The words that moved least come with those that moved most.
func TestStableWords(t *testing.T) {
	old, new := periods(t, 500, 20, 40, 300)
	all, err := align.Diff(t.Context(), old, new, align.DiffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := align.Diff(t.Context(), old, new, align.DiffOptions{Most: 3, Stable: 4})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Moved) != 3 || len(d.Stable) != 4 || len(all.Stable) != 0 {
		t.Fatalf("%d moved and %d stable words", len(d.Moved), len(d.Stable))
	}
	for i, m := range d.Stable {
		last := all.Moved[len(all.Moved)-1-i]
		if m.Word != last.Word || m.Distance != last.Distance || m.Jaccard != last.Jaccard || len(m.OldNeighbors) != 25 {
			t.Errorf("stable word %d is %s at %v, the last ones are %s at %v", i, m.Word, m.Distance, last.Word, last.Distance)
		}
	}
	if _, err := align.Diff(t.Context(), old, new, align.DiffOptions{Stable: -1}); err == nil {
		t.Error("Stable -1 is not an error")
	}
}

// A set does not differ from itself rotated.
func TestDiffOfOneSet(t *testing.T) {
	old := trial.Plain(200, 6)
	d, err := align.Diff(t.Context(), old, rotate(t, old, orthogonal(6, 1)), align.DiffOptions{Neighbors: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range d.Moved {
		if m.Distance > 1e-6 || m.Local > 1e-6 || m.Jaccard != 1 || m.OldCount != 0 || fmt.Sprint(words(m.OldNeighbors)) != fmt.Sprint(words(m.NewNeighbors)) {
			t.Errorf("%+v", m)
		}
	}
	if len(d.Moved) != 200 || d.Median > 1e-6 || len(d.OnlyOld)+len(d.OnlyNew) != 0 || d.Bands[0].MaxCount != 0 {
		t.Errorf("%+v", d)
	}
}

func words(near []vectors.Neighbor) (words []string) {
	for _, n := range near {
		words = append(words, n.Word)
	}
	return words
}

// The measures by their definitions.
func TestMeasures(t *testing.T) {
	const k = 7
	old, new := periods(t, 120, 5, 3, 9)
	d, err := align.Diff(t.Context(), old, new, align.DiffOptions{Neighbors: k})
	if err != nil {
		t.Fatal(err)
	}
	aligned, err := d.Fit.Apply(new)
	if err != nil {
		t.Fatal(err)
	}
	cosine := func(s *vectors.Set, a, b int) float64 {
		return float64(vectors.Cosine(s.Input().Row(a), s.Input().Row(b)))
	}
	for _, m := range d.Moved {
		id, _ := old.ID(m.Word)
		if want := 1 - float64(vectors.Cosine(trial.WordVector(aligned, id), old.Input().Row(id))); math.Abs(m.Distance-want) > 1e-6 {
			t.Errorf("%s: distance %v, want %v", m.Word, m.Distance, want)
		}
		nearOld, nearNew := words(trial.Nearest(old, old.Input().Row(id), k, id)), words(trial.Nearest(new, new.Input().Row(id), k, id))
		if !slices.Equal(words(m.OldNeighbors), nearOld) || !slices.Equal(words(m.NewNeighbors), nearNew) {
			t.Errorf("%s: neighbours %v and %v, want %v and %v", m.Word, words(m.OldNeighbors), words(m.NewNeighbors), nearOld, nearNew)
		}
		union := map[string]int{}
		for _, word := range slices.Concat(nearOld, nearNew) {
			union[word]++
		}
		var dot, x, y, both float64
		for word, n := range union {
			other, _ := old.ID(word)
			a, b := cosine(old, id, other), cosine(new, id, other)
			dot, x, y, both = dot+a*b, x+a*a, y+b*b, both+float64(n-1)
		}
		if want := 1 - dot/math.Sqrt(x*y); math.Abs(m.Local-want) > 1e-5 || math.Abs(m.Jaccard-both/float64(len(union))) > 1e-12 {
			t.Errorf("%s: local %v and Jaccard %v, want %v and %v", m.Word, m.Local, m.Jaccard, want, both/float64(len(union)))
		}
	}
}

// Rare words, words that are asked for, and words of one set alone.
func TestDiffWords(t *testing.T) {
	set := func(counts []uint64, words ...string) *vectors.Set {
		return trial.New(vectors.Parts{Words: vectors.NewWords(words...), Counts: counts, Input: trial.Plain(len(words), 2).Input()})
	}
	old := set([]uint64{90, 80, 70, 60, 5, 4}, "the", "cat", "fax", "dog", "telex", "emu")
	new := set([]uint64{90, 80, 70, 60, 5, 3}, "the", "dog", "blog", "cat", "emu", "wiki")
	d, err := align.Diff(t.Context(), old, new, align.DiffOptions{MinCount: 10})
	if err != nil {
		t.Fatal(err)
	}
	if d.Compared != 3 || d.Rare != 1 || fmt.Sprint(d.OnlyOld, d.OnlyNew) != "[{fax 70}] [{blog 70}]" || len(d.Moved) != 3 {
		t.Errorf("%+v", d)
	}
	d, err = align.Diff(t.Context(), old, new, align.DiffOptions{MinCount: 10, Words: []string{"emu", "fax", "cat"}})
	if err != nil {
		t.Fatal(err)
	}
	if d.Compared != 4 || d.Fit.Anchors != 3 || len(d.Moved) != 2 || d.Moved[0].Word != "emu" || d.Moved[0].OldCount != 4 || d.Moved[1].Word != "cat" || !slices.Equal(d.NotFound, []string{"fax"}) {
		t.Errorf("%+v", d)
	}
	d, err = align.Diff(t.Context(), old, new, align.DiffOptions{Anchors: []align.Pair{{A: 0, B: 0}}})
	if err != nil || d.Fit.Anchors != 1 || d.Fit.Undecided != 1 || d.Compared != 4 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestDiffRefuses(t *testing.T) {
	old, new := trial.Plain(5, 3), trial.Plain(5, 3)
	for want, o := range map[string]align.DiffOptions{
		`align: the order "fame" is not known; known are distance, deviation, local`:                    {By: "fame"},
		"align: Most is -1, must be 0 (all) or more":                                                    {Most: -1},
		"align: Neighbors is -1, must be 0 (25) or more":                                                {Neighbors: -1},
		`align: the step "whiten" is not known; known are unit, center`:                                 {Options: align.Options{Steps: []align.Step{"whiten"}}},
		"align: a least count is asked for, and the second set does not know how often words were seen": {MinCount: 3},
		"align: there is no pair of words 9 and 0 in sets of 5 and 5 words":                             {Anchors: []align.Pair{{A: 9, B: 0}}},
	} {
		_, err := align.Diff(t.Context(), trial.With(old, func(p *vectors.Parts) { p.Counts = []uint64{5, 4, 3, 2, 1} }), new, o)
		if err == nil || err.Error() != want {
			t.Errorf("%+v: error %v, want %s", o, err, want)
		}
	}
	if _, err := align.Diff(t.Context(), old, trial.Plain(5, 4), align.DiffOptions{}); err == nil || err.Error() != "vectors of 3 dimensions cannot be rotated onto vectors of 4: reduce the longer ones first, or train both alike" {
		t.Errorf("error %v", err)
	}
	if _, err := align.Diff(t.Context(), old, trial.OfRows([]float32{1, 2, 3}), align.DiffOptions{}); !errors.Is(err, align.ErrNoAnchors) {
		t.Errorf("error %v", err)
	}
}

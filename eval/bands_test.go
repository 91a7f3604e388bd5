package eval

import (
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// The interval of a band is that of a set of the band's items alone.
func TestIntervalsOfBands(t *testing.T) {
	rows := vectors.NewMatrix(8, 2)
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for i := range names {
		copy(rows.Row(i), []float32{float32(i%3) + 0.1*float32(i), float32(i * i % 5)})
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	const frequent = "a\tb\t1\nb\tc\t4\nc\td\t2\na\td\t7\na\tc\t3\nb\td\t5\n"
	const rare = "e\tf\t3\nf\tg\t1\ng\th\t6\ne\tb\t2\nh\ta\t9\ng\tc\t4\nh\td\t8\n"
	measure := func(text string, opt Options) Record {
		set, err := ReadPairs(strings.NewReader(text), "pairs")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Measure(t.Context(), s, SetFile{Set: set}, opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	opt := Options{Bands: []int{4}, BandIntervals: true}
	r := measure(frequent+rare, opt)
	if len(r.Bands) != 2 || r.Bands[0].Items != 6 || r.Bands[1].Items != 7 {
		t.Fatalf("%+v", r.Bands)
	}
	for i, alone := range []string{frequent, rare} {
		if want, got := measure(alone, opt), r.Bands[i]; got.Interval != want.Interval || !got.Interval.Known || math.Abs(float64(got.Score-want.Score)) > 1e-12 {
			t.Errorf("band %s: %v in %+v, and its items alone %v in %+v", got.Name, got.Score, got.Interval, want.Score, want.Interval)
		}
	}
	if all := r.ByWords[0]; all.Interval != r.Interval {
		t.Errorf("all items: %+v, want %+v", all.Interval, r.Interval)
	}
	for _, b := range measure(frequent+rare, Options{Bands: []int{4}}).Bands {
		if b.Interval.Known {
			t.Errorf("band %s has an interval that was not asked for", b.Name)
		}
	}
}

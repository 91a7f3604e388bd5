package replica

import (
	"math"
	"testing"
)

// The part of a sum goes from all of it, for rows that hardly moved, to the mean.
func TestSaturation(t *testing.T) {
	for _, test := range []struct {
		way  float64
		n    int
		want float64
	}{{0, 8, 1}, {1e-9, 8, 1}, {1, 1, 1}, {1, 2, 0.684}, {100, 4, 0.25}} {
		if got := Saturation(test.way, test.n); math.Abs(got-test.want) > 1e-3 {
			t.Errorf("way %v, %d ranks: %v, want %v", test.way, test.n, got, test.want)
		}
	}
}

// Equal changes of a row that has arrived are averaged. Changes at right angles are added up, however
// often the row was touched.
func TestSaturating(t *testing.T) {
	right := []float32{3, 0, 0, 4, 0, 0}
	for _, test := range []struct {
		name    string
		touches float64
		changes [][]float32
		want    []float32
	}{
		{"one", 1e6, [][]float32{{1, 2}}, []float32{1, 2}},
		{"equal, hardly moved", 1e-9, [][]float32{{1, 2}, {1, 2}}, []float32{2, 4}},
		{"equal, arrived", 1e6, [][]float32{{1, 2}, {1, 2}, {1, 2}, {1, 2}}, []float32{1, 2}},
		{"at right angles", 1e6, [][]float32{{1, 0}, {0, 2}}, []float32{1, 2}},
		{"opposite", 1e6, [][]float32{{1, 2}, {-1, 0}}, []float32{0, 2}},
		{"half", 1e6, [][]float32{right, {4, 3, 0, 0, 3, 4}}, []float32{7. * 75 / 99, 3. * 75 / 99, 0, 4. * 75 / 99, 3. * 75 / 99, 4. * 75 / 99}},
	} {
		t.Run(test.name, func(t *testing.T) {
			combined := make([]float32, len(test.want))
			var squares float64
			for _, change := range test.changes {
				for k, x := range change {
					combined[k] += x
					squares += float64(x) * float64(x)
				}
			}
			row := Row{Ranks: len(test.changes), Way: test.touches, Agreement: square(combined) / squares}
			part := float32(Saturating(1)(len(test.changes), row))
			for k := range combined {
				combined[k] *= part
			}
			for i, want := range test.want {
				if math.Abs(float64(combined[i]-want)) > 1e-5 {
					t.Fatalf("%v, want %v", combined, test.want)
				}
			}
		})
	}
}

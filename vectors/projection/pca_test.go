package projection_test

import (
	"context"
	"math"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/transform"
)

// PCA is transform.Reduce to two dimensions, of vectors as they are or of those of length 1.
func TestPCAIsReduce(t *testing.T) {
	s := planted(t, 5, 40, 12, 1)
	for unit, of := range map[bool]*vectors.Set{false: s, true: transform.Normalized(s)} {
		want, done, err := transform.Reduce(context.Background(), of, 2, transform.Computation{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := projection.PCA(context.Background(), s, projection.PCAOptions{Unit: unit})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range m.Points {
			if w := want.Rows().Row(i); math.Abs(float64(p.X-w[0])) > 1e-4 || math.Abs(float64(p.Y-w[1])) > 1e-4 {
				t.Fatalf("unit %t: word %d is at %v, want %v", unit, i, p, w)
			}
		}
		var sum float64
		for i, x := range m.Explained {
			if sum += x; i > 0 && x > m.Explained[i-1] {
				t.Errorf("shares %v do not fall", m.Explained)
			}
		}
		if len(m.Explained) != s.Dim() || math.Abs(sum-1) > 1e-9 {
			t.Errorf("%d shares, which sum up to %v", len(m.Explained), sum)
		}
		if got := m.Explained[0] + m.Explained[1]; math.Abs(got-done.VarianceKept) > 1e-9 {
			t.Errorf("two components have %v of the variance, want %v", got, done.VarianceKept)
		}
	}
}

// What is put aside is left and below of everything else.
func TestAside(t *testing.T) {
	rows := vectors.NewMatrix(4, 2)
	copy(rows.Row(0), []float32{1, 0})
	copy(rows.Row(1), []float32{0, 1})
	copy(rows.Row(3), []float32{-1, 0.5})
	m, err := projection.PCA(context.Background(), set(t, rows, "a", "b", "zero", "c"), projection.PCAOptions{Unit: true})
	if err != nil {
		t.Fatal(err)
	}
	low, _ := m.Bounds()
	if low != m.Points[2] || m.Points[0].X <= low.X || m.Points[1].X <= low.X || m.Points[3].X <= low.X {
		t.Errorf("points %v", m.Points)
	}
}

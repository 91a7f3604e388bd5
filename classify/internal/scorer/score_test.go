package scorer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/topk"
	"github.com/w2v-go/w2v/vectors"
)

// The sum is what a program in C printed that takes the same steps with expf of glibc 2.41.
func TestExponentialIsThatOfC(t *testing.T) {
	const step, want = 36871, uint32(4140116305)
	sum := uint32(0)
	for bits := uint64(0); bits < 1<<32-step; bits += step {
		if x := math.Float32frombits(uint32(bits)); x == x {
			sum = sum*31 + math.Float32bits(exp32(x))
		}
	}
	if sum != want {
		t.Errorf("%d, want %d", sum, want)
	}
	if !math.IsInf(float64(exp32(float32(math.Inf(1)))), 1) || exp32(float32(math.Inf(-1))) != 0 || exp32(0) != 1 {
		t.Error("infinities and 0")
	}
}

// Trees of a few counts, worked out by hand: fastText takes the last label for the rarest, and of a label and a
// node with equal counts the node.
func TestTree(t *testing.T) {
	for _, test := range []struct {
		counts []uint64
		want   [][2]int32
	}{
		{[]uint64{7}, [][2]int32{{-1, -1}}},
		{[]uint64{5, 3}, [][2]int32{{-1, -1}, {-1, -1}, {1, 0}}},
		{[]uint64{3, 2, 1, 1}, [][2]int32{{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {3, 2}, {4, 1}, {0, 5}}},
		{[]uint64{0, 0, 0}, [][2]int32{{-1, -1}, {-1, -1}, {-1, -1}, {2, 1}, {3, 0}}},
	} {
		var got [][2]int32
		nodes := newTree(test.counts)
		for i, of := range nodes {
			got = append(got, [2]int32{of.left, of.right})
			if up := of.parent; up < 0 != (i == len(nodes)-1) || up >= 0 && nodes[up].left != int32(i) && nodes[up].right != int32(i) {
				t.Errorf("%v: node %d of %v has the parent %d", test.counts, i, nodes, up)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.counts, got, test.want)
		}
	}
}

// A tree of labels without counts is as deep as it has labels, and each label has its path.
func TestDeepTree(t *testing.T) {
	const n = 50_000
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("__label__", i)
	}
	set, err := vectors.New(vectors.Parts{
		Words: vectors.NewWords("</s>", "w"), Input: vectors.Matrix{Data: []float32{1, 2}, Rows: 2, Cols: 1, Stride: 1},
		Labels:   &vectors.Labels{Names: vectors.NewWords(names...), Rows: vectors.NewMatrix(n, 1), Nodes: true, Counts: make([]uint64, n)},
		Training: vectors.NewTraining("arch", "supervised", "loss", "hs"),
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(set)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPredictor(m)
	p.Read([]byte("w"), true)
	if err := p.Predict(2, 0); err != nil || len(p.Best) != 2 || p.Best[0].ID != 0 || math.Abs(float64(Probability(p.Best[0].Score))-0.5) > 1e-4 {
		t.Errorf("%v, %v", p.Best, err)
	}
	deepest := 0
	m.score.(*tree).path(n-1, func(int, bool) { deepest++ })
	if deepest != n-1 {
		t.Errorf("the last label has %d nodes above it", deepest)
	}
}

// The more probable side of a node first finds the labels that fastText's order finds, also if labels are nearly or wholly equal.
func TestTreeFindsTheSameInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		labels int
		size   float64 // of the numbers of nodes: 0 makes all labels of a depth equal
	}{{300, 3}, {300, 0.3}, {300, 1e-5}, {64, 0}, {3, 1}, {500, 40}} {
		counts := make([]uint64, test.labels)
		for i := range counts {
			counts[i] = uint64(test.labels / (i + 1))
		}
		rows := vectors.NewMatrix(test.labels-1, 4)
		for r := range rows.Rows {
			for k := range rows.Cols {
				rows.Row(r)[k] = float32(random.NormFloat64() * test.size)
			}
		}
		of := &tree{output: outputOf(rows, 1), nodes: newTree(counts), labels: test.labels}
		of.slack = slackOf(of.nodes)
		p := &Predictor{Vector: make([]float32, 4)}
		for range 200 {
			for k := range p.Vector {
				p.Vector[k] = float32(random.NormFloat64())
			}
			for _, k := range []int{1, 2, 10, infinite} {
				for _, threshold := range []float32{0, 0.01, 0.3} {
					p.Best = p.Best[:0]
					if err := of.Best(p, k, threshold); err != nil {
						t.Fatal(err)
					}
					got := slices.Clone(p.Best)
					p.Best = topk.Heap{}
					if _, err := of.visit(p, k, logOf(threshold), false); err != nil {
						t.Fatal(err)
					}
					if p.Best.Sort(); !slices.Equal(got, p.Best) {
						t.Fatalf("%d labels, size %v, k %d, threshold %v: %v, want %v", test.labels, test.size, k, threshold, got, p.Best)
					}
				}
			}
		}
	}
}

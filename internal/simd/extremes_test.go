package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Numbers that are 0 or NaN do not count, and of equal numbers the first row is named.
func TestExtremes(t *testing.T) {
	nan := float32(math.NaN())
	data := []float32{ // rows of 4 numbers
		1, 0, nan, 0,
		3, -2, 5, 0,
		3, -7, -5, 0,
		-1, -7, 0, 0,
	}
	most, least := make([]float32, 4), make([]float32, 4)
	atMost, atLeast := make([]uint32, 4), make([]uint32, 4)
	Extremes(most, least, atMost, atLeast, data, 4, []uint32{0, 2, 1, 3, 2})
	for _, test := range []struct {
		of, want any
	}{
		{most, []float32{3, -2, 5, 0}}, {atMost, []uint32{2, 1, 1, NoRow}},
		{least, []float32{-1, -7, -5, 0}}, {atLeast, []uint32{3, 2, 2, NoRow}},
	} {
		switch of := test.of.(type) {
		case []float32:
			if !slices.Equal(of, test.want.([]float32)) {
				t.Errorf("%v, want %v", of, test.want)
			}
		case []uint32:
			if !slices.Equal(of, test.want.([]uint32)) {
				t.Errorf("rows %v, want %v", of, test.want)
			}
		}
	}
	AddToRows(data, 4, atMost, []float32{10, 20, 30, 40})
	if got, want := data[4:12], []float32{3, 18, 35, 0, 13, -7, -5, 0}; !slices.Equal(got, want) {
		t.Errorf("rows are %v, want %v", got, want)
	}
	Extremes(most, least, atMost, atLeast, data, 4, nil)
	if most[0] != 0 || least[0] != 0 || atMost[0] != NoRow || atLeast[0] != NoRow {
		t.Errorf("without rows, %v %v of rows %v %v", most, least, atMost, atLeast)
	}
}

// Kernels find what the definition finds, and write nothing else.
func TestExtremesAreThoseOfTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for cols := range lengths(150) {
		stride := cols + r.IntN(9)
		data := guards(20*stride + cols)
		for row := range 21 {
			for k := range cols {
				data[row*stride+k] = float32(r.IntN(9) - 4)
			}
		}
		var rows []uint32
		for range 1 + r.IntN(30) {
			rows = append(rows, uint32(r.IntN(21)))
		}
		var got, want struct {
			numbers [2][]float32
			rows    [2][]uint32
		}
		for _, of := range []*struct {
			numbers [2][]float32
			rows    [2][]uint32
		}{&got, &want} {
			for i := range 2 {
				of.numbers[i], of.rows[i] = guards(cols+16), slices.Repeat([]uint32{77}, cols+16)
			}
		}
		Extremes(got.numbers[0][:cols], got.numbers[1][:cols], got.rows[0][:cols], got.rows[1][:cols], data, stride, rows)
		extremesPortable(want.numbers[0][:cols], want.numbers[1][:cols], want.rows[0], want.rows[1], data, stride, rows)
		for i := range 2 {
			for k, row := range got.rows[i] {
				if row != want.rows[i][k] {
					t.Fatalf("%d numbers: extreme %d of column %d is that of row %d, want %d", cols, i, k, row, want.rows[i][k])
				}
				x := got.numbers[i][k]
				if k >= cols && !isGuard(x) || k < cols && row == NoRow && x != 0 || k < cols && row != NoRow && x != want.numbers[i][k] {
					t.Fatalf("%d numbers: extreme %d of column %d is %v, want %v", cols, i, k, x, want.numbers[i][k])
				}
			}
		}
	}
}

func BenchmarkExtremes(b *testing.B) {
	const cols, n = 32, 256
	data, rows := make([]float32, 4096*cols), make([]uint32, n)
	for i := range data {
		data[i] = float32(i%97) - 48
	}
	for i := range rows {
		rows[i] = uint32(i * 7)
	}
	most, least := make([]float32, cols), make([]float32, cols)
	atMost, atLeast := make([]uint32, cols), make([]uint32, cols)
	weights := slices.Repeat([]float32{1}, n)
	b.Run("extremes", func(b *testing.B) {
		for b.Loop() {
			Extremes(most, least, atMost, atLeast, data, cols, rows)
		}
	})
	b.Run("sum", func(b *testing.B) {
		for b.Loop() {
			Gather(most, data, cols, rows, weights)
		}
	})
}

package params_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// halvesOf returns values with a matrix of halves that begins as the members 0, 1, … do.
func halvesOf(rows, cols int) *params.Values {
	init := params.Uniform(func(yield func(int, uint32) bool) {
		for r := range rows {
			if !yield(r, uint32(r)) {
				return
			}
		}
	}, 0.5)
	v := params.Allocate(params.List{{Name: "h", Title: "halves", Rows: rows, Cols: cols, Halves: true, Init: init}})
	v.Initialise(3)
	return v
}

// Rows of halves are read, copied, changed and restored as those of float32 are, rounded to the nearest.
func TestHalves(t *testing.T) {
	const rows, cols = 37, 21
	exact := vectors.NewMatrix(rows, cols)
	v := halvesOf(rows, cols)
	m := v.Matrix("h")
	for r := range rows {
		params.UniformRow(exact.Row(r), 3, uint64(r), 0.5)
		for k, x := range m.Row(r) {
			if want := half.FromF16(half.ToF16(exact.Row(r)[k])); x != want {
				t.Fatalf("row %d starts as %v, want %v", r, m.Row(r), want)
			}
		}
	}
	if m.DType() != vectors.F16 {
		t.Errorf("the type is %s", m.DType())
	}

	other := v.Alike()
	other.CopyFrom(v)
	params.Change(m, 5, func(row []float32) { row[2] = 0.25 })
	if got := m.Row(5)[2]; got != 0.25 {
		t.Errorf("a changed number is %v", got)
	}
	if got := other.Matrix("h").Row(5)[2]; got == 0.25 {
		t.Error("the copy changed too")
	}
	if err := v.Read([]vectors.Matrix{exact}); err != nil {
		t.Fatal(err)
	}
	for r := range rows {
		for k, x := range other.Matrix("h").Row(r) {
			if y := m.Row(r)[k]; x != y {
				t.Fatalf("row %d, number %d: %v when it is read again, and %v before", r, k, y, x)
			}
		}
	}
}

// Edit gives all rows as float32 and keeps what becomes of them, unless there is an error.
func TestEdit(t *testing.T) {
	v := halvesOf(9, 5)
	m := v.Matrix("h")
	if err := params.Edit(m, func(rows vectors.Matrix) error {
		rows.Row(8)[4] += 1
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if x := m.Row(8)[4]; x < 0.5 || x > 1.5 {
		t.Errorf("an edited number is %v", x)
	}
	if err := params.Edit(m, func(rows vectors.Matrix) error { rows.Row(2)[1] = -87000; return nil }); err == nil || !strings.Contains(err.Error(), "row 2 has the number -87000, and float16 ends at 65504") || m.Row(2)[1] < -1 {
		t.Errorf("a number that is too large: error %v, and it is %v", err, m.Row(2)[1])
	}
	failed := errors.New("failed")
	if err := params.Edit(m, func(rows vectors.Matrix) error { rows.Row(0)[0] = 7; return failed }); err != failed || m.Row(0)[0] == 7 {
		t.Errorf("after the error %v the number is %v", err, m.Row(0)[0])
	}
}

// Numbers of halves that are none show.
func TestFiniteHalves(t *testing.T) {
	for _, x := range []float32{float32(math.NaN()), float32(math.Inf(-1)), 1e6} { // the last is beyond float16
		v := halvesOf(4, 3)
		if !v.Finite() {
			t.Fatal("random numbers are not finite")
		}
		params.Change(v.Matrix("h"), 3, func(row []float32) { row[2] = x })
		if v.Finite() {
			t.Errorf("%v is finite", x)
		}
	}
}

// A matrix of halves takes half of the memory.
func TestBytesOfHalves(t *testing.T) {
	of := params.Matrix{Rows: 10, Cols: 128}
	if of.Halves = true; of.RowBytes() != 256 || of.EditBytes() != 5120 {
		t.Errorf("rows of %v bytes, %v for editing", of.RowBytes(), of.EditBytes())
	}
}

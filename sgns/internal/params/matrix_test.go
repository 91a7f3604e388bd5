package params_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// list is of every kind of matrix, declared by three parts.
func list() params.List {
	composition := []params.Matrix{
		{Name: "input", Title: "input vectors", Role: params.Input, Rows: 5, Cols: 3, Init: params.Ones},
		{Name: "weights", Title: "weights", Role: params.Other, Rows: 2, Cols: 3, Dense: true},
	}
	loss := []params.Matrix{{Name: "output", Title: "context vectors", Role: params.Output, SameAs: "input", Rows: 5, Cols: 3}}
	architecture := []params.Matrix{
		{Name: "none", Title: "nothing", Role: params.Other, Rows: 0, Cols: 3},
		{Name: "positions", Title: "positions", Role: params.Other, Rows: 4, Cols: 17},
	}
	return params.NewList(composition, loss, architecture)
}

// Matrices are in the order of their roles, and then as they are declared: checkpoints
// depend on that.
func TestOrder(t *testing.T) {
	var names, owned []string
	for _, m := range list() {
		names = append(names, m.Name)
	}
	for m := range list().Owned() {
		owned = append(owned, m.Name)
	}
	if want := []string{"input", "output", "weights", "none", "positions"}; !slices.Equal(names, want) {
		t.Errorf("matrices %v, want %v", names, want)
	}
	if want := []string{"input", "weights", "positions"}; !slices.Equal(owned, want) {
		t.Errorf("matrices with rows of their own %v, want %v", owned, want)
	}
	if bytes := list().Bytes(); bytes != 5*64+4*2*3+4*128 {
		t.Errorf("%v bytes", bytes)
	}
}

// A copy has the same numbers, in storage of its own, and matrices that are one stay one.
func TestCopies(t *testing.T) {
	v := params.Allocate(list())
	v.Initialise(1)
	v.Freeze("input", []bool{true})
	other := v.Alike()
	if other.Frozen("input") != nil || v.Frozen("input") == nil || v.Frozen("output") != nil {
		t.Error("other rows are frozen")
	}
	if x := other.Matrix("input").Row(2)[1]; x != 0 {
		t.Errorf("a new copy has %v", x)
	}
	v.Matrix("output").Row(2)[1] = 7
	v.Matrix("weights").Row(1)[2] = 8
	other.CopyFrom(v)
	v.Matrix("input").Row(2)[1] = 9
	if x := other.Matrix("input").Row(2)[1]; x != 7 {
		t.Errorf("the copy of what was set to 7 is %v", x)
	}
	if x := other.Matrix("output").Row(2)[1]; x != 7 {
		t.Errorf("the same in the other matrix is %v", x)
	}
	if x := other.Matrix("weights").Data[1*3+2]; x != 8 {
		t.Errorf("without padding it is %v", x)
	}
	if m := v.Matrix("unknown"); m.Rows != 0 {
		t.Errorf("an unknown matrix of %d rows", m.Rows)
	}
}

func TestRead(t *testing.T) {
	v := params.Allocate(list())
	from := []vectors.Matrix{vectors.NewMatrix(5, 3), vectors.NewMatrix(2, 3), vectors.NewMatrix(4, 17)}
	from[1].Row(1)[0] = 3
	if err := v.Read(from); err != nil {
		t.Fatal(err)
	}
	if x := v.Matrix("weights").Row(1)[0]; x != 3 {
		t.Errorf("read %v, want 3", x)
	}
	for want, from := range map[string][]vectors.Matrix{
		"2 matrices of parameters, expected more":       from[:2],
		"4 matrices of parameters, expected 3":          append(slices.Clone(from), vectors.NewMatrix(1, 1)),
		"weights of 4 × 17 numbers, expected 2 × 3":     {from[0], from[2], from[1]},
		"input vectors of 2 × 3 numbers, expected 5 × ": {from[1], from[1], from[2]},
	} {
		if err := v.Read(from); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Rows behind a matrix follow its rows in memory, before copies, and belong to a matrix of their own everywhere else.
func TestRowsBehind(t *testing.T) {
	of := func() params.List {
		return params.NewList([]params.Matrix{
			{Name: "more", Role: params.Other, Rows: 2, Cols: 3, Behind: "output", Touched: func(params.Words) []float32 { return []float32{8, 9} }},
			{Name: "output", Role: params.Output, Rows: 3, Cols: 3, Touched: func(params.Words) []float32 { return []float32{5, 6, 7} }},
			{Name: "last", Role: params.Other, Rows: 1, Cols: 3, Behind: "output", Touched: func(params.Words) []float32 { return []float32{4} }},
		})
	}
	list := of()
	if touches := list.StepTouches(list[0], params.Words{}); !slices.Equal(touches, []float32{5, 6, 7, 8, 9, 4}) {
		t.Errorf("rows are touched %v times", touches)
	}
	if bytes := list.Bytes(); bytes != 6*64 {
		t.Errorf("%v bytes", bytes)
	}
	list[0].Copied = params.NewCopied([]uint32{1, 4}, 6, 2, 1)
	if bytes := list.CopiedBytes(); bytes != 8*64+4*(6+2) {
		t.Errorf("copies take %v bytes", bytes)
	}
	for _, v := range []*params.Values{params.Allocate(list), params.AllocateIn(list, make([]float32, list.Numbers())), params.Allocate(list).Alike()} {
		all := v.OfStep("output")
		if all.Rows != 6 || len(all.Data) != 6*16 {
			t.Fatalf("a step has %d rows of %d numbers", all.Rows, len(all.Data))
		}
		for r := range all.Rows {
			all.Row(r)[1] = float32(r)
		}
		var got []float32
		for _, rows := range v.Owned() {
			for r := range rows.Rows {
				got = append(got, rows.Row(r)[1])
			}
		}
		if !slices.Equal(got, []float32{0, 1, 2, 3, 4, 5}) {
			t.Errorf("rows %v", got)
		}
		if m := v.Matrix("more"); cap(m.Data) != 2*16 {
			t.Errorf("%d numbers of rows behind", cap(m.Data))
		}
	}
}

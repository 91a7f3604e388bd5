package step

import (
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/params"
)

// What several workers change copies by is added up, also if their texts overlap in time.
func TestReplicas(t *testing.T) {
	values := params.Allocate(params.List{
		{Name: "input", Rows: 2, Cols: 3},
		{Name: "shared", Role: params.Other, Rows: 5, Cols: 7, Replicated: true, Init: params.Ones},
	})
	values.Initialise(1)
	a, b := NewReplicas(values), NewReplicas(values)
	a.Take()
	b.Take()
	for _, replicas := range []*Replicas{a, b} {
		own := replicas.Of("shared").Own
		for r := range own.Rows {
			for k := range own.Row(r) {
				own.Row(r)[k] += float32(r)
			}
		}
	}
	a.Give()
	b.Give()
	shared := values.Matrix("shared")
	for r := range shared.Rows {
		for k, x := range shared.Row(r) {
			if want := float32(1 + 2*r); x != want {
				t.Fatalf("number %d of row %d is %v, want %v", k, r, x, want)
			}
		}
	}
	a.Take()
	if got := a.Of("shared").Own.Row(4)[0]; got != 9 {
		t.Errorf("a copy that was taken again has %v, want 9", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("there is a copy of what is not replicated")
		}
	}()
	a.Of("input")
}

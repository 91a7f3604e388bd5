package chart

import (
	"iter"
	"math"

	"gonum.org/v1/plot/vg"
)

// A grid finds rectangles that are near to another one. The zero grid is empty.
type grid struct{ cells map[[2]int][]int }

// cell is the side of a cell of a grid.
const cell = 24

// add adds a rectangle by its number.
func (g *grid) add(r vg.Rectangle, number int) {
	if g.cells == nil {
		g.cells = map[[2]int][]int{}
	}
	for at := range cells(r) {
		g.cells[at] = append(g.cells[at], number)
	}
}

// near returns the numbers of rectangles in the cells of r, some of them several times.
func (g *grid) near(r vg.Rectangle) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := range cells(r) {
			for _, number := range g.cells[at] {
				if !yield(number) {
					return
				}
			}
		}
	}
}

func cells(r vg.Rectangle) iter.Seq[[2]int] {
	of := func(x vg.Length) int { return int(math.Floor(float64(x / cell))) }
	return func(yield func([2]int) bool) {
		for x := of(r.Min.X); x <= of(r.Max.X); x++ {
			for y := of(r.Min.Y); y <= of(r.Max.Y); y++ {
				if !yield([2]int{x, y}) {
					return
				}
			}
		}
	}
}

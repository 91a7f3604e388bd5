package model

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/vectors"
)

// Names of training facts of finished vectors.
const (
	factOwnWeight = "own_weight"
	factPower     = "power"
)

// Finish makes the vectors of a trained model better neighbours than those that training needs. The rows of p change.
//
// A word's own row counts less beside its n-grams, and each axis of the vectors counts by a power of its singular value, as
// in Levy, Goldberg and Dagan (2015): see variant.Variant.Finish. Output rows change so that their products with words stay.
func (m *Model) Finish(p vectors.Parts) {
	own, power := m.Variant.Finish()
	weighOwn(p, own)
	raise(p, power)
}

// Finished returns the parts of a model whose rows Finish has changed, without what only its run needs. If counts were trained, a
// word's vector is the sum of its rows on both sides (Pennington, Socher and Manning 2014).
func (m *Model) Finished(p vectors.Parts) vectors.Parts {
	if m.Variant.Counts() {
		return m.summed(p)
	}
	own, power := m.Variant.Finish()
	p.Training.Set(factOwnWeight, different(own))
	p.Training.Set(factPower, different(power))
	return p
}

// FinishedCopy is Finish and Finished for a model that goes on training: the rows of p stay.
func (m *Model) FinishedCopy(p vectors.Parts) vectors.Parts {
	if m.Variant.Finishes() {
		p.Input, p.Matrices = copyOf(p.Input), slices.Clone(p.Matrices)
		eachOutput(&p, copyOf)
		m.Finish(p)
	}
	return m.Finished(p)
}

// different returns x as a fact, which 1 is not.
func different(x float64) float64 {
	if x == 1 {
		return 0
	}
	return x
}

// copyOf returns a matrix in memory with the same rows.
func copyOf(m vectors.Matrix) vectors.Matrix {
	of := vectors.NewMatrix(m.Rows, m.Cols)
	for r := range m.Rows {
		m.Read(of.Row(r), r)
	}
	return of
}

// eachOutput replaces every matrix of output rows.
func eachOutput(p *vectors.Parts, by func(vectors.Matrix) vectors.Matrix) {
	if p.Output.Rows > 0 {
		p.Output = by(p.Output)
	}
	for i, of := range p.Matrices {
		if of.Kind().Output {
			p.Matrices[i].Matrix = by(of.Matrix)
		}
	}
}

// weighOwn multiplies the rows of words. A row that a word shares with n-grams of its own alone is one of them.
func weighOwn(p vectors.Parts, by float64) {
	if by == 1 || p.Subword == nil {
		return
	}
	for word := range p.Words.Len() {
		row := word
		if p.WordRows != nil {
			row = int(p.WordRows[word])
		}
		params.Change(p.Input, row, func(row []float32) {
			for k := range row {
				row[k] *= float32(by)
			}
		})
	}
}

// raise makes each axis of the words' vectors count by a power of its singular value. All together keep their energy. The map is
// symmetric, so that vectors are not turned.
func raise(p vectors.Parts, power float64) {
	if power == 1 {
		return
	}
	to, back, ok := axes(SetOf(p), power)
	if !ok {
		return
	}
	multiply(p.Input, to)
	eachOutput(&p, func(rows vectors.Matrix) vectors.Matrix {
		multiply(rows, back)
		return rows
	})
}

// leastEnergy is the energy, as a share of the largest, of an axis in which few words or none differ. It bounds the map there.
const leastEnergy = 1e-8

// axes returns the map of raise and its inverse, of dim × dim numbers. It reports false if vectors are zeros or not finite.
func axes(s *vectors.Set, power float64) (to, back simd.Block, ok bool) {
	d := s.Dim()
	squares := make([]float64, d*d)
	const block = 256
	rows, vector := make([]float64, block*d), make([]float32, d)
	always := context.Background()
	for first := 0; first < s.Len(); first += block {
		n := min(block, s.Len()-first)
		for i := range n {
			s.WordVector(vector, first+i)
			for k, x := range vector {
				rows[i*d+k] = float64(x)
			}
		}
		if eigen.AddSquare(always, squares, rows, n, d) != nil {
			return to, back, false
		}
	}
	energies, columns, err := eigen.Symmetric(always, squares, d, nil)
	if err != nil || !(energies[0] > 0) {
		return to, back, false
	}
	by := make([]float64, d)
	var before, after float64
	for i, e := range energies {
		e = max(e, leastEnergy*energies[0])
		by[i] = math.Pow(e, (power-1)/2)
		before, after = before+e, after+e*by[i]*by[i]
	}
	keep := math.Sqrt(before / after)
	to, back = step.NewRows(d, d), step.NewRows(d, d)
	scaled := make([]float64, d*d)
	for _, out := range []struct {
		block simd.Block
		of    func(x float64) float64
	}{
		{to, func(x float64) float64 { return keep * x }},
		{back, func(x float64) float64 { return 1 / (keep * x) }},
	} {
		for r := range d {
			for c := range d {
				scaled[r*d+c] = columns[r*d+c] * out.of(by[c])
			}
		}
		if eigen.Multiply(always, squares, scaled, false, columns, true, d, d, d) != nil {
			return to, back, false
		}
		for r := range d {
			for c, x := range squares[r*d : (r+1)*d] {
				out.block.Row(r)[c] = float32(x)
			}
		}
	}
	return to, back, true
}

// multiply multiplies each row by a matrix.
func multiply(m vectors.Matrix, by simd.Block) {
	var g sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	blocks := (m.Rows + simd.Lanes - 1) / simd.Lanes
	for w := range workers {
		g.Go(func() {
			rows, products := step.NewRows(simd.Lanes, m.Cols), step.NewRows(simd.Lanes, m.Cols)
			for b := blocks * w / workers; b < blocks*(w+1)/workers; b++ {
				first := b * simd.Lanes
				n := min(simd.Lanes, m.Rows-first)
				rows.Rows, products.Rows = n, n
				for i := range n {
					m.Read(rows.Row(i), first+i)
				}
				simd.Gemm(products, rows, by)
				for i := range n {
					params.Change(m, first+i, func(row []float32) { copy(row, products.Row(i)) })
				}
			}
		})
	}
	g.Wait()
}

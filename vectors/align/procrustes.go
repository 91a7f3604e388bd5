// Package align rotates one set of vectors onto another one, so that vectors of two periods, two languages or
// two runs can be compared, and says how well that worked.
//
//	anchors, _ := align.Shared(old, new, align.SharedOptions{})           // words that both have
//	fit, err := align.Procrustes(ctx, new, old, anchors, align.Options{}) // new's space → old's
//	aligned, err := fit.Apply(new)                                        // a set, n-grams and all
//	moved, err := align.Diff(ctx, old, new, align.DiffOptions{})          // words whose vectors moved most
//
// Vectors that were trained separately have no axes in common: only angles and lengths within a set mean
// something. Procrustes finds the rotation or reflection that brings the vectors of given pairs of words, the
// anchors, as near to each other as one rotation can (Schönemann 1966). A rotation changes no angle within
// the set.
//
// Retrieve measures an alignment by pairs that were not anchors: how often the translation of a word is among
// its nearest neighbours, by cosine and by cross-domain similarity local scaling (Conneau et al. 2018).
//
// All sums are in float64. Results do not depend on the number of cores.
package align

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
	"github.com/w2v-go/w2v/vectors/transform"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// A Step transforms the vectors of the anchors before a rotation is fitted to them: the normalisation of
// Artetxe, Labaka and Agirre (2018). Its value is the name on the command line.
type Step string

const (
	// Unit scales every vector to length 1: the rotation then maximises the sum of cosines.
	Unit Step = "unit"
	// Center subtracts the mean of the set's anchors, so that the direction they share has no influence.
	Center Step = "center"
)

// maxDim limits the time of a singular value decomposition, which grows with the third power of the
// dimensions.
const maxDim = 4096

// Options say how a rotation is fitted. The zero value is the orthogonal Procrustes problem of Schönemann
// (1966), as in scipy.linalg.orthogonal_procrustes.
type Options struct {
	// Steps are applied to the anchors of each set, in this order, before the fit. They do not change the
	// vectors that the rotation is applied to. Artetxe, Labaka and Agirre (2018) use Unit, Center, Unit.
	Steps []Step
	// Progress, if not nil, is called with a description of the current computation and the share of it that
	// is done, from 0 to 1. Calls do not overlap.
	Progress func(what string, done float64)
}

// Validate reports the first invalid option.
func (o Options) Validate() error {
	for _, step := range o.Steps {
		if step != Unit && step != Center {
			return fmt.Errorf("align: the step %q is not known; known are %s, %s", string(step), Unit, Center)
		}
	}
	return nil
}

// A Fit is a rotation of the space of set A onto the space of set B.
type Fit struct {
	// Rotation is an orthogonal Dim × Dim matrix, row by row: a vector v of A becomes v·Rotation in the space
	// of B. It may include a reflection.
	Rotation []float64 `json:"-"`
	Dim      int       `json:"dim"`
	Anchors  int       `json:"anchors"` // number of pairs that the rotation was fitted to
	// Undecided is the number of dimensions that the anchors do not determine, because they are too few or
	// too similar: Dim minus the rank of AᵀB, see Scale. The rotation of these dimensions is arbitrary.
	Undecided int `json:"undecided_dimensions"`
	Unused    int `json:"unused_anchors"` // number of pairs with a vector that is zero or not finite
	// Scale is the sum of the singular values of AᵀB, where the rows of A and B are the anchors' vectors
	// after Options.Steps: the scale that scipy's function returns.
	Scale      float64 `json:"scale"`
	Residual   float64 `json:"residual"`    // ‖A·Rotation − B‖ / ‖B‖ in Frobenius norms: 0 if B is a rotation of A
	MeanCosine float64 `json:"mean_cosine"` // of the anchors' two vectors, after rotation and without Options.Steps
}

// Procrustes returns the orthogonal matrix R that minimises ‖A·R − B‖, where the rows of A and B are the
// vectors of the pairs in the sets a and b (Schönemann 1966). R is U·Vᵀ, where AᵀB = U·S·Vᵀ is the singular
// value decomposition. It is an error if the sets have different dimensions, or if no pair has two vectors.
// Procrustes reads the vectors a few times, in the order of the pairs. If the context ends, it returns the
// context's error.
func Procrustes(ctx context.Context, a, b *vectors.Set, pairs []Pair, o Options) (*Fit, error) {
	if err := cmp.Or(check(a, b, pairs), o.Validate()); err != nil {
		return nil, err
	}
	return within(a, b, func() (*Fit, error) { return newFitter(a, b, o).fit(ctx, pairs) })
}

// Apply returns a with its vectors rotated by the fit, see transform.Rotate. Close a after the result.
func (f *Fit) Apply(a *vectors.Set) (*vectors.Set, error) {
	return transform.Rotate(a, f.Rotation)
}

// Cosines returns the cosine of the two vectors of each pair, that of the first set after the rotation. It is NaN if a
// vector has no direction.
func (f *Fit) Cosines(ctx context.Context, a, b *vectors.Set, pairs []Pair) (cosines []float64, err error) {
	if err := check(a, b, pairs); err != nil {
		return nil, err
	}
	if f.Dim != a.Dim() {
		return nil, fmt.Errorf("align: the rotation is of %d dimensions, and the vectors have %d", f.Dim, a.Dim())
	}
	err = guarded(a, b, func() (err error) {
		cosines, err = newFitter(a, b, Options{}).cosines(ctx, pairs, f.Rotation)
		return err
	})
	return cosines, err
}

func check(a, b *vectors.Set, pairs []Pair) error {
	switch {
	case a.Dim() != b.Dim():
		return &DimError{A: a.Dim(), B: b.Dim()}
	case a.Dim() < 1:
		return errors.New("align: vectors of 0 dimensions have no directions to align")
	case a.Dim() > maxDim:
		return fmt.Errorf("align: %d dimensions, at most %d can be aligned", a.Dim(), maxDim)
	case len(pairs) == 0:
		return ErrNoAnchors
	}
	for _, p := range pairs {
		if p.A < 0 || p.A >= a.Len() || p.B < 0 || p.B >= b.Len() {
			return fmt.Errorf("align: there is no pair of words %d and %d in sets of %d and %d words", p.A, p.B, a.Len(), b.Len())
		}
	}
	return nil
}

// ErrNoAnchors says that no pair has two vectors to fit a rotation to.
var ErrNoAnchors = errors.New("there are no anchors: no pair of words that both have a vector")

// A DimError says that two sets have different dimensions.
type DimError struct{ A, B int }

func (e *DimError) Error() string {
	return fmt.Sprintf("vectors of %d dimensions cannot be rotated onto vectors of %d: reduce the longer ones first, or train both alike", e.A, e.B)
}

const blockPairs = 1024

type side struct {
	set   *vectors.Set
	rows  vectors.Matrix
	file  *backing.File
	steps []Step
	means [][]float64 // subtracted by Center, one mean a step; nil for other steps
	raw   vectors.Matrix
	block blas64.General
}

func newSide(s *vectors.Set, steps []Step) *side {
	d := s.Dim()
	return &side{
		set: s, rows: s.Rows(), file: backing.Behind(s.SharedParts().Source), steps: steps, means: make([][]float64, len(steps)),
		raw:   vectors.NewMatrix(blockPairs, d),
		block: blas64.General{Rows: blockPairs, Cols: d, Stride: d, Data: make([]float64, blockPairs*d)},
	}
}

func rowOf(m blas64.General, r int) []float64 { return m.Data[r*m.Stride : r*m.Stride+m.Cols] }

// read returns the vectors of some words after the given number of steps. They are valid until the next call.
func (e *side) read(ids []int, steps int) (blas64.General, error) {
	block := e.block
	block.Rows = len(ids)
	one := func(i int) {
		row := e.raw.Row(i)
		e.rows.Read(row, ids[i])
		wide := rowOf(block, i)
		for k, x := range row {
			wide[k] = float64(x)
		}
		for step, kind := range e.steps[:steps] {
			switch kind {
			case Unit:
				toUnit(wide)
			case Center:
				for k, x := range e.means[step] {
					wide[k] -= x
				}
			}
		}
	}
	e.file.InTurn(len(ids), func(first, last int) {
		for i := first; i < last; i++ {
			if i > first && ids[i] == ids[i-1] { // a stream would start again
				copy(rowOf(block, i), rowOf(block, i-1))
			} else {
				one(i)
			}
		}
	})
	e.file.Saw(int64(len(ids)) * max(backing.Page/8, 4*int64(block.Cols)))
	return block, e.set.Err()
}

func toUnit(v []float64) {
	if hasDirection(v) {
		norm := blas64.Nrm2(vectorOf(v))
		for k := range v {
			v[k] /= norm
		}
	}
}

func vectorOf(numbers []float64) blas64.Vector {
	return blas64.Vector{N: len(numbers), Data: numbers, Inc: 1}
}

func hasDirection(v []float64) bool {
	norm := blas64.Nrm2(vectorOf(v))
	return norm > 0 && !math.IsInf(norm, 0)
}

// rotated sets to, a matrix of the size of block, to the product of block and a rotation, on all cores.
func rotated(to, block, by blas64.General) {
	parallel.Do(block.Rows, func(first, last int) {
		part := func(m blas64.General) blas64.General {
			m.Rows, m.Data = last-first, m.Data[first*m.Stride:]
			return m
		}
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, part(block), by, 0, part(to))
	})
}

type fitter struct {
	a, b     *side
	dim      int
	progress func(what string, done float64)
}

func newFitter(a, b *vectors.Set, o Options) *fitter {
	f := &fitter{a: newSide(a, o.Steps), b: newSide(b, o.Steps), dim: a.Dim(), progress: o.Progress}
	if f.progress == nil {
		f.progress = func(string, float64) {}
	}
	return f
}

func (f *fitter) fit(ctx context.Context, pairs []Pair) (*Fit, error) {
	usable, err := f.usable(ctx, pairs)
	if err != nil {
		return nil, err
	}
	fit := &Fit{Dim: f.dim, Anchors: len(usable), Unused: len(pairs) - len(usable)}
	if fit.Anchors == 0 {
		return nil, ErrNoAnchors
	}
	if err := f.center(ctx, usable); err != nil {
		return nil, err
	}
	product, squaresA, squaresB, err := f.product(ctx, usable)
	if err != nil {
		return nil, err
	}
	f.progress("decomposing", 0)
	singular, err := rotationOf(ctx, product, fit)
	if err != nil {
		return nil, err
	}
	for _, x := range singular {
		fit.Scale += x
		if x <= float64(f.dim)*epsilon*singular[0] {
			fit.Undecided++
		}
	}
	if squaresB > 0 { // ‖A·R − B‖² = ‖A‖² + ‖B‖² − 2·Scale
		fit.Residual = math.Sqrt(max(0, squaresA+squaresB-2*fit.Scale) / squaresB)
	}
	f.progress("decomposing", 1)
	cosines, err := f.cosines(ctx, usable, fit.Rotation)
	for _, x := range cosines {
		fit.MeanCosine += x
	}
	fit.MeanCosine /= float64(len(cosines))
	return fit, err
}

func split(pairs []Pair) (a, b []int) {
	a, b = make([]int, len(pairs)), make([]int, len(pairs))
	for i, p := range pairs {
		a[i], b[i] = p.A, p.B
	}
	return a, b
}

// eachBlock calls visit with the vectors of one block of pairs after another, after the given number of
// steps.
func (f *fitter) eachBlock(ctx context.Context, pairs []Pair, steps int, what string, visit func(first int, a, b blas64.General)) error {
	idsA, idsB := split(pairs)
	for first := 0; first < len(pairs); first += blockPairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.progress(what, float64(first)/float64(len(pairs)))
		last := min(len(pairs), first+blockPairs)
		a, errA := f.a.read(idsA[first:last], steps)
		b, errB := f.b.read(idsB[first:last], steps)
		if err := cmp.Or(errA, errB); err != nil {
			return err
		}
		visit(first, a, b)
	}
	f.progress(what, 1)
	return nil
}

func (f *fitter) usable(ctx context.Context, pairs []Pair) (usable []Pair, err error) {
	err = f.eachBlock(ctx, pairs, 0, "reading anchors", func(first int, a, b blas64.General) {
		for r := range a.Rows {
			if hasDirection(rowOf(a, r)) && hasDirection(rowOf(b, r)) {
				usable = append(usable, pairs[first+r])
			}
		}
	})
	return usable, err
}

// center computes the means that steps subtract: those of the pairs after the steps before.
func (f *fitter) center(ctx context.Context, pairs []Pair) error {
	for i, step := range f.a.steps {
		if step != Center {
			continue
		}
		a, b := make([]float64, f.dim), make([]float64, f.dim)
		err := f.eachBlock(ctx, pairs, i, "centering", func(_ int, rowsA, rowsB blas64.General) {
			for r := range rowsA.Rows {
				blas64.Axpy(1, vectorOf(rowOf(rowsA, r)), vectorOf(a))
				blas64.Axpy(1, vectorOf(rowOf(rowsB, r)), vectorOf(b))
			}
		})
		if err != nil {
			return err
		}
		for k := range a {
			a[k] /= float64(len(pairs))
			b[k] /= float64(len(pairs))
		}
		f.a.means[i], f.b.means[i] = a, b
	}
	return nil
}

const band = 32

// product returns AᵀB of the pairs' vectors after all steps, and the sums of squares of A and of B. Every sum
// is in the order of the pairs.
func (f *fitter) product(ctx context.Context, pairs []Pair) (sum blas64.General, squaresA, squaresB float64, err error) {
	d := f.dim
	sum = blas64.General{Rows: d, Cols: d, Stride: d, Data: make([]float64, d*d)}
	err = f.eachBlock(ctx, pairs, len(f.a.steps), "multiplying", func(_ int, a, b blas64.General) {
		squaresA += squares(a)
		squaresB += squares(b)
		parallel.Do((d+band-1)/band, func(first, last int) {
			for first := first * band; first < min(d, last*band); first += band {
				width := min(band, d-first)
				blas64.Gemm(blas.Trans, blas.NoTrans, 1,
					blas64.General{Rows: a.Rows, Cols: width, Stride: d, Data: a.Data[first:]}, b,
					1, blas64.General{Rows: width, Cols: d, Stride: d, Data: sum.Data[first*d:]})
			}
		})
	})
	return sum, squaresA, squaresB, err
}

func squares(m blas64.General) (sum float64) {
	for r := range m.Rows {
		row := vectorOf(rowOf(m, r))
		sum += blas64.Dot(row, row)
	}
	return sum
}

// cosines returns the cosine of each pair's vectors after a rotation, without steps. It is NaN if a vector
// has no direction.
func (f *fitter) cosines(ctx context.Context, pairs []Pair, rotation []float64) ([]float64, error) {
	cosines := make([]float64, len(pairs))
	by := blas64.General{Rows: f.dim, Cols: f.dim, Stride: f.dim, Data: rotation}
	to := blas64.General{Rows: blockPairs, Cols: f.dim, Stride: f.dim, Data: make([]float64, blockPairs*f.dim)}
	err := f.eachBlock(ctx, pairs, 0, "comparing", func(first int, a, b blas64.General) {
		to.Rows = a.Rows
		rotated(to, a, by)
		for r := range a.Rows {
			x, y := vectorOf(rowOf(to, r)), vectorOf(rowOf(b, r))
			cosines[first+r] = min(1, max(-1, blas64.Dot(x, y)/(blas64.Nrm2(x)*blas64.Nrm2(y))))
		}
	})
	return cosines, err
}

const epsilon = 0x1p-52

// rotationOf sets the fit's rotation to U·Vᵀ, where U·S·Vᵀ is the singular value decomposition of product,
// and returns the singular values, the largest first. The decomposition cannot be interrupted: if the context
// ends, rotationOf returns, and the decomposition runs to its end in the background.
func rotationOf(ctx context.Context, product blas64.General, fit *Fit) ([]float64, error) {
	var svd mat.SVD
	var r mat.Dense
	done := make(chan bool, 1)
	go func() {
		ok := svd.Factorize(mat.NewDense(product.Rows, product.Cols, product.Data), mat.SVDFull)
		if ok {
			var u, v mat.Dense
			svd.UTo(&u)
			svd.VTo(&v)
			r.Mul(&u, v.T())
		}
		done <- ok
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case ok := <-done:
		if !ok {
			return nil, errors.New("the singular value decomposition of the anchors' product does not converge")
		}
		fit.Rotation = r.RawMatrix().Data
		return svd.Values(nil), nil
	}
}

// affords returns an error if the unit vectors of so many words need more memory than the process can get, in
// addition to the memory that it uses already.
func affords(s *vectors.Set, words int, what, instead string) error {
	const lane, number = 16, 4 // rows are padded to a multiple of lane numbers; a number has 4 bytes
	row := math.Ceil(float64(s.Dim())/lane) * lane * number
	if need, have, limit, lacks := sysinfo.Lacks(row*float64(words), false); lacks {
		return &transform.MemoryError{What: what, Need: need, Have: have, Limit: limit, Instead: instead}
	}
	return nil
}

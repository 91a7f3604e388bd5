package transform

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// A Scale is what vectors are multiplied by before a network starts from them. Its value is its name on the
// command line.
type Scale string

const (
	// ScaleNone leaves vectors as they are.
	ScaleNone Scale = "none"
	// ScaleUnit scales every vector to length 1.
	ScaleUnit Scale = "unit"
	// ScaleSqrtDim multiplies by the square root of the dimensions, as transformers do when they
	// look up embeddings. Use it for networks that do not.
	ScaleSqrtDim Scale = "sqrt-dim"

	scaleStd = "std="
)

// ScaleStd multiplies all vectors by one number, so that the standard deviation of all their numbers is std:
// 0.02 is what many transformers start embeddings from.
func ScaleStd(std float64) Scale {
	return Scale(scaleStd + strconv.FormatFloat(std, 'g', -1, 64))
}

// ParseScale returns the scale with a name.
func ParseScale(name string) (Scale, error) {
	switch s := Scale(name); s {
	case ScaleNone, ScaleUnit, ScaleSqrtDim:
		return s, nil
	}
	if text, ok := strings.CutPrefix(name, scaleStd); ok {
		std, err := strconv.ParseFloat(text, 64)
		if err != nil || !(std > 0) || math.IsInf(std, 0) {
			return "", fmt.Errorf("the scale std=S needs a number above 0, found %q", text)
		}
		return ScaleStd(std), nil
	}
	return "", fmt.Errorf("the scale %q is not known; known are %s, %s, %s, %sS", name, ScaleNone, ScaleUnit, ScaleSqrtDim, scaleStd)
}

// Scaled returns s with its vectors scaled on demand. Context vectors are scaled separately, by the same
// rule. ScaleUnit keeps only the words of the vocabulary; other scales keep n-grams. ScaleStd reads all
// vectors first.
func Scaled(s *vectors.Set, scale Scale) (*vectors.Set, error) {
	scale, err := ParseScale(string(scale))
	if err != nil {
		return nil, err
	}
	switch scale {
	case ScaleNone:
		return s, nil
	case ScaleUnit:
		return vectors.New(plainWith(s, scaledRows(s.Rows(), toUnit), scaledRows(s.Output(), toUnit)))
	case ScaleSqrtDim:
		by := factor(math.Sqrt(float64(s.Dim())))
		return scaledBy(s, by, by)
	}
	want, _ := strconv.ParseFloat(strings.TrimPrefix(string(scale), scaleStd), 64)
	// Vectors are sums of rows, so a factor of all rows is a factor of vectors.
	input, err := factorFor(s, want, s.Rows(), "vectors")
	if err != nil {
		return nil, err
	}
	output := input
	switch {
	case s.Output().Rows > 0:
		output, err = factorFor(s, want, s.Output(), "context vectors")
	default:
		for _, tree := range matricesOf(s, func(k vectors.MatrixKind) bool { return k.Tree }) {
			output, err = factorFor(s, want, tree.Matrix, "vectors of nodes")
		}
	}
	if err != nil {
		return nil, err
	}
	return scaledBy(s, input, output)
}

func scaledBy(s *vectors.Set, input, output func(row []float32)) (*vectors.Set, error) {
	behind := errorsOf(s)
	by := func(matrix string, m vectors.Matrix, scale func(row []float32)) vectors.Matrix {
		return guarded(s, behind, scaledRows(m, scale), matrix, "scaled", m)
	}
	t := s.MapRows(func(m vectors.Matrix) vectors.Matrix { return by(vectors.MatrixOutput, m, output) }).SharedParts()
	t.Source = behind
	for _, m := range matricesOf(s, func(k vectors.MatrixKind) bool { return !k.Output && !k.Table }) {
		t.Put(m.Name, by(m.Name, m.Matrix, input))
	}
	rows, projection, factored := s.Input().Factors()
	switch learned := s.Learned(); {
	case factored:
		t.Input = vectors.Product(by(vectors.MatrixInput, rows, input), projection)
	case learned.Any(): // dimensions that are means of learned numbers scale alike
		t.Input = s.Input()
		t.Put(learned.Name, by(learned.Name, s.Matrix(learned.Name), input))
	default:
		t.Input = by(vectors.MatrixInput, s.Input(), input)
	}
	if outputIsInput(s) {
		t.Output = t.Input
	}
	return vectors.New(t)
}

// factorFor returns the factor that makes std the standard deviation of the numbers of m, of s.
func factorFor(s *vectors.Set, std float64, m vectors.Matrix, what string) (func(row []float32), error) {
	// Deviations from the first number, so that a mean far from zero loses no digits.
	var first, sum, squares, n, largest float64
	for r, row := range s.RowsOf(m) {
		for _, x := range row {
			x := float64(x)
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, fmt.Errorf("the %s of word %d, %.40q, have %v among their numbers, so there is no standard deviation", what, r, s.Words().At(r), x)
			}
			if n == 0 {
				first = x
			}
			n++
			largest = max(largest, math.Abs(x))
			sum += x - first
			squares += (x - first) * (x - first)
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	mean := sum / n
	variance := squares/n - mean*mean
	if !(variance > 0) { // true without numbers, too
		return nil, fmt.Errorf("the %s are all the same number, so no factor gives them a standard deviation of %v", what, std)
	}
	by := std / math.Sqrt(variance)
	if !(by*largest <= math.MaxFloat32) {
		return nil, fmt.Errorf("the %s cannot have a standard deviation of %v: their largest number, %v, would be %.3g, which is beyond those of float32", what, std, float32(largest), by*largest)
	}
	return factor(by), nil
}

func factor(by float64) func(row []float32) {
	return func(row []float32) {
		for i, x := range row {
			row[i] = float32(float64(x) * by)
		}
	}
}

func toUnit(row []float32) {
	var sum float64
	for _, x := range row {
		sum += float64(x) * float64(x)
	}
	if sum != 0 {
		factor(1 / math.Sqrt(sum))(row)
	}
}

func scaledRows(m vectors.Matrix, scale func(row []float32)) vectors.Matrix {
	if m.Rows == 0 {
		return m
	}
	return vectors.Stored(m.Rows, m.Cols, coded.Func(func(dst []float32, r int) {
		m.Read(dst, r)
		scale(dst)
	}))
}

// Normalized returns the words of s with vectors of length 1, or zeros for a vector that is zero or not
// finite. The result is a plain set without context vectors: the mean of n-grams of length 1 would be another
// vector.
func Normalized(s *vectors.Set) *vectors.Set {
	n := sibling(s)
	n.Input = scaledRows(s.Rows(), func(row []float32) { vectors.Unit(row, row) })
	return made(n)
}

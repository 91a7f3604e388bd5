// Package simd holds the float32 kernels of training and search.
//
// A matrix is given as its numbers and its stride: row r starts at data[r*stride]. Rows have as many
// numbers as the caller's own rows. Kernels do not check row numbers.
//
// The portable kernels, in Go, define what each kernel computes, except Transpose, which they do not
// need. On amd64 and arm64 the kernels are in assembly and may add in another order. Errors,
// ErrorsOfScores, AddRows and UpdateRows skip pairs that are not asked for; other kernels may multiply
// by 0, which gives NaN for infinities.
package simd

import "unsafe"

// A Block is a few consecutive rows that belong to one worker; in training at most Lanes. Row i starts
// at Data[i*Stride] and has Cols numbers.
type Block struct {
	Data               []float32
	Rows, Cols, Stride int
}

// Row returns row i without copying it.
func (b Block) Row(i int) []float32 { return b.Data[i*b.Stride:][:b.Cols] }

// Slice returns rows first to last-1.
func (b Block) Slice(first, last int) Block {
	b.Data, b.Rows = b.Data[first*b.Stride:], last-first
	return b
}

// Lists are lists of weighted rows. List i consists of the entries Starts[i] to Starts[i+1]-1 of Rows
// and Weights.
type Lists struct {
	Starts  []uint64
	Rows    []uint32
	Weights []float32
}

// Gather sets dst to the sum of the given rows, each times its weight.
func Gather(dst, data []float32, stride int, rows []uint32, weights []float32) {
	one := Block{Data: dst, Rows: 1, Cols: len(dst), Stride: len(dst)}
	GatherLists(one, data, stride, Lists{[]uint64{0, uint64(len(rows))}, rows, weights}, []uint32{0})
}

// GatherLists sets row i of dst to the sum of the rows of list ids[i], each times
// its weight.
func GatherLists(dst Block, data []float32, stride int, lists Lists, ids []uint32) {
	gatherLists(dst, data, stride, lists, ids)
}

// ScatterLists adds row i of delta to each row of list ids[i]. It adds twice to a row that is listed
// twice. It ignores weights.
func ScatterLists(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	scatterLists(data, stride, lists, ids, delta)
}

// ScatterWeighted is ScatterLists with weights: it adds row i of delta, times its weight, to
// each row of list ids[i].
func ScatterWeighted(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	scatterWeighted(data, stride, lists, ids, delta)
}

// DotLists writes to dst the dot products of row i of rows and each row of list ids[i], for one list
// after the other. It ignores weights. The result for two rows does not depend on the other rows.
func DotLists(dst, data []float32, stride int, lists Lists, ids []uint32, rows Block) {
	dotLists(dst, data, stride, lists, ids, rows)
}

// Prefetch asks the processor to load the first cols numbers of the given rows into its cache.
func Prefetch(data []float32, stride int, rows []uint32, cols int) {
	prefetch(data, stride, rows, cols)
}

// PrefetchLists asks for the entries of lists, whose starts are read now.
func PrefetchLists(lists Lists, ids []uint32) { prefetchLists(lists, ids) }

// PrefetchAt asks for what stands at the given places of a slice.
func PrefetchAt[T any](of []T, places []uint32) {
	if len(of) > 0 {
		prefetchBytes(unsafe.Pointer(&of[0]), int(unsafe.Sizeof(of[0])), places)
	}
}

// Lanes is the largest number of rows of a block whose errors are computed together.
const Lanes = 16

// Transpose transposes h, which has at most Lanes rows, for Errors and Scores: it sets dst[k*Lanes+i] to
// number k of row i. For rows that h does not have, dst has arbitrary numbers. Kernels that do not
// need the transposed rows leave dst as it was.
func Transpose(dst []float32, h Block) { transpose(dst, h) }

// Scores sets s[j*Lanes+i] to the dot product of row i of h and row rows[j] of the matrix. transposed is
// the result of Transpose of h. For rows that h does not have, s gets arbitrary numbers.
func Scores(s []float32, h Block, transposed []float32, data []float32, stride int, rows []uint32) {
	scores(s, h, transposed, data, stride, rows)
}

// Pairs are pairs of a row of a block and a row of a matrix, all with the same label.
type Pairs struct {
	Rows []uint32 // of the matrix
	// With[j] has bit i set if Rows[j] is paired with row i of the block.
	With []uint16
	// Weights has Lanes weights, one for each row of the block.
	Weights []float32
	// Positive is the label. Positive pairs should have large dot products, negative pairs small
	// ones.
	Positive bool
	// Rounding rounds errors.
	Rounding Rounding
	// Kept is set by what finds errors, and has room for all Rows. Kept[j] has bit i set if Rows[j] is
	// paired with row i of the block and the pair's error was not rounded to 0.
	Kept []uint16
}

// Errors sets g[j*Lanes+i] to the error of logistic regression for row i of h and row p.Rows[j] of the
// matrix. With dot product s and the weight w of row i, the error is w·(1−σ(s)) for positive pairs and
// −w·σ(s) for negative ones. This is w times the negative derivative of the pair's loss by s. For rows
// that are not paired the error is 0, even if s is not finite. Errors then rounds what p.Rounding says, and
// sets p.Kept.
//
// transposed is the result of Transpose of h. If loss is set, Errors returns the sum of all pairs'
// losses times w: −log σ(s) for positive pairs, −log σ(−s) for negative ones. Otherwise it returns 0.
// Rounding does not change the loss.
func Errors(g []float32, h Block, transposed []float32, data []float32, stride int, p Pairs, loss bool) float64 {
	return errors(g, h, transposed, data, stride, p, loss)
}

// ErrorsOfScores is Errors for given scores. The score of p.Rows[j] and row i of the block is the sum
// of so many parts, which are scores[j*Lanes+i], scores[j*Lanes+i+stride] and so on. It uses only the
// length of p.Rows.
func ErrorsOfScores(g, scores []float32, stride, parts int, p Pairs, loss bool) float64 {
	return errorsOfScores(g, scores, stride, parts, p, loss)
}

// Rows are some rows of a matrix. Row i of them starts at Data[IDs[i]*Stride].
type Rows struct {
	Data   []float32
	Stride int
	IDs    []uint32
}

// AddRows adds rows of src to rows of dst, pair by pair: to row i of dst it adds row j of src times
// w[j*Lanes+i] if bit i of kept[j] is set. Rows have cols numbers. kept has as many masks as src has
// rows, and no bit of a row that dst does not have. Rows of dst may be the same, but rows of dst and src
// must not overlap.
func AddRows(dst, src Rows, cols int, w []float32, kept []uint16) {
	addRows(dst, src, cols, w, kept)
}

// UpdateRows is AddRows the other way round: to row j of dst it adds row i of src times w[j*Lanes+i] if
// bit i of kept[j] is set. So kept has as many masks as dst has rows.
func UpdateRows(dst, src Rows, cols int, w []float32, kept []uint16) {
	updateRows(dst, src, cols, w, kept)
}

// A Triple names two rows to multiply and the row to which their weighted product is added.
type Triple struct {
	Dst, A, B uint32
	Weight    float32
}

// MultiplyRows adds to rows of dst the elementwise products of rows of a and b times a weight. Rows have
// cols numbers. It works on one triple after the other, so that a triple sees the changes of earlier
// ones.
func MultiplyRows(dst, a, b Rows, cols int, triples []Triple) {
	multiplyRows(dst, a, b, cols, triples)
}

// Dots sets dst[i*ldd+j] to the dot product of row i of a and row j of b, for na rows of a and nb rows of
// b. Row i of a starts at a[i*lda] and row j of b at b[j*ldb]; both have cols numbers. The result for
// two rows does not depend on the other rows.
func Dots(dst []float32, ldd int, a []float32, lda, na int, b []float32, ldb, nb, cols int) {
	dots(dst, ldd, a, lda, na, b, ldb, nb, cols)
}

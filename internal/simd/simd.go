// Package simd holds the float32 kernels of training and search.
//
// A matrix is given as its numbers and its stride: row r starts at
// data[r*stride]. Rows have as many numbers as the caller's own rows. The rows
// that are named must be there: kernels do not check.
//
// The portable kernels, in Go, say what each kernel computes (but for Transpose,
// which they have no use for). On amd64 and arm64 the same is done in assembly,
// which may add in another order. Only Errors and ErrorsOfScores promise that pairs
// which are left out are not looked at; elsewhere 0 times infinity may be added.
package simd

// A Block is a few consecutive rows of a worker's own, at most Lanes of them in
// training: row i starts at Data[i*Stride] and has Cols numbers.
type Block struct {
	Data               []float32
	Rows, Cols, Stride int
}

// Row returns row i, which is not copied.
func (b Block) Row(i int) []float32 { return b.Data[i*b.Stride:][:b.Cols] }

// Slice returns rows first to last-1.
func (b Block) Slice(first, last int) Block {
	b.Data, b.Rows = b.Data[first*b.Stride:], last-first
	return b
}

// Lists are lists of rows, each with a weight: list i is the entries from
// Starts[i] to Starts[i+1]-1.
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

// ScatterLists adds row i of delta to each row of list ids[i], to a row that is
// listed twice twice. Weights do not matter.
func ScatterLists(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	scatterLists(data, stride, lists, ids, delta)
}

// ScatterWeighted is ScatterLists with weights: it adds row i of delta, times its weight, to
// each row of list ids[i].
func ScatterWeighted(data []float32, stride int, lists Lists, ids []uint32, delta Block) {
	scatterWeighted(data, stride, lists, ids, delta)
}

// DotLists sets dst, one number after the other, to the dot products of row i of rows and
// each row of list ids[i], for list after list. Weights do not matter. The result for two
// rows does not depend on what is computed with them.
func DotLists(dst, data []float32, stride int, lists Lists, ids []uint32, rows Block) {
	dotLists(dst, data, stride, lists, ids, rows)
}

// Prefetch asks for the first cols numbers of the given rows to be brought near.
func Prefetch(data []float32, stride int, rows []uint32, cols int) {
	prefetch(data, stride, rows, cols)
}

// PrefetchLists asks for the rows of the lists ids to be brought near.
func PrefetchLists(data []float32, stride int, lists Lists, ids []uint32, cols int) {
	for _, id := range ids {
		prefetch(data, stride, lists.Rows[lists.Starts[id]:lists.Starts[id+1]], cols)
	}
}

// Lanes is the most rows of a block whose errors are computed together.
const Lanes = 16

// Transpose makes of h, which has at most Lanes rows, what Errors and Scores want beside it:
// dst[k*Lanes+i] is number k of row i. What stands for rows that h lacks means nothing,
// and all of it may be left as it was by kernels that have no use for it.
func Transpose(dst []float32, h Block) { transpose(dst, h) }

// Scores sets s[j*Lanes+i] to the dot product of row i of h and row rows[j] of the matrix.
// Transposed is what Transpose makes of h. What stands for rows that h lacks means nothing.
func Scores(s []float32, h Block, transposed []float32, data []float32, stride int, rows []uint32) {
	scores(s, h, transposed, data, stride, rows)
}

// Pairs are rows of a block paired with rows of a matrix, and labelled.
type Pairs struct {
	Rows []uint32 // of the matrix
	// With has a bit i for each row i of the block that Rows[j] is paired with.
	With []uint16
	// Weights has a weight for each of Lanes rows of the block.
	Weights []float32
	// Positive pairs should have a large dot product, others a small one.
	Positive bool
}

// Errors sets g[j*Lanes+i] to the error of logistic regression for the pair of row
// i of h and row p.Rows[j] of the matrix: minus the derivative of the pair's loss by
// s, the dot product, times the row's weight w. That is w·(1−σ(s)) for positive
// pairs and −w·σ(s) for others. For what is not a pair it is 0, whatever s.
//
// transposed is what Transpose makes of h. If loss is set, Errors returns the sum
// of w times loss, −log σ(s) or −log σ(−s); else 0.
func Errors(g []float32, h Block, transposed []float32, data []float32, stride int, p Pairs, loss bool) float64 {
	return errors(g, h, transposed, data, stride, p, loss)
}

// ErrorsOfScores is Errors for scores that were found before: those of p.Rows[j] are, for
// each of Lanes rows of the block, the sums of scores[j*Lanes+i], of the number that stands
// stride behind it and so on, of so many parts. Which rows p.Rows names does not matter.
func ErrorsOfScores(g, scores []float32, stride, parts int, p Pairs, loss bool) float64 {
	return errorsOfScores(g, scores, stride, parts, p, loss)
}

// ErrorsOfEach is Errors for rows that are each paired with one row of h, or with none: it
// computes no more dot products than there are pairs, and has no use for h transposed.
func ErrorsOfEach(g []float32, h Block, data []float32, stride int, p Pairs, loss bool) float64 {
	return errorsOfEach(g, h, data, stride, p, loss)
}

// Rows are rows of a matrix: row number i of them is that at Data[IDs[i]*Stride].
type Rows struct {
	Data   []float32
	Stride int
	IDs    []uint32
}

// A Group is up to four rows to change together, First, First+1 and so on, and the
// rows From … To-1 that are added to them.
type Group struct{ First, Rows, From, To int32 }

// AddRows adds to the rows of dst, group by group, rows of src of cols numbers: to
// row i it adds row j times w[j*Lanes+i]. Rows of a group must differ; rows of dst
// and of src must not overlap.
func AddRows(dst, src Rows, cols int, w []float32, groups []Group) {
	update(dst, src, cols, w, 1, Lanes, groups, false)
}

// SetRows is AddRows, but sets the rows of dst to what that would add to them, whatever they
// were. Rows that no group names, or one that receives nothing, stay as they are.
func SetRows(dst, src Rows, cols int, w []float32, groups []Group) {
	update(dst, src, cols, w, 1, Lanes, groups, true)
}

// UpdateRows is AddRows the other way round: to row i of dst it adds row j of src
// times w[i*Lanes+j].
func UpdateRows(dst, src Rows, cols int, w []float32, groups []Group) {
	update(dst, src, cols, w, Lanes, 1, groups, false)
}

// AddEach is AddRows, and UpdateRows, of rows that each receive one: it adds row i of src, of cols
// numbers, times w[i*Lanes+i] to row i of dst. There are at most Lanes rows of dst, and no fewer
// of src. It takes them one by one: rows of dst may be the same.
func AddEach(dst, src Rows, cols int, w []float32) {
	addEach(dst, src, cols, w)
}

// A Triple is two rows to multiply, and the row that gets what comes of it, by their numbers
// among rows, and a weight.
type Triple struct {
	Dst, A, B uint32
	Weight    float32
}

// MultiplyRows adds to rows of dst, number by number, the products of rows of a and of b of
// cols numbers, times a weight. It takes triples one by one: what one has changed, those behind
// it see.
func MultiplyRows(dst, a, b Rows, cols int, triples []Triple) {
	multiplyRows(dst, a, b, cols, triples)
}

// Dots sets dst[i*ldd+j] to the dot product of row i of a and row j of b, for
// na rows of a and nb rows of b. Row i of a starts at a[i*lda], row j of b at
// b[j*ldb]; both have cols numbers. The result for two rows does not depend on
// what is computed with them.
func Dots(dst []float32, ldd int, a []float32, lda, na int, b []float32, ldb, nb, cols int) {
	dots(dst, ldd, a, lda, na, b, ldb, nb, cols)
}

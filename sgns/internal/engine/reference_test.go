package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/counting"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A reference is a model in float64 that is trained by the formulas of those who published
// them, and the rules of steps, with nothing of the code under test: every pair has its own
// draws and its own scores, every vector is made anew wherever it is needed. What was drawn
// is told to it.
type reference struct {
	config
	model[float64]
	off    model[float64] // how far kernels may be off each parameter, see tape
	words  []string
	rows   [][]entry // of which the vector of each word is made
	frozen [2][]bool // rows of input and output that stay; nil for none
	tree   *counting.Tree

	// true leaves out the rules of steps that are not the gradient's: see entry.
	true bool
}

// The rules of steps: how fast parameters that are not rows of one word move.
const (
	importanceRate = 0.1
	projectionRate = 0.01
	positionRate   = 0.1
)

// directionWeight is how much the side of a context counts.
const directionWeight = 0.3

// A model is parameters, or what belongs to each of them.
type model[T any] struct{ input, output, importance, directions, projection, positions, runs [][]T }

// all are all matrices with their names, in the order of params.Values.Owned; what is tied
// is there once.
func (p *model[T]) all() (names []string, all [][][]T) {
	for _, m := range []struct {
		name string
		rows [][]T
	}{
		{"input", p.input}, {"output", p.output}, {"importance", p.importance}, {"projection", p.projection},
		{"position weights", p.positions}, {"word n-grams", p.runs}, {"directions", p.directions},
	} {
		if m.rows == nil || m.name == "output" && p.tied() {
			continue
		}
		names, all = append(names, m.name), append(all, m.rows)
	}
	return names, all
}

func (p *model[T]) tied() bool { return &p.input[0][0] == &p.output[0][0] }

// An entry is a row that a word's vector is made of, with a share of it. The rules of
// steps: the row moves by the whole gradient of the vector and not by its share, as in
// fastText. Rows that were merged are one for several members, and that moves once for all
// of them. Learned weights are weights like any other, and move importanceRate as fast.
type entry struct {
	row, cell int     // cell is -1 where rows have no learned weights
	share     float64 // of the vector
	step      float64 // of the vector's gradient
}

// newReference returns the reference with the parameters of a run.
func newReference(c config, v *vocab.Vocab, table *rowtable.Table, p *params.Values) *reference {
	f := &reference{config: c, words: v.Tokens(), frozen: [2][]bool{p.Frozen("input"), p.Frozen("output")}}
	if c.Loss == hierarchicalSoftmax {
		f.tree = counting.Huffman(v.Counts())
	}
	f.read(p)
	size := make(map[uint32]float64)
	for _, row := range table.Members {
		size[row]++
	}
	for w, word := range f.words {
		f.rows = append(f.rows, f.entries(w, word, table, size))
	}
	return f
}

// entries returns what a word is made of. Size is how many words and buckets a row of a
// table stands for.
func (f *reference) entries(w int, word string, table *rowtable.Table, size map[uint32]float64) (list []entry) {
	if f.Subword == nil {
		return []entry{{row: w, cell: -1, share: 1, step: 1}}
	}
	var terms subword.Terms
	subword.CompositionOf(f.Subword).Terms(&terms, f.Subword, word, true)
	var rows []uint32
	if terms.Own {
		rows = append(rows, table.WordRow[w])
	}
	for _, bucket := range terms.Buckets {
		if table.BucketRow != nil {
			bucket = uint32(table.BucketRow[bucket])
		}
		rows = append(rows, bucket)
	}
	for i, row := range rows {
		e := entry{row: int(row), cell: -1, share: 1 / float64(terms.Pieces), step: 1 / size[row]}
		if len(terms.Cells) > 0 {
			e.cell, e.step = int(terms.Cells[i]), 1
		}
		list = append(list, e)
	}
	return list
}

// read makes the parameters of the reference those of a run.
func (f *reference) read(p *params.Values) {
	read := func(of func(vectors.Matrix) [][]float64) model[float64] {
		m := model[float64]{
			input: of(p.Matrix("input")), importance: of(p.Matrix(subword.CompositionOf(f.Subword).Learned(f.Subword).Name)), projection: of(p.Matrix("projection")),
			positions: of(p.Matrix("position_weights")), runs: of(p.Matrix("word_ngrams")), directions: of(p.Matrix("directions")),
		}
		if m.output = m.input; !f.Tied {
			rows := output(p)
			rows.Rows -= len(m.directions) // which are behind it
			m.output = of(rows)
		}
		return m
	}
	f.model, f.off = read(inFloat64), read(zeros)
}

func zeros(m vectors.Matrix) (rows [][]float64) {
	for range m.Rows {
		rows = append(rows, make([]float64, m.Cols))
	}
	return rows
}

func inFloat64(m vectors.Matrix) (rows [][]float64) {
	for r := range m.Rows {
		var row []float64
		for _, x := range m.Row(r) {
			row = append(row, float64(x))
		}
		rows = append(rows, row)
	}
	return rows
}

// put puts the parameters on a tape.
func (f *reference) put(t *tape) model[num] {
	t.reset()
	p := model[num]{
		input: t.numbers(f.input, f.off.input), importance: t.numbers(f.importance, f.off.importance),
		projection: t.numbers(f.projection, f.off.projection),
		positions:  t.numbers(f.positions, f.off.positions), runs: t.numbers(f.runs, f.off.runs),
		directions: t.numbers(f.directions, f.off.directions),
	}
	if f.Tied {
		p.output = p.input
	} else {
		p.output = t.numbers(f.output, f.off.output)
	}
	return p
}

// vector composes the vector of a word.
func (f *reference) vector(t *tape, p *model[num], word uint32) (v []num) {
	list := f.rows[word]
	if len(list) == 1 && list[0].cell < 0 && (f.true || list[0].share == list[0].step) { // no sum
		return p.input[list[0].row]
	}
	weight := func(e entry) (cell num, value, off float64) {
		k := len(f.importance[0])
		cell = p.importance[e.cell/k][e.cell%k]
		return cell, t.values[cell], t.off[cell] + 2*roundoff*math.Abs(t.values[cell])
	}
	steps := func(e entry) (row, cell float64) {
		if f.true {
			return e.share, e.share
		}
		return e.step, e.step * importanceRate
	}
	for k := range p.input[0] {
		n := t.number(0)
		for _, e := range list {
			x := p.input[e.row][k]
			row, cell := steps(e)
			if e.cell < 0 {
				t.add(n, e.share, roundoff*e.share, t.values[x], t.off[x], len(list))
				t.edge(x, row, roundoff*row)
				continue
			}
			w, value, off := weight(e)
			t.add(n, e.share*value, e.share*off, t.values[x], t.off[x], len(list))
			t.edge(x, row*value, row*off)
			t.edge(w, cell*t.values[x], cell*(t.off[x]+2*roundoff*math.Abs(t.values[x])))
		}
		v = append(v, n)
	}
	learned := subword.CompositionOf(f.Subword).Learned(f.Subword)
	for j := range learned.Appended {
		n := t.number(0)
		for _, e := range list {
			if e.cell%learned.Cols == j {
				w, value, off := weight(e)
				_, cell := steps(e)
				t.add(n, e.share, 0, value, off, len(list))
				t.edge(w, cell, 2*roundoff*cell)
			}
		}
		v = append(v, n)
	}
	return v
}

// A scene is a block: what is trained, and what was drawn for it.
type scene struct {
	ids         []uint32
	from, to    []int32
	first, last int
	window      int
	contexts    *random.Generator // that they are drawn with; nil for all of the window
	negatives   []uint32
	vector      func(word uint32) []num // of a word, as it is when the block begins
}

// A factor is what steps are multiplied by, and how far off kernels may be.
type factor struct{ value, off float64 }

// loss returns the sum of the losses of a block's pairs, and their number, and by what the
// steps of the projection and of the position weights are multiplied.
func (f *reference) loss(t *tape, p *model[num], s scene) (loss num, pairs int, projection, positions factor) {
	var losses []num
	var squares, squaresOff, numbers float64
	var drawn random.Generator
	if s.contexts != nil {
		drawn = *s.contexts
	}
	for c := s.first; c < s.last; c++ {
		from, to := max(c-s.window, int(s.from[c])), min(c+s.window+1, int(s.to[c]))
		var contexts []int
		for j := from; j < to; j++ {
			if j != c {
				contexts = append(contexts, j)
			}
		}
		if s.contexts != nil {
			contexts = drawnFrom(int(s.from[c]), int(s.to[c]), c, &drawn)
		}
		var hidden []num
		switch f.Arch {
		case cbow:
			hidden = f.mean(t, p, s, c, contexts, from, to)
		default:
			hidden = s.vector(s.ids[c])
		}
		for _, x := range hidden {
			squares += t.values[x] * t.values[x]
			squaresOff += 2 * math.Abs(t.values[x]) * t.off[x]
			numbers++
		}
		if len(contexts) == 0 {
			continue
		}
		if f.Rank > 0 {
			hidden = f.project(t, p, hidden)
		}
		if f.Arch == cbow {
			losses = f.pair(losses, t, p, hidden, s.ids[c], 0, s.negatives)
			pairs++
			continue
		}
		for _, j := range contexts {
			head, negatives := 0, s.negatives
			if f.Arch == structured {
				head = f.position(j - c)
				each := len(negatives) / (2 * f.Window)
				negatives = negatives[head*each:][:each]
			}
			losses = f.pair(losses, t, p, hidden, s.ids[j], head, negatives)
			if f.Loss == directional {
				losses = f.side(losses, t, p, hidden, s.ids[j], j > c)
			}
			pairs++
		}
	}
	ones := slices.Repeat([]float64{1}, len(losses))
	projection, positions = factor{1, 0}, factor{1, 0}
	if !f.true {
		rate := projectionRate / (1 + squares)
		projection = factor{rate, rate * (squaresOff/(1+squares) + (numbers+2)*roundoff)}
		rate = positionRate / float64(s.last-s.first) / f.boost()
		positions = factor{rate, 3 * roundoff * rate}
	}
	return t.sum(losses, ones), pairs, projection, positions
}

// position numbers relative positions: -window, …, -1, 1, …, window.
func (f *reference) position(relative int) int {
	if relative < 0 {
		return relative + f.Window
	}
	return relative + f.Window - 1
}

// mean returns the mean of the contexts of CBOW: words, times the weights of their
// positions, and runs of words in the window that the centre is not in.
func (f *reference) mean(t *tape, p *model[num], s scene, c int, contexts []int, from, to int) (mean []num) {
	var all [][]num
	for _, j := range contexts {
		v := s.vector(s.ids[j])
		if f.PositionWeights {
			weighed := make([]num, len(v))
			for k, x := range v {
				weighed[k] = t.dot([]num{x}, []num{p.positions[f.position(j-c)][k]})
			}
			v = weighed
		}
		all = append(all, v)
	}
	for first := from; first < to; first++ {
		for n := 2; n <= f.WordNgrams && first+n <= to; n++ {
			if first <= c && c < first+n {
				continue
			}
			var hashes []uint64
			hasher := subword.WordNgrams{MaxN: f.WordNgrams, Buckets: f.WordBuckets}
			for _, id := range s.ids[first:][:n] {
				hashes = append(hashes, hasher.Hash(f.words[id]))
			}
			all = append(all, p.runs[hasher.Append(nil, hashes)[n-2]]) // of those that begin with the first word the longest
		}
	}
	if len(all) == 0 {
		return nil
	}
	// Kernels make sums of windows of those of the windows before: all that has been added and
	// taken away again leaves roundings behind.
	var others [][]num
	for j := max(s.first-s.window, 0); j < min(s.last+s.window, len(s.ids)); j++ {
		if !slices.Contains(contexts, j) {
			others = append(others, s.vector(s.ids[j]))
		}
	}
	share := 1 / float64(len(all))
	for k := range all[0] {
		n := t.number(0)
		terms := len(all) + 2*len(others)
		for _, v := range all {
			t.add(n, share, roundoff*share, t.values[v[k]], t.off[v[k]], terms)
			t.edge(v[k], share*f.boost(), 2*roundoff*share*f.boost())
		}
		for _, v := range others {
			t.off[n] += t.roundings(terms) * share * math.Abs(t.values[v[k]])
			t.edge(v[k], 0, t.roundings(terms)*share*f.boost())
		}
		mean = append(mean, n)
	}
	return mean
}

// boost is how much more than by their gradients the contexts of CBOW move: as much as there
// are of them on the average.
func (f *reference) boost() float64 {
	if f.true || f.Arch != cbow {
		return 1
	}
	return toyContexts
}

func (f *reference) project(t *tape, p *model[num], low []num) (high []num) {
	for k := range f.Dim {
		var column []num
		for r := range low {
			column = append(column, p.projection[r][k])
		}
		high = append(high, t.dot(low, column))
	}
	return high
}

// pair adds the losses of a pair: one for each beginning of the vectors that is trained.
func (f *reference) pair(losses []num, t *tape, p *model[num], hidden []num, word uint32, head int, negatives []uint32) []num {
	beginnings := f.Nested
	if beginnings == nil {
		beginnings = []int{f.Dim}
	}
	for _, n := range beginnings {
		output := func(row uint32, sign float64) num {
			return t.softplus(t.dot(hidden[:n], p.output[int(row)+head*len(f.words)][:n]), sign)
		}
		if f.Loss == hierarchicalSoftmax {
			ones, zeros := f.tree.Sides(word)
			for _, node := range slices.Sorted(slices.Values(slices.Concat(ones, zeros))) {
				sign := 1.0
				if slices.Contains(ones, node) {
					sign = -1
				}
				losses = append(losses, output(node, sign))
			}
			continue
		}
		if f.Loss == fullSoftmax {
			var scores []num
			for row := range f.words {
				scores = append(scores, t.dot(hidden[:n], p.output[row][:n]))
			}
			losses = append(losses, t.softmax(scores, int(word)))
			continue
		}
		losses = append(losses, output(word, -1))
		var no, not []num
		var weights []float64
		weight := float64(f.Negatives) / float64(len(negatives))
		for _, id := range negatives {
			if id != word {
				no, weights = append(no, output(id, 1)), append(weights, weight)
			} else {
				not = append(not, output(id, 1))
			}
		}
		sum := t.sum(no, weights)
		for _, n := range not {
			t.cancelled(sum, n, weight)
		}
		losses = append(losses, sum)
	}
	return losses
}

// side adds the losses of telling on which side of a word its context is: by the logistic function of a product if it is on the
// right, and by that of minus the product if it is on the left.
func (f *reference) side(losses []num, t *tape, p *model[num], hidden []num, word uint32, right bool) []num {
	beginnings := f.Nested
	if beginnings == nil {
		beginnings = []int{f.Dim}
	}
	for _, n := range beginnings {
		sign := 1.0
		if right {
			sign = -1
		}
		side := t.softplus(t.dot(hidden[:n], p.directions[word][:n]), sign)
		other := t.softplus(t.dot(hidden[:n], p.directions[word][:n]), -sign)
		sum := t.sum([]num{side}, []float64{directionWeight})
		if !right { // kernels find the loss and the error of the right, and what is too much is taken away
			t.cancelled(sum, other, 1)
		}
		losses = append(losses, sum)
	}
	return losses
}

// reported is the loss that is reported where this is the sum: the mean of all beginnings.
func (f *reference) reported(sum float64) float64 { return sum / float64(max(len(f.Nested), 1)) }

// steps returns by how much the parameters move at rate 1 in a block that is trained at the
// given rate, and how far off that kernels may be.
func (f *reference) steps(t *tape, p *model[num], loss num, projection, positions factor, rate float64) (moves, off model[float64]) {
	g, offBy := t.gradient(loss, rate)
	one := factor{1, 0}
	move := func(rows [][]num, by factor, frozen []bool) (moves, off [][]float64) {
		for r, row := range rows {
			m, o := make([]float64, len(row)), make([]float64, len(row))
			for k, n := range row {
				if frozen == nil || !frozen[r] {
					m[k] = -by.value * g[n]
					o[k] = by.value*offBy[n] + by.off*math.Abs(g[n])
					if by != one && rate > 0 { // added to the parameters as one sum a centre
						o[k] += t.roundings(MaxCentres) * math.Abs(t.values[n]) / rate
					}
				}
			}
			moves, off = append(moves, m), append(off, o)
		}
		return moves, off
	}
	moves.input, off.input = move(p.input, one, f.frozen[0])
	moves.importance, off.importance = move(p.importance, one, nil)
	moves.projection, off.projection = move(p.projection, projection, nil)
	moves.positions, off.positions = move(p.positions, positions, nil)
	moves.runs, off.runs = move(p.runs, one, nil)
	moves.directions, off.directions = move(p.directions, one, nil)
	if moves.output, off.output = moves.input, off.input; !f.Tied {
		moves.output, off.output = move(p.output, one, f.frozen[1])
	}
	return moves, off
}

// add adds to the parameters what they move by, times a rate.
func (f *reference) add(moves, off *model[float64], rate float64) {
	addTimes(&f.model, moves, rate)
	addTimes(&f.off, off, rate)
}

// addTimes adds to the numbers of p those of by, times a factor.
func addTimes(p, by *model[float64], factor float64) {
	_, all := p.all()
	_, moves := by.all()
	for m, rows := range all {
		for r, row := range rows {
			for k := range row {
				row[k] += factor * moves[m][r][k]
			}
		}
	}
}

// differs says where parameters of a run are not those of the reference, as far as kernels
// can compute them.
func (f *reference) differs(p *params.Values) error {
	names, want := f.all()
	_, off := f.off.all()
	matrices := all(p)
	if len(matrices) != len(want) {
		return fmt.Errorf("%d matrices for %d", len(matrices), len(want))
	}
	for m, rows := range want {
		for r, row := range rows {
			for k, want := range row {
				got := float64(matrices[m].Row(r)[k])
				if d := math.Abs(got - want); !(d <= off[m][r][k]) {
					return fmt.Errorf("%s row %d, number %d: %v, want %v within %.1e", names[m], r, k, got, want, off[m][r][k])
				}
			}
		}
	}
	return nil
}

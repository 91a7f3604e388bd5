package sgns

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A reference is a model in float64 that is trained by the formulas of those who published
// them, and the rules of steps, with nothing of the code under test: every pair has its own
// draws and its own scores, every vector is made anew wherever it is needed. What was drawn
// is told to it.
type reference struct {
	Config
	model[float64]
	words  []string
	rows   [][]entry // of which the vector of each word is made
	frozen [2][]bool // rows of input and output that stay; nil for none
	tree   *vocab.Tree

	// true leaves out the rules of steps that are not the gradient's: see entry.
	true bool
}

// A model is parameters, or what belongs to each of them.
type model[T any] struct{ input, output, importance, projection, positions, runs [][]T }

// all are all matrices with their names, in the order of parameters.matrices; what is tied
// is there once.
func (p *model[T]) all() (names []string, all [][][]T) {
	for _, m := range []struct {
		name string
		rows [][]T
	}{
		{"input", p.input}, {"output", p.output}, {"importance", p.importance},
		{"projection", p.projection}, {"position weights", p.positions}, {"word n-grams", p.runs},
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
func newReference(c Config, v *vocab.Vocab, table *subword.Table, p *parameters) *reference {
	f := &reference{Config: c, words: v.Tokens(), tree: p.tree, frozen: [2][]bool{p.frozenInput, p.frozenOutput}}
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
func (f *reference) entries(w int, word string, table *subword.Table, size map[uint32]float64) (list []entry) {
	if f.Subword == nil {
		return []entry{{row: w, cell: -1, share: 1, step: 1}}
	}
	var rows []uint32
	if table.WordRow != nil {
		rows = append(rows, table.WordRow[w])
	}
	for _, bucket := range f.Subword.Append(nil, word) {
		if table.BucketRow != nil {
			bucket = uint32(table.BucketRow[bucket])
		}
		rows = append(rows, bucket)
	}
	hash, ok := f.Subword.(subword.Hash)
	if !ok {
		for _, row := range rows {
			list = append(list, entry{row: int(row), cell: -1, share: 1 / float64(len(rows)), step: 1 / size[row]})
		}
		return list
	}
	pieces := hash.AppendImportances(nil, word)
	for i, row := range rows {
		cell := int(pieces[i/hash.Hashes])*hash.Hashes + i%hash.Hashes
		list = append(list, entry{row: int(row), cell: cell, share: 1 / float64(len(pieces)), step: 1})
	}
	return list
}

// read makes the parameters of the reference those of a run.
func (f *reference) read(p *parameters) {
	f.model = model[float64]{
		input: inFloat64(p.input), importance: inFloat64(p.importance), projection: inFloat64(p.projection),
		positions: inFloat64(p.positions), runs: inFloat64(p.runs),
	}
	if f.Tied {
		f.output = f.input
	} else {
		f.output = inFloat64(p.output)
	}
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
		input: t.numbers(f.input), importance: t.numbers(f.importance), projection: t.numbers(f.projection),
		positions: t.numbers(f.positions), runs: t.numbers(f.runs),
	}
	if f.Tied {
		p.output = p.input
	} else {
		p.output = t.numbers(f.output)
	}
	return p
}

// vector composes the vector of a word.
func (f *reference) vector(t *tape, p *model[num], word uint32) (v []num) {
	list := f.rows[word]
	if len(list) == 1 && list[0].cell < 0 && (f.true || list[0].share == list[0].step) { // no sum
		return p.input[list[0].row]
	}
	weight := func(e entry) (cell num, value float64) {
		k := len(f.importance[0])
		cell = p.importance[e.cell/k][e.cell%k]
		return cell, t.values[cell]
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
				t.values[n] += e.share * t.values[x]
				t.edge(x, row)
				continue
			}
			w, value := weight(e)
			t.values[n] += e.share * value * t.values[x]
			t.edge(x, row*value)
			t.edge(w, cell*t.values[x])
		}
		v = append(v, n)
	}
	if hash, ok := f.Subword.(subword.Hash); ok && hash.AppendWeights {
		for j := range hash.Hashes {
			n := t.number(0)
			for i := j; i < len(list); i += hash.Hashes {
				w, value := weight(list[i])
				_, cell := steps(list[i])
				t.values[n] += list[i].share * value
				t.edge(w, cell)
			}
			v = append(v, n)
		}
	}
	return v
}

// A scene is a block: what is trained, and what was drawn for it.
type scene struct {
	ids         []uint32
	from, to    []int32
	first, last int
	window      int
	negatives   []uint32
	vector      func(word uint32) []num // of a word, as it is when the block begins
}

// loss returns the sum of the losses of a block's pairs, and their number, and by what the
// steps of the projection and of the position weights are multiplied.
func (f *reference) loss(t *tape, p *model[num], s scene) (loss num, pairs int, projection, positions float64) {
	var losses []num
	var squares float64
	for c := s.first; c < s.last; c++ {
		from, to := max(c-s.window, int(s.from[c])), min(c+s.window+1, int(s.to[c]))
		var contexts []int
		for j := from; j < to; j++ {
			if j != c {
				contexts = append(contexts, j)
			}
		}
		var hidden []num
		switch f.Arch {
		case CBOW:
			hidden = f.mean(t, p, s, c, contexts, from, to)
		default:
			hidden = s.vector(s.ids[c])
		}
		for _, x := range hidden {
			squares += t.values[x] * t.values[x]
		}
		if len(contexts) == 0 {
			continue
		}
		if f.Rank > 0 {
			hidden = f.project(t, p, hidden)
		}
		if f.Arch == CBOW {
			losses = f.pair(losses, t, p, hidden, s.ids[c], 0, s.negatives)
			pairs++
			continue
		}
		for _, j := range contexts {
			head, negatives := 0, s.negatives
			if f.Arch == Structured {
				head = f.position(j - c)
				each := len(negatives) / (2 * f.Window)
				negatives = negatives[head*each:][:each]
			}
			losses = f.pair(losses, t, p, hidden, s.ids[j], head, negatives)
			pairs++
		}
	}
	ones := slices.Repeat([]float64{1}, len(losses))
	projection, positions = 1, 1
	if !f.true {
		projection, positions = projectionRate/(1+squares), positionRate/float64(s.last-s.first)/f.boost()
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
	share := 1 / float64(len(all))
	for k := range all[0] {
		n := t.number(0)
		for _, v := range all {
			t.values[n] += share * t.values[v[k]]
			t.edge(v[k], share*f.boost())
		}
		mean = append(mean, n)
	}
	return mean
}

// boost is how much more than by their gradients the contexts of CBOW move: as much as there
// are of them on the average.
func (f *reference) boost() float64 {
	if f.true || f.Arch != CBOW {
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
		if f.Loss == HierarchicalSoftmax {
			for node, one := range f.tree.Path(word) {
				sign := 1.0
				if one {
					sign = -1
				}
				losses = append(losses, output(node, sign))
			}
			continue
		}
		losses = append(losses, output(word, -1))
		var no []num
		var weights []float64
		for _, id := range negatives {
			if id != word {
				no = append(no, output(id, 1))
				weights = append(weights, float64(f.Negatives)/float64(len(negatives)))
			}
		}
		losses = append(losses, t.sum(no, weights))
	}
	return losses
}

// reported is the loss that is reported where this is the sum: the mean of all beginnings.
func (f *reference) reported(sum float64) float64 { return sum / float64(max(len(f.Nested), 1)) }

// steps returns by how much the parameters move at rate 1 in a block, and what it reports.
func (f *reference) steps(t *tape, p *model[num], loss num, projection, positions float64) model[float64] {
	g := t.gradient(loss)
	move := func(rows [][]num, factor float64, frozen []bool) (moves [][]float64) {
		for r, row := range rows {
			var move []float64
			for _, n := range row {
				move = append(move, -factor*g[n])
			}
			if frozen != nil && frozen[r] {
				clear(move)
			}
			moves = append(moves, move)
		}
		return moves
	}
	m := model[float64]{
		input: move(p.input, 1, f.frozen[0]), importance: move(p.importance, 1, nil),
		projection: move(p.projection, projection, nil), positions: move(p.positions, positions, nil),
		runs: move(p.runs, 1, nil),
	}
	if f.Tied {
		m.output = m.input
	} else {
		m.output = move(p.output, 1, f.frozen[1])
	}
	return m
}

// add adds to the parameters what they move by, times a rate.
func (f *reference) add(moves *model[float64], rate float64) {
	_, all := f.all()
	_, by := moves.all()
	for m, rows := range all {
		for r, row := range rows {
			for k := range row {
				row[k] += rate * by[m][r][k]
			}
		}
	}
}

// differs says where parameters of a run are not those of the reference.
func (f *reference) differs(p *parameters, tolerance float64) error {
	names, all := f.all()
	matrices := p.matrices()
	if len(matrices) != len(all) {
		return fmt.Errorf("%d matrices for %d", len(matrices), len(all))
	}
	for m, rows := range all {
		for r, row := range rows {
			for k, want := range row {
				got := float64(matrices[m].Row(r)[k])
				if d := got - want; !(d*d <= tolerance*tolerance*(1+want*want)) {
					return fmt.Errorf("%s row %d, number %d: %v, want %v", names[m], r, k, got, want)
				}
			}
		}
	}
	return nil
}

package compose

import (
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// texts composes whole texts: each is the mean of all rows of its words and of its runs of words. A row counts once for
// each of its members that the text uses. The vectors of texts may be wider than rows: see pooled.
type texts struct {
	*textLists
	input   vectors.Matrix
	values  vectors.Matrix // vectors of texts, followed by their initial values
	changes simd.Lists     // lists for current minus initial values, by place
	changed simd.Block     // changes of the texts of a step
}

// A textLists has the rows of the texts of a span.
type textLists struct {
	*textRows
	runs    *wordRuns // nil without runs
	span    int
	centres int
	length  int        // number of texts
	places  []uint32   // 0…span-1
	rows    simd.Lists // rows of each text, with the numbers of members
	back    []float32  // for each row of a text, its textRow.back
	parts   simd.Lists // for each place, itself, with 1 / the number of members of its text
	// buckets are those of the runs of the text whose rows are found, and ahead those of the next one.
	buckets, ahead []uint32
}

// A textRows has the rows of each word. All workers share it. The rows of a word are in one place of memory, and take as
// little as they can, because most words of a text are in no cache.
type textRows struct {
	words  []textWord
	cells  []uint32
	shares []float32 // share of a member's gradient that each row gets; 0 for a frozen row
}

// A textWord has cells from the first on: numbers of rows of which the word uses one member, which is all that there is of
// the row; and, for each other row, its number, and as float32 the number of members that the word uses and the part of a
// member's gradient that the row gets, which is that number times its share.
type textWord struct {
	first       uint64
	alone, many uint32
}

// cells of a row that is not alone.
const cellsOfMany = 3

// textRowsOf returns the rows of each word. It is for the first worker; frozen rows are the same for all.
func (c *Composition) textRowsOf(frozen []bool) *textRows {
	c.once.Do(func() {
		t := &textRows{shares: c.table.RowShare}
		if frozen != nil {
			t.shares = make([]float32, len(frozen))
			for row, share := range c.table.RowShare {
				if !frozen[row] {
					t.shares[row] = share
				}
			}
		}
		isAlone := func(row uint32, members float32) bool { return members == 1 && t.shares[row] == 1 }
		t.words = make([]textWord, c.table.Words())
		cells := uint64(0)
		for w := range t.words {
			word := textWord{first: cells}
			rows, members := c.table.Of(uint32(w))
			for i, row := range rows {
				if isAlone(row, members[i]) {
					word.alone++
				}
			}
			word.many = uint32(len(rows)) - word.alone
			t.words[w], cells = word, cells+word.cells()
		}
		t.cells = make([]uint32, 0, cells)
		for w := range t.words {
			rows, members := c.table.Of(uint32(w))
			for i, row := range rows {
				if isAlone(row, members[i]) {
					t.cells = append(t.cells, row)
				}
			}
			for i, row := range rows {
				if !isAlone(row, members[i]) {
					t.cells = append(t.cells, row, math.Float32bits(members[i]), math.Float32bits(members[i]*t.shares[row]))
				}
			}
		}
		c.texts = t
	})
	return c.texts
}

func (w textWord) cells() uint64 { return uint64(w.alone) + cellsOfMany*uint64(w.many) }

// fetch asks for the rows of words, and returns their number. A cache holds few cells without being asked.
func (t *textRows) fetch(words []uint32) (n int) {
	const few = 1 << 17
	if len(t.cells) <= few {
		for _, w := range words {
			n += int(t.words[w].alone + t.words[w].many)
		}
		return n
	}
	for _, w := range words {
		word := t.words[w]
		n += int(word.alone + word.many)
		simd.PrefetchItems(t.cells, int(word.first), int(word.cells()))
	}
	return n
}

// A wordRuns finds the rows of runs of words.
type wordRuns struct {
	subword.WordNgrams
	hashes    []uint64 // of words
	bucketRow []int32
}

// prepareTexts computes what the texts of all workers need.
func (c *Composition) prepareTexts(words *vocab.Vocab, table *rowtable.Table) {
	if c.run.WordNgrams < 2 {
		return
	}
	c.runs = &wordRuns{
		WordNgrams: subword.WordNgrams{MaxN: c.run.WordNgrams, Buckets: c.run.WordBuckets},
		hashes:     make([]uint64, words.Len()),
		bucketRow:  table.BucketRow,
	}
	for w, word := range words.Tokens() {
		c.runs.hashes[w] = c.runs.Hash(word)
	}
}

func (c *Composition) newTexts(p step.Parts, input vectors.Matrix) *texts {
	span := p.Division.Cached
	l := &textLists{textRows: c.textRowsOf(p.Values.Frozen(InputName)), runs: c.runs, span: span}
	l.parts = step.EachAlone(span)
	t := &texts{textLists: l, input: input, values: vectors.NewMatrix(2*span, c.run.Pooling.Parts()*input.Cols), changed: step.NewRows(p.Division.Centres, input.Cols)}
	for i := range span {
		l.places = append(l.places, uint32(i))
		t.changes.Starts = append(t.changes.Starts, uint64(2*i))
		t.changes.Rows = append(t.changes.Rows, uint32(i), uint32(span+i))
		t.changes.Weights = append(t.changes.Weights, 1, -1)
	}
	t.changes.Starts = append(t.changes.Starts, uint64(2*span))
	return t
}

// textBytes is the size of a worker's texts. Words have so many rows on average, and the longest text is known, or 0.
func (c *Composition) textBytes(d step.Division, table *rowtable.Table) float64 {
	const usual = 256 // words of a text
	span, block := float64(d.Cached), float64(d.Step())
	words := step.TextTokens + block*float64(max(table.Longest, usual))
	rows := float64(table.Entries())/max(float64(table.Words()), 1) + float64(max(c.run.WordNgrams-1, 0))
	return 2*span*step.RowBytes(c.run.Hidden()) + float64(d.Centres)*step.RowBytes(c.run.Width()) + c.pooledBytes(d) + 36*span + step.Grown*12*words*rows
}

// textRowsBytes is the size of what all workers share.
func textRowsBytes(table *rowtable.Table) float64 {
	const word, row = 16, 4 * cellsOfMany // at most
	return word*float64(table.Words()) + row*float64(table.Entries()) + 4*float64(table.Rows())
}

// Columns returns the texts for the columns of the input matrix that input has.
func (t *texts) Columns(input vectors.Matrix) step.Composition { return t.columns(input) }

func (t *texts) columns(input vectors.Matrix) *texts {
	part := *t
	part.input, part.values = input, vectors.NewMatrix(t.values.Rows, t.values.Cols/t.input.Cols*input.Cols)
	part.changed = step.NewRows(t.changed.Rows, input.Cols)
	part.changes.Weights = slices.Clone(t.changes.Weights)
	return &part
}

// Source returns the composed vectors.
func (t *texts) Source() step.Source { return step.Source{Matrix: t.values, Cached: true} }

func (t *texts) Span() int                 { return t.span }
func (*texts) Projection() step.Projection { return nil }

// Begin finds the rows of the texts of a span.
func (t *texts) Begin(text step.Text, first, last, centres int) { t.Find(text, first, last, centres) }

// Find finds the rows of the texts of a span, and their weights.
func (l *textLists) Find(text step.Text, first, last, centres int) {
	l.centres, l.length = centres, last-first
	copy(text.Rows[first:last], l.places)
	l.rows.Starts = append(l.rows.Starts[:0], 0)
	l.rows.Rows, l.rows.Weights, l.back = l.rows.Rows[:0], l.rows.Weights[:0], l.back[:0]
	n, next := 0, l.fetch(text.Texts.WordsOf(first))
	l.fetchRuns(text.Texts.WordsOf(first))
	for i := first; i < last; i++ {
		l.buckets, l.ahead = l.ahead, l.buckets[:0]
		if i+2 < last {
			simd.PrefetchAt(l.words, text.Texts.WordsOf(i+2))
		}
		if n, next = next, 0; i+1 < last {
			next = l.fetch(text.Texts.WordsOf(i + 1))
			l.fetchRuns(text.Texts.WordsOf(i + 1))
		}
		members := l.find(text.Texts.WordsOf(i), n) + l.findRuns()
		l.parts.Weights[i-first] = 1 / float32(max(members, 1))
		l.rows.Starts = append(l.rows.Starts, uint64(len(l.rows.Rows)))
	}
}

// grow makes room for n rows, and returns it.
func (l *textLists) grow(n int) (rows []uint32, members, back []float32) {
	at := len(l.rows.Rows)
	l.rows.Rows = slices.Grow(l.rows.Rows, n)[:at+n]
	l.rows.Weights, l.back = slices.Grow(l.rows.Weights, n)[:at+n], slices.Grow(l.back, n)[:at+n]
	return l.rows.Rows[at:], l.rows.Weights[at:], l.back[at:]
}

// find appends the n rows of words, and returns how many members they have.
func (l *textLists) find(words []uint32, n int) (members int) {
	rows, weights, back := l.grow(n)
	at := 0
	for _, w := range words {
		word := l.words[w]
		n := int(word.alone)
		if n == 1 && word.many == 0 { // as most words without n-grams
			rows[at], weights[at], back[at] = l.cells[word.first], 1, 1
			at++
			members++
			continue
		}
		cells := l.cells[word.first:][:word.cells()]
		members += n
		r, m, g := rows[at:][:n], weights[at:][:n], back[at:][:n]
		for i, row := range cells[:n] {
			r[i], m[i], g[i] = row, 1, 1
		}
		at += n
		for cells = cells[n:]; len(cells) > 0; cells = cells[cellsOfMany:] {
			n := math.Float32frombits(cells[1])
			rows[at], weights[at], back[at] = cells[0], n, math.Float32frombits(cells[2])
			members += int(n)
			at++
		}
	}
	return members
}

// fetchRuns sets the buckets ahead to those of the runs of words, and asks for their rows.
func (l *textLists) fetchRuns(words []uint32) {
	r := l.runs
	if r == nil {
		return
	}
	l.ahead = slices.Grow(l.ahead[:0], len(words)*(r.MaxN-1))
	for i, first := range words {
		run := r.hashes[first]
		for _, next := range words[i+1 : min(i+r.MaxN, len(words))] {
			run = r.Next(run, r.hashes[next])
			l.ahead = append(l.ahead, r.Bucket(run))
		}
	}
	simd.PrefetchAt(r.bucketRow, l.ahead)
}

// findRuns appends the rows of buckets, and returns how many buckets there are.
func (l *textLists) findRuns() (members int) {
	if l.runs == nil {
		return 0
	}
	n := len(l.buckets)
	rows, weights, back := l.grow(n)
	at := 0
	for _, bucket := range l.buckets {
		row := l.runs.bucketRow[bucket]
		if row < 0 { // of held-out text
			continue
		}
		rows[at], weights[at], back[at] = uint32(row), 1, l.shares[row]
		at++
	}
	end := len(l.rows.Rows) - n + at
	l.rows.Rows, l.rows.Weights, l.back = l.rows.Rows[:end], l.rows.Weights[:end], l.back[:end]
	return n
}

// texts of step k.
func (l *textLists) step(k int) []uint32 {
	return l.places[min(k*l.centres, l.length):min((k+1)*l.centres, l.length)]
}

// Compose computes the vectors of the texts of step k.
func (t *texts) Compose(k int) {
	of, v := t.step(k), t.values
	if len(of) == 0 {
		return
	}
	first, n := int(of[0])*v.Stride, len(of)
	made := simd.Block{Data: v.Data[first:], Rows: n, Cols: t.input.Cols, Stride: v.Stride}
	simd.GatherLists(made, t.input.Data, t.input.Stride, t.rows, of)
	means := made
	means.Data = v.Data[first+t.span*v.Stride:]
	simd.GatherLists(means, v.Data, v.Stride, t.parts, of)
	copy(v.Data[first:][:n*v.Stride], means.Data)
	if next := t.step(k + 1); len(next) > 0 {
		last := next[len(next)-1]
		simd.Prefetch(t.input.Data, t.input.Stride, t.rows.Rows[t.rows.Starts[next[0]]:t.rows.Starts[last+1]], t.input.Cols)
	}
}

// Scatter adds the changes of the texts of step k to their rows, to each its share.
func (t *texts) Scatter(k int, _ uint32) {
	of := t.step(k)
	changed := t.changed.Slice(0, len(of))
	for _, i := range of {
		part := t.parts.Weights[i]
		t.changes.Weights[2*i], t.changes.Weights[2*i+1] = part, -part
	}
	simd.GatherLists(changed, t.values.Data, t.values.Stride, t.changes, of)
	back := t.rows
	back.Weights = t.back
	simd.ScatterWeighted(t.input.Data, t.input.Stride, back, of, changed)
}

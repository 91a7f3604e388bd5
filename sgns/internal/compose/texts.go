package compose

import (
	"slices"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// texts composes whole texts: each is the mean of all rows of its words and of its runs of words. A row counts once for
// each of its members that the text uses.
type texts struct {
	*textLists
	input   vectors.Matrix
	values  vectors.Matrix // vectors of texts, followed by their initial values
	changes simd.Lists     // lists for current minus initial values, by place
	changed simd.Block     // changes of the texts of a step
}

// A textLists has the rows of the texts of a span.
type textLists struct {
	words   simd.Lists // rows of each word, with the numbers of members
	given   []float32  // for each row of a word, the part of a member's gradient that it gets: the number times the row's share
	pieces  []uint32   // number of members of each word
	shares  []float32  // share of a member's gradient that each row gets; 0 for a frozen row
	runs    *wordRuns  // nil without runs
	span    int
	centres int
	length  int        // number of texts
	places  []uint32   // 0…span-1
	rows    simd.Lists // rows of each text, with the numbers of members
	back    []float32  // given for each row of a text
	parts   simd.Lists // for each place, itself, with 1 / the number of members of its text
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
	l := &textLists{words: c.lists, pieces: c.table.PieceCounts(), shares: c.table.RowShare, runs: c.runs, span: span}
	if frozen := p.Values.Frozen(InputName); frozen != nil {
		l.shares = make([]float32, len(l.shares))
		for row, share := range c.table.RowShare {
			if !frozen[row] {
				l.shares[row] = share
			}
		}
	}
	l.given = make([]float32, len(l.words.Rows))
	for i, row := range l.words.Rows {
		l.given[i] = l.words.Weights[i] * l.shares[row]
	}
	l.parts = step.EachAlone(span)
	t := &texts{textLists: l, input: input, values: vectors.NewMatrix(2*span, input.Cols), changed: step.NewRows(p.Division.Centres, input.Cols)}
	for i := range span {
		l.places = append(l.places, uint32(i))
		t.changes.Starts = append(t.changes.Starts, uint64(2*i))
		t.changes.Rows = append(t.changes.Rows, uint32(i), uint32(span+i))
		t.changes.Weights = append(t.changes.Weights, 1, -1)
	}
	t.changes.Starts = append(t.changes.Starts, uint64(2*span))
	return t
}

// textBytes is the size of a worker's texts. Words have so many rows on average.
func (c *Composition) textBytes(d step.Division, rows float64) float64 {
	const usual = 256 // words of a text
	span := float64(d.Cached)
	return (2*span+float64(d.Centres))*step.RowBytes(c.run.Width()) + 36*span + step.Grown*12*span*usual*(rows+float64(max(c.run.WordNgrams-1, 0)))
}

// Columns returns the texts for the columns of the input matrix that input has.
func (t *texts) Columns(input vectors.Matrix) step.Composition {
	part := *t
	part.input, part.values = input, vectors.NewMatrix(t.values.Rows, input.Cols)
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
	for i := first; i < last; i++ {
		if i+1 < last {
			simd.PrefetchLists(l.words, text.Texts.WordsOf(i+1))
		}
		l.parts.Weights[i-first] = 1 / float32(max(l.find(text.Texts.WordsOf(i)), 1))
		l.rows.Starts = append(l.rows.Starts, uint64(len(l.rows.Rows)))
	}
}

// find appends the rows of a text, and returns how many members it has.
func (l *textLists) find(words []uint32) (members int) {
	for _, w := range words {
		from, to := l.words.Starts[w], l.words.Starts[w+1]
		l.rows.Rows = append(l.rows.Rows, l.words.Rows[from:to]...)
		l.rows.Weights = append(l.rows.Weights, l.words.Weights[from:to]...)
		l.back = append(l.back, l.given[from:to]...)
		members += int(l.pieces[w])
	}
	if r := l.runs; r != nil {
		for i, first := range words {
			run := r.hashes[first]
			for _, next := range words[i+1 : min(i+r.MaxN, len(words))] {
				run = r.Next(run, r.hashes[next])
				members++
				if row := r.bucketRow[r.Bucket(run)]; row >= 0 { // held-out text has others
					l.rows.Rows = append(l.rows.Rows, uint32(row))
					l.rows.Weights = append(l.rows.Weights, 1)
					l.back = append(l.back, l.shares[row])
				}
			}
		}
	}
	return members
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
	made := simd.Block{Data: v.Data[first:], Rows: n, Cols: v.Cols, Stride: v.Stride}
	simd.GatherLists(made, t.input.Data, t.input.Stride, t.rows, of)
	means := made
	means.Data = v.Data[first+t.span*v.Stride:]
	simd.GatherLists(means, v.Data, v.Stride, t.parts, of)
	copy(v.Data[first:][:n*v.Stride], means.Data)
	if next := t.step(k + 1); len(next) > 0 {
		last := next[len(next)-1]
		simd.Prefetch(t.input.Data, t.input.Stride, t.rows.Rows[t.rows.Starts[next[0]]:t.rows.Starts[last+1]], v.Cols)
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

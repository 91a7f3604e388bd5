package classify

import (
	"bytes"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/topk"
)

// A predictor has the scratch memory of one goroutine.
type predictor struct {
	m       *Model
	spelled []spelling
	rows    []uint32 // of the input
	apart   []uint32 // of a matrix of runs
	n       int      // rows that count, those that are zeros too
	content bool     // a word that is not endOfLine, or an n-gram of characters, is known
	hashes  []uint64 // of words, for runs
	labels  []int    // ids of the line's own labels
	unknown bool     // no label is probable enough
	doubt   float32  // the probability that the best one is wrong
	err     error    // of cutting the line

	trace *trace // nil unless a prediction is explained

	*extremes // nil if the vector of a text is the mean
	summed

	text    []byte
	lists   simd.Lists
	hidden  []float32
	scratch []float32
	scores  []float32
	best    topk.Heap
	open    []topk.Entry // nodes of a tree that are not visited yet
	named   []Prediction
}

func newPredictor(m *Model) *predictor {
	return &predictor{
		m: m, hidden: make([]float32, m.width), scratch: make([]float32, m.input.Cols), extremes: newExtremes(m),
		lists: simd.Lists{Starts: []uint64{0, 0}},
	}
}

const endOfLine = "</s>"

var lineEnd = []byte(endOfLine)

// isBlank reports what separates words for fastText.
func isBlank(c byte) bool { return c <= ' ' && (c == ' ' || c >= '\t' && c <= '\r' || c == 0) }

// begin forgets the line before.
func (p *predictor) begin() {
	p.spelled, p.rows, p.apart, p.hashes, p.labels = p.spelled[:0], p.rows[:0], p.apart[:0], p.hashes[:0], p.labels[:0]
	p.n, p.content, p.err = 0, false, nil
	p.summed.begin(p.m.sums)
}

// end finds what needs all tokens of the line.
func (p *predictor) end() {
	p.lookUp()
	p.addSums()
	p.addRuns()
}

// read finds the rows and labels of the first line of data, and returns how many bytes it has. As in fastText,
// a newline is the word endOfLine, and so is that word itself: what follows it is another line. A single text
// ends at the end of data, as if a newline followed, and its newlines are blanks.
func (p *predictor) read(data []byte, single bool) (n int) {
	p.begin()
	if p.m.cut != nil {
		n = p.cut(data, single)
	} else {
		n = p.split(data, single)
	}
	p.end()
	return n
}

// split is read for a model whose words stand between blanks.
func (p *predictor) split(data []byte, single bool) int {
	for i := 0; i < len(data); {
		switch {
		case data[i] == '\n' && !single:
			p.token(lineEnd)
			return i + 1
		case isBlank(data[i]):
			i++
			continue
		}
		first := i
		for i < len(data) && !isBlank(data[i]) {
			i++
		}
		p.token(data[first:i])
		if string(data[first:i]) == endOfLine && !single {
			if i < len(data) && data[i] != '\n' {
				i++
			}
			return i
		}
	}
	if single {
		p.token(lineEnd)
	}
	return len(data)
}

// cut is read for a model that records how its text was cut. What is cut is what training cuts: the line without its
// labels, with the blanks around these.
func (p *predictor) cut(data []byte, single bool) int {
	line, n := data, len(data)
	if i := bytes.IndexByte(data, '\n'); i >= 0 && !single {
		line, n = data[:i], i+1
	}
	p.text = corpus.CutLabels(p.text[:0], line, string(p.m.prefix), p.token)
	tokens, _, err := p.m.cut.Cut(string(p.text))
	p.err = err
	p.words(tokens)
	p.token(lineEnd)
	return n
}

// readWords is read for a text that is cut already.
func (p *predictor) readWords(words []string) {
	p.begin()
	p.words(words)
	p.end()
}

func (p *predictor) words(words []string) {
	for _, word := range words {
		p.token([]byte(word))
	}
}

// isLabel reports whether a token is a label that the model does not know.
func (m *Model) isLabel(token []byte) bool {
	return m.prefix != nil && bytes.HasPrefix(token, m.prefix)
}

// A spelling is a token that is not looked up yet.
type spelling struct {
	token []byte
	hash  uint32
}

// together is how many tokens are looked up at once.
const together = 64

// token adds a token, which must not change before the line ends.
func (p *predictor) token(token []byte) {
	if len(p.spelled) == together {
		p.lookUp()
	}
	p.spelled = append(p.spelled, spelling{token, hashing.FastText(token)})
}

// lookUp adds the tokens that are spelled, once all that is read for them is asked for.
func (p *predictor) lookUp() {
	var places [together]uint32
	d, at := &p.m.table, places[:len(p.spelled)]
	for i, s := range p.spelled {
		at[i] = uint32(d.slot(s.hash))
	}
	simd.PrefetchAt(d.slots, at)
	for i, slot := range at { // a slot of another entry has its neighbour in the same line, mostly
		at[i] = max(d.slots[slot].id, 1) - 1
	}
	simd.PrefetchAt(d.offsets, at)
	for i, id := range at { // labels are behind the words
		if int(id) >= p.m.words {
			at[i] = 0
		}
	}
	if p.useSums {
		simd.PrefetchAt(p.m.sums.state, at)
		simd.Prefetch(p.m.sums.rows, p.m.width, at, p.m.width)
	} else {
		simd.PrefetchAt(p.m.known, at)
	}
	for _, s := range p.spelled {
		p.add(s.token, s.hash)
	}
	p.spelled = p.spelled[:0]
}

func (p *predictor) add(token []byte, hash uint32) {
	id := p.m.table.find(hash, token)
	content := id >= 0
	switch {
	case id >= p.m.words:
		p.labels = append(p.labels, id-p.m.words)
		return
	case id >= 0:
		p.word(id)
	case p.m.isLabel(token):
		return
	case p.m.subs != nil:
		before := len(p.rows)
		p.rows = p.m.ngrams(p.rows, string(token))
		p.count(before)
		content = len(p.rows) > before
	}
	p.content = p.content || content && string(token) != endOfLine
	if p.trace != nil {
		p.traceWord(string(token), id)
		p.trace.words = append(p.trace.words, string(token))
	}
	if p.m.runs.Buckets > 0 {
		p.hashes = append(p.hashes, uint64(int64(int32(hash))))
	}
}

func (p *predictor) word(id int) {
	switch {
	case p.m.known == nil:
		p.rows, p.n = append(p.rows, uint32(p.m.set.OwnRow(id))), p.n+1
		return
	case p.useSums:
		p.addKnown(id)
		return
	}
	rows := p.m.known[id].Load()
	if rows == nil {
		found := p.m.rowsOf(nil, id)
		rows = &found
		p.m.known[id].Store(rows)
	}
	before := len(p.rows)
	p.rows = append(p.rows, *rows...)
	p.count(before)
}

// rowsOf appends the rows of a word of a model with n-grams.
func (m *Model) rowsOf(rows []uint32, id int) []uint32 {
	if m.own {
		rows = append(rows, uint32(m.set.OwnRow(id)))
	}
	return m.ngrams(rows, string(m.table.at(id)))
}

// traceWord remembers the rows of a word, whose id is -1 if it is not in the vocabulary.
func (p *predictor) traceWord(word string, id int) {
	m := p.m
	if id >= 0 && m.own {
		p.trace.add(Part{Text: word, Kind: PartWord}, &m.input, uint32(m.set.OwnRow(id)))
	}
	if m.subs == nil {
		return
	}
	rows := m.ngrams(nil, word)
	for i, ngram := range m.subs.Ngrams(word) {
		p.trace.add(Part{Text: ngram, Kind: PartNgram, Of: word}, &m.input, rows[i])
	}
}

// zeros stands for a row of zeros in lists of rows.
const zeros = ^uint32(0)

// count counts the rows from before on, takes those out that are zeros, and asks for the others.
func (p *predictor) count(before int) {
	p.n += len(p.rows) - before
	p.rows = withoutZeros(p.rows, before)
	if p.m.dense != nil {
		simd.Prefetch(p.m.dense, p.m.stride, p.rows[before:], p.m.input.Cols)
	}
}

// withoutZeros takes zeros out of the rows from before on.
func withoutZeros(rows []uint32, before int) []uint32 {
	kept := slices.DeleteFunc(rows[before:], func(r uint32) bool { return r == zeros })
	return rows[:before+len(kept)]
}

// ngrams appends the rows of a word's n-grams.
func (m *Model) ngrams(rows []uint32, word string) []uint32 {
	before := len(rows)
	rows = m.subs.Append(rows, word)
	for i, bucket := range rows[before:] {
		rows[before+i] = uint32(m.bucketRow(bucket)) // untrained becomes zeros
	}
	return rows
}

func (p *predictor) addRuns() {
	runs := &p.m.runs
	if runs.Buckets == 0 {
		return
	}
	to, of := &p.rows, &p.m.input
	if runs.separate.Rows > 0 {
		to, of = &p.apart, &runs.separate
	}
	before := len(*to)
	for first, run := range p.hashes {
		for i, word := range p.hashes[first+1 : first+min(runs.MaxN, len(p.hashes)-first)] {
			run = runs.Next(run, word)
			switch row := runs.row(runs.Bucket(run)); row {
			case leftOut:
			case untrained:
				p.n++
			default:
				p.n++
				*to = append(*to, uint32(row))
				if p.trace != nil {
					p.trace.add(Part{Text: strings.Join(p.trace.words[first:first+i+2], " "), Kind: PartRun}, of, uint32(row))
				}
			}
		}
	}
	if of.Data != nil {
		simd.Prefetch(of.Data, of.Stride, (*to)[before:], of.Cols)
	}
}

// average sets hidden to the vector of the line.
func (p *predictor) average() {
	m, mean := p.m, p.hidden[:p.m.input.Cols]
	switch {
	case p.useSums:
		p.gather(mean, m.sums.rows, len(mean), p.known)
		if len(p.rows) > 0 {
			p.gather(p.scratch, m.dense, m.stride, p.rows)
			add(mean, p.scratch)
		}
	case m.dense != nil && len(p.rows) > 0:
		p.gather(mean, m.dense, m.stride, p.rows)
	default:
		clear(mean)
		for _, r := range p.rows {
			add(mean, m.input.View(p.scratch, int(r)))
		}
	}
	for _, r := range p.apart {
		add(mean, p.rowApart(r))
	}
	by := float32(1 / float64(p.n))
	for k := range mean {
		mean[k] *= by
	}
	if p.extremes != nil {
		p.addExtremes()
	}
}

// rowApart returns a row of the matrix of runs.
func (p *predictor) rowApart(r uint32) []float32 {
	of := &p.m.runs.separate
	if of.Data != nil { // the file is guarded
		return of.Data[int(r)*of.Stride:][:of.Cols]
	}
	return of.View(p.scratch, int(r))
}

// gather sets sum to the sum of rows of a matrix, from the first to the last.
func (p *predictor) gather(sum, data []float32, stride int, rows []uint32) {
	if n := len(rows); len(p.lists.Weights) < n {
		p.lists.Weights = slices.Repeat([]float32{1}, n+n/8)
	}
	p.lists.Rows, p.lists.Starts[1] = rows, uint64(len(rows))
	one := [1]uint32{}
	simd.GatherLists(simd.Block{Data: sum, Rows: 1, Cols: len(sum), Stride: len(sum)}, data, stride, p.lists, one[:])
}

func add(sum, row []float32) {
	row = row[:len(sum)]
	for k, x := range row {
		sum[k] += x
	}
}

// predict finds the best labels of the line that was read.
func (p *predictor) predict(k int, threshold float32) error {
	if p.sure {
		return nil
	}
	p.best, p.unknown, p.doubt = p.best[:0], false, 1
	if p.err != nil {
		return p.err
	}
	if p.n == 0 {
		p.unknown = p.m.unknown > 0
		return nil
	}
	if k < 1 {
		k = infinite
	}
	p.average()
	if p.m.unknown == 0 {
		return p.m.score.best(p, k, threshold)
	}
	err := p.m.score.best(p, k, 0)
	if len(p.best) > 0 && p.content {
		p.doubt = max(0, 1-exp32(p.best[0].Score))
	}
	p.unknown = len(p.best) == 0 || !p.content || exp32(p.best[0].Score) < p.m.unknown
	for least := logOf(threshold); len(p.best) > 0 && p.best[len(p.best)-1].Score < least; {
		p.best = p.best[:len(p.best)-1]
	}
	return err
}

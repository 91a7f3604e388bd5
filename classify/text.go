package classify

import (
	"bytes"
	"slices"
	"strings"
	"unsafe"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/topk"
)

// A predictor has the scratch memory of one goroutine.
type predictor struct {
	m       *Model
	rows    []uint32 // of the input
	apart   []uint32 // of a matrix of runs
	n       int      // rows that count, those that are zeros too
	hashes  []uint64 // of words, for runs
	spelled []spelling
	labels  []int // ids of the line's own labels
	tokens  int
	unknown bool    // no label is probable enough
	doubt   float32 // the probability that the best one is wrong
	err     error   // of cutting the line

	trace *trace // nil unless a prediction is explained

	*extremes // nil if the vector of a text is the mean
	summed

	lists   simd.Lists
	hidden  []float32
	scratch []float32
	scores  []float32
	best    topk.Heap
	named   []Prediction
}

func newPredictor(m *Model) *predictor {
	return &predictor{
		m: m, hidden: make([]float32, m.width), scratch: make([]float32, m.input.Cols), extremes: newExtremes(m),
		lists: simd.Lists{Starts: []uint64{0, 0}},
	}
}

const endOfLine = "</s>"

// isBlank reports what separates words for fastText.
func isBlank(c byte) bool { return c <= ' ' && (c == ' ' || c >= '\t' && c <= '\r' || c == 0) }

// begin forgets the line before.
func (p *predictor) begin() {
	p.rows, p.apart, p.hashes, p.labels = p.rows[:0], p.apart[:0], p.hashes[:0], p.labels[:0]
	p.n, p.tokens, p.err = 0, 0, nil
	p.summed.begin(p.m.sums)
}

// read finds the rows and labels of the first line of data, and returns how many bytes it has. As in fastText,
// a newline is the word endOfLine, and so is that word itself: what follows it is another line. A single text
// ends at the end of data, as if a newline followed, and its newlines are blanks.
func (p *predictor) read(data []byte, single bool) (n int) {
	p.begin()
	defer p.end()
	if p.m.cut != nil {
		return p.cut(data, single)
	}
	for n < len(data) {
		switch {
		case data[n] == '\n' && !single:
			p.spell([]byte(endOfLine))
			p.addSpelled()
			return n + 1
		case isBlank(data[n]):
			n++
			continue
		}
		first := n
		for n < len(data) && !isBlank(data[n]) {
			n++
		}
		p.spell(data[first:n])
		if string(data[first:n]) == endOfLine && !single {
			if n < len(data) && data[n] != '\n' {
				n++
			}
			p.addSpelled()
			return n
		}
		if len(p.spelled) == spelledMost {
			p.addSpelled()
		}
	}
	if single {
		p.spell([]byte(endOfLine))
	}
	p.addSpelled()
	return n
}

// A spelling is a token that is not looked up yet.
type spelling struct {
	token []byte
	hash  uint32
}

// spelledMost is how many tokens are looked up at once.
const spelledMost = 64

func (p *predictor) spell(token []byte) {
	p.spelled = append(p.spelled, spelling{token, hashing.FastText(token)})
}

// addSpelled looks tokens up, once their slots are asked for.
func (p *predictor) addSpelled() {
	var at [spelledMost]uint32
	d := &p.m.table
	for i := range p.spelled {
		at[i] = uint32(d.slot(p.spelled[i].hash))
	}
	simd.PrefetchAt(d.slots, at[:len(p.spelled)])
	for i := range p.spelled { // a slot of another entry has its neighbour in the same line, mostly
		at[i] = max(d.slots[at[i]].id, 1) - 1
	}
	simd.PrefetchAt(d.offsets, at[:len(p.spelled)])
	for i := range p.spelled { // labels are behind the words
		if int(at[i]) >= p.m.words {
			at[i] = 0
		}
	}
	if p.useSums {
		simd.PrefetchAt(p.m.sums.state, at[:len(p.spelled)])
		simd.Prefetch(p.m.sums.rows, p.m.width, at[:len(p.spelled)], p.m.width)
	} else {
		simd.PrefetchAt(p.m.known, at[:len(p.spelled)])
	}
	for _, s := range p.spelled {
		p.hashed(s.token, s.hash)
	}
	p.spelled = p.spelled[:0]
}

// readWords is read for a text that is cut already.
func (p *predictor) readWords(words []string) {
	p.begin()
	for _, word := range words {
		p.token([]byte(word))
	}
	p.end()
}

// cut is read for a model that records how its text was cut: labels are words that stand between blanks, and the
// rest of the line is a text.
func (p *predictor) cut(data []byte, single bool) (n int) {
	line, rest, more := data, []byte(nil), false
	if !single {
		line, rest, more = bytes.Cut(data, []byte{'\n'})
	}
	var text []byte
	for word := range bytes.FieldsFuncSeq(line, func(r rune) bool { return r < 0x80 && isBlank(byte(r)) }) {
		if id := p.m.table.find(hashing.FastText(word), word); id >= p.m.words || id < 0 && p.m.isLabel(word) {
			p.token(word)
			continue
		}
		text = append(append(text, word...), ' ')
	}
	tokens, _, err := p.m.cut.Cut(string(text))
	p.err = err
	for _, token := range tokens {
		p.token([]byte(token))
	}
	p.token([]byte(endOfLine))
	if more {
		return len(data) - len(rest)
	}
	return len(data)
}

// isLabel reports whether a token is a label that the model does not know.
func (m *Model) isLabel(token []byte) bool {
	return m.prefix != nil && bytes.HasPrefix(token, m.prefix)
}

func (p *predictor) token(token []byte) {
	p.hashed(token, hashing.FastText(token))
}

// hashed is token for a token whose hash is known.
func (p *predictor) hashed(token []byte, hash uint32) {
	p.tokens++
	switch id := p.m.table.find(hash, token); {
	case id >= p.m.words:
		p.labels = append(p.labels, id-p.m.words)
		return
	case id >= 0:
		p.word(id)
		if p.trace != nil {
			p.traceWord(string(token), id)
		}
	case p.m.isLabel(token):
		return
	case p.m.subs != nil:
		before := len(p.rows)
		p.rows = p.m.ngrams(p.rows, unsafe.String(unsafe.SliceData(token), len(token)))
		p.count(before)
		if p.trace != nil {
			p.traceWord(string(token), id)
		}
	}
	if p.trace != nil {
		p.trace.words = append(p.trace.words, string(token))
	}
	if p.m.runs.Buckets > 0 {
		p.hashes = append(p.hashes, uint64(int64(int32(hash))))
	}
}

func (p *predictor) word(id int) {
	if p.m.known == nil {
		p.rows, p.n = append(p.rows, uint32(p.m.set.OwnRow(id))), p.n+1
		return
	}
	if p.useSums {
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
	word := m.table.at(id)
	return m.ngrams(rows, unsafe.String(unsafe.SliceData(word), len(word)))
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

// count counts the rows from before on, and takes those out that are zeros.
func (p *predictor) count(before int) {
	p.n += len(p.rows) - before
	p.rows = withoutZeros(p.rows, before)
	if p.m.dense != nil {
		p.prefetch(before)
	}
}

// withoutZeros takes zeros out of the rows from before on.
func withoutZeros(rows []uint32, before int) []uint32 {
	kept := rows[:before]
	for _, r := range rows[before:] {
		if r != zeros {
			kept = append(kept, r)
		}
	}
	return kept
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

// end adds what needs all words of the line.
func (p *predictor) end() {
	p.addFresh()
	p.addRuns()
}

// prefetch asks for the rows from before on.
func (p *predictor) prefetch(before int) {
	simd.Prefetch(p.m.dense, p.m.stride, p.rows[before:], p.m.input.Cols)
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
	for first, run := range p.hashes {
		for i, word := range p.hashes[first+1 : min(first+runs.MaxN, len(p.hashes))] {
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
		add(mean, m.runs.separate.View(p.scratch, int(r)))
	}
	by := float32(1 / float64(p.n))
	for k := range mean {
		mean[k] *= by
	}
	if p.extremes != nil {
		p.addExtremes()
	}
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
	if len(p.best) > 0 {
		p.doubt = max(0, 1-exp32(p.best[0].Score))
	}
	p.unknown = len(p.best) == 0 || exp32(p.best[0].Score) < p.m.unknown
	for least := logOf(threshold); len(p.best) > 0 && p.best[len(p.best)-1].Score < least; {
		p.best = p.best[:len(p.best)-1]
	}
	return err
}

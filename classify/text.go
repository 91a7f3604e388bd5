package classify

import (
	"bytes"
	"slices"
	"strings"

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
	labels  []int    // ids of the line's own labels
	tokens  int
	unknown bool    // no label is probable enough
	doubt   float32 // the probability that the best one is wrong
	err     error   // of cutting the line

	trace *trace // nil unless a prediction is explained

	*extremes // nil if the vector of a text is the mean

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
}

// read finds the rows and labels of the first line of data, and returns how many bytes it has. As in fastText,
// a newline is the word endOfLine, and so is that word itself: what follows it is another line. A single text
// ends at the end of data, as if a newline followed, and its newlines are blanks.
func (p *predictor) read(data []byte, single bool) (n int) {
	p.begin()
	defer p.addRuns()
	if p.m.cut != nil {
		return p.cut(data, single)
	}
	for i := 0; i < len(data); {
		switch {
		case data[i] == '\n' && !single:
			p.token([]byte(endOfLine))
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
		p.token([]byte(endOfLine))
	}
	return len(data)
}

// readWords is read for a text that is cut already.
func (p *predictor) readWords(words []string) {
	p.begin()
	for _, word := range words {
		p.token([]byte(word))
	}
	p.addRuns()
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
	p.tokens++
	hash := hashing.FastText(token)
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
		p.rows = p.m.ngrams(p.rows, string(token))
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
	rows := p.m.known[id].Load()
	if rows == nil {
		var found []uint32
		if p.m.own {
			found = append(found, uint32(p.m.set.OwnRow(id)))
		}
		found = p.m.ngrams(found, string(p.m.table.at(id)))
		rows = &found
		p.m.known[id].Store(rows)
	}
	before := len(p.rows)
	p.rows = append(p.rows, *rows...)
	p.count(before)
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
	kept := p.rows[:before]
	for _, r := range p.rows[before:] {
		if r != zeros {
			kept = append(kept, r)
		}
	}
	p.rows = kept
}

// ngrams appends the rows of a word's n-grams.
func (m *Model) ngrams(rows []uint32, word string) []uint32 {
	before := len(rows)
	rows = m.subs.Append(rows, word)
	for i, bucket := range rows[before:] {
		rows[before+i] = uint32(m.set.BucketRow(bucket)) // -1 becomes zeros
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
	if m.dense != nil && len(p.rows) > 0 {
		if n := len(p.rows); len(p.lists.Weights) < n {
			p.lists.Weights = slices.Repeat([]float32{1}, n+n/8)
		}
		p.lists.Rows, p.lists.Starts[1] = p.rows, uint64(len(p.rows))
		one := [1]uint32{}
		simd.GatherLists(simd.Block{Data: mean, Rows: 1, Cols: len(mean), Stride: len(mean)}, m.dense, m.stride, p.lists, one[:])
	} else {
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

func add(sum, row []float32) {
	row = row[:len(sum)]
	for k, x := range row {
		sum[k] += x
	}
}

// predict finds the best labels of the line that was read.
func (p *predictor) predict(k int, threshold float32) error {
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

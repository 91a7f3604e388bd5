package corpus

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
)

// Part returns part i of n of the corpus, counted from 0, for a process that reads only its share. Every
// sentence is in exactly one part. The concatenated parts need not have the order of the corpus, and a part
// may be empty.
//
// Plain files are cut at newlines, or in lines of more than a megabyte between words, into byte ranges of
// about equal length. Other files, such as compressed ones and CSV, are distributed whole if that makes parts
// of about equal length. Otherwise each part reads the file and takes every n-th piece.
//
// If the corpus cannot be divided, because it can be read only once or consists of numbers, Shards of the
// part returns the error. The same holds for a part of a part.
func (s *Source) Part(i, n int) *Source {
	part := *s
	part.inputs, part.part = nil, &portion{i, n, s}
	switch {
	case s.err != nil:
	case i < 0 || i >= n:
		part.err = fmt.Errorf("corpus: part %d of %d: parts are counted from 0", i, n)
	case s.part != nil:
		part.err = fmt.Errorf("%s: this is part of a corpus already, and is not divided again", s.Name())
	case n > 1:
		part.err = s.Divisible()
	}
	if part.err != nil {
		part.inputs, part.numbered = s.inputs, nil
		return &part
	}
	own, err := s.portionOf(*part.part)
	part.inputs, part.err = own, err
	return &part
}

type portion struct {
	i, n int
	of   *Source // the whole corpus
}

// String returns "i of n".
func (p portion) String() string { return fmt.Sprintf("%d of %d", p.i+1, p.n) }

// Divisible returns an error that names the input if the corpus cannot be divided by Part.
func (s *Source) Divisible() error {
	if s.numbered != nil {
		return fmt.Errorf("%s: random walks over a graph are not divided: write the walks to files, and read those as text", s.Name())
	}
	if err := s.Again(); err != nil {
		return fmt.Errorf("%w, and cannot be divided: write it to files, of which each process reads its part", err)
	}
	return nil
}

func (s *Source) portionOf(p portion) ([]input, error) {
	var plain int64 // total bytes of plain files
	for _, in := range s.inputs {
		plain += max(in.size-in.text, 0)
	}
	// These products do not overflow 63 bits for any realistic corpus.
	first, end := plain/int64(p.n)*int64(p.i), plain/int64(p.n)*int64(p.i+1)
	if p.i == p.n-1 {
		end = plain
	}
	owner := deal(s.inputs, p.n)
	var own []input
	var before int64 // bytes of plain files before the input
	for k, in := range s.inputs {
		in.number = k
		switch {
		case p.n == 1 || s.options.GroupBy != "": // a part has some of the keys
			own = append(own, in)
		case in.sentences != nil:
			all := len(in.sentences)
			first := all * p.i / p.n
			in.tail, in.skipped = first > 0, uint64(first)
			if in.sentences = in.sentences[first : all*(p.i+1)/p.n]; len(in.sentences) > 0 {
				own = append(own, in)
			}
		case in.size < 0:
			if owner[k] == inAllParts {
				in.stripe = &p
			}
			if owner[k] == inAllParts || owner[k] == p.i {
				own = append(own, in)
			}
		default:
			length := in.size - in.text
			cut, err := s.options.section(in, first-before, end-before)
			if err != nil {
				return nil, err
			}
			if before += length; cut.size > cut.text {
				own = append(own, cut)
			}
		}
	}
	return own, nil
}

// section returns the lines of a plain file that begin between two offsets, which may be outside its text.
func (o Options) section(in input, first, end int64) (input, error) {
	length := in.size - in.text
	if end <= 0 || first >= length {
		in.size = in.text
		return in, nil
	}
	from, to := in.text, in.size
	if in.table != nil { // rows begin anywhere
		in.tail = first > 0
		in.text, in.size = from+max(first, 0), min(from+end, to)
		return in, nil
	}
	f, err := os.Open(in.name)
	if err != nil {
		return in, named(in.name, err)
	}
	defer f.Close()
	if first > 0 {
		if from, err = o.lineAt(f, in.text+first, in.size); err != nil {
			return in, named(in.name, err)
		}
		in.tail = true
	}
	if end < length {
		if to, err = o.lineAt(f, in.text+end, in.size); err != nil {
			return in, named(in.name, err)
		}
	}
	in.text, in.size = from, to
	return in, nil
}

// longLine is the length of a line that may be cut between words, such as a book without newlines.
const longLine = 1 << 20

// cutsWords reports whether text may be cut between words: rows may not, nor text whose tokens have spaces.
func (o Options) cutsWords() bool { return !o.hasRecords() && o.File == nil }

// lineAt returns where the first line, or the first word of a long line, begins at or after an offset above 0.
func (o Options) lineAt(r io.ReaderAt, at, size int64) (int64, error) {
	near := size
	if o.cutsWords() {
		near = min(size, at+longLine)
	}
	cut, err := behind(r, at, near, "\n")
	if err != nil || cut < near || near == size {
		return cut, err
	}
	return behind(r, at, size, " \n")
}

// A stripe reads a part of a text: every n-th piece. A piece is some lines.
type stripe struct {
	src   io.Reader
	every portion
	words bool // long lines may be cut between words
	next  int  // number of the next piece, modulo n

	buf      []byte
	pos, end int
	err      error
	piece    int    // bytes of the piece so far
	lines    uint64 // newlines of the whole text so far
	lineMap         // of the lines that were returned
	begun    bool   // some of the piece was returned
}

// pieceBytes is the minimum size of a piece.
const pieceBytes = 1 << 14

func (in input) hasFirst() bool {
	if in.stripe != nil {
		return in.number%in.stripe.n == in.stripe.i
	}
	return !in.tail
}

func (s *stripe) Read(p []byte) (int, error) {
	for len(p) > 0 {
		if s.pos == s.end {
			if s.err != nil {
				s.lineMap.add(s.lines+1, 0) // where the input ends or is damaged, in whichever part
				return 0, s.err
			}
			s.pos = 0
			s.end, s.err = s.src.Read(s.buf)
			continue
		}
		own := s.next == s.every.i
		size := s.rest()
		if own {
			size = min(size, len(p))
		}
		text := s.buf[s.pos : s.pos+size]
		s.pos += size
		if own {
			s.pass(p, text)
		}
		s.lines += uint64(bytes.Count(text, []byte("\n")))
		if s.piece += size; s.ends(text[size-1]) {
			if own && text[size-1] != '\n' { // otherwise another piece would continue the line
				p[size-1] = '\n'
				s.lineMap.text++
			}
			s.piece, s.begun = 0, false
			s.next = (s.next + 1) % s.every.n
		}
		if own {
			return size, nil
		}
	}
	return 0, nil
}

// pass copies text of the part, and records where its lines are in the whole text.
func (s *stripe) pass(p, text []byte) {
	copy(p, text)
	if !s.begun {
		s.begun = true
		s.lineMap.add(s.lines+1, 0)
	}
	s.lineMap.text += uint64(bytes.Count(text, []byte("\n")))
}

// rest returns how many bytes at pos belong to the current piece, at least 1.
func (s *stripe) rest() int {
	text := s.buf[s.pos:s.end]
	from := max(0, pieceBytes-1-s.piece)
	if from >= len(text) {
		return len(text)
	}
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 && (!s.words || s.piece+from+i < longLine) {
		return from + i + 1
	}
	if s.words && s.piece+len(text) > longLine {
		from = max(0, longLine-1-s.piece)
		if i := bytes.IndexAny(text[from:], " \n"); i >= 0 {
			return from + i + 1
		}
	}
	return len(text)
}

func (s *stripe) ends(last byte) bool {
	return last == '\n' && s.piece >= pieceBytes || last == ' ' && s.words && s.piece >= longLine
}

// inAllParts is the owner of an input that is split among all parts, piece by piece.
const inAllParts = -1

// uneven is the relative excess over an equal share that the longest part may have.
const uneven = 0.1

// deal assigns inputs that are read from their start to parts: whole, or inAllParts if they are long.
func deal(inputs []input, n int) []int {
	owner := make([]int, len(inputs))
	var whole []int // longest first
	total := 0.0
	for i, in := range inputs {
		owner[i] = inAllParts
		if in.size < 0 && in.storedSize() > 0 {
			whole = append(whole, i)
			total += float64(in.storedSize())
		}
	}
	size := func(i int) float64 { return float64(inputs[i].storedSize()) }
	slices.SortStableFunc(whole, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	spare := uneven * total / float64(n)
	for left := total; len(whole) > 0; whole = whole[1:] {
		if size(whole[0]) <= left/float64(n)+spare && dealt(whole, size, owner, n) <= left/float64(n)+spare {
			return owner
		}
		left -= size(whole[0])
		for _, i := range whole {
			owner[i] = inAllParts
		}
	}
	return owner
}

// dealt assigns each input to the shortest part so far, and returns the length of the longest part.
func dealt(inputs []int, size func(int) float64, owner []int, n int) float64 {
	parts := make([]float64, n)
	for _, i := range inputs {
		owner[i] = slices.Index(parts, slices.Min(parts))
		parts[owner[i]] += size(i)
	}
	return slices.Max(parts)
}

// dealtRows reads every n-th piece of rows. Rows may contain newlines, so every part parses all rows.
type dealtRows struct {
	records
	every  portion
	number int // number of the piece, modulo n
	piece  int // size of the piece so far in bytes
}

func (d *dealtRows) next() (record, error) {
	for {
		rec, err := d.records.next()
		if err != nil {
			return record{}, err
		}
		own := d.number == d.every.i
		if d.piece += len(rec.text) + 1; d.piece >= pieceBytes {
			d.piece, d.number = 0, (d.number+1)%d.every.n
		}
		if own {
			return rec, nil
		}
	}
}

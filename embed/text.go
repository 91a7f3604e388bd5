package embed

import (
	"bytes"
	"errors"
	"unicode"
	"unicode/utf8"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// An encoder makes vectors of texts: those that query.Finder.Tokens and pooling.Pooler.Text make, to the bit. It keeps what it
// knows of words, so that most of a text is only looked up and added.
type encoder struct {
	words  *query.Finder
	pooler *pooling.Pooler
	cut    *pipeline.Pipeline
	parts  *pooling.Parts // nil if vectors are not sums of parts, or if texts are not cut between blanks first
	known  *pieces
	lower  bool // pieces of ASCII become lower case
	whole  bool // a piece may be a token as it is
	ascii  bool // tokens of a piece of ASCII are known without the pipeline
	file   bool // a tokenizer.json cuts texts
}

// ErrSequences is the error of Write and Vectors for a model of k-mers, whose texts are records of FASTA and FASTQ.
var ErrSequences = errors.New("the model is of k-mers: records of FASTA and FASTQ have vectors, and rows of text have none")

// newEncoder returns an encoder for so many workers, which keeps parts in so many bytes of memory.
func newEncoder(words *query.Finder, pooler *pooling.Pooler, memory int64, workers int) (*encoder, error) {
	cut, err := words.Pipeline()
	if err != nil {
		return nil, err
	}
	if cut.Kmers != nil {
		return nil, ErrSequences
	}
	e := &encoder{words: words, pooler: pooler, cut: cut}
	if !pooler.MakesParts() || !between(cut) {
		return e, nil
	}
	e.parts, e.known = pooler.Parts(memory, workers), newPieces()
	o := cut.Text
	e.lower, e.whole = o.Lowercase, o.Tokenizer == corpus.Whitespace
	e.file = o.File != nil
	e.ascii = !e.file && o.Language == "" && o.Digits == corpus.KeepDigits && o.Punctuation == corpus.UsualPunctuation
	return e, nil
}

// between reports whether a pipeline cuts what stands between blanks without regard for what else stands there. Normalization
// and lower case do so, and so do words of UAX #29 and some files of tokenizers; see begins for the exception.
func between(p *pipeline.Pipeline) bool {
	o := p.Text
	return p.Phrases == nil && o.Split == "" && o.GroupBy == "" && o.Sentences == corpus.Lines &&
		(o.File == nil && (o.Tokenizer == corpus.Whitespace || o.Tokenizer == corpus.Unicode) || o.File != nil && o.File.CutsApart())
}

// begins reports whether a piece is cut the same without the blank before it. A mark or a format character at its beginning
// would belong to the blank.
func begins(piece []byte) bool {
	r, _ := utf8.DecodeRune(piece)
	return utf8.Valid(piece) && !unicode.In(r, unicode.M, unicode.C)
}

// A worker makes vectors for one goroutine.
type worker struct {
	*encoder
	adder *pooling.Adder
	list  []uint32 // the parts of a text
	text  []byte   // scratch memory

	// of pieces that are brought near
	begins [ahead]int
	pieces [ahead]piece
	places [ahead]uint32
}

func (e *encoder) worker() *worker {
	w := &worker{encoder: e}
	if e.parts != nil {
		w.adder = e.parts.Adder()
	}
	return w
}

// A cut says what a text was cut into.
type cut struct {
	tokens, used int
	left         corpus.TooLong
}

// encode writes the vector of a text to dst; zeros if no token has one.
func (w *worker) encode(dst []float32, text []byte) (c cut, err error) {
	if most := w.cut.Characters; most > 0 && len(text) > most {
		text = []byte(w.cut.Beginning(string(text)))
	}
	if w.parts != nil && (!w.file || cutsBetween(text)) {
		if c, ok := w.look(text); ok && (w.cut.Tokens == 0 || c.tokens <= w.cut.Tokens) && w.sum(dst) {
			return c, nil
		}
	}
	tokens, left, err := w.words.Tokens(string(text))
	if err != nil {
		return c, err
	}
	return cut{len(tokens), w.pooler.Text(dst, tokens), left}, nil
}

// longestLine is the maximum length of a text that a tokenizer.json cuts as a whole.
const longestLine = 1 << 20

// cutsBetween reports whether a tokenizer.json may cut between all blanks of a text.
func cutsBetween(text []byte) bool {
	return len(text) <= longestLine && !bytes.ContainsAny(text, "\v\f\x00")
}

// ahead is how many pieces are brought near at a time.
const ahead = 64

// look finds the parts of a text. It returns false if the pipeline must cut the text as a whole.
func (w *worker) look(text []byte) (c cut, ok bool) {
	w.list = w.list[:0]
	w.adder.Begin()
	for at := 0; at < len(text); {
		begins, n := &w.begins, 0
		for n < ahead {
			for at < len(text) && isBlank(text[at]) {
				at++
			}
			if at == len(text) {
				break
			}
			begins[n], w.pieces[n] = at, nextPiece(text, at)
			w.places[n] = w.known.place(w.pieces[n].hash)
			at = w.pieces[n].end
			n++
		}
		w.known.prefetch(w.places[:n])
		for i := range n {
			of := &w.pieces[i]
			if e := w.known.find(of, of.end-begins[i]); e != nil {
				c.tokens += int(e.tokens)
				w.list = w.known.appendTo(w.list, e)
			} else if !w.piece(&c, of, text[begins[i]:of.end]) {
				return c, false
			}
		}
	}
	return c, w.count(&c)
}

// count leaves the parts of tokens that count. It returns false if one is not kept.
func (w *worker) count(c *cut) bool {
	if limit := w.parts.Limit(); limit > 0 {
		w.list = w.list[:min(len(w.list), limit)]
	}
	kept := 0
	for _, part := range w.list {
		w.list[kept] = part
		switch part {
		default:
			kept++
		case pooling.NoPart:
		case pooling.NotKept:
			return false
		}
	}
	w.list = w.list[:kept]
	c.used = kept
	return true
}

// piece adds the parts of a piece that is not known yet, and makes it known.
func (w *worker) piece(c *cut, of *piece, piece []byte) bool {
	before, first, kept := c.tokens, len(w.list), true
	switch ok, alone := w.isASCII(piece); {
	case !ok:
		if !begins(piece) {
			return false
		}
		tokens, left, err := w.words.Tokens(string(piece))
		if err != nil {
			return false // and again with the whole text
		}
		c.left.Add(left)
		kept = left.Tokens == 0
		for _, token := range tokens {
			kept = w.token(c, token) && kept
		}
	case alone:
		kept = w.token(c, w.words.Token(w.asToken(piece)))
	default:
		kept = w.several(c, piece)
	}
	if kept {
		w.known.add(of, len(piece), w.list[first:], c.tokens-before)
	}
	return true
}

// token adds the part of a token, and reports whether it is kept.
func (w *worker) token(c *cut, token vectors.Token) bool {
	c.tokens++
	if !w.parts.Counts(token) {
		return true
	}
	part, kept := w.adder.Part(token)
	w.list = append(w.list, part)
	return kept
}

func (w *worker) asToken(piece []byte) string {
	if !w.lower {
		return string(piece)
	}
	w.text = w.text[:0]
	for _, c := range piece {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		w.text = append(w.text, c)
	}
	return string(w.text)
}

// several adds the parts of a piece of ASCII that is not one word.
func (w *worker) several(c *cut, piece []byte) (kept bool) {
	if w.whole {
		if found := w.words.Token(w.asToken(piece)); found.ID >= 0 {
			return w.token(c, found)
		}
	}
	kept = true
	for len(piece) > 0 {
		n := wordOfASCII(piece)
		if n == 0 {
			piece = piece[1:]
			continue
		}
		of := nextPiece(piece[:n], 0)
		if e := w.known.find(&of, n); e != nil {
			c.tokens += int(e.tokens)
			w.list = w.known.appendTo(w.list, e)
		} else {
			before, first := c.tokens, len(w.list)
			if w.token(c, w.words.Token(w.asToken(piece[:n]))) {
				w.known.add(&of, n, w.list[first:], c.tokens-before)
			} else {
				kept = false
			}
		}
		piece = piece[n:]
	}
	return kept
}

// longestASCII is the maximum length of a piece for isASCII.
const longestASCII = 255

// isASCII reports whether the words of a piece are known by the rules for ASCII, and whether the piece is one word.
func (w *worker) isASCII(piece []byte) (ok, alone bool) {
	if !w.ascii || len(piece) > longestASCII {
		return false, false
	}
	for i, c := range piece {
		switch {
		case c < '!' || c > '~' || c == '_': // which joins words to numbers and to itself
			return false, false
		case c == ':' && i > 0 && i < len(piece)-1: // versions of UAX #29 differ
			return false, false
		}
	}
	return true, wordOfASCII(piece) == len(piece)
}

// wordOfASCII returns the length of the word that a text of ASCII begins with, by the rules of UAX #29: letters and digits, with
// an apostrophe or a full stop between letters or between digits, or a comma or semicolon between digits.
func wordOfASCII(text []byte) int {
	if !isLetter(text[0]) && !isDigit(text[0]) {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case isLetter(c) || isDigit(c):
		case i+1 < len(text) && (c == '\'' || c == '.') && isLetter(text[i-1]) && isLetter(text[i+1]):
		case i+1 < len(text) && (c == '\'' || c == '.' || c == ',' || c == ';') && isDigit(text[i-1]) && isDigit(text[i+1]):
		default:
			return i
		}
	}
	return len(text)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// sum writes the vector of the parts to dst.
func (w *worker) sum(dst []float32) bool {
	w.adder.Prefetch(w.list)
	return w.adder.Text(dst, w.list)
}

// Package synthetic writes made-up text of any length whose words are as frequent, as long and as
// bursty as those of English. It is for measurements of large corpora.
package synthetic

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
)

// Options say which text to write. The same options give the same bytes.
type Options struct {
	Tokens uint64 // length of the text
	// Words is the number of different words that the text can have. The last of them is
	// expected once, if English has no fewer words: see exponent. 0 means what English has.
	Words int
	// First is how many tokens of the text are written; 0 means all.
	First uint64
	Seed  uint64
}

// The constants are fitted to two texts: 17.5 million tokens of an encyclopaedia and 14.3 million
// of novels and film reviews, both with a paragraph a line, in lower case, without punctuation. Where
// the two differ, the constants are between them.
const (
	lineMedian = 56   // tokens in a line
	lineSpread = 0.86 // standard deviation of the logarithm of a line's length
	longest    = 2000 // tokens in a line, at most

	functional = 128  // words that belong to no topic
	topics     = 64   // every other word belongs to one of them
	topical    = 0.5  // share of the draws of such words that are words of the document's topic
	lines      = 10   // lines in a document, on average
	repeated   = 0.25 // share of such words that repeat one of the document
	remembered = 128  // such words that a document can repeat: the last ones
)

// bufferSize is that of the output: some of the longest lines.
const bufferSize = 1 << 18

// Write writes a text and returns its size in bytes. Lines end with a newline, and tokens of a
// line have one space between them. It returns the writer's errors.
func Write(w io.Writer, o Options) (bytes uint64, err error) {
	if err := o.check(); err != nil {
		return 0, err
	}
	out := bufio.NewWriterSize(w, bufferSize)
	a := newAuthor(o)
	left := o.Tokens
	if o.First > 0 {
		left = min(left, o.First)
	}
	for left > 0 {
		n := min(a.lineLength(), left)
		left -= n
		line := a.line(int(n))
		bytes += uint64(len(line))
		if _, err := out.Write(line); err != nil {
			return bytes, err
		}
	}
	return bytes, out.Flush()
}

func (o Options) check() error {
	switch {
	case o.Tokens == 0:
		return fmt.Errorf("synthetic: a text of 0 tokens")
	case o.Words < 0 || o.Words > mostWords:
		return fmt.Errorf("synthetic: a text of %d words, must be from 0 to %d", o.Words, mostWords)
	}
	return nil
}

// WriteVocabulary writes the words of a text, as w2v vocab does, with the counts that are expected, which are 1 or more. The text
// need not be made. o.Words must not be 0.
func WriteVocabulary(w io.Writer, o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, bufferSize)
	s := newSpelling()
	line := make([]byte, 0, longestWord+32)
	for rank, expected := range newRanks(o).expected(float64(o.Tokens)) {
		line = append(s.append(line[:0], rank), ' ')
		line = append(strconv.AppendInt(line, int64(max(1, math.Round(expected))), 10), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// An author writes documents.
type author struct {
	random   *rand.PCG
	ranks    *ranks
	spelling *spelling
	text     []byte // the line
	topic    uint32
	left     int // lines of the document
	// memory has the document's last words that belong to a topic; recalled is their number so far.
	memory   [remembered]uint32
	recalled uint32
}

func newAuthor(o Options) *author {
	const padding = 8 // bytes that may be written behind a word
	return &author{random: rand.NewPCG(o.Seed, 0), ranks: newRanks(o), spelling: newSpelling(), text: make([]byte, 0, longest*(longestWord+1)+padding)}
}

// chance reports true with a probability, by 32 random bits.
func chance(bits uint32, probability float64) bool { return float64(bits) < probability*(1<<32) }

// below returns a number below n, by 32 random bits.
func below(bits, n uint32) uint32 { return uint32(uint64(bits) * uint64(n) >> 32) }

// lineLength draws the length of a line, which is log-normal, in tokens.
func (a *author) lineLength() uint64 {
	const unit = 1.0 / (1 << 53)
	u, v := float64(a.random.Uint64()>>11+1)*unit, float64(a.random.Uint64()>>11)*unit
	normal := math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
	return uint64(max(1, min(longest, math.Round(lineMedian*math.Exp(lineSpread*normal)))))
}

// line returns a line of n tokens. It is overwritten by the next one.
func (a *author) line(n int) []byte {
	if a.left == 0 {
		bits := a.random.Uint64()
		a.topic, a.recalled = below(uint32(bits), topics), 0
		a.left = 1 + int(below(uint32(bits>>32), 2*lines-1))
	}
	a.left--
	text := a.text[:0]
	for range n {
		text = a.spelling.append(text, a.word())
		text = append(text, ' ')
	}
	text[len(text)-1] = '\n'
	return text
}

// word draws a word: its rank, from 0.
func (a *author) word() uint32 {
	rank := a.ranks.draw(a.random)
	if rank < functional {
		return rank
	}
	bits := a.random.Uint64()
	if chance(uint32(bits), repeated) && a.recalled > 0 {
		return a.memory[below(uint32(bits>>32), min(a.recalled, remembered))]
	}
	if chance(uint32(bits>>32), topical) {
		// Ranks that are near each other have about the same frequency, so that words stay as
		// frequent as they are if one of them stands for the other.
		own := rank - (rank-functional)%topics + a.topic
		if own < a.ranks.words {
			rank = own
		}
	}
	a.memory[a.recalled%remembered] = rank
	a.recalled++
	return rank
}

// Package word2vec reads and writes the binary of word2vec.c: a line "words dimensions" and, for each word,
// the word, a space and its numbers, float32 little-endian. word2vec.c ends a row with a newline and gensim
// does not. So newlines before a word do not count, and a word cannot begin with one. Source: TrainModel in
// word2vec.c.
package word2vec

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Codec is the format.
var Codec = codec.Codec{
	Name:       codec.Word2Vec,
	Extensions: []codec.Extension{{Name: ".w2vbin", Sets: codec.AnySets}, {Name: ".bin", Sets: codec.PlainSets}},
	Sniff:      sniff,
	Decode:     read,
	Write:      write,
	Size:       func(s vectors.Shape) float64 { return codec.WordSize(s, 2) + codec.FullSize(s, s.Words) },
	Word:       codec.Rules("the word2vec binary", codec.Empty, codec.Containing(" \n", "contains a space or a newline")),
	Programs:   "word2vec, gensim",
}

// sniff accepts a file with a header. Text formats have been checked before.
func sniff(head []byte) bool {
	_, words, _, ok := rowio.CutHeader(head)
	return ok && words > 0
}

func read(in *source.Input) *vectors.Set {
	line, there := in.Text(rowio.LongestHeader)
	if !there {
		in.FailAt(0, "%w", source.Cut("a line \"words dimensions\""))
	}
	words, dim, ok := rowio.ParseHeader(line)
	if !ok {
		in.FailAt(0, "expected \"words dimensions\", found %.40q", line)
	}
	r := reader{in: in}
	start := in.Offset
	r.read(words, dim)
	if r.seen.bigEndian() {
		in.FailAt(start, "expected little-endian numbers, found big-endian ones, as another kind of machine wrote them: turn the 4 bytes of each number round, or save the vectors as text there")
	}
	input := vectors.Matrix{Data: r.data, Rows: words, Cols: dim, Stride: dim}
	if in.Rereads() && words > 0 {
		input = rowio.Sequence(in, start, words, dim, 0, func(in *source.Input, dst []float32) {
			readWord(in)
			rowio.Next(in, dst, "a vector")
		})
	}
	skipNewlines(in)
	defer source.Within(func() string { return fmt.Sprintf("after %d rows, as the header says", words) })
	in.End()
	return codec.Checked(vectors.Parts{
		Words: r.words.Words(), Input: input,
		Source: in.Behind, Origin: vectors.Origin{Format: codec.Word2Vec},
	}, &r.notFinite)
}

type reader struct {
	in        *source.Input
	words     vectors.WordsBuilder
	data      []float32
	notFinite vectors.NotFinite
	seen      numbers
}

func (r *reader) read(words, dim int) {
	id, word := 0, ""
	defer source.Within(func() string {
		if r.words.Len() > id {
			return fmt.Sprintf("row %d of %d, %.40q", id+1, words, word)
		}
		return fmt.Sprintf("row %d of %d", id+1, words)
	})
	room := r.in.Backed(int64(words), 4*int64(dim)+1)
	r.words.Grow(room)
	if !r.in.Rereads() {
		r.data = make([]float32, 0, room*int64(dim))
	}
	for ; id < words; id++ {
		word = readWord(r.in)
		r.words.Add(word)
		if r.in.Rereads() {
			r.data = r.data[:0] // parsing only validates the row
		}
		r.data = source.ReadArray(r.in, r.data, int64(dim), "a vector")
		row := r.data[len(r.data)-dim:]
		r.notFinite.Look(id, word, row)
		r.seen.look(row)
	}
}

// numbers counts a file's nonzero numbers, numbers that no training produces, and numbers that are plausible
// with reversed bytes.
type numbers struct{ all, absurd, usualTurned int }

// enough is how many numbers are examined: examining a number takes longer than reading it.
const enough = 1 << 12

func (n *numbers) look(row []float32) {
	if n.all >= enough {
		return
	}
	for _, x := range row {
		if x == 0 {
			continue
		}
		n.all++
		if !isBetween(x, 1e-20, 1e20) {
			n.absurd++
		}
		if isBetween(math.Float32frombits(bits.ReverseBytes32(math.Float32bits(x))), 1e-8, 1e4) {
			n.usualTurned++
		}
	}
}

func isBetween(x, least, most float32) bool {
	x = max(x, -x)
	return x > least && x < most
}

// bigEndian reports whether the numbers, if there are enough, are plausible only with reversed bytes. With
// the wrong byte order, two thirds of usual vectors' numbers are absurd.
func (n *numbers) bigEndian() bool {
	const least = 4
	return n.all >= least && 3*n.absurd > n.all && 100*n.usualTurned >= 99*n.all
}

func readWord(in *source.Input) string {
	skipNewlines(in)
	return string(in.Word(' '))
}

func skipNewlines(in *source.Input) {
	for {
		b, err := in.Peek(1)
		if err != nil && !errors.Is(err, io.EOF) {
			in.Fail("%w", err)
		}
		if err != nil || b[0] != '\n' {
			return
		}
		in.Skip(1, "a newline")
	}
}

func write(w *bufio.Writer, s *vectors.Set) error {
	fmt.Fprintf(w, "%d %d\n", s.Len(), s.Dim())
	for id, vector := range s.All() {
		w.WriteString(s.Words().At(id))
		w.WriteByte(' ')
		endian.Write(w, vector)
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return s.Err()
}

package divided

import (
	"encoding/binary"
	"errors"
	"sort"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/vectors"
)

type owner struct {
	Layout
	rows    Rows
	options Options
	touches [matrices][]float32 // of each row, in a round of a rank
	trained uint64              // tokens of a rank before the first round in asked
	asked   [][]ask             // for each round whose changes have not arrived: what each rank asked for
}

// An ask has the rows that a rank needs for a round: of words of its text, and of words only in its pool.
type ask [kinds][]uint32

func newOwner(l Layout, options Options) *owner {
	o := &owner{Layout: l, options: options}
	for m := range matrices {
		o.rows[m] = vectors.NewMatrix(l.Owned(), l.Cols)
		o.touches[m] = make([]float32, l.Owned())
		for row := range o.touches[m] {
			o.touches[m][row] = float32(float64(options.Limits.Tokens) * options.Touches[m](o.word(row)))
		}
	}
	return o
}

func (o *owner) take(messages [][]byte) (err error) {
	asks := make([]ask, o.Ranks)
	for rank, rest := range messages {
		for kind := range kinds {
			if asks[rank][kind], rest, err = rising(rest, o.Owned(), nil); err != nil {
				return err
			}
		}
		if len(rest) > 0 {
			return errMessage
		}
	}
	o.asked = append(o.asked, asks)
	return nil
}

func (a *ask) bytes(cols int) int { return rowsBytes(len(a[ofText]), len(a[ofPool]), cols) }

// rowsBytes is the size of the rows of so many words of a text and so many words of a pool.
func rowsBytes(words, pool, cols int) int { return rowBytes(cols) * (matrices*words + pool) }

func (o *owner) answers() [][]byte {
	all := make([][]byte, o.Ranks)
	for rank := range all {
		all[rank] = o.answer(&o.asked[len(o.asked)-1][rank])
	}
	return all
}

// answer returns the rows that a rank asked for: both rows of each word of its text, followed by the output
// rows of its pool.
func (o *owner) answer(a *ask) []byte {
	message := make([]byte, a.bytes(o.Cols))
	row := rowBytes(o.Cols)
	params.InParts(o.options.Threads, len(a[ofText]), func(first, last int) {
		code := newCoder(o.Cols)
		for i := first; i < last; i++ {
			code.put(message[2*i*row:], o.rows[input].Row(int(a[ofText][i])))
			code.put(message[(2*i+1)*row:], o.rows[output].Row(int(a[ofText][i])))
		}
	})
	pool := message[2*row*len(a[ofText]):]
	params.InParts(o.options.Threads, len(a[ofPool]), func(first, last int) {
		code := newCoder(o.Cols)
		for i := first; i < last; i++ {
			code.put(pool[i*row:], o.rows[output].Row(int(a[ofPool][i])))
		}
	})
	return message
}

// add applies the changes of all ranks in the first outstanding round. A row gets the changes in the order of
// ranks, so that the sum is reproducible.
func (o *owner) add(changes [][]byte) error {
	if len(o.asked) == 0 {
		return errMessage
	}
	asked := o.asked[0]
	o.asked = o.asked[1:]
	for rank, message := range changes {
		if len(message) != asked[rank].bytes(o.Cols) {
			return errMessage
		}
	}
	round := uint64(o.options.Limits.Tokens)
	rate := o.options.Head.Rate(o.trained + round/2)
	o.trained += round
	params.InParts(o.options.Threads, o.rows[input].Rows, func(first, last int) {
		o.combine(input, asked, changes, first, last, rate)
		o.combine(output, asked, changes, first, last, rate)
	})
	return nil
}

type changed struct {
	row  uint32
	code []byte
}

// of calls do with each change of matrix m by a rank, in rows first to last-1.
func (o *owner) of(m int, a *ask, message []byte, first, last int, do func(changed)) {
	size := rowBytes(o.Cols)
	from, to := within(a[ofText], first, last)
	for i := from; i < to; i++ {
		do(changed{a[ofText][i], message[(2*i+m)*size:][:size]})
	}
	if m == input {
		return
	}
	pool := message[2*size*len(a[ofText]):]
	from, to = within(a[ofPool], first, last)
	for i := from; i < to; i++ {
		do(changed{a[ofPool][i], pool[i*size:][:size]})
	}
}

// late is how many rounds of each rank overlap: the rows of a round are sent before the preceding round has
// ended.
const late = 2

// combine combines the changes of all ranks to rows first to last-1 of a matrix, and adds them to the rows.
func (o *owner) combine(m int, asked []ask, changes [][]byte, first, last int, rate float64) {
	ends := make([]uint32, last-first) // of the changes of each row
	for rank, message := range changes {
		o.of(m, &asked[rank], message, first, last, func(c changed) { ends[int(c.row)-first]++ })
	}
	sum := uint32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	all := make([]changed, sum)
	for rank, message := range changes { // so that changes of a row are in the order of ranks
		o.of(m, &asked[rank], message, first, last, func(c changed) {
			end := &ends[int(c.row)-first]
			all[*end] = c
			*end++
		})
	}
	for len(all) > 0 {
		row, n := all[0].row, 1
		for n < len(all) && all[n].row == row {
			n++
		}
		part := float32(o.options.Head.Combine(n, replica.Row{Ranks: o.Ranks, Way: late * float64(o.touches[m][row]) * rate}))
		for _, c := range all[:n] {
			add(o.rows[m].Row(int(row)), c.code, part)
		}
		all = all[n:]
	}
}

func within(numbers []uint32, first, last int) (from, to int) {
	from = sort.Search(len(numbers), func(i int) bool { return int(numbers[i]) >= first })
	to = sort.Search(len(numbers), func(i int) bool { return int(numbers[i]) >= last })
	return from, to
}

// Messages code rows and changes as a step, and 8 bits for each number, in steps. Owners store rows and add
// changes in float32.

func rowBytes(cols int) int { return replica.Eight.Bytes(cols) }

// A coder writes the codes of rows. Zeros and what has changed have as many numbers as a row.
type coder struct{ zeros, changed []float32 }

func newCoder(cols int) coder { return coder{make([]float32, cols), make([]float32, cols)} }

// put writes the code of a row; change writes the code of its change.
func (c coder) put(to []byte, row []float32) {
	most, _ := simd.Difference(c.changed, row, c.zeros)
	replica.PutEight(to, row, most)
}

func (c coder) change(to []byte, row, from []float32) {
	_, most := simd.Difference(c.changed, row, from)
	replica.PutEight(to, c.changed, most)
}

// get decodes a row; add decodes a row and adds it, times by, to another.
func get(row []float32, from []byte) {
	clear(row)
	add(row, from, 1)
}

func add(row []float32, from []byte, by float32) {
	replica.Eight.Add(row, from[:rowBytes(len(row))], by)
}

var errMessage = errors.New("a message of another rank cannot be understood: do all ranks run the same program?")

// appendRising encodes rising numbers.
func appendRising(to []byte, numbers []uint32) []byte {
	to = binary.AppendUvarint(to, uint64(len(numbers)))
	last := uint32(0)
	for _, n := range numbers {
		to = binary.AppendUvarint(to, uint64(n-last))
		last = n
	}
	return to
}

// rising decodes rising numbers below limit into numbers, and returns the rest of from.
func rising(from []byte, limit int, numbers []uint32) (all []uint32, rest []byte, err error) {
	count, n := binary.Uvarint(from)
	if n <= 0 || count > uint64(limit) {
		return nil, nil, errMessage
	}
	from = from[n:]
	numbers = numbers[:0]
	last := uint64(0)
	for range count {
		by, n := binary.Uvarint(from)
		if n <= 0 || by >= uint64(limit) || last+by >= uint64(limit) {
			return nil, nil, errMessage
		}
		last += by
		from = from[n:]
		numbers = append(numbers, uint32(last))
	}
	return numbers, from, nil
}

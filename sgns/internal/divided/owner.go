package divided

import (
	"sort"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// An owner has the rows that belong to this rank.
type owner struct {
	Layout
	rows    Rows
	options Options
	touches [matrices][]float32 // of each row, in a round of a rank
	asked   [][]ask             // for each round whose changes have not come yet: what each rank asked for
}

// An ask is what a rank wants for a round: rows of words of its text, and of its pool alone.
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

// initialise makes all rows what they are in a run whose rows are not divided.
func (o *owner) initialise(seed uint64, bound float32) {
	inParts(o.options.Threads, o.rows[input].Rows, func(first, last int) {
		for row := first; row < last; row++ {
			in := o.rows[input].Row(row)
			clear(in)
			params.UniformRow(in, seed, uint64(o.word(row)), bound)
			clear(o.rows[output].Row(row))
		}
	})
}

// take reads what each rank asks for.
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

// bytes is the size of the rows that are asked for.
func (a *ask) bytes(cols int) int { return rowsBytes(len(a[ofText]), len(a[ofPool]), cols) }

// rowsBytes is the size of the rows of so many words of a text, and of a pool.
func rowsBytes(words, pool, cols int) int { return codeBytes * cols * (matrices*words + pool) }

// answers returns for each rank the rows that it asked for last.
func (o *owner) answers() [][]byte {
	all := make([][]byte, o.Ranks)
	for rank := range all {
		all[rank] = o.answer(&o.asked[len(o.asked)-1][rank])
	}
	return all
}

// answer returns the rows that a rank asks for: first both rows of each word of its text, then the output
// rows of its pool.
func (o *owner) answer(a *ask) []byte {
	message := make([]byte, a.bytes(o.Cols))
	row := codeBytes * o.Cols
	inParts(o.options.Threads, len(a[ofText]), func(first, last int) {
		for i := first; i < last; i++ {
			put(message[2*i*row:], o.rows[input].Row(int(a[ofText][i])))
			put(message[(2*i+1)*row:], o.rows[output].Row(int(a[ofText][i])))
		}
	})
	pool := message[2*row*len(a[ofText]):]
	inParts(o.options.Threads, len(a[ofPool]), func(first, last int) {
		for i := first; i < last; i++ {
			put(pool[i*row:], o.rows[output].Row(int(a[ofPool][i])))
		}
	})
	return message
}

// add adds to the rows what ranks changed them by in the first of the rounds that they asked for. A row
// gets the changes in the order of ranks, so that the sum is the same every time.
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
	inParts(o.options.Threads, o.rows[input].Rows, func(first, last int) {
		shares := o.shares(asked, first, last)
		for rank, message := range changes {
			o.addOf(&asked[rank], message, shares, first, last)
		}
	})
	return nil
}

// shares returns for the rows from first to last-1 what part of the sum of changes they get.
func (o *owner) shares(asked []ask, first, last int) (shares [matrices][]float32) {
	for m := range shares {
		shares[m] = make([]float32, last-first) // first, how many ranks changed the row
	}
	for _, a := range asked {
		for kind, rows := range a {
			from, to := within(rows, first, last)
			for _, row := range rows[from:to] {
				shares[output][int(row)-first]++
				if kind == ofText {
					shares[input][int(row)-first]++
				}
			}
		}
	}
	for m, share := range shares {
		for i, n := range share {
			if share[i] = 1; n > 1 {
				share[i] = float32(o.options.Share(float64(o.touches[m][first+i]), int(n)))
			}
		}
	}
	return shares
}

// addOf adds the changes of a rank to the rows from first to last-1.
func (o *owner) addOf(a *ask, message []byte, shares [matrices][]float32, first, last int) {
	size := codeBytes * o.Cols
	addTo := func(m int, row uint32, change []byte) {
		add(o.rows[m].Row(int(row)), change, shares[m][int(row)-first])
	}
	from, to := within(a[ofText], first, last)
	for i := from; i < to; i++ {
		addTo(input, a[ofText][i], message[2*i*size:])
		addTo(output, a[ofText][i], message[(2*i+1)*size:])
	}
	pool := message[2*size*len(a[ofText]):]
	from, to = within(a[ofPool], first, last)
	for i := from; i < to; i++ {
		addTo(output, a[ofPool][i], pool[i*size:])
	}
}

// within returns which of rising numbers are from first to last-1.
func within(numbers []uint32, first, last int) (from, to int) {
	from = sort.Search(len(numbers), func(i int) bool { return int(numbers[i]) >= first })
	to = sort.Search(len(numbers), func(i int) bool { return int(numbers[i]) >= last })
	return from, to
}

package compose

import "slices"

// occurrences say which words occur in a span, and where for the first and last time.
type occurrences struct {
	words   []uint32 // the distinct words, in the order in which they first occur: that of values
	rowOf   []uint32 // by word: its place in words, if words says so too
	leaving []uint32 // the words' places, in the order in which they last occur
	seen    []bool   // by place
	parts   []part
	margin  int // how far from the centres of a step the words are that it needs
}

// part says how many words have first and last occurred up to the end of a step.
type part struct{ composed, scattered int }

// find finds the occurrences of the words ids, and sets rows to where in values their vectors
// are going to be. Centres are at positions first to last-1, and are trained in steps of so
// many; around them are the words of the margin, as far as there are any.
func (o *occurrences) find(rows, ids []uint32, first, last, centres int) {
	o.words, o.leaving, o.parts = o.words[:0], o.leaving[:0], o.parts[:0]
	i := 0
	for next := first + centres; ; next += centres {
		end := min(next+o.margin, len(ids))
		for ; i < end; i++ {
			id := ids[i]
			row := o.rowOf[id]
			if int(row) >= len(o.words) || o.words[row] != id {
				row = uint32(len(o.words))
				o.rowOf[id] = row
				o.words = append(o.words, id)
			}
			rows[i] = row
		}
		o.parts = append(o.parts, part{composed: len(o.words)})
		if next >= last {
			break
		}
	}
	// From the end, the first time that a word is seen is its last occurrence. What a step
	// needs and the next ones do not stands before the margin of the next.
	clear(o.seen[:len(o.words)])
	i = len(ids) - 1
	for k := len(o.parts) - 1; k >= 0; k-- {
		o.parts[k].scattered = len(o.words) - len(o.leaving)
		from := first + k*centres - o.margin
		if k == 0 {
			from = 0
		}
		for ; i >= from; i-- {
			if row := rows[i]; !o.seen[row] {
				o.seen[row] = true
				o.leaving = append(o.leaving, row)
			}
		}
	}
	slices.Reverse(o.leaving)
}

// before returns how many words were composed and scattered before step k.
func (o *occurrences) before(k int) part {
	if k == 0 {
		return part{}
	}
	return o.parts[k-1]
}

// composed returns the words that first occur in steps from to to-1, as far as there are so many steps.
func (o *occurrences) composed(from, to int) []uint32 {
	from, to = min(from, len(o.parts)), min(to, len(o.parts))
	return o.words[o.before(from).composed:o.before(to).composed]
}

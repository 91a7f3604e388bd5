package sgns

// The architecture of skip-gram: a centre predicts its contexts. Its inputs are the
// vectors of the centres.

// aimAtContexts makes the words around the centres what these predict. A word is that of
// a position, which several centres predict.
func (b *pairing) aimAtContexts(t text, first, last, window int) {
	from, to := b.reach(t, first, last, window)
	b.true = t.ids[from:to]
	b.by = b.band(b.by, t, first, last, from, to, window)
	b.pairs = 0
	for c := first; c < last; c++ {
		n := contextsOf(t, c, window)
		b.each[c-first] = float32(n)
		b.pairs += n
	}
}

// reach returns the positions that may be contexts of the centres first to last-1.
func (b *pairing) reach(t text, first, last, window int) (from, to int) {
	return max(first-window, int(t.from[first])), min(last+window, int(t.to[last-1]))
}

// contextsOf returns how many contexts the centre at a position has.
func contextsOf(t text, centre, window int) int {
	return min(centre+window+1, int(t.to[centre])) - max(centre-window, int(t.from[centre])) - 1
}

// band makes with say which of the centres from first to last-1 each of the positions
// from from to to-1 is a context of.
func (b *pairing) band(with []uint16, t text, first, last, from, to, window int) []uint16 {
	with = with[:to-from]
	for p := from; p < to; p++ {
		low, high := max(p-window, int(t.from[p]), first), min(p+window+1, int(t.to[p]), last)
		var of uint32
		if low < high {
			of = (1<<(high-low) - 1) << (low - first)
		}
		if first <= p && p < last {
			of &^= 1 << (p - first)
		}
		with[p-from] = uint16(of)
	}
	return with
}

package sgns

// The architecture of structured skip-gram (Ling et al. 2015): a centre predicts its
// contexts, those of each relative position with an output matrix of their own, the
// position's head. Heads are numbered from that of -window on, and 0 has none.

// heads is how many output matrices there are.
func (c Config) heads() int {
	if c.arch() == Structured {
		return 2 * c.Window
	}
	return 1
}

// aimByPosition makes the words around the centres what these predict. Each word is that
// of one centre and one head.
func (b *pairing) aimByPosition(t text, first, last, window int) {
	b.true, b.heads, b.by = b.true[:0], b.heads[:0], b.by[:0]
	for c := first; c < last; c++ {
		for p := max(c-window, int(t.from[c])); p < min(c+window+1, int(t.to[c])); p++ {
			if p == c {
				continue
			}
			b.true = append(b.true, t.ids[p])
			b.heads = append(b.heads, headOf(p-c, b.window))
			b.by = append(b.by, 1<<(c-first))
		}
		b.each[c-first] = 1
	}
	b.pairs = len(b.true)
}

// labelByPosition is labelSampled with draws of each head's own. They are negatives for
// the centres that predict something with it.
func (b *pairing) labelByPosition(rate float32) {
	words := uint32(b.words)
	clear(b.byHead)
	s := &b.positive
	s.rows, s.with = s.rows[:0], b.by
	for i, word := range b.true {
		head := b.heads[i]
		s.rows = append(s.rows, head*words+word)
		b.byHead[head] |= b.by[i]
	}
	draws := b.shared / len(b.byHead)
	b.weigh(rate, draws)
	s = &b.negative
	s.rows, s.with = s.rows[:0], s.with[:0]
	for head, by := range b.byHead {
		if by == 0 {
			continue
		}
		for _, word := range b.now[head*draws:][:draws] {
			s.rows = append(s.rows, uint32(head)*words+word)
			s.with = append(s.with, by)
		}
	}
}

// headOf returns the head of a relative position, which is not 0.
func headOf(relative, window int) uint32 {
	if relative > 0 {
		relative--
	}
	return uint32(relative + window)
}

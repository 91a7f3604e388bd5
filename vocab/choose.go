package vocab

// choose returns the slots of the tokens that the options select, in the order of a vocabulary.
func (t *table) choose(o Options) ([]slot, error) {
	const twice = 2 // sorting needs a copy
	if err := t.budget.take(twice * slotBytes * t.frequentEnough(o.MinCount)); err != nil {
		return nil, err
	}
	if o.Known != nil {
		return t.grown(o.Known, o.MinCount, o.MaxVocab)
	}
	return t.frequent(o.MinCount, o.MaxVocab), nil
}

// frequentEnough returns how many tokens were counted at least minCount times.
func (t *table) frequentEnough(minCount int) int {
	n := 0
	for i := range t.slots {
		if t.slots[i].count >= uint64(max(minCount, 1)) {
			n++
		}
	}
	return n
}

// frequent returns the slots of the tokens that were counted at least minCount times, in the
// order of a vocabulary. If maxVocab is above 0, it returns only the maxVocab most frequent.
func (t *table) frequent(minCount, maxVocab int) []slot {
	least := uint64(max(minCount, 1))
	kept := make([]slot, 0, t.frequentEnough(minCount))
	for i := range t.slots {
		if s := &t.slots[i]; s.count >= least {
			kept = append(kept, *s)
		}
	}
	kept = t.sorted(kept)
	if maxVocab > 0 && len(kept) > maxVocab {
		kept = kept[:maxVocab]
	}
	return kept
}

// grown returns the slots of all tokens of known, whose counts it adds to those of t, and of
// new tokens that were counted at least minCount times. If maxVocab is above 0, it takes the
// most frequent new tokens, as long as there are no more than maxVocab tokens in all.
func (t *table) grown(known *Vocab, minCount, maxVocab int) ([]slot, error) {
	var kept []slot
	var short [longToken]byte
	for _, s := range t.frequent(minCount, 0) {
		if maxVocab > 0 && len(kept)+known.Len() >= maxVocab {
			break
		}
		if _, ok := known.ID(t.token(&s, &short)); !ok {
			kept = append(kept, s)
		}
	}
	for id, count := range known.counts {
		token := known.tokens.token(uint32(id))
		k := t.secret.key(token)
		if _, err := t.put(token, k, count); err != nil {
			return nil, err
		}
		kept = append(kept, *t.find(token, k))
	}
	return t.sorted(kept), nil
}

package tokenizer

import (
	"context"
	"strings"
	"unicode/utf8"
)

// A learner learns merges of byte-pair encoding. Ids, ties and the rank of a pair that is merged twice are those of the
// Rust library, so that both learn the same.
type learner struct {
	o      Options
	prefix string
	tokens []string
	ids    map[string]uint32
	chars  []int32 // characters of tokens, without prefixes

	symbols []uint32 // of all words, one after the other
	begins  []uint32 // of words in symbols, and the end
	lengths []uint32 // of words, after merges
	counts  []int64  // of words

	pairs  pairTable
	seen   []int64   // how often each pair is seen; merging does not change it
	bucket []int32   // of each pair in found; -1 for none
	found  []places  // pairs that the last merge made
	queue  pairQueue // each with some of the words in which it is
}

// Places are the words that have a pair.
type places struct {
	pair  uint32 // index
	words []uint32
}

// merged is a pair that was merged, and what it became.
type merged struct{ left, right, id uint32 }

func pairKey(left, right uint32) uint64 { return uint64(left)<<32 | uint64(right) }

func (o Options) trainBPE(ctx context.Context, w *words, alphabet []rune, r *Result) (any, error) {
	l := &learner{o: o, prefix: o.ContinuingSubwordPrefix, ids: map[string]uint32{}}
	for _, token := range o.SpecialTokens {
		l.id(token, 0)
	}
	of := make(map[rune]uint32, len(alphabet)) // ids of characters that begin a word
	for _, c := range alphabet {
		of[c] = l.id(string(c), 1)
	}
	inside := of
	if l.prefix != "" {
		inside = l.insides(w, alphabet, of)
		if err := o.room(len(l.tokens)); err != nil {
			return nil, err
		}
	}
	l.read(w, of, inside)
	l.pairsOfWords()
	merges, err := l.learn(ctx)
	if err != nil {
		return nil, err
	}
	r.Tokens = len(l.tokens)
	vocab := newList("{}")
	for id, token := range l.tokens {
		vocab.add("%s:%d", token, id)
	}
	if o.Model == WordPiece {
		longest := 100 // characters of a piece that is cut, as usual
		if o.PreTokenizer == ByteLevel {
			longest = 1 << 30 // so that nothing is unknown
		}
		return object{"type": "WordPiece", "unk_token": o.UnknownToken, "continuing_subword_prefix": l.prefix, "max_input_chars_per_word": longest, "vocab": vocab}, nil
	}
	ranks := make(map[merged]int, len(merges)) // the library ranks a pair that is merged again by the last time
	for i, m := range merges {
		ranks[m] = i
	}
	listed := newList("[]")
	for i, m := range merges {
		if ranks[m] == i {
			listed.add("[%s,%s]", l.tokens[m.left], l.tokens[m.right])
		}
	}
	r.Merges = len(ranks)
	model := object{"type": "BPE", "dropout": nil, "unk_token": nil, "continuing_subword_prefix": nil, "end_of_word_suffix": nil, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false, "vocab": vocab, "merges": listed}
	if o.UnknownToken != "" {
		model["unk_token"] = o.UnknownToken
	}
	return model, nil
}

func (l *learner) id(token string, chars int32) uint32 {
	if id, ok := l.ids[token]; ok {
		l.chars[id] = max(l.chars[id], chars)
		return id
	}
	id := uint32(len(l.tokens))
	l.ids[token] = id
	l.tokens, l.chars = append(l.tokens, token), append(l.chars, chars)
	return id
}

// insides returns the ids of characters within words, which have the prefix: of all bytes, or else of those that are seen
// there.
func (l *learner) insides(w *words, alphabet []rune, of map[rune]uint32) map[rune]uint32 {
	within := map[rune]bool{}
	for i := range w.len() {
		for at, c := range string(w.at(i)) {
			if at > 0 {
				within[c] = true
			}
		}
	}
	inside := map[rune]uint32{}
	for _, c := range alphabet {
		if _, ok := of[c]; ok && (within[c] || l.o.PreTokenizer == ByteLevel) {
			inside[c] = l.id(l.prefix+string(c), 1)
		}
	}
	return inside
}

// read turns words into symbols. Characters that are not in the alphabet are left out, as in the library.
func (l *learner) read(w *words, first, inside map[rune]uint32) {
	for i := range w.len() {
		l.begins = append(l.begins, uint32(len(l.symbols)))
		text := w.at(i)
		for at := 0; at < len(text); {
			c, size := utf8.DecodeRune(text[at:])
			of := inside
			if at == 0 {
				of = first
			}
			if id, ok := of[c]; ok {
				l.symbols = append(l.symbols, id)
			}
			at += size
		}
		l.lengths = append(l.lengths, uint32(len(l.symbols))-l.begins[i])
		l.counts = append(l.counts, int64(w.counts[i]))
	}
}

func (l *learner) pair(left, right uint32) uint32 {
	i, found := l.pairs.add(pairKey(left, right))
	if !found {
		l.seen, l.bucket = append(l.seen, 0), append(l.bucket, -1)
	}
	return i
}

// allowed reports whether a token of two may become one.
func (l *learner) allowed(left, right uint32) bool {
	return l.o.MaxTokenLength == 0 || int(l.chars[left]+l.chars[right]) <= l.o.MaxTokenLength
}

// pairsOfWords counts all pairs and queues each with its words.
func (l *learner) pairsOfWords() {
	const none = ^uint32(0)
	var last, number []uint32 // by pair: the last word that it was seen in, and the number of words
	at := make([]uint32, 0, len(l.symbols))
	for word, begin := range l.begins {
		symbols := l.symbols[begin:][:l.lengths[word]]
		for i := range max(len(symbols), 1) - 1 {
			if !l.allowed(symbols[i], symbols[i+1]) {
				continue
			}
			p := l.pair(symbols[i], symbols[i+1])
			if int(p) == len(last) {
				last, number = append(last, none), append(number, 0)
			}
			l.seen[p] += l.counts[word]
			if last[p] != uint32(word) {
				last[p] = uint32(word)
				number[p]++
				at = append(at, p)
			}
		}
		at = append(at, none) // the end of the word
	}
	all := make([][]uint32, len(number))
	for p, n := range number {
		all[p] = make([]uint32, 0, n)
	}
	word := uint32(0)
	for _, p := range at {
		if p == none {
			word++
			continue
		}
		all[p] = append(all[p], word)
	}
	for p, words := range all {
		l.push(uint32(p), words)
	}
}

func (l *learner) push(p uint32, words []uint32) {
	if n := l.seen[p]; n > 0 {
		l.queue.push(queued{n, l.pairs.keys[p], places{p, words}})
	}
}

// learn merges the most frequent pair, again and again; of equally frequent ones that with the smaller ids.
func (l *learner) learn(ctx context.Context) (merges []merged, err error) {
	for len(l.tokens) < l.o.VocabSize && len(l.queue) > 0 {
		top := &l.queue[0]
		if n := l.seen[top.pair]; n != top.count {
			top.count = n // fewer are left than when it was queued
			l.queue.down(0)
			continue
		}
		if top.count < int64(l.o.MinFrequency) {
			break
		}
		at := top.places
		left, right := uint32(top.key>>32), uint32(top.key)
		l.queue.pop()
		token := l.tokens[left] + strings.TrimPrefix(l.tokens[right], l.prefix)
		id := l.id(token, l.chars[left]+l.chars[right])
		merges = append(merges, merged{left, right, id})
		for _, word := range at.words {
			l.merge(word, left, right, id)
		}
		for _, f := range l.found {
			l.bucket[f.pair] = -1
			l.push(f.pair, f.words)
		}
		l.found = l.found[:0]
		const often = 256
		if len(merges)%often == 0 {
			l.o.progress("merging", len(l.tokens), l.o.VocabSize)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	return merges, ctx.Err()
}

// merge merges a pair in a word, and counts what that changes.
func (l *learner) merge(word, left, right, id uint32) {
	symbols := l.symbols[l.begins[word]:][:l.lengths[word]]
	count := l.counts[word]
	n := 0
	for i := 0; i < len(symbols); i++ {
		if symbols[i] != left || i+1 == len(symbols) || symbols[i+1] != right {
			symbols[n] = symbols[i]
			n++
			continue
		}
		if n > 0 {
			l.change(word, symbols[n-1], left, -count)
			l.change(word, symbols[n-1], id, count)
		}
		if i+2 < len(symbols) {
			l.change(word, right, symbols[i+2], -count)
			l.change(word, id, symbols[i+2], count)
		}
		symbols[n] = id
		n++
		i++
	}
	l.lengths[word] = uint32(n)
}

func (l *learner) change(word, left, right uint32, count int64) {
	if !l.allowed(left, right) {
		return
	}
	p := l.pair(left, right)
	l.seen[p] += count
	if count < 0 {
		return
	}
	if l.bucket[p] < 0 {
		l.bucket[p] = int32(len(l.found))
		l.found = append(l.found, places{pair: p})
	}
	f := &l.found[l.bucket[p]]
	if n := len(f.words); n == 0 || f.words[n-1] != word {
		f.words = append(f.words, word)
	}
}

// A pairTable numbers pairs.
type pairTable struct {
	slots []uint32 // index of the pair, and 1; 0 for none. Their number is a power of two, at most half are used
	keys  []uint64
}

func (t *pairTable) add(key uint64) (index uint32, found bool) {
	if 2*len(t.keys) >= len(t.slots) {
		t.slots = make([]uint32, max(1<<10, 2*len(t.slots)))
		for i, k := range t.keys {
			*t.slot(k) = uint32(i) + 1
		}
	}
	s := t.slot(key)
	if *s > 0 {
		return *s - 1, true
	}
	t.keys = append(t.keys, key)
	*s = uint32(len(t.keys))
	return *s - 1, false
}

func (t *pairTable) slot(key uint64) *uint32 {
	const golden = 0x9e3779b97f4a7c15
	hash := key * golden
	hash ^= hash >> 32
	for at := int(hash); ; at++ {
		s := &t.slots[at&(len(t.slots)-1)]
		if *s == 0 || t.keys[*s-1] == key {
			return s
		}
	}
}

// A queued pair was seen so often when it was queued.
type queued struct {
	count int64
	key   uint64
	places
}

// before orders by falling count, and equal counts by rising ids.
func (q *queued) before(other *queued) bool {
	return q.count > other.count || q.count == other.count && q.key < other.key
}

// A pairQueue is a heap with four children a node.
type pairQueue []queued

func (q *pairQueue) push(item queued) {
	*q = append(*q, item)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 4
		if !h[i].before(&h[up]) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

func (q *pairQueue) pop() {
	h := *q
	last := len(h) - 1
	h[0] = h[last]
	h[last] = queued{}
	*q = h[:last]
	q.down(0)
}

func (q *pairQueue) down(i int) {
	h := *q
	for {
		best := i
		for c := 4*i + 1; c <= 4*i+4 && c < len(h); c++ {
			if h[c].before(&h[best]) {
				best = c
			}
		}
		if best == i {
			return
		}
		h[i], h[best] = h[best], h[i]
		i = best
	}
}

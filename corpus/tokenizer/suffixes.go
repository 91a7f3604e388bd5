package tokenizer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
)

// Suffixes of words, each as far as a token may go.
type suffixes struct {
	text  []byte
	ends  []uint64 // a bit for each position of text at which a word ends
	words *words
	most  int // characters of a substring
	least uint64
}

// found is a substring of the text.
type found struct {
	at           uint32
	bytes, chars uint16
	count        uint64 // how often it is in the corpus
}

// find returns the substrings of two or more characters that are seen often enough and are followed by different
// characters, and whole words. Substrings with the same two first bytes are found at a time.
func (s *suffixes) find(ctx context.Context, threads int) ([]found, error) {
	const buckets = 1 << 16
	begins := make([]uint32, buckets+1)
	number := 0
	each := func(use func(bucket int, at uint32)) {
		for at := range s.words.text {
			if utf8.RuneStart(s.text[at]) && s.bytesAt(at) > 1 {
				use(int(binary.BigEndian.Uint16(s.text[at:])), uint32(at))
			}
		}
	}
	each(func(bucket int, _ uint32) { begins[bucket+1]++; number++ })
	for i := range buckets {
		begins[i+1] += begins[i]
	}
	sorted := make([]uint32, number)
	next := slices.Clone(begins)
	each(func(bucket int, at uint32) { sorted[next[bucket]] = at; next[bucket]++ })
	results := make([][]found, buckets)
	var turn atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range threads {
		g.Go(func() error {
			for {
				b := int(turn.Add(1)) - 1
				if b >= buckets {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				results[b] = s.inBucket(sorted[begins[b]:begins[b+1]])
			}
		})
	}
	err := g.Wait()
	return slices.Concat(results...), err
}

// bytesAt returns how many bytes there are from a position to the end of its word, up to what a token may have.
func (s *suffixes) bytesAt(at int) int {
	limit := s.most * utf8.UTFMax
	at++
	for n := 1; n < limit; {
		word := s.ends[at/64] >> (at % 64)
		if word != 0 {
			return min(n+bits.TrailingZeros64(word), limit)
		}
		step := 64 - at%64
		n, at = n+step, at+step
	}
	return limit
}

// A suffix begins at a position. key has its first bytes, for quick comparison.
type suffix struct {
	key   uint64
	at    uint32
	bytes int32
}

func (s *suffixes) suffix(at uint32) suffix {
	f := suffix{at: at, bytes: int32(s.bytesAt(int(at)))}
	var first [8]byte
	copy(first[:], s.text[at:][:f.bytes])
	f.key = binary.BigEndian.Uint64(first[:])
	return f
}

func (s *suffixes) of(f suffix) []byte { return s.text[f.at:][:f.bytes] }

func (s *suffixes) inBucket(positions []uint32) (all []found) {
	sorted := make([]suffix, len(positions))
	for i, at := range positions {
		sorted[i] = s.suffix(at)
	}
	slices.SortFunc(sorted, func(a, b suffix) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Or(bytes.Compare(s.of(a), s.of(b)), cmp.Compare(a.at, b.at))
	})
	// An open substring is a beginning of the suffixes from first on, which were seen so often before those.
	type open struct {
		bytes  int
		before uint64
	}
	var stack []open
	var seen uint64
	before := 0 // bytes that a suffix has in common with the one before it
	for i, f := range sorted {
		after := 0
		if i+1 < len(sorted) {
			after = s.common(f, sorted[i+1])
		}
		word := sort.Search(s.words.len(), func(w int) bool { return s.words.ends[w] > f.at })
		count := s.words.counts[word]
		if whole := s.words.at(word); f.at == s.words.ends[word]-uint32(len(whole)) && len(whole) > max(before, after) {
			all = s.add(all, f.at, len(whole), count)
		}
		begin := seen
		seen += count
		for len(stack) > 0 && stack[len(stack)-1].bytes > after {
			top := stack[len(stack)-1]
			all = s.add(all, f.at, top.bytes, seen-top.before)
			stack, begin = stack[:len(stack)-1], top.before
		}
		if after > 0 && (len(stack) == 0 || stack[len(stack)-1].bytes < after) {
			stack = append(stack, open{after, begin})
		}
		before = after
	}
	return all
}

// common returns how many bytes two suffixes begin with alike: whole characters, and no more of them than a token may have.
func (s *suffixes) common(a, b suffix) int {
	x, y := s.of(a), s.of(b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	for n > 0 && n < len(x) && !utf8.RuneStart(x[n]) {
		n--
	}
	return n
}

func (s *suffixes) add(all []found, at uint32, size int, count uint64) []found {
	chars := utf8.RuneCount(s.text[at:][:size])
	if chars < 2 || chars > s.most || count < s.least {
		return all
	}
	return append(all, found{at, uint16(size), uint16(chars), count})
}

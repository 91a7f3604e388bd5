// Package vocab counts the tokens of a corpus and gives them ids.
//
// [Index] reads a corpus once and returns its vocabulary and the corpus as [IDs] on disk, as training needs
// them:
//
//	v, ids, err := vocab.Index(ctx, source, vocab.Options{MinCount: 5}, "")
//	…
//	defer ids.Close()
//
// [Count] returns only the vocabulary, [Each] and [WriteCounts] only the counts, and [Describe] a [Report] on
// them. [Read] and Vocab.WriteTo read and write vocabularies as text; [New] and [FromCounts] make
// vocabularies from lists.
package vocab

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/plaintext"
)

// A Vocab holds the tokens of a corpus with their counts and ids. Ids begin at 0 with the most
// frequent token; tokens of equal count are ordered by their bytes. A Vocab is immutable and may
// be used from several goroutines. The zero value has no tokens.
type Vocab struct {
	tokens arena
	table  *table // finds the ids of tokens
	counts []uint64
	total  uint64
}

// newVocab makes a vocabulary of slots of all, and maps ids of all to ids of the vocabulary, or -1.
func newVocab(all *table, kept []slot) (*Vocab, []int32, error) {
	const count, end, id = 8, 8, 4
	text := 0
	for i := range kept {
		text += kept[i].length(all)
	}
	size := tableSize(len(kept))*slotBytes + text + len(kept)*(count+end) + all.len()*id
	if err := all.budget.take(size); err != nil {
		return nil, nil, err
	}
	v := &Vocab{table: newTable(len(kept), all.secret), counts: make([]uint64, len(kept))}
	v.tokens.bytes, v.tokens.ends = make([]byte, 0, text), make([]uint64, 0, len(kept))
	to := make([]int32, all.len())
	for id := range to {
		to[id] = -1
	}
	var short [longToken]byte
	for id := range kept {
		s := &kept[id]
		token := all.token(s, &short)
		v.tokens.add(token)
		if _, err := v.table.put(token, s.key, s.count); err != nil {
			return nil, nil, err
		}
		to[s.id] = int32(id)
		v.counts[id] = s.count
		if v.total += s.count; v.total < s.count || v.total > 1<<62 {
			return nil, nil, fmt.Errorf("the counts up to token %.40q add up to more than 2⁶²", token)
		}
	}
	return v, to, nil
}

// Len returns the number of distinct tokens.
func (v *Vocab) Len() int { return len(v.counts) }

// Total returns the sum of all counts.
func (v *Vocab) Total() uint64 { return v.total }

// Count returns how often token id was seen.
func (v *Vocab) Count(id int) uint64 { return v.counts[id] }

// Counts returns the count of every token by id. The caller must not change it.
func (v *Vocab) Counts() []uint64 { return v.counts }

// Token returns token id.
func (v *Vocab) Token(id int) string { return string(v.tokens.token(uint32(id))) }

// Tokens returns all tokens in the order of their ids.
func (v *Vocab) Tokens() []string {
	all := string(v.tokens.bytes) // all tokens are parts of this string
	tokens := make([]string, v.Len())
	var start uint64
	for id, end := range v.tokens.ends {
		tokens[id] = all[start:end]
		start = end
	}
	return tokens
}

// ID returns the id of a token, and whether the token is in the vocabulary. It does not allocate.
func (v *Vocab) ID(token []byte) (int32, bool) {
	if v.table == nil { // the zero value
		return 0, false
	}
	id, ok := v.table.id(token)
	return int32(id), ok
}

func (v *Vocab) has(token []byte) bool {
	if v == nil {
		return false
	}
	_, ok := v.ID(token)
	return ok
}

// ids returns the id in v, or -1, of every token of t, in the order of the ids in t.
func (v *Vocab) ids(t *table) []int32 {
	ids := make([]int32, t.len())
	var short [longToken]byte
	for i := range t.slots {
		if s := &t.slots[i]; s.count > 0 {
			ids[s.id] = -1
			if id, ok := v.ID(t.token(s, &short)); ok {
				ids[s.id] = id
			}
		}
	}
	return ids
}

// KeepProbabilities returns, for every token, the probability of keeping an occurrence when
// frequent tokens are subsampled with the threshold sample. As in word2vec.c it is
// (√(c/sT) + 1) · sT/c, at most 1, where c is the token's count, T the sum of all counts and s
// the threshold. A threshold of 0 keeps everything.
func (v *Vocab) KeepProbabilities(sample float64) []float64 {
	keep := make([]float64, v.Len())
	for id, c := range v.counts {
		keep[id] = keepProbability(c, sample, v.total)
	}
	return keep
}

func keepProbability(count uint64, sample float64, all uint64) float64 {
	if sample > 0 {
		x := sample * float64(all) / float64(count)
		return min(1, math.Sqrt(x)+x)
	}
	return 1
}

// FromCounts returns the vocabulary of tokens and their counts, in which tokens[i] has id i. The
// tokens must be in the order of a vocabulary: by falling count, and tokens of equal count by
// their bytes. FromCounts returns an error if they are in another order, if a token is empty,
// occurs twice or has more than corpus.MaxToken bytes, or if a count is 0.
func FromCounts(tokens []string, counts []uint64) (*Vocab, error) {
	if len(tokens) != len(counts) {
		return nil, fmt.Errorf("vocabulary: %d counts for %d tokens", len(counts), len(tokens))
	}
	for id, token := range tokens {
		if counts[id] == 0 {
			return nil, fmt.Errorf("vocabulary: token %d, %.40q, has count 0", id, token)
		}
		if id == 0 {
			continue
		}
		before := tokens[id-1]
		if counts[id-1] < counts[id] || counts[id-1] == counts[id] && before >= token {
			return nil, fmt.Errorf("vocabulary: token %d, %.40q (count %d), does not come after %.40q (count %d) by falling count, then by bytes",
				id, token, counts[id], before, counts[id-1])
		}
	}
	v, err := New(tokens, counts)
	if err == nil && v.Len() != len(tokens) { // equal tokens with different counts are in valid order
		err = errors.New("vocabulary: a token is empty or occurs twice")
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// New returns the vocabulary of tokens that are in any order. If a token occurs twice, its first
// count is taken. Empty tokens are left out. A count of 0 means that the count is not known, and
// so does nil for counts; such tokens get a count of 1. New returns an error if a token has more
// than corpus.MaxToken bytes.
func New(tokens []string, counts []uint64) (*Vocab, error) {
	if counts != nil && len(tokens) != len(counts) {
		return nil, fmt.Errorf("vocabulary: %d counts for %d tokens", len(counts), len(tokens))
	}
	all := newTable(len(tokens), newSecret())
	var buf []byte
	for i, token := range tokens {
		if token == "" {
			continue
		}
		if len(token) > corpus.MaxToken {
			return nil, fmt.Errorf("vocabulary: token %d, %.20q…, has %d bytes, at most %d are possible", i, token, len(token), corpus.MaxToken)
		}
		buf = append(buf[:0], token...)
		if _, known := all.id(buf); known {
			continue
		}
		count := uint64(1)
		if counts != nil {
			count = max(count, counts[i])
		}
		if _, err := all.add(buf, count); err != nil {
			return nil, err
		}
	}
	v, _, err := newVocab(all, all.frequent(1, 0))
	return v, err
}

// Read reads a vocabulary from lines of a token, a space and its count, as word2vec.c and gensim write them.
// The lines may be in any order. The options MinCount and MaxVocab leave tokens out. The error for a
// malformed line, or for a token of more than corpus.MaxToken bytes, contains the line number.
func Read(r io.Reader, o Options) (*Vocab, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	buf := bufio.NewReaderSize(plaintext.NewReader(r), longestLine)
	seen := newTable(0, newSecret())
	for line := 1; ; line++ {
		text, err := buf.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("line %d: expected a token of at most %d bytes and its count, found a line of more than %d that begins with %.20q", line, corpus.MaxToken, longestLine, text)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if line == 1 { // some editors write a byte order mark
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if text = bytes.Trim(text, " \t\r\n"); len(text) > 0 {
			token, count, lineErr := parseLine(text)
			if lineErr != nil {
				return nil, fmt.Errorf("line %d: %w", line, lineErr)
			}
			before := seen.len()
			if _, err := seen.add(token, count); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			if seen.len() == before {
				return nil, fmt.Errorf("line %d: token %.40q stands there a second time", line, token)
			}
		}
		if err != nil {
			break
		}
	}
	v, _, err := newVocab(seen, seen.frequent(o.MinCount, o.MaxVocab))
	if err == nil && v.Len() == 0 {
		err = fmt.Errorf("no token with a count of %d or more", o.MinCount)
	}
	return v, err
}

// longestLine is the length of a token, its count, and white space around them.
const longestLine = corpus.MaxToken + 1<<10

func parseLine(text []byte) (token []byte, count uint64, err error) {
	cut := bytes.LastIndexAny(text, " \t")
	if cut < 0 {
		return nil, 0, fmt.Errorf("expected a token and its count, found %.40q", text)
	}
	token = bytes.TrimRight(text[:cut], " \t")
	if len(token) > corpus.MaxToken {
		return nil, 0, fmt.Errorf("token %.20q… has %d bytes, at most %d are possible", token, len(token), corpus.MaxToken)
	}
	if bytes.IndexByte(token, 0) >= 0 {
		return nil, 0, fmt.Errorf("token %.40q contains a zero byte, which separates tokens", token)
	}
	count, err = strconv.ParseUint(string(text[cut+1:]), 10, 64)
	if err != nil || count == 0 {
		return nil, 0, fmt.Errorf("expected the count of token %.40q, a whole number above 0, found %.40q", token, text[cut+1:])
	}
	return token, count, nil
}

// WriteTo writes a line with a token, a space and its count for every token, in the order of ids. Read reads
// this format. WriteTo returns an error if Read could not read a token back, for example a token that
// contains a newline.
func (v *Vocab) WriteTo(w io.Writer) (int64, error) {
	return writeLines(w, func(yield func(Counted, error) bool) {
		for id, count := range v.counts {
			if !yield(Counted{v.tokens.token(uint32(id)), count}, nil) {
				return
			}
		}
	})
}

// WriteCounts counts a corpus as Each does, and writes what Vocab.WriteTo writes.
func WriteCounts(ctx context.Context, src *corpus.Source, o Options, w io.Writer) error {
	_, err := writeLines(w, Each(ctx, src, o))
	return err
}

func writeLines(w io.Writer, all iter.Seq2[Counted, error]) (written int64, err error) {
	buf := bufio.NewWriter(w)
	var line []byte
	for of, err := range all {
		if token := of.Token; err == nil && (bytes.ContainsAny(token, "\n\x00") || len(bytes.Trim(token, " \t\r")) < len(token)) {
			err = fmt.Errorf("vocabulary: token %.40q cannot be written: a line holds no newline, no zero byte, and no white space around a token", token)
		}
		if err == nil {
			line = append(append(line[:0], of.Token...), ' ')
			line = append(strconv.AppendUint(line, of.Count, 10), '\n')
			var n int
			n, err = buf.Write(line)
			written += int64(n)
		}
		if err != nil {
			return written - int64(buf.Buffered()), err
		}
	}
	err = buf.Flush()
	return written - int64(buf.Buffered()), err
}

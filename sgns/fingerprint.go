package sgns

import (
	"context"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/vocab"
)

// A MismatchError says that a run cannot be resumed because something is not what it
// was.
type MismatchError struct{ Differs string }

func (e *MismatchError) Error() string { return e.Differs }

// A fingerprint tells a corpus from another.
type fingerprint struct {
	Tokens    uint64   `json:"tokens"`
	Chunks    int      `json:"chunks"`
	Checksums []uint32 `json:"checksums"`
}

// fingerprintOf reads all of a corpus; nil stays nil.
func fingerprintOf(ids *vocab.IDs) *fingerprint {
	if ids == nil {
		return nil
	}
	return &fingerprint{ids.Tokens(), ids.Chunks(), ids.Checksums()}
}

// matches compares the data with those of the run.
func (c *Checkpoint) matches(ctx context.Context, d Data) error {
	differ := func(format string, args ...any) error {
		return &MismatchError{fmt.Sprintf(format, args...)}
	}
	if d.Vocab.Len() != c.set.Len() {
		return differ("the vocabulary has %d words, that of the checkpoint %d", d.Vocab.Len(), c.set.Len())
	}
	for id, word := range c.set.Words().All() {
		if token := d.Vocab.Token(id); token != word {
			return differ("word %d of the vocabulary is %q, in the checkpoint %q", id+1, token, word)
		}
		if id < len(c.set.Counts()) && d.Vocab.Count(id) != c.set.Counts()[id] {
			return differ("the corpus has %q %d times, in the checkpoint it is %d", word, d.Vocab.Count(id), c.set.Counts()[id])
		}
	}
	if err := c.matchesCorpus(ctx, d); err != nil {
		return err
	}
	if d.Ranks != nil && d.Ranks.Rank() != 0 { // rank 0 alone measures held-out text
		return nil
	}
	switch {
	case d.Divide && d.Ranks != nil: // which measures none
	case c.held == nil && d.HeldOut != nil:
		return differ("the run held out no text")
	case c.held != nil && d.HeldOut == nil:
		return differ("the run held out text of %d tokens, now there is none", c.held.Tokens)
	case c.held != nil && c.sameRanks(d) && len(c.held.Checksums) > 0:
		return c.held.matches(d.HeldOut, "the held-out text")
	}
	return nil
}

// sameRanks reports whether there are as many ranks as when the checkpoint was written.
func (c *Checkpoint) sameRanks(d Data) bool {
	size := 1
	if d.Ranks != nil {
		size = d.Ranks.Size()
	}
	return c.Ranks() == size
}

// matchesCorpus compares the corpus with that of the run: what this rank has of it, or if there are
// other ranks than before, how much all of them have. A fraction that is held out is other text then,
// so that only all text together is the same.
func (c *Checkpoint) matchesCorpus(ctx context.Context, d Data) error {
	rank, size := 0, 1
	if d.Ranks != nil {
		rank, size = d.Ranks.Rank(), d.Ranks.Size()
	}
	switch {
	case !c.sameRanks(d):
	case size == 1:
		return c.corpus.matches(d.IDs, "the corpus")
	default:
		return c.state.Ranks[rank].Corpus.matches(d.IDs, fmt.Sprintf("the part of the corpus of rank %d", rank))
	}
	now, was := d.IDs.Tokens(), c.corpus.Tokens
	if d.HeldOut != nil && rank == 0 {
		now += d.HeldOut.Tokens()
	}
	if c.held != nil {
		was += c.held.Tokens
	}
	sum := []float64{float64(now)}
	if size > 1 {
		if err := d.Ranks.AllReduce(context.WithoutCancel(ctx), cluster.Sum, sum); err != nil {
			return err
		}
	}
	divided := d.Divide && size > 1 && c.held != nil // other text is held out, and not at hand
	if now = uint64(sum[0]); now != was && !divided {
		return &MismatchError{fmt.Sprintf("the corpus has %d tokens of the vocabulary, in the checkpoint it has %d", now, was)}
	}
	return nil
}

func (f fingerprint) matches(ids *vocab.IDs, what string) error {
	now := fingerprintOf(ids)
	if now.Tokens != f.Tokens {
		return &MismatchError{fmt.Sprintf("%s has %d tokens of the vocabulary, in the checkpoint it has %d", what, now.Tokens, f.Tokens)}
	}
	if slices.Equal(now.Checksums, f.Checksums) && now.Chunks == f.Chunks {
		return nil
	}
	n := min(len(now.Checksums), len(f.Checksums))
	at := 0
	for at < n && now.Checksums[at] == f.Checksums[at] {
		at++
	}
	return &MismatchError{fmt.Sprintf("%s has other text than in the checkpoint, first about %d %% into it", what, 100*at/max(n, 1))}
}

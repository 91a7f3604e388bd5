package checkpoint

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vocab"
)

// A MismatchError says that a run cannot be resumed because something differs from before.
type MismatchError struct{ Differs string }

func (e *MismatchError) Error() string { return e.Differs }

func differ(format string, args ...any) error { return &MismatchError{fmt.Sprintf(format, args...)} }

// A Fingerprint identifies a corpus.
type Fingerprint struct {
	Tokens    uint64   `json:"tokens"`
	Chunks    int      `json:"chunks"`
	Checksums []uint32 `json:"checksums"`
}

// FingerprintOf reads a whole corpus. It returns nil for nil.
func FingerprintOf(ids *vocab.IDs) *Fingerprint {
	if ids == nil {
		return nil
	}
	return &Fingerprint{ids.Tokens(), ids.Chunks(), ids.Checksums()}
}

// Given is what a resumed run gets from its caller.
type Given struct {
	Vocab      *vocab.Vocab
	IDs        *vocab.IDs   // corpus of this process
	HeldOut    *vocab.IDs   // nil for none
	Labels     *vocab.Vocab // of texts; nil if inputs are no texts
	Rank, Size int          // the number of this process, and of all
	Tokens     uint64       // of the corpus and the held-out text of all processes
	Divide     bool         // rows are divided among the processes
}

// Matches compares Given with what the run had.
func (c *Contents) Matches(d Given) error {
	if d.Vocab.Len() != c.Set.Len() {
		return differ("the vocabulary has %d words, that of the checkpoint %d", d.Vocab.Len(), c.Set.Len())
	}
	for id, word := range c.Set.Words().All() {
		if token := d.Vocab.Token(id); token != word {
			return differ("word %d of the vocabulary is %q, in the checkpoint %q", id+1, token, word)
		}
		if id < len(c.Set.Counts()) && d.Vocab.Count(id) != c.Set.Counts()[id] {
			return differ("the corpus has %q %d times, in the checkpoint it is %d", word, d.Vocab.Count(id), c.Set.Counts()[id])
		}
	}
	if err := c.matchesLabels(d.Labels); err != nil {
		return err
	}
	if err := c.matchesCorpus(d); err != nil {
		return err
	}
	switch {
	case d.Rank != 0, d.Divide: // only rank 0 measures held-out text, and not in divided runs
	case c.HeldOut == nil && d.HeldOut != nil:
		return differ("the run held out no text")
	case c.HeldOut != nil && d.HeldOut == nil:
		return differ("the run held out text of %d tokens, now there is none", c.HeldOut.Tokens)
	case c.HeldOut != nil && c.Ranks() == d.Size && len(c.HeldOut.Checksums) > 0:
		return c.HeldOut.matches(d.HeldOut, "the held-out text")
	}
	return nil
}

// matchesCorpus compares this rank's part of the corpus or, after another number of ranks, the size of all parts. A
// held-out fraction is then other text, so only training and held-out text together can be equal.
func (c *Contents) matchesCorpus(d Given) error {
	switch {
	case c.Ranks() != d.Size:
	case d.Size == 1:
		return c.Corpus.matches(d.IDs, "the corpus")
	default:
		return c.State.Ranks[d.Rank].Corpus.matches(d.IDs, fmt.Sprintf("the part of the corpus of rank %d", d.Rank))
	}
	was := c.Corpus.Tokens
	if c.HeldOut != nil {
		was += c.HeldOut.Tokens
	}
	divided := d.Divide && d.Size > 1 && c.HeldOut != nil // other text is held out, and this process does not have it
	if d.Tokens != was && !divided {
		return differ("the corpus has %d tokens of the vocabulary, in the checkpoint it has %d", d.Tokens, was)
	}
	return nil
}

func (f Fingerprint) matches(ids *vocab.IDs, what string) error {
	now := FingerprintOf(ids)
	if now.Tokens != f.Tokens {
		return differ("%s has %d tokens of the vocabulary, in the checkpoint it has %d", what, now.Tokens, f.Tokens)
	}
	if slices.Equal(now.Checksums, f.Checksums) && now.Chunks == f.Chunks {
		return nil
	}
	n, at := min(len(now.Checksums), len(f.Checksums)), 0
	for at < n && now.Checksums[at] == f.Checksums[at] {
		at++
	}
	return differ("%s has other text than in the checkpoint, first about %d %% into it", what, 100*at/max(n, 1))
}

package checkpoint

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vocab"
)

// A MismatchError says that a run cannot be resumed because something differs from before.
type MismatchError struct{ Differs string }

func (e *MismatchError) Error() string { return e.Differs }

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
	Vocab   *vocab.Vocab
	IDs     *vocab.IDs // corpus of this process
	HeldOut *vocab.IDs // nil for none
	// Rank is the number of this process, and Size the number of processes. Sum adds a value over all
	// processes.
	Rank, Size int
	Sum        func(x float64) (float64, error)
	Divide     bool // rows are divided among the processes
}

// Matches compares Given with what the run had.
func (c *Contents) Matches(d Given) error {
	differ := func(format string, args ...any) error {
		return &MismatchError{fmt.Sprintf(format, args...)}
	}
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
	if err := c.matchesCorpus(d); err != nil {
		return err
	}
	if d.Rank != 0 { // only rank 0 measures held-out text
		return nil
	}
	switch {
	case d.Divide: // divided runs measure no held-out text
	case c.HeldOut == nil && d.HeldOut != nil:
		return differ("the run held out no text")
	case c.HeldOut != nil && d.HeldOut == nil:
		return differ("the run held out text of %d tokens, now there is none", c.HeldOut.Tokens)
	case c.HeldOut != nil && c.Ranks() == d.Size && len(c.HeldOut.Checksums) > 0:
		return c.HeldOut.matches(d.HeldOut, "the held-out text")
	}
	return nil
}

// matchesCorpus compares the corpus with that of the run. With as many ranks as before, it compares the part
// of this rank. Otherwise it compares the total size of all parts; a held-out fraction is then different
// text, so only training and held-out text together can be equal.
func (c *Contents) matchesCorpus(d Given) error {
	switch {
	case c.Ranks() != d.Size:
	case d.Size == 1:
		return c.Corpus.matches(d.IDs, "the corpus")
	default:
		return c.State.Ranks[d.Rank].Corpus.matches(d.IDs, fmt.Sprintf("the part of the corpus of rank %d", d.Rank))
	}
	now, was := d.IDs.Tokens(), c.Corpus.Tokens
	if d.HeldOut != nil && d.Rank == 0 {
		now += d.HeldOut.Tokens()
	}
	if c.HeldOut != nil {
		was += c.HeldOut.Tokens
	}
	sum, err := d.Sum(float64(now))
	if err != nil {
		return err
	}
	divided := d.Divide && d.Size > 1 && c.HeldOut != nil // other text is held out, and this process does not have it
	if now = uint64(sum); now != was && !divided {
		return &MismatchError{fmt.Sprintf("the corpus has %d tokens of the vocabulary, in the checkpoint it has %d", now, was)}
	}
	return nil
}

func (f Fingerprint) matches(ids *vocab.IDs, what string) error {
	now := FingerprintOf(ids)
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

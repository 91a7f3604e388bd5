package vocab

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/wording"
)

// Several ranks make a vocabulary as follows. Each rank counts its part of the corpus. It sends each token to
// the token's owner, a rank that a hash selects. Owners add up counts, and together they find the tokens that
// the options select. Only these tokens go to all ranks. So before the selection, no rank holds more than the
// tokens of its part and its share of all tokens.

// parted returns the corpus that this process reads: its part of src if there are other ranks.
func (o Options) parted(ctx context.Context, src *corpus.Source) (*corpus.Source, Options, error) {
	if !cluster.Several(o.Ranks) || src == nil || ctx == nil {
		return src, o, nil
	}
	o.whole = src
	return src.Part(o.Ranks.Rank(), o.Ranks.Size()), o, o.sameCorpus(ctx)
}

// sameCorpus returns an error if ranks have different inputs, for example if files differ between machines.
// It compares the sizes, the beginnings and the ends of files.
func (o Options) sameCorpus(ctx context.Context) error {
	digests, unread := o.whole.Digests() // on error there are none, but the other ranks still wait for this one
	var own []byte
	for _, digest := range digests {
		own = append(own, digest[:]...)
	}
	received, err := o.toAll(ctx, own)
	if err := cmp.Or(unread, err); err != nil {
		return err
	}
	for rank, m := range received {
		if !slices.Equal(m, received[0]) {
			return o.ofAll(fmt.Errorf("rank %d finds %s: all ranks must find the same files", rank, o.otherCorpus(m, received[0])))
		}
	}
	return nil
}

// otherCorpus describes how the corpus of a rank differs from that of rank 0.
func (o Options) otherCorpus(other, first []byte) string {
	const each = 16 // bytes per digest
	if len(other) != len(first) {
		return fmt.Sprintf("%s, and rank 0 finds %d", wording.Count(len(other)/each, "input", "inputs"), len(first)/each)
	}
	at := 0
	for slices.Equal(other[at:at+each], first[at:at+each]) {
		at += each
	}
	a, b, name := other[at:], first[at:], o.whole.Name()
	if files := o.whole.Files(); len(files) == len(first)/each { // only then are the inputs files
		name = files[at/each]
	}
	sizes := [2]int64{int64(binary.LittleEndian.Uint64(a)), int64(binary.LittleEndian.Uint64(b))}
	switch {
	case sizes[0] != sizes[1]:
		return fmt.Sprintf("%s of size %s, and rank 0 of size %s", name, wording.Thousands(sizes[0]), wording.Thousands(sizes[1]))
	case !slices.Equal(a[8:12], b[8:12]):
		return name + " with another beginning than rank 0"
	}
	return name + " with another end than rank 0"
}

// toAll sends data to all ranks and returns what each rank sent.
func (o Options) toAll(ctx context.Context, data []byte) ([][]byte, error) {
	return o.Ranks.AllToAll(slices.Repeat([][]byte{data}, o.Ranks.Size())).Wait(ctx)
}

// ofAll returns an error that occurs on all ranks so that only one rank reports it: all ranks but the first
// get an EndedError.
func (o Options) ofAll(err error) error {
	if err == nil || !cluster.Several(o.Ranks) || o.Ranks.Rank() == 0 {
		return err
	}
	return &cluster.EndedError{Rank: 0, Err: err}
}

// onMachine adds up the needs of the ranks on this machine, which share its disk.
func (o Options) onMachine(ctx context.Context, need uint64) (uint64, error) {
	if o.whole == nil {
		return need, nil
	}
	host, _ := os.Hostname() // machines without names count as the same one
	received, err := o.toAll(ctx, append(binary.LittleEndian.AppendUint64(nil, need), host...))
	if err != nil {
		return 0, err
	}
	all := uint64(0)
	for _, m := range received {
		if string(m[8:]) == host {
			all += binary.LittleEndian.Uint64(m)
		}
	}
	return all, nil
}

// sum adds up numbers over all ranks. Sums above 2⁵³ are rounded.
func (o Options) sum(ctx context.Context, numbers ...*uint64) error {
	values := make([]float64, len(numbers))
	for i, n := range numbers {
		values[i] = float64(*n)
	}
	if err := o.Ranks.AllReduce(ctx, cluster.Sum, values); err != nil {
		return err
	}
	for i, n := range numbers {
		*n = uint64(values[i])
	}
	return nil
}

// leftOut combines what was left out of the shards of all ranks.
func (o Options) leftOut(ctx context.Context, own corpus.TooLong, shards []corpus.Shard) (corpus.TooLong, corpus.Empty, error) {
	filled := o.whole.Filled(shards)
	with := make([]float64, len(filled))
	for i := range filled {
		if filled[i] {
			with[i] = 1
		}
	}
	if err := o.Ranks.AllReduce(ctx, cluster.Max, with); err != nil {
		return own, corpus.Empty{}, err
	}
	for i := range filled {
		filled[i] = with[i] > 0
	}
	text, err := json.Marshal(own)
	if err != nil {
		return own, corpus.Empty{}, err
	}
	received, err := o.toAll(ctx, text)
	if err != nil {
		return own, corpus.Empty{}, err
	}
	var all corpus.TooLong
	for _, text := range received {
		var left corpus.TooLong
		if err := json.Unmarshal(text, &left); err != nil {
			return own, corpus.Empty{}, err
		}
		all.Add(left)
	}
	return all, o.whole.Empty(filled), nil
}

// counts are the counts of this rank's part, in memory or on disk.
type counts struct {
	merged *merged     // nil if they are on disk
	runs   []sortedRun // if merged is nil
	first  []int       // first run of each worker
	memory uint64      // memory for merging runs
}

// each calls yield for each distinct token.
func (c *counts) each(ctx context.Context, yield func(token []byte, count uint64) error) error {
	if c.merged == nil {
		return mergeTokens(ctx, c.runs, c.memory, func(token []byte, count uint64, _ []occurrence) error { return yield(token, count) })
	}
	return c.merged.tokens.each(yield)
}

// each calls yield for each token of the table.
func (t *table) each(yield func(token []byte, count uint64) error) error {
	var short [longToken]byte
	for i := range t.slots {
		if s := &t.slots[i]; s.count > 0 {
			if err := yield(t.token(s, &short), s.count); err != nil {
				return err
			}
		}
	}
	return nil
}

// mergeRanks makes one vocabulary of the counts of all ranks. All ranks get the same one.
func mergeRanks(ctx context.Context, workers []*worker, o Options, folder string) (*Vocab, finalIDs, error) {
	spilled, err := spillAll(workers, o.counting())
	if err != nil {
		return nil, nil, err
	}
	own, b := &counts{memory: o.counting() / 2}, workers[0].tokens.budget
	if spilled {
		own.runs, own.first = allRuns(workers)
	} else if own.merged, err = mergeTables(workers, 1, nil); err != nil {
		return nil, nil, err
	}
	v, err := o.vocabulary(ctx, own, b, folder)
	if err != nil {
		return nil, nil, err
	}
	if own.merged != nil {
		return v, own.merged.rename(v.ids(own.merged.tokens)), nil
	}
	names, err := own.names(ctx, v, workers[0].recorder != nil, folder)
	return v, names, err
}

// vocabulary returns the vocabulary of all ranks' counts.
func (o Options) vocabulary(ctx context.Context, own *counts, b *budget, folder string) (*Vocab, error) {
	if o.Fixed != nil && o.Report == nil {
		any := uint64(0)
		if err := own.each(ctx, func([]byte, uint64) error { any = 1; return errEnough }); err != nil && !errors.Is(err, errEnough) {
			return nil, err
		}
		if err := o.sum(ctx, &any); err != nil {
			return nil, err
		}
		return o.Fixed, o.ofAll(o.noTokens(any))
	}
	owned, err := o.exchange(ctx, own, b, folder)
	if err != nil {
		return nil, errors.Join(err, owned.close())
	}
	c, err := o.candidates(ctx, owned)
	if err = errors.Join(err, owned.close()); err != nil {
		return nil, err
	}
	if err := c.agree(ctx, o); err != nil {
		return nil, err
	}
	if o.Report != nil {
		o.Report(c.tally.report())
	}
	if o.Fixed != nil {
		return o.Fixed, nil
	}
	all, err := o.gather(ctx, c, b)
	if err != nil {
		return nil, err
	}
	kept, err := all.choose(o)
	if err != nil {
		return nil, err
	}
	v, _, err := newVocab(all, kept)
	if err == nil && v.Len() == 0 {
		err = o.ofAll(fmt.Errorf("%s: %w", o.whole.Name(), &c.left))
	}
	return v, err
}

// errEnough ends an iteration.
var errEnough = errors.New("enough")

// noTokens returns an error if there are no distinct tokens.
func (o Options) noTokens(distinct uint64) error {
	if distinct > 0 {
		return nil
	}
	return fmt.Errorf("%s: the corpus has no tokens", o.whole.Name())
}

// exchange sends each count to the owner of its token, and returns the counts that this rank owns.
func (o Options) exchange(ctx context.Context, own *counts, b *budget, folder string) (*worker, error) {
	owned := &worker{tokens: newTable(0, newSecret()), folder: folder}
	owned.tokens.budget, owned.tokens.most = b, int(min(o.counting(), maxInt))
	p := newPost(ctx, o, func(token []byte, count uint64) error {
		_, err := owned.tokens.add(token, count)
		if err == errFull { //nolint:errorlint // as the table returns it
			if err = owned.spill(); err == nil {
				_, err = owned.tokens.add(token, count)
			}
		}
		return err
	})
	ranks := uint32(o.Ranks.Size())
	err := own.each(ctx, func(token []byte, count uint64) error {
		return p.send(int(hashing.FastText(token)%ranks), token, count)
	})
	if err == nil {
		err = p.finish()
	}
	return owned, err
}

// gather returns a table of all ranks' candidates that are in the vocabulary.
func (o Options) gather(ctx context.Context, c *candidates, b *budget) (*table, error) {
	chosen, err := c.choose(ctx, o)
	if err != nil {
		return nil, err
	}
	all := newTable(0, newSecret())
	all.budget = b
	p := newPost(ctx, o, func(token []byte, count uint64) error {
		_, err := all.add(token, count)
		return err
	})
	var short [longToken]byte
	for i := range chosen {
		if err := p.send(toAll, c.tokens.token(&chosen[i], &short), chosen[i].count); err != nil {
			return nil, err
		}
	}
	return all, p.finish()
}

// names maps the tokens of runs on disk to their ids in the vocabulary.
func (c *counts) names(ctx context.Context, v *Vocab, recorded bool, folder string) (names *spilledNames, err error) {
	names = &spilledNames{runs: c.runs, first: c.first}
	if !recorded {
		return names, nil
	}
	if names.renames, err = newRenames(folder, len(c.runs)); err != nil {
		return nil, err
	}
	err = mergeTokens(ctx, c.runs, c.memory, func(token []byte, _ uint64, at []occurrence) error {
		id, ok := v.ID(token)
		if !ok {
			return nil
		}
		for _, a := range at {
			if err := names.renames.add(a, uint32(id)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, names.close())
	}
	return names, nil
}

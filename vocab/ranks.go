package vocab

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	if !cluster.Several(o.Ranks) {
		return src, o, nil
	}
	o.whole = src
	return src.Part(o.Ranks.Rank(), o.Ranks.Size()), o, o.sameCorpus(ctx)
}

// sameCorpus returns an error if ranks have different inputs, by sizes, beginnings and ends of files.
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
	if sizes[0] != sizes[1] {
		return fmt.Sprintf("%s of size %s, and rank 0 of size %s", name, wording.Thousands(sizes[0]), wording.Thousands(sizes[1]))
	}
	return name + " with other content than rank 0"
}

func (o Options) toAll(ctx context.Context, data []byte) ([][]byte, error) {
	return o.Ranks.AllToAll(ctx, slices.Repeat([][]byte{data}, o.Ranks.Size()))
}

// ofAll returns an error of all ranks so that only the first reports it: others get an EndedError.
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
	if o.whole == nil {
		return nil
	}
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

func (o Options) leftOut(ctx context.Context, shards []corpus.Shard) (all corpus.TooLong, empty corpus.Empty, err error) {
	type message struct {
		TooLong corpus.TooLong
		Filled  []bool
	}
	own := message{corpus.TooLongIn(shards), o.whole.Filled(shards)}
	text, err := json.Marshal(own)
	if err != nil {
		return all, empty, err
	}
	received, err := o.toAll(ctx, text)
	for _, text := range received {
		var m message
		err = cmp.Or(err, json.Unmarshal(text, &m))
		all.Add(m.TooLong)
		for i, filled := range m.Filled {
			own.Filled[i] = own.Filled[i] || filled
		}
	}
	return all, o.whole.Empty(own.Filled), err
}

// owned returns the candidates among the tokens that this rank owns. Without ranks, it owns all of own.
func (o Options) owned(ctx context.Context, own *counts, folder string) (*candidates, error) {
	if o.whole == nil {
		return o.candidates(ctx, own, nil)
	}
	w, err := o.exchange(ctx, own, folder)
	var c *candidates
	if err == nil {
		if own, err = o.merge([]*worker{w}); err == nil {
			c, err = o.candidates(ctx, own, nil)
		}
	}
	if err = errors.Join(err, w.close()); err != nil {
		return nil, err
	}
	return c, c.agree(ctx, o)
}

// exchange sends each count to the owner of its token, and returns the counts that this rank owns.
func (o Options) exchange(ctx context.Context, own *counts, folder string) (*worker, error) {
	owned := newWorker(newTable(0, newSecret()), folder)
	owned.tokens.budget, owned.tokens.most = own.budget, int(min(o.counting(), math.MaxInt))
	p := newPost(ctx, o, func(token []byte, count uint64) error {
		_, err := owned.tokens.add(token, count)
		if err != nil {
			_, err = owned.addFull(token, count, err)
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

func (c *candidates) agree(ctx context.Context, o Options) error {
	left := uint64(c.left.Distinct)
	if err := o.sum(ctx, &c.types, &left, &c.left.Tokens); err != nil {
		return err
	}
	c.left.Distinct = int(left)
	most := []float64{float64(c.left.Most)}
	if err := o.Ranks.AllReduce(ctx, cluster.Max, most); err != nil {
		return err
	}
	c.left.Most = uint64(most[0])
	if c.tally == nil {
		return nil
	}
	return c.tally.addRanks(ctx, o)
}

// gather returns a table of all ranks' candidates that are in the vocabulary. With MaxVocab, it also has some
// of their rivals, which occur as often as the rarest token of the vocabulary.
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

// choose returns the slots of this rank's candidates that may be in the vocabulary.
func (c *candidates) choose(ctx context.Context, o Options) ([]slot, error) {
	const twice = 2 // sorting needs a copy
	if err := c.tokens.budget.take(twice * slotBytes * c.tokens.len()); err != nil {
		return nil, err
	}
	defer c.tokens.budget.give(twice * slotBytes * c.tokens.len())
	var found, known []slot
	var short [longToken]byte
	for i := range c.tokens.slots {
		switch s := &c.tokens.slots[i]; {
		case s.count == 0:
		case o.Known.has(c.tokens.token(s, &short)):
			known = append(known, *s)
		case s.count >= uint64(max(o.MinCount, 1)):
			found = append(found, *s)
		}
	}
	if o.MaxVocab == 0 {
		return append(found, known...), nil
	}
	room := uint64(o.MaxVocab)
	if o.Known != nil {
		room -= min(room, uint64(o.Known.Len()))
	}
	all := tally{}
	for i := range found {
		all.add(found[i].count)
	}
	if err := all.addRanks(ctx, o); err != nil {
		return nil, err
	}
	least, first := uint64(math.MaxUint64), uint64(0) // the first tokens of all ranks have at least this count
	for _, f := range all.falling() {
		if first >= room {
			break
		}
		least, first = f.count, first+f.types
	}
	found = c.tokens.sorted(slices.DeleteFunc(found, func(s slot) bool { return s.count < least }))
	return append(found[:min(uint64(len(found)), room)], known...), nil
}

func (t tally) addRanks(ctx context.Context, o Options) error {
	var own []byte
	for count, types := range t {
		own = binary.AppendUvarint(binary.AppendUvarint(own, count), types)
	}
	received, err := o.toAll(ctx, own)
	clear(t)
	for _, m := range received {
		for len(m) > 0 {
			count, k := binary.Uvarint(m)
			types, l := binary.Uvarint(m[k:])
			t[count] += types
			m = m[k+l:]
		}
	}
	return err
}

// A post sends tokens with their counts in bounded messages. All ranks use it until all have finished.
type post struct {
	ctx      context.Context
	ranks    cluster.Comm
	take     func(token []byte, count uint64) error
	most     int      // maximum size of a message to one rank, plus one record
	messages [][]byte // by receiver: records after a byte that says whether more messages follow
	toAll    bool     // there is one message, which goes to all ranks
}

const (
	moreFollow = 0
	noneFollow = 1

	toAll      = -1      // the receiver that means all ranks
	sentAtOnce = 4 << 20 // total size of all messages of an exchange
	leastSent  = 1 << 10 // minimum size of a message
)

func newPost(ctx context.Context, o Options, take func(token []byte, count uint64) error) *post {
	n := o.Ranks.Size()
	p := &post{ctx: ctx, ranks: o.Ranks, take: take, most: max(leastSent, cmp.Or(o.post, sentAtOnce)/n), messages: make([][]byte, n)}
	for i := range n {
		p.messages[i] = []byte{moreFollow}
	}
	return p
}

func (p *post) send(to int, token []byte, count uint64) error {
	p.toAll = to == toAll
	m := &p.messages[max(to, 0)]
	if *m = appendRecord(*m, token, count); len(*m) < p.most {
		return nil
	}
	_, err := p.exchange()
	return err
}

func (p *post) finish() error {
	for {
		for _, m := range p.messages {
			m[0] = noneFollow
		}
		if ended, err := p.exchange(); ended || err != nil {
			return err
		}
	}
}

// exchange sends the messages, and takes those of other ranks. It reports whether these were their last.
func (p *post) exchange() (ended bool, err error) {
	if p.toAll {
		for i := range p.messages {
			p.messages[i] = p.messages[0]
		}
	}
	received, err := p.ranks.AllToAll(p.ctx, p.messages)
	if err != nil {
		return false, err
	}
	ended = true
	for from, m := range received {
		if len(m) == 0 {
			return false, fmt.Errorf("counts of rank %d: %w", from, errRecord)
		}
		ended = ended && m[0] == noneFollow
		if err := eachRecord(m[1:], p.take); err != nil {
			return false, fmt.Errorf("counts of rank %d: %w", from, err)
		}
	}
	for i := range p.messages {
		p.messages[i] = append(p.messages[i][:0], moreFollow)
	}
	return ended, nil
}

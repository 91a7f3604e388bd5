package vocab

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/w2v-go/w2v/cluster"
)

// candidates are the tokens of a rank that may be in the vocabulary, and statistics of all its other tokens.
type candidates struct {
	tokens   *table
	distinct uint64    // number of counted tokens
	left     RareError // tokens that are too rare
	tally    *tally    // nil without a report
}

// candidates returns the candidates among the tokens that the rank owns.
func (o Options) candidates(ctx context.Context, owned *worker) (*candidates, error) {
	c := &candidates{tokens: owned.tokens, left: RareError{MinCount: o.MinCount}, tally: o.tally()}
	note := func(token []byte, count uint64) bool {
		c.distinct++
		c.tally.add(count)
		if count >= uint64(max(o.MinCount, 1)) || o.Known != nil && o.Known.has(token) {
			return true
		}
		c.left.add(count)
		return false
	}
	if len(owned.runs) == 0 {
		owned.tokens.most, owned.tokens.full = 0, false
		return c, owned.tokens.each(func(token []byte, count uint64) error { note(token, count); return nil })
	}
	if _, err := spillAll([]*worker{owned}, o.counting()); err != nil {
		return nil, err
	}
	c.tokens = newTable(0, newSecret())
	c.tokens.budget = owned.tokens.budget
	return c, mergeTokens(ctx, owned.runs, o.counting()/2, func(token []byte, count uint64, _ []occurrence) error {
		if !note(token, count) || o.Fixed != nil {
			return nil
		}
		_, err := c.tokens.add(token, count)
		return err
	})
}

// agree adds up the statistics over all ranks.
func (c *candidates) agree(ctx context.Context, o Options) error {
	left := uint64(c.left.Distinct)
	if err := o.sum(ctx, &c.distinct, &left, &c.left.Tokens); err != nil {
		return err
	}
	c.left.Distinct = int(left)
	most := []float64{float64(c.left.Most)}
	if err := o.Ranks.AllReduce(ctx, cluster.Max, most); err != nil {
		return err
	}
	c.left.Most = uint64(most[0])
	if err := o.ofAll(o.noTokens(c.distinct)); err != nil {
		return err
	}
	if c.tally == nil {
		return nil
	}
	return c.tally.addRanks(ctx, o)
}

// choose returns the slots of this rank's candidates that are in the vocabulary, except tokens of a known
// vocabulary that do not occur.
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
		case o.Known != nil && o.Known.has(c.tokens.token(s, &short)):
			known = append(known, *s)
		case s.count >= uint64(max(o.MinCount, 1)):
			found = append(found, *s)
		}
	}
	if o.MaxVocab > 0 {
		room := o.MaxVocab
		if o.Known != nil {
			room = max(0, room-o.Known.Len())
		}
		found = c.tokens.sorted(found)
		n, err := c.first(ctx, o, found, room)
		if err != nil {
			return nil, err
		}
		found = found[:n]
	}
	return append(found, known...), nil
}

// first returns how many of this rank's slots are among the first wanted slots of all ranks. Slots are in the
// order of a vocabulary. In each step every rank proposes the middle one of its undecided slots. A proposal
// from about the middle of all divides the slots.
func (c *candidates) first(ctx context.Context, o Options, slots []slot, wanted int) (int, error) {
	from, to, left := 0, len(slots), uint64(wanted)
	for {
		pivot, open, err := c.propose(ctx, o, slots[from:to])
		switch {
		case err != nil:
			return 0, err
		case open <= left:
			return to, nil
		case left == 0:
			return from, nil
		}
		below := sort.Search(to-from, func(i int) bool {
			var short [longToken]byte
			s := &slots[from+i]
			return proposal{s.count, c.tokens.token(s, &short), 0}.compare(pivot) > 0
		})
		sum := []float64{float64(below)}
		if err := o.Ranks.AllReduce(ctx, cluster.Sum, sum); err != nil {
			return 0, err
		}
		if all := uint64(sum[0]); all <= left {
			from, left = from+below, left-all
		} else {
			to = from + below
		}
	}
}

// A proposal is a token that divides slots, and the number of undecided slots of its rank.
type proposal struct {
	count uint64
	token []byte
	slots uint64
}

// compare compares by falling count, then by token.
func (p proposal) compare(other proposal) int {
	return cmp.Or(cmp.Compare(other.count, p.count), bytes.Compare(p.token, other.token))
}

// propose returns a slot near the middle of all ranks' slots, and the number of these slots.
func (c *candidates) propose(ctx context.Context, o Options, slots []slot) (pivot proposal, all uint64, err error) {
	own := binary.AppendUvarint(nil, uint64(len(slots)))
	if len(slots) > 0 {
		var short [longToken]byte
		middle := &slots[(len(slots)-1)/2]
		own = binary.AppendUvarint(own, middle.count)
		own = append(own, c.tokens.token(middle, &short)...)
	}
	received, err := o.toAll(ctx, own)
	if err != nil {
		return pivot, 0, err
	}
	var proposals []proposal
	for _, m := range received {
		n, k := binary.Uvarint(m)
		if n == 0 {
			continue
		}
		count, l := binary.Uvarint(m[k:])
		proposals = append(proposals, proposal{count, m[k+l:], n})
		all += n
	}
	slices.SortFunc(proposals, proposal.compare)
	sum := uint64(0)
	for _, p := range proposals {
		if sum += p.slots; 2*sum >= all {
			return p, all, nil
		}
	}
	return pivot, all, nil
}

// addRanks adds up the tallies of all ranks.
func (t *tally) addRanks(ctx context.Context, o Options) error {
	few := make([]float64, len(t.few))
	for count, types := range t.few {
		few[count] = float64(types)
	}
	if err := o.Ranks.AllReduce(ctx, cluster.Sum, few); err != nil {
		return err
	}
	var own []byte
	for count, types := range t.many {
		own = binary.AppendUvarint(binary.AppendUvarint(own, count), types)
	}
	received, err := o.toAll(ctx, own)
	if err != nil {
		return err
	}
	*t = tally{many: map[uint64]uint64{}}
	for count, types := range few {
		t.few[count] = uint64(types)
	}
	for _, m := range received {
		for len(m) > 0 {
			count, k := binary.Uvarint(m)
			types, l := binary.Uvarint(m[k:])
			t.many[count] += types
			m = m[k+l:]
		}
	}
	return nil
}

// A post sends tokens with their counts to other ranks, in messages of bounded size. All ranks must use it
// together: each takes part in exchanges until all have finished.
type post struct {
	ctx     context.Context
	ranks   cluster.Comm
	take    func(token []byte, count uint64) error
	most    int       // maximum size of a message to one rank, plus one record
	filling []message // messages by receiver
	flying  []message
	pending cluster.Exchange // nil if no exchange is pending
	toAll   bool             // filling is one message, which goes to all ranks
	ended   bool             // before the last exchange ended, all ranks had sent everything
}

// A message is records after a byte that says whether more messages follow.
type message []byte

const (
	moreFollow = 0
	noneFollow = 1
)

const (
	toAll      = -1      // the receiver that means all ranks
	sentAtOnce = 4 << 20 // total size of all messages of an exchange
	leastSent  = 1 << 10 // minimum size of a message
	maxInt     = math.MaxInt
)

// newPost returns a post that calls take for everything that this rank receives.
func newPost(ctx context.Context, o Options, take func(token []byte, count uint64) error) *post {
	n := o.Ranks.Size()
	p := &post{ctx: ctx, ranks: o.Ranks, take: take, most: max(leastSent, cmp.Or(o.post, sentAtOnce)/n)}
	p.filling, p.flying = make([]message, n), make([]message, n)
	for i := range n {
		p.filling[i], p.flying[i] = message{moreFollow}, message{moreFollow}
	}
	return p
}

// send sends a token to a rank, or to all.
func (p *post) send(to int, token []byte, count uint64) error {
	p.toAll = to == toAll
	at := max(to, 0)
	p.filling[at] = appendRecord(p.filling[at], token, count, -1)
	if len(p.filling[at]) < p.most {
		return nil
	}
	return p.exchange()
}

// finish sends the remaining records and takes part until all ranks have finished.
func (p *post) finish() error {
	for !p.ended {
		for i := range p.filling {
			p.filling[i][0] = noneFollow
		}
		if err := p.exchange(); err != nil {
			return err
		}
	}
	return nil
}

// exchange handles the received messages and starts to send the filled ones, unless all ranks have finished.
func (p *post) exchange() error {
	if p.pending != nil {
		received, err := p.pending.Wait(p.ctx)
		if err != nil {
			return err
		}
		p.ended = true
		for from, m := range received {
			if err := p.open(m); err != nil {
				return fmt.Errorf("counts of rank %d: %w", from, err)
			}
		}
		if p.ended {
			return nil
		}
	}
	messages := make([][]byte, len(p.filling))
	for i := range messages {
		messages[i] = p.filling[i]
		if p.toAll {
			messages[i] = p.filling[0]
		}
	}
	p.pending = p.ranks.AllToAll(messages)
	p.filling, p.flying = p.flying, p.filling
	for i := range p.filling {
		p.filling[i] = append(p.filling[i][:0], moreFollow)
	}
	return nil
}

var errMessage = errors.New("the message is damaged")

// open takes the records of a message.
func (p *post) open(m message) error {
	if len(m) == 0 {
		return errMessage
	}
	p.ended = p.ended && m[0] == noneFollow
	for m = m[1:]; len(m) > 0; {
		length, n := binary.Uvarint(m)
		if n <= 0 || length == 0 || length > uint64(len(m)-n) {
			return errMessage
		}
		token := m[n : n+int(length)]
		count, k := binary.Uvarint(m[n+int(length):])
		if k <= 0 || count == 0 {
			return errMessage
		}
		m = m[n+int(length)+k:]
		if err := p.take(token, count); err != nil {
			return err
		}
	}
	return nil
}

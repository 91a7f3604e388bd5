package vocab

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/cluster"
)

// A post sends tokens with their counts to other ranks in messages of a bounded size. All ranks must
// use it together: each takes part in exchanges until all have finished.
type post struct {
	ctx     context.Context
	ranks   cluster.Comm
	take    func(token []byte, count uint64) error
	most    int       // bytes of a message to one rank, and a record
	filling []message // by receiver
	flying  []message
	pending cluster.Exchange // of flying; nil for none
	toAll   bool             // filling has one message, which goes to all ranks
	ended   bool             // all ranks had sent everything before the last exchange ended
}

// A message is records behind a byte that says whether more follow.
type message []byte

const (
	moreFollow = 0
	noneFollow = 1
)

const (
	toAll      = -1      // as a receiver, is all ranks
	sentAtOnce = 4 << 20 // bytes in all messages of an exchange
	leastSent  = 1 << 10 // bytes of a message
	maxInt     = math.MaxInt
)

// newPost returns a post that calls take for all that this rank receives.
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

// finish sends what is left, and takes part until all ranks have finished.
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

// exchange takes what came last and starts to send what was filled in, unless all ranks have finished.
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

// Package ranks has the synchronisers of runs on several ranks. Replicate is for ranks that each have the
// whole model and exchange changes. Divide is for ranks that each own a part of the rows.
package ranks

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/sgns/internal/run"
	"github.com/w2v-go/w2v/vocab"
)

// Options are settings that all ranks of a run share, in addition to the configuration.
type Options struct {
	Every    uint64           // tokens that a rank trains between two turns; 0 means a number that suits the run
	Budget   uint64           // bytes a second that a rank may send; 0 means no limit
	Exchange *replica.Options // for tests: workers wait for turns, as if turns took no time
	Saves    bool             // this rank makes checkpoints
}

// A member is one of the ranks of a run.
type member struct {
	run.Alone
	comm    cluster.Comm
	options Options
	tokens  uint64                  // total tokens of all ranks
	saves   bool                    // rank 0 makes checkpoints
	text    *checkpoint.Fingerprint // of this rank's part, if rank 0 saves
	states  [][]byte                // on rank 0: states of all ranks when they were paused
}

// Join returns what all runs on several ranks share.
func (m *member) Join(r *run.Run) run.Peers {
	p := m.Alone.Join(r)
	p.Rank, p.Size, p.Tokens = m.rank(), m.size(), m.tokens
	p.Mean = func(ctx context.Context, x float64) (float64, error) {
		sum := []float64{x * float64(r.Data.IDs.Tokens())}
		err := m.comm.AllReduce(ctx, cluster.Sum, sum)
		return sum[0] / float64(m.tokens), err
	}
	return p
}

func (m *member) size() int   { return m.comm.Size() }
func (m *member) rank() int   { return m.comm.Rank() }
func (m *member) first() bool { return m.rank() == 0 } // the first rank evaluates, saves and reports

// count adds up the tokens of all parts, and finds out whether any rank saves.
func (m *member) count(ctx context.Context, part *vocab.IDs) error {
	sums := []float64{float64(part.Tokens()), 0}
	if m.options.Saves {
		sums[1] = 1
	}
	if err := m.comm.AllReduce(ctx, cluster.Sum, sums); err != nil {
		return fmt.Errorf("joining ranks: %w", err)
	}
	if m.tokens, m.saves = uint64(sums[0]), sums[1] > 0; m.tokens == 0 {
		return run.ErrNoTokens
	}
	if m.saves {
		m.text = checkpoint.FingerprintOf(part)
	}
	return nil
}

func (m *member) control() replica.Control {
	return replica.Control{Sums: m.Run.Counters.Sums(), Sent: m.comm.Sent(), Network: m.comm.Network()}
}

func (m *member) hear(all []replica.Control) {
	var o run.Others
	for rank, c := range all {
		o.Sent, o.Network = o.Sent+c.Sent, o.Network+c.Network
		if rank != m.rank() {
			o.Add(c.Sums)
			o.Doubtful = o.Doubtful || c.Doubtful
		}
	}
	m.Run.Hear(o)
}

// gather sends the states of ranks to rank 0 if it saves. Losses must not be NaN, which JSON cannot express.
func (m *member) gather(ctx context.Context, state func() checkpoint.State) error {
	if !m.saves {
		return nil
	}
	s := state()
	data, err := json.Marshal(checkpoint.RankState{Next: s.Next, Corpus: *m.text, Count: len(s.Workers), States: s.Workers, Left: s.Left, Elsewhere: s.Elsewhere})
	if err != nil {
		return fmt.Errorf("the state of training: %w", err)
	}
	m.states, err = m.comm.Gather(ctx, 0, data)
	return err
}

// alike returns an error on all ranks if words, initial parameters or settings differ between them.
func alike(ctx context.Context, comm cluster.Comm, r *run.Run, o Options) error {
	own, err := checksums(r, o)
	if err != nil {
		return err
	}
	received, err := comm.AllToAll(ctx, slices.Repeat([][]byte{own}, comm.Size()))
	if err != nil {
		return fmt.Errorf("joining ranks: %w", err)
	}
	for rank, m := range received {
		what, must := "begins with other vectors", "must find the same files"
		switch {
		case slices.Equal(m, received[0]):
			continue
		case len(m) != len(own) || !slices.Equal(m[:4], received[0][:4]):
			what = "has another vocabulary"
		case slices.Equal(m[:8], received[0][:8]):
			what, must = "has other settings", "must get the same command line"
		}
		return OfAll(comm, fmt.Errorf("rank %d %s than rank 0: all ranks %s", rank, what, must))
	}
	return nil
}

// OfAll returns an error that occurs on all ranks as one of rank 0, which reports it.
func OfAll(comm cluster.Comm, err error) error {
	if err != nil && comm.Rank() > 0 {
		return &cluster.EndedError{Rank: 0, Err: err}
	}
	return err
}

// checksums returns those of the words, of some hundred rows of each matrix, and of the settings.
func checksums(r *run.Run, o Options) ([]byte, error) {
	words, values := crc32.NewIEEE(), crc32.NewIEEE() // writing to them cannot fail
	for id := range r.Data.Vocab.Len() {
		_, _ = io.WriteString(words, r.Data.Vocab.Token(id))
		_ = binary.Write(words, binary.LittleEndian, r.Data.Vocab.Count(id))
	}
	for m, rows := range r.Model.Values.Owned() {
		_, _ = fmt.Fprint(values, m.Name, rows.Rows, rows.Cols)
		for row := 0; row < rows.Rows; row += max(rows.Rows/500, 1) {
			_ = binary.Write(values, binary.LittleEndian, rows.Row(row))
		}
	}
	c := r.Config
	c.Threads = 0 // may differ between ranks
	settings, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("the configuration: %w", err)
	}
	sum := crc32.ChecksumIEEE(fmt.Appendln(settings, o.Every, o.Budget))
	return binary.BigEndian.AppendUint32(values.Sum(words.Sum(nil)), sum), nil
}

// touchesOf returns how often each row is touched for each token, also through matrices that share its storage.
func touchesOf(list params.List, of params.Matrix, w params.Words) func(row int) float64 {
	all := list.Touches(of, w)
	if all == nil {
		return func(int) float64 { return w.Sum }
	}
	return func(row int) float64 { return float64(all[row]) }
}

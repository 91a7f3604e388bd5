// Package ranks has the synchronisers of runs on several ranks. Replicate is for ranks that each have the
// whole model and exchange changes. Divide is for ranks that each own a part of the rows.
package ranks

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
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
	comm   cluster.Comm
	tokens uint64 // total tokens of all ranks
	saves  bool   // rank 0 makes checkpoints
}

// Place returns the position of this rank in the run.
func (m *member) Place() run.Place {
	return run.Place{Rank: m.comm.Rank(), Size: m.comm.Size(), Tokens: m.tokens}
}

func (m *member) size() int   { return m.comm.Size() }
func (m *member) rank() int   { return m.comm.Rank() }
func (m *member) first() bool { return m.rank() == 0 } // the first rank evaluates, saves and reports

// Mean returns the mean over all parts of the corpus.
func (m *member) Mean(ctx context.Context, find func() float64) (float64, error) {
	sum := []float64{0}
	if n := m.Run.Data.IDs.Tokens(); n > 0 {
		sum[0] = float64(n) * find()
	}
	err := m.comm.AllReduce(ctx, cluster.Sum, sum)
	return sum[0] / float64(m.tokens), err
}

// count adds up the tokens of all parts, and finds out whether any rank saves.
func (m *member) count(ctx context.Context, part *vocab.IDs, saves bool) error {
	sums := []float64{float64(part.Tokens()), 0}
	if saves {
		sums[1] = 1
	}
	if err := m.comm.AllReduce(ctx, cluster.Sum, sums); err != nil {
		return err
	}
	if m.tokens, m.saves = uint64(sums[0]), sums[1] > 0; m.tokens == 0 {
		return ErrNoTokens
	}
	return nil
}

// Replicated is the Synchroniser of ranks that each train their own part of the corpus on their own copy of
// the parameters. All ranks start with equal parameters, and exchange changes.
type Replicated struct {
	member
	asked Options
	text  *checkpoint.Fingerprint // of this rank's part

	options replica.Options
	every   uint64 // tokens that a rank trains between two turns, except early in the run
	budget  uint64 // bytes a second that a rank may send; 0 means no limit

	sync   *replica.Synchroniser
	others atomic.Pointer[run.Others]
	began  time.Time // start of training
	due    []uint64  // by rank: tokens trained at the last turn
	apart  distances // between turns

	lockstep bool // for tests: workers wait for due turns
	lead     atomic.Pointer[lead]
	waiting  chan struct{} // holds a value if a worker has begun to wait

	states [][]byte // states of all ranks, on rank 0: see end
	ended  bool     // the work has ended, with equal parameters on all ranks
	early  bool     // the run ended early on all ranks
}

// ErrNoTokens says that there is nothing to train on.
var ErrNoTokens = errors.New("sgns: no tokens to train on")

// Features that runs on several ranks do not support.
var (
	errRanksDeterministic = errors.New("sgns: ranks exchange what they have trained while they train, so a run on several of them cannot be deterministic: train it on one, or without Deterministic")
	errRanksPrecision     = errors.New("sgns: ranks exchange rows of float32, so a run on several of them cannot have rows of precision f16: train it on one, or with precision f32")
)

// Replicate joins the ranks of a run, each with its part of the corpus.
func Replicate(ctx context.Context, ranks cluster.Comm, ids *vocab.IDs, c config.Config, o Options) (*Replicated, error) {
	if c.Deterministic {
		return nil, errRanksDeterministic
	}
	if c.Precision != config.F32 {
		return nil, errRanksPrecision
	}
	comm, err := ranks.Dup(ctx)
	if err != nil {
		return nil, fmt.Errorf("joining ranks: %w", err)
	}
	t := &Replicated{member: member{comm: comm}, asked: o, budget: o.Budget, options: replica.Defaults(), due: make([]uint64, comm.Size()), waiting: make(chan struct{}, 1)}
	if o.Exchange != nil {
		t.options, t.lockstep = *o.Exchange, true
	}
	if err := t.count(ctx, ids, o.Saves); err == ErrNoTokens {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("joining ranks: %w", err)
	}
	t.every = t.options.Every
	if !t.lockstep {
		suits := everyOf(t.tokens*uint64(c.Epochs), comm.Size())
		t.every = cmp.Or(min(o.Every, mostEvery), suits)
		t.options.Every = min(t.every, suits)
	}
	t.options.Threads = max(1, config.Threads(c)/8)
	t.others.Store(&run.Others{Merged: math.NaN()})
	t.leave(0)
	return t, nil
}

// Plan plans the run, including the memory of the exchange.
func (t *Replicated) Plan(p *plan.Planner) (plan.Plan, error) {
	p.Readers = max(p.Readers, monitor.Evaluators(t.Run.Data.IDs, config.Threads(p.Config)))
	p.Beside = func(list params.List) float64 {
		rows, cols := 0, 0
		for m := range list.Owned() {
			rows, cols = rows+m.Rows, max(cols, m.Cols)
		}
		return replica.Bytes(list.Bytes(), rows, cols, t.size())
	}
	return p.Plan()
}

// Start begins the run, and checks that all ranks start with the same words, parameters and settings.
func (t *Replicated) Start(ctx context.Context) error {
	r := t.Run
	if err := r.Begin(); err != nil {
		return err
	}
	var matrices []replica.Matrix
	words := wordsOf(r.Config, r.Data.Vocab, r.Sample())
	for m, rows := range r.Model.Values.Owned() {
		matrices = append(matrices, replica.Matrix{Rows: rows, Touches: touchesOf(r.Model.Values.List(), m, words)})
	}
	// Ranks without text, or with none left, own rows too. So the rate is that of the whole run.
	t.options.Rate = func(trained uint64) float64 {
		return r.FirstRate() * max(0, 1-float64(trained)*float64(t.size())/float64(r.Whole()))
	}
	t.sync = replica.New(t.comm, matrices, t.options)
	if t.saves {
		t.text = checkpoint.FingerprintOf(r.Data.IDs)
	}
	if err := alike(ctx, t.comm, r, t.asked); err != nil {
		return err
	}
	all, err := t.sync.Meet(ctx, t.control())
	if err != nil {
		return fmt.Errorf("joining ranks: %w", err)
	}
	t.hear(all)
	t.turned(all)
	t.apart = distances{}
	t.leave(t.due[t.rank()])
	t.sync.Begin(t.trained())
	t.began = time.Now()
	return nil
}

// trained returns the mean number of tokens that a rank had trained by the last turn.
func (t *Replicated) trained() uint64 {
	var all uint64
	for _, tokens := range t.due {
		all += tokens
	}
	return all / uint64(t.size())
}

// Others returns what the other ranks had done when they last met.
func (t *Replicated) Others() run.Others { return *t.others.Load() }

// Agreed reports whether the ranks have ended with the same parameters, which their states belong to.
func (t *Replicated) Agreed() bool { return t.ended }

// State returns the state of all ranks in their last pause.
func (t *Replicated) State() (checkpoint.State, error) {
	s := t.Run.State()
	return s, s.SetRanks(t.states)
}

// End waits until rank 0 has saved, if all ranks have ended early. Otherwise the first rank that reports an
// error would end the others.
func (t *Replicated) End(ctx context.Context) error {
	if !t.early {
		return nil
	}
	return t.comm.Barrier(context.WithoutCancel(ctx))
}

// Files may differ from machine to machine. Ranks that start with different words or parameters would
// exchange unrelated rows.

// alike returns an error on all ranks if words, initial parameters or settings differ between ranks.
func alike(ctx context.Context, comm cluster.Comm, r *run.Run, o Options) error {
	settings, err := settingsChecksum(r.Config, o)
	if err != nil {
		return err
	}
	own := binary.LittleEndian.AppendUint32(nil, wordsChecksum(r.Data.Vocab))
	own = binary.LittleEndian.AppendUint32(own, valuesChecksum(r.Model.Values))
	own = binary.LittleEndian.AppendUint32(own, settings)
	received, err := comm.AllToAll(slices.Repeat([][]byte{own}, comm.Size())).Wait(ctx)
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

// settingsChecksum returns a checksum of all settings that must be equal on all ranks.
func settingsChecksum(c config.Config, o Options) (uint32, error) {
	c.Threads = 0 // may differ between ranks
	text, err := json.Marshal(c)
	if err != nil {
		return 0, fmt.Errorf("the configuration: %w", err)
	}
	text = fmt.Appendln(text, o.Every, o.Budget)
	return crc32.ChecksumIEEE(text), nil
}

// wordsChecksum returns a checksum of all words and their counts.
func wordsChecksum(v *vocab.Vocab) uint32 {
	sum := crc32.NewIEEE() // writing to it cannot fail
	var count []byte
	for id := range v.Len() {
		_, _ = io.WriteString(sum, v.Token(id))
		count = binary.LittleEndian.AppendUint64(count[:0], v.Count(id))
		_, _ = sum.Write(count)
	}
	return sum.Sum32()
}

// valuesChecksum returns a checksum of the shapes and of some hundred rows of each matrix.
func valuesChecksum(values *params.Values) uint32 {
	sum := crc32.NewIEEE()
	var row []byte
	for m, rows := range values.Owned() {
		_, _ = fmt.Fprint(sum, m.Name, rows.Rows, rows.Cols)
		for r := 0; r < rows.Rows; r += max(rows.Rows/500, 1) {
			row = row[:0]
			for _, x := range rows.Row(r) {
				row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x))
			}
			_, _ = sum.Write(row)
		}
	}
	return sum.Sum32()
}

// wordsOf returns how often training uses each word, with this subsampling threshold.
func wordsOf(c config.Config, v *vocab.Vocab, sample float64) params.Words {
	w := params.Words{Kept: v.KeepProbabilities(sample), Drawn: noise(c, v)}
	for i := range w.Kept {
		w.Kept[i] *= float64(v.Count(i)) / float64(max(v.Total(), 1))
		w.Sum += w.Kept[i]
	}
	for i := range w.Drawn {
		w.Drawn[i] *= negative * float64(c.Negatives) * w.Sum
	}
	return w
}

// negative is the weight of a negative compared with a context. A negative usually scores low already, and
// moves little.
const negative = 0.2

// noise returns the probability with which each word is drawn as a negative.
func noise(c config.Config, v *vocab.Vocab) []float64 {
	counts := v.Counts()
	weights, sum := make([]float64, len(counts)), 0.0
	for w, n := range counts {
		if w > 0 && n == counts[w-1] { // most counts equal the one before; this saves the slow math.Pow
			weights[w] = weights[w-1]
		} else {
			weights[w] = math.Pow(float64(n), c.NSExponent)
		}
		sum += weights[w]
	}
	for w := range weights {
		weights[w] /= sum
	}
	return weights
}

// touchesOf returns how often each row of a matrix is touched for each token, including touches through
// matrices that share its storage.
func touchesOf(list params.List, of params.Matrix, w params.Words) func(row int) float64 {
	var all []float32
	for _, m := range list {
		if m.Name != of.Name && m.SameAs != of.Name {
			continue
		}
		if m.Touched == nil {
			return func(int) float64 { return w.Sum }
		}
		touched := m.Touched(w)
		if all == nil {
			all = touched
			continue
		}
		for row, x := range touched {
			all[row] += x
		}
	}
	return func(row int) float64 { return float64(all[row]) }
}

package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/vectors"
)

// Progress is the progress of training.
type Progress struct {
	Tokens, Total   uint64        // tokens trained so far, and tokens to train in all epochs; only words of the vocabulary count
	LearningRate    float64       // current learning rate
	Loss            float64       // mean loss of a true pair with its negatives since the last report, measured on one block in 32; NaN if there was no such block
	TokensPerSecond float64       // since training began or was resumed
	Recent          float64       // tokens per second since the last report; in the final report the same as TokensPerSecond
	Elapsed         time.Duration // since training began, or was resumed
	Remaining       time.Duration // estimate from the average speed
	Ranks           int           // number of processes that train together; 1 for a run in one process
	Sent            uint64        // bytes that the processes had sent to each other when they last met
	Network         uint64        // the part of Sent that went from one machine to another
	Final           bool          // this is the last report; its Loss is the mean of the last epoch, or on several ranks that of the merged model on a sample of the text
	Early           bool          // this is the last report, and the run ended early because evaluations no longer improved
}

// A reporter measures the progress of a run from one report to the next.
type reporter struct {
	run *Run
	lastLoss
	at time.Time
}

// A lastLoss measures the loss of training from one moment to the next.
type lastLoss struct {
	sums  monitor.Sums // at the last moment
	turns int          // how often the run had gone back by then
}

// since returns the mean loss of a true pair with its negatives since the last moment; NaN if none was measured. The
// sums are those of now.
func (l *lastLoss) since(r *Run, now monitor.Sums) float64 {
	if l.turns != r.recovery.turns { // the run went back: measure from there
		l.turns, l.sums = r.recovery.turns, r.recovery.at
	}
	loss := (now.Loss - l.sums.Loss) / float64(now.Pairs-l.sums.Pairs)
	l.sums = now
	return loss
}

func (m *reporter) measure(final bool) Progress {
	r := m.run
	r.gate.RLock()
	defer r.gate.RUnlock()
	now, all := time.Now(), r.Trained()
	p := Progress{
		Tokens:  all.Tokens,
		Total:   r.Whole(),
		Elapsed: now.Sub(r.clock.began),
		Ranks:   r.peers.Size,
		Sent:    r.Others().Sent,
		Network: r.Others().Network,
		Final:   final,
	}
	p.LearningRate = r.rateAt(float64(p.Tokens) / float64(p.Total))
	p.TokensPerSecond = float64(p.Tokens-min(r.clock.trained, p.Tokens)) / p.Elapsed.Seconds()
	p.Recent = p.TokensPerSecond
	if p.TokensPerSecond > 0 {
		left := float64(p.Total-min(p.Tokens, p.Total)) / p.TokensPerSecond
		p.Remaining = time.Duration(min(left*float64(time.Second), math.MaxInt64/2))
	}
	if final {
		p.Early = r.clock.early
		loss, pairs := r.losses()
		p.Loss = loss / float64(pairs)
		if r.Merged != nil {
			p.Loss = *r.Merged
		}
		return p
	}
	p.Recent = float64(p.Tokens-min(m.sums.Tokens, p.Tokens)) / now.Sub(m.at).Seconds()
	p.Loss, m.at = m.since(r, all), now
	return p
}

// watchEvery is how often the run is checked.
const watchEvery = 100 * time.Millisecond

// report reports the progress of the run, and asks for checkpoints, until stop is called.
func (r *Run) report() (stop func() Progress) {
	m := &reporter{run: r, at: time.Now(), lastLoss: lastLoss{sums: r.Trained()}}
	r.evaluation.trained.sums = m.sums
	r.clock.began, r.clock.trained = m.at, m.sums.Tokens
	every := r.Hooks.Every
	if every <= 0 {
		every = time.Second
	}
	tell := func(final bool) Progress {
		p := m.measure(final)
		if r.Hooks.Progress != nil {
			r.Hooks.Progress(p)
		}
		return p
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		ticker := time.NewTicker(min(every, watchEvery))
		defer ticker.Stop()
		reported := time.Now()
		saved := reported
		for {
			select {
			case <-ticker.C:
			case <-done:
				return
			}
			now := time.Now()
			if r.Hooks.Progress != nil && now.Sub(reported) >= every {
				reported = now
				tell(false)
			}
			between := r.Hooks.CheckpointEvery
			if after := r.Hooks.CheckpointAfter; after != nil {
				between = after()
			}
			if r.Hooks.Checkpoint != nil && between > 0 && now.Sub(saved) >= between && !r.saver.saving.Load() {
				saved = now
				r.saver.due.Store(true)
			}
		}
	})
	return func() Progress {
		close(done)
		watcher.Wait()
		return tell(true)
	}
}

// Hooks are called during training. The zero value calls nothing.
type Hooks struct {
	// Start is called once, before the planned memory is allocated. If it returns an error, training ends with
	// that error.
	Start func(plan.Plan) error

	// Warm is called once if training starts from given vectors.
	Warm func(warmstart.Warm)

	// Counting is called when counting pairs of words begins, if the loss counts them, and when it has ended. There is no
	// progress and nothing to save meanwhile.
	Counting func(Counting)

	// Progress is called in every period of Every, from one goroutine, and once more at the end with Final
	// set, before Train returns. Training does not wait for it.
	Progress func(Progress)
	Every    time.Duration // 0 means a second

	// Checkpoint is called every CheckpointEvery during training, and once at the end, also if training was
	// interrupted. The checkpoint is valid during the call. Calls do not overlap.
	Checkpoint      func(*checkpoint.Checkpoint)
	CheckpointEvery time.Duration // 0 means only at the end
	// CheckpointAfter, if not nil, returns how long after the last checkpoint was begun the next one is due, instead of
	// CheckpointEvery. It may be called during Checkpoint.
	CheckpointAfter func() time.Duration
	// Note is stored in checkpoints: see Checkpoint.Note.
	Note json.RawMessage

	// Evaluate returns a score of the current vectors, higher for better vectors, or NaN for no score.
	// Training pauses meanwhile. If Evaluate returns an error, training ends with that error. See
	// Config.EvaluateEvery.
	Evaluate func(context.Context, *vectors.Set) (float64, error)
	// ScoreDecides says that evaluations are compared by this score even if there is held-out text.
	ScoreDecides bool
	// Evaluated is called after each evaluation, including evaluations of held-out text only.
	Evaluated func(Evaluation)

	// Diverged is called when training has diverged and goes back to an earlier state.
	Diverged func(Divergence)

	// Watch is called by each worker after each of its blocks, with a function that calls visit for the rows that
	// the block has used. It is for measuring what moves between processors. All workers call it, also at once.
	// Workers share rows as if each had a processor of its own. Deterministic training does not call it.
	Watch func(worker int, used func(visit func(Access)))
}

// Counting says that pairs of words are counted.
type Counting struct {
	Done  bool
	Pairs uint64 // different ones, if Done
}

// An Access is the use of a row by a block.
type Access = step.Access

// An Evaluation is the quality of the vectors at one moment of training.
type Evaluation struct {
	Tokens  uint64        // tokens trained so far in all epochs
	Elapsed time.Duration // since training began
	// Trained is the mean loss of training since the evaluation before, or since training began or was resumed, as
	// Progress measures it; NaN if there was none.
	Trained float64
	// Loss is the mean loss of a true pair with its negatives on the held-out text; NaN without held-out text.
	// Windows and negatives are the same every time.
	Loss float64
	// Score is what Hooks.Evaluate returned; NaN without it.
	Score float64
	Best  bool // best so far: by Loss if there is held-out text and Hooks.ScoreDecides is not set, otherwise by Score
	Took  time.Duration
}

// ErrEnough ends a run whose evaluations have not improved for Patience times.
var ErrEnough = errors.New("evaluations became no better")

// An evaluation has the state of a run's evaluations.
type evaluation struct {
	stopping monitor.EarlyStopping
	at       atomic.Uint64    // number of trained tokens at which the next evaluation is due
	heldOut  *monitor.HeldOut // nil without held-out text
	trained  lastLoss         // since the last evaluation
	best     *params.Values   // copy of the best parameters; nil if they are not kept
}

// evaluate evaluates the current vectors, and returns ErrEnough if it is the last time. The caller holds the gate.
func (r *Run) evaluate(ctx context.Context) error {
	start := time.Now()
	e := Evaluation{Tokens: r.tokens(), Elapsed: start.Sub(r.clock.began), Loss: math.NaN(), Score: math.NaN()}
	e.Trained = r.evaluation.trained.since(r, r.Trained())
	if !r.peers.Lends && !r.Model.Values.Finite() {
		return ErrDiverged
	}
	if r.evaluation.heldOut != nil {
		e.Loss = r.evaluation.heldOut.Loss()
		if err := r.Data.HeldOut.Err(); err != nil {
			return err
		}
		if r.Limit.Diverging(e.Loss) {
			return ErrDiverged
		}
	}
	if r.Hooks.Evaluate != nil {
		score, err := r.Hooks.Evaluate(ctx, model.SetOf(r.Model.FinishedCopy(r.allParts(r.Model.Values, e.Tokens))))
		if err != nil {
			return err
		}
		e.Score = score
	}
	stopping := &r.evaluation.stopping
	decides := e.Loss
	if r.Hooks.ScoreDecides {
		decides = math.NaN()
	}
	now := monitor.ScoreOf(e.Tokens, decides, e.Score)
	if stopping.Unscored(now) {
		return errors.New("there is no score by which vectors could be the best")
	}
	e.Best = stopping.Add(now)
	r.evaluation.at.Store(stopping.Next())
	if e.Best && r.evaluation.best != nil {
		r.saver.wait() // the previous best may still be being written
		r.evaluation.best.CopyFrom(r.Model.Values)
	}
	e.Took = time.Since(start)
	if r.Hooks.Evaluated != nil {
		r.Hooks.Evaluated(e)
	}
	if stopping.Ended() {
		return ErrEnough
	}
	return nil
}

// Enough reports whether evaluations have ended the run.
func (r *Run) Enough() bool { return r.evaluation.stopping.Ended() }

// Found returns the results of the evaluations so far.
func (r *Run) Found() monitor.Found { return r.evaluation.stopping.Found }

// SetFound sets the results of the evaluations so far.
func (r *Run) SetFound(f monitor.Found) {
	r.evaluation.stopping.Found = f
	r.evaluation.at.Store(r.evaluation.stopping.Next())
}

// A RemarkKind is the subject of a Remark. Its value is its name in JSON.
type RemarkKind string

const (
	// RemarkNoPairs says that there were no pairs to learn from. The vectors have their initial values.
	RemarkNoPairs RemarkKind = "no-pairs"
	// RemarkOneWord says that the vocabulary has one word.
	RemarkOneWord RemarkKind = "one-word"
	// RemarkUntrained says that the vectors of frequent words have hardly moved from their random start.
	// Value is the distance in units of their initial length.
	RemarkUntrained RemarkKind = "untrained"
	// RemarkCollapsed says that the vectors of frequent words are nearly on a line. Value is the mean squared
	// cosine of two of them: 1 on a line, 1/d if they are spread over d dimensions.
	RemarkCollapsed RemarkKind = "collapsed"
	// RemarkHalved says that training diverged and continued at a lower rate. Value is the last initial
	// learning rate.
	RemarkHalved RemarkKind = "halved-rate"
	// RemarkApart says that ranks seldom exchanged changes. Value is the mean number of tokens that a rank trained
	// between two exchanges, and Usual the number that suits the run.
	RemarkApart RemarkKind = "far-apart"
)

// A Remark is a reason why the vectors of a finished run may be worse than they could be.
type Remark struct {
	Kind  RemarkKind
	Value float64
	Usual float64 // usual Value for good vectors, for RemarkApart; otherwise 0
	// Epochs is the number of epochs that would train about a million tokens, if the run had fewer and more
	// could help; otherwise 0.
	Epochs int
}

// String describes the remark.
func (r Remark) String() string {
	switch r.Kind {
	case RemarkNoPairs:
		return "no token has a context, because sentences are too short or subsampling drops too many tokens: nothing was learned, and vectors are as they began"
	case RemarkOneWord:
		return "the vocabulary has one word, so there is nothing that its vector could be compared with"
	case RemarkUntrained:
		return fmt.Sprintf("the vectors of frequent words have hardly moved from their random start: by %.2g times its length", r.Value)
	case RemarkCollapsed:
		return fmt.Sprintf("the vectors of frequent words hardly differ: they nearly lie on a line, with a mean squared cosine of %.2f", r.Value)
	case RemarkApart:
		return fmt.Sprintf("ranks exchanged changes every %s tokens of each, %.0f times as far apart as suits the run (%s), which costs quality",
			wording.Thousands(uint64(r.Value)), r.Value/r.Usual, wording.Thousands(uint64(r.Usual)))
	case RemarkHalved:
		return fmt.Sprintf("training diverged, and ended with learning rate %v", r.Value)
	}
	return string(r.Kind)
}

// Thresholds of remarks. On English text of 0.02 to 5 MB, in all variants, vectors of frequent words had a
// mean squared cosine below 0.13 from 1 MB on, and above 0.3 below 0.2 MB, where neighbours made no sense.
// With even less text, vectors had not moved.
const (
	collapsedFrom  = 0.25
	collapsedWords = 20  // fewer words can be on a line by chance
	collapsedTimes = 4   // multiple of the value for random directions
	untrainedBelow = 3.0 // in initial lengths
	enoughTokens   = 1_000_000
)

// remarks compares the final vectors with those before training; nil if the run started from trained vectors.
func (r *Run) remarks(s *vectors.Set, begun [][]float32) []Remark {
	epochs := int(math.Ceil(enoughTokens / float64(r.peers.Tokens)))
	if epochs <= r.Config.Epochs {
		epochs = 0
	}
	var found []Remark
	switch pairs := r.Trained().Pairs; {
	case r.Data.Labels == nil:
		found = remarksAbout(pairs, begun, frequentVectors(s, r.Common), s.Len(), r.Model.Variant.Run.Width(), epochs)
	case pairs == 0: // vectors of words have no meaning of their own
		found = []Remark{{Kind: RemarkNoPairs}}
	}
	if r.recovery.halvings > 0 {
		found = append(found, Remark{Kind: RemarkHalved, Value: r.FirstRate()})
	}
	return found
}

// remarksAbout compares the vectors of frequent words before and after training. pairs is the number of
// trained pairs, and epochs the number of epochs that would suffice, or 0 if more would not help.
func remarksAbout(pairs uint64, begun, ended [][]float32, words, directions, epochs int) []Remark {
	if pairs == 0 {
		return []Remark{{Kind: RemarkNoPairs}}
	}
	if words == 1 {
		return []Remark{{Kind: RemarkOneWord}}
	}
	if x := moved(begun, ended); x < untrainedBelow {
		return []Remark{{Kind: RemarkUntrained, Value: x, Epochs: epochs}}
	}
	if x := squaredCosine(ended); words >= collapsedWords && x > max(collapsedFrom, collapsedTimes/float64(directions)) {
		return []Remark{{Kind: RemarkCollapsed, Value: x, Epochs: epochs}}
	}
	return nil
}

// frequentVectors returns the vectors of up to so many words, from the thousand most frequent ones.
func frequentVectors(s *vectors.Set, words int) [][]float32 {
	const among, most = 1000, 200
	n := min(words, among)
	rows := make([][]float32, 0, most)
	for i := range min(n, most) {
		row := make([]float32, s.Dim())
		s.Vector(row, s.Words().At(i*n/min(n, most)))
		rows = append(rows, row)
	}
	return rows
}

// moved returns how far vectors have moved, in initial lengths; infinity if these are unknown.
func moved(before, after [][]float32) float64 {
	var by, length float64
	for i, row := range before {
		var squares float64
		for k, x := range row {
			d := float64(after[i][k]) - float64(x)
			squares += d * d
		}
		by += math.Sqrt(squares)
		length += math.Sqrt(inner(row, row))
	}
	if length == 0 {
		return math.Inf(1)
	}
	return by / length
}

// squaredCosine returns the mean squared cosine of pairs of vectors; 0 without two that are not zero.
func squaredCosine(rows [][]float32) float64 {
	var sum, pairs float64
	for i, a := range rows {
		for _, b := range rows[:i] {
			if lengths := inner(a, a) * inner(b, b); lengths > 0 {
				sum += inner(a, b) * inner(a, b) / lengths
				pairs++
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return sum / pairs
}

func inner(a, b []float32) float64 {
	var sum float64
	for k, x := range a {
		sum += float64(x) * float64(b[k])
	}
	return sum
}

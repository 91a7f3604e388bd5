package sgns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/monitor"
	"github.com/w2v-go/w2v/vocab"
)

// What rank 0 says of what it found while the others waited.
const (
	goOn = iota
	enough
	diverged
	failed
	stopped
)

// pause lets all ranks stand still, with the same parameters, while rank 0 evaluates them and copies
// them for a checkpoint. It reports whether an error is one that
// rank 0 has told to all ranks.
func (m *meetings) pause() (agreed bool, err error) {
	asked := time.Now()
	r := m.run
	r.gate.Lock()
	defer r.gate.Unlock()
	if err := m.end(m.always); err != nil {
		return false, err
	}
	var found error
	if m.first() {
		found = r.look(m.ctx, asked)
	}
	agreed, err = m.agree(m.ctx, found)
	if errors.Is(err, errInterrupted) { // which is for the next meeting
		err = nil
	}
	return agreed, err
}

// agree makes an error that rank 0 found one of all ranks. It reports whether they have heard of each other.
func (t *team) agree(ctx context.Context, found error) (agreed bool, err error) {
	var said []byte
	if t.first() {
		said = []byte{saying(ctx, found)}
	}
	if said, err = t.comm.Broadcast(context.WithoutCancel(ctx), 0, said); err != nil {
		return false, err
	}
	if len(said) != 1 {
		return false, errors.New("rank 0 did not say what it found")
	}
	switch said[0] {
	case enough:
		return true, errEnough
	case diverged:
		return true, ErrDiverged
	case stopped:
		return true, errInterrupted
	case failed:
		if t.first() {
			return true, found
		}
		return true, couldNotGoOn(0)
	}
	return true, nil
}

// saying is what rank 0 says of an error.
func saying(ctx context.Context, err error) byte {
	switch {
	case err == nil:
		return goOn
	case errors.Is(err, errEnough):
		return enough
	case errors.Is(err, ErrDiverged):
		return diverged
	case ctx.Err() != nil:
		return stopped
	}
	return failed
}

// end makes the parameters of all ranks the same, and tells rank 0 the state of each. No worker trains.
func (t *team) end(ctx context.Context) error {
	all, err := t.sync.Meet(ctx, t.control())
	if err != nil {
		return err
	}
	t.hear(all)
	t.turned(all)
	if err := t.sync.Complete(ctx, t.trained()); err != nil {
		return err
	}
	t.leave(t.due[t.rank()])
	for _, c := range all { // JSON has no word for NaN
		if !finite(c.Loss, c.LastLoss) {
			return ErrDiverged
		}
	}
	if !t.saves {
		return nil
	}
	for _, w := range t.run.workers {
		w.trainer.Store()
	}
	data, err := json.Marshal(rankStateOf(t.run.state(), *t.text))
	if err != nil {
		return fmt.Errorf("the state of training: %w", err)
	}
	t.states, err = t.comm.Gather(ctx, 0, data)
	return err
}

// ended returns on all ranks what rank 0 finds: whether evaluations have become no better for long
// enough.
func (r *run) ended(ctx context.Context) (bool, error) {
	ended := r.evaluation.stopping.Ended()
	if r.team == nil {
		return ended, nil
	}
	var found error
	if ended {
		found = errEnough
	}
	if _, err := r.team.agree(ctx, found); !errors.Is(err, errEnough) {
		return false, err
	}
	err := r.team.end(context.WithoutCancel(ctx)) // rank 0 may save the states of all again
	r.team.ended = err == nil
	return true, err
}

// evaluators is how many workers measure the loss of the model that ranks have merged.
func (t *team) evaluators(ids *vocab.IDs, threads int) int {
	if t == nil {
		return 0
	}
	return monitor.Evaluators(ids, threads)
}

// measure measures the loss of the model that the ranks have merged, on some of the text of each. What ranks
// lose while they train says little of it: each measures that on rows of its own. All ranks return the error that
// rank 0 found in its last evaluation, if there is one.
func (t *team) measure(ctx context.Context, found error) error {
	if t == nil || !t.ended {
		return found
	}
	always := context.WithoutCancel(ctx)
	agreed, err := t.agree(ctx, found)
	if err != nil {
		if t.early = agreed; t.first() && found != nil {
			return found
		}
		return err
	}
	loss, pairs := monitor.Sample(t.run.engine, t.run.data.IDs, t.run.config.threads())
	sums := []float64{loss, float64(pairs)}
	if err := t.comm.AllReduce(always, cluster.Sum, sums); err != nil {
		return err
	}
	if sums[1] == 0 { // which says nothing
		return nil
	}
	if t.loss = sums[0] / sums[1]; t.run.recovery.limit.Diverging(t.loss) {
		return ErrDiverged
	}
	return nil
}

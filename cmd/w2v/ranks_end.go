package main

import (
	"context"
	"errors"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
)

// The first process that ends a run of several ends all of them. So a rank waits before it says why it
// ends, for another one to say it.
const (
	// perhapsToldByFirst is how long a rank waits with an error that rank 0 may have, too. Then rank 0
	// says it, and ends all ranks.
	perhapsToldByFirst = 5 * time.Second
	// toldByAnother is how long a rank waits with an error that another rank is sure to say. That rank
	// may write a checkpoint first, which it must not be killed in.
	toldByAnother = 15 * time.Minute
	// turnToTell is the time between ranks that have waited, of which one is to speak.
	turnToTell = 20 * time.Millisecond
)

// waitToTell waits before this rank says why the program ends. If another rank says it, this process ends
// meanwhile.
func (m *membership) waitToTell(err error) { time.Sleep(beforeTelling(m.rank, err)) }

// beforeTelling is how long a rank waits before it says why the program ends.
func beforeTelling(rank int, err error) time.Duration {
	_, ended := errors.AsType[*cluster.EndedError](err)
	ofAll := errors.Is(err, sgns.ErrDiverged) // at the same time
	turn := time.Duration(rank) * turnToTell
	switch {
	case ended, ofAll && rank > 0:
		return toldByAnother + turn
	case rank > 0:
		return perhapsToldByFirst + turn
	}
	return 0
}

// leave ends this process's part in a run of several with an exit code. It returns the code of this
// process. A failure ends the other processes, too.
func (m *membership) leave(code int) int {
	if m.world == nil {
		return code
	}
	if code != exitDone && code != exitInterrupted {
		m.world.Exit(code)
		return code
	}
	ctx, cancel := m.patience(code == exitInterrupted)
	defer cancel()
	if err := m.world.Finish(ctx); err != nil {
		if code == exitDone {
			time.Sleep(beforeTelling(m.rank, err))
			m.said.failed("the ranks cannot end together: " + oneLine(err))
			code = exitFailed
		}
		m.world.Exit(code)
		return code
	}
	if m.rank > 0 {
		return exitDone // rank 0 has the code of the run
	}
	return code
}

// briefly is how long a process waits for others that may not come.
const briefly = 3 * time.Second

// patience is how long this rank waits for others at its end. After an interruption they should come
// soon: all ranks were interrupted. Ranks that train come together, but rank 0 saves first.
func (m *membership) patience(interrupted bool) (context.Context, context.CancelFunc) {
	switch {
	case !interrupted || m.training && m.rank > 0:
		return context.WithCancel(context.Background())
	case m.training:
		return context.WithTimeout(context.Background(), 10*time.Second)
	}
	return context.WithTimeout(context.Background(), briefly)
}

// total makes a result say what all ranks have used. All ranks whose run has not failed call it.
func (m *membership) total(result *train.Result, err error) error {
	interrupted := errors.Is(err, context.Canceled)
	if m.world == nil || err != nil && !(interrupted && m.training) {
		return nil
	}
	ctx, cancel := m.patience(interrupted)
	defer cancel()
	used := []float64{float64(m.world.Sent()), 0}
	if result != nil {
		used[1] = result.CPU.Seconds()
	}
	if err := m.aside.AllReduce(ctx, cluster.Sum, used); err != nil {
		return err
	}
	if result != nil {
		result.Sent, result.CPU = uint64(used[0]), time.Duration(used[1]*1e9)
	}
	return nil
}

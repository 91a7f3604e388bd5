package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
)

// ranksFlags are the flags of a run of several processes.
type ranksFlags struct {
	divide bool
	budget bytesFlag
	every  setting.Tokens
}

// add adds the flags.
func (f *ranksFlags) add(c *cobra.Command) {
	flags := c.Flags()
	grouped(flags, "Cluster", func() {
		flags.BoolVar(&f.divide, "divide", false, "under mpirun: divide the rows of rare words over the ranks, so that a model may be larger than the memory of a machine")
		flags.Var(&f.budget, "sync-budget", "under mpirun: how much a rank may send to the others in a second, such as 50MB; ranks exchange changes less often to keep to it, but for the first times, and their workers hardly wait (default: no limit)")
		flags.Var(&f.every, "sync-every", "under mpirun: how many tokens a rank trains between two exchanges of changes, such as 20k, once it has trained four times as many; its workers wait when they have trained several times as many, and with --divide perhaps for each exchange (default: what suits the run)")
	})
}

// set sets the options. An error is about the flags.
func (f *ranksFlags) set(c *cobra.Command, o *train.Options) error {
	o.Divide, o.SyncBudget, o.SyncEvery = f.divide, uint64(f.budget), uint64(f.every)
	if _, size := launched(); size > 1 {
		if c.Flags().Changed("bootstrap") {
			return errors.New("--bootstrap trains in one process: start w2v without mpirun")
		}
		return nil
	}
	for _, name := range []string{"divide", "sync-budget", "sync-every"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is for several processes that train together: start w2v with mpirun -np 2 or more%s", name, withoutMPI)
		}
	}
	return nil
}

// A world is the processes of a run.
type world interface {
	cluster.Comm
	// Exit ends all of them.
	Exit(code int)
	// Exited returns whether rank 0 knows that another has called Exit.
	Exited() bool
	// Finish returns when all of them have called it.
	Finish(context.Context) error
	// Silent returns the ranks for which this one has waited for so long. All ranks call it now and then.
	Silent(time.Duration) []int
}

// A membership is what this process is in a run of several. The zero value is a program of its own.
type membership struct {
	rank  int
	world world        // nil before the processes have joined
	aside cluster.Comm // for what the library does not know of
	at    places
	said  *messages
	early chan os.Signal // has those of forwardedSignals that came before signals were listened for

	training bool        // ranks agree on how the run ends, because they have begun to train
	ended    atomic.Bool // mpirun ends the run, which this process has said
}

// prepare makes this process a rank of a run of several, if it is to be one: train alone is a program that the
// processes of a launcher run together. Any other command is a program of its own in each of them.
func (m *membership) prepare(root *cobra.Command, args []string) {
	rank, size := launched()
	if c, _, err := root.Find(args); size < 2 || err != nil || c.CommandPath() != "w2v train" {
		return
	}
	m.rank, m.early = rank, make(chan os.Signal, 1)
	if len(forwardedSignals) > 0 { // or all signals would be meant
		signal.Notify(m.early, forwardedSignals...)
	}
}

// join joins the processes that the launcher has started, if it has started several.
func (m *membership) join() error {
	_, size := launched()
	if size < 2 {
		return nil
	}
	var w world
	var err error
	joined := make(chan struct{})
	go func() {
		defer close(joined)
		w, err = joinWorld()
	}()
	defer time.AfterFunc(silence, func() {
		if m.rank < 2 { // others would say the same; who is missing is not known
			fmt.Fprintf(m.said.aloud(), "note: rank %d has waited for %.0f s: mpirun has started %d processes, and not all of them have joined\n", m.rank, silence.Seconds(), size)
		}
	}).Stop()
	select {
	case <-joined:
	case s := <-m.early: // ranks that have joined stop together
		m.early <- s
		select {
		case <-joined:
		case <-time.After(briefly):
			return context.Canceled
		}
	}
	if err != nil {
		return err
	}
	return m.enter(w, size)
}

// silence is how long a rank may say nothing before it is named.
const silence = 10 * time.Second

// watch names ranks that the others wait for, until ctx ends. The lowest rank that is not waited for speaks: rank 0,
// or rank 1 of rank 0.
func (m *membership) watch(ctx context.Context) {
	if m.world == nil {
		return
	}
	ticker := time.NewTicker(silence / 10)
	defer ticker.Stop()
	named, before := map[int]bool{}, time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		paused := time.Since(before) > silence/2 // this process itself, and has not looked at what has come
		if before = time.Now(); paused {
			continue
		}
		silent := map[int]bool{}
		for _, rank := range m.world.Silent(silence) {
			silent[rank] = true
			if !named[rank] && (m.rank == 0 || m.rank == 1 && rank == 0) {
				at := m.at[rank]
				fmt.Fprintf(m.said.aloud(), "note: rank %d (process %d on %s) has said nothing for %.0f s, and others wait for it\n", rank, at.Process, at.Host, silence.Seconds())
			}
		}
		named = silent
	}
}

// enter makes this process a rank of a world, which must have as many ranks as the launcher has started
// processes. Otherwise each of them would train a model of its own, and all would write the same files.
func (m *membership) enter(w world, started int) (err error) {
	if joined := w.Size(); joined != started {
		ctx, cancel := context.WithTimeout(context.Background(), briefly)
		defer cancel()
		return errors.Join(fmt.Errorf("the launcher has started %s, and MPI has joined %d: start w2v with the mpirun of the MPI library that it was built with",
			wording.Count(started, "process", "processes"), joined), w.Finish(ctx))
	}
	m.world, m.rank = w, w.Rank()
	if m.aside, err = w.Dup(context.Background()); err != nil {
		return err
	}
	m.at, err = meet(w)
	return err
}

// comm is the processes of the run for the library; nil for one process.
func (m *membership) comm() cluster.Comm {
	if m.world == nil {
		return nil
	}
	return m.world
}

// silent tells whether another rank speaks for this one.
func (m *membership) silent() bool { return m != nil && m.rank > 0 }

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/train"
)

// ranksFlags are the flags of a run of several processes.
type ranksFlags struct {
	divide bool
	budget bytesFlag
	every  uint64
}

// add adds the flags.
func (f *ranksFlags) add(c *cobra.Command) {
	flags := c.Flags()
	grouped(flags, "Cluster", func() {
		flags.BoolVar(&f.divide, "divide", false, "under mpirun: divide the rows of rare words over the ranks, so that a model may be larger than the memory of a machine")
		flags.Var(&f.budget, "sync-budget", "under mpirun: how much a rank may send to the others in a second, such as 50MB; ranks exchange changes less often to keep to it, and their workers never wait (default: no limit)")
		flags.Uint64Var(&f.every, "sync-every", 0, "under mpirun: `tokens` that a rank trains between two exchanges of changes; its workers wait when they have trained several times as many (default: what suits the run)")
	})
}

// set sets the options. An error is about the flags.
func (f *ranksFlags) set(c *cobra.Command, o *train.Options) error {
	o.Divide, o.SyncBudget, o.SyncEvery = f.divide, uint64(f.budget), f.every
	if _, several := launched(); several {
		if c.Flags().Changed("bootstrap") {
			return errors.New("--bootstrap trains in one process: start w2v without mpirun")
		}
		return nil
	}
	for _, name := range []string{"divide", "sync-budget", "sync-every"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is for several processes that train together: start w2v with mpirun%s", name, withoutMPI)
		}
	}
	return nil
}

// launched returns the rank that a launcher such as mpirun has given to this process, and whether it
// has started several.
func launched() (rank int, several bool) {
	for _, names := range [][2]string{
		{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, // Open MPI's mpirun
		{"PMI_RANK", "PMI_SIZE"},                         // other launchers
		{"PMIX_RANK", "SLURM_NTASKS"},                    // srun --mpi=pmix
	} {
		rank, err := strconv.Atoi(os.Getenv(names[0]))
		size, errSize := strconv.Atoi(os.Getenv(names[1]))
		if err == nil && errSize == nil {
			return rank, size > 1
		}
	}
	return 0, false
}

// A world is the processes of a run.
type world interface {
	cluster.Comm
	// Exit ends all of them.
	Exit(code int)
	// Finish returns when all of them have called it.
	Finish(context.Context) error
}

// A membership is what this process is in a run of several. The zero value is a program of its own.
type membership struct {
	rank  int
	world world        // nil before the processes have joined
	aside cluster.Comm // for what the library does not know of
	at    places
	said  *messages

	training bool        // ranks agree on how the run ends, because they have begun to train
	ended    atomic.Bool // mpirun ends the run, which this process has said
}

// join joins the processes that the launcher has started, if it has started several.
func (m *membership) join() error {
	if _, several := launched(); !several {
		return nil
	}
	var err error
	if m.world, err = joinWorld(); err != nil {
		return err
	}
	m.rank = m.world.Rank()
	if m.aside, err = m.world.Dup(context.Background()); err != nil {
		return err
	}
	m.at, err = meet(m.world)
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

// sameError is the time that a rank waits before it tells of an error. If rank 0 has the same one, it
// tells of it, and ends all ranks meanwhile.
const sameError = time.Second

// mayTell tells whether this rank is to say why the program ends.
func (m *membership) mayTell(command *cobra.Command, err error) bool {
	if _, ok := errors.AsType[*cluster.EndedError](err); ok { // which the other rank tells of
		time.Sleep(5 * sameError)
		return false
	}
	if m.world == nil { // what is wrong before processes join is wrong on all of them
		rank, several := launched()
		if !several || rank == 0 || command.Name() != "train" {
			return true
		}
		time.Sleep(sameError) // the first process that ends makes mpirun end the others, which lose what they say
		return false
	}
	if m.rank > 0 {
		time.Sleep(sameError + time.Duration(m.rank)*20*time.Millisecond)
	}
	return true
}

// leave ends this process's part in a run of several with an exit code. It returns the code of this
// process. A failure ends the other processes, too.
func (m *membership) leave(code int) int {
	if m.world == nil {
		return code
	}
	ctx, cancel := m.patience(code == exitInterrupted)
	defer cancel()
	if code != exitDone && code != exitInterrupted || m.world.Finish(ctx) != nil {
		m.world.Exit(code)
	}
	if m.rank > 0 {
		return exitDone // rank 0 has the code of the run
	}
	return code
}

// patience is how long this rank waits for others at its end. After an interruption they should come
// soon: all ranks were interrupted. Ranks that train come together, but rank 0 saves first.
func (m *membership) patience(interrupted bool) (context.Context, context.CancelFunc) {
	switch {
	case !interrupted || m.training && m.rank > 0:
		return context.WithCancel(context.Background())
	case m.training:
		return context.WithTimeout(context.Background(), 10*time.Second)
	}
	return context.WithTimeout(context.Background(), 3*time.Second)
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

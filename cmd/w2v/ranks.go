package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
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
		flags.Var(&f.budget, "sync-budget", "under mpirun: how much a rank may send to the others in a second, such as 50MB; ranks exchange changes less often to keep to it (default: no limit)")
		flags.Uint64Var(&f.every, "sync-every", 0, "under mpirun: `tokens` that a rank trains at least before it exchanges changes again (default: what suits the run)")
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
	// Leave returns when all of them have called it.
	Leave() error
}

// A membership is what this process is in a run of several. The zero value is a program of its own.
type membership struct {
	rank  int
	world world // nil before the processes have joined
	at    places
	said  *messages
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
		return !several || rank == 0 || command.Name() != "train"
	}
	if m.rank > 0 {
		time.Sleep(sameError + time.Duration(m.rank)*20*time.Millisecond)
	}
	return true
}

// leave ends this process's part in a run of several with an exit code. It returns the code of this
// process. A failure ends the other processes, too.
func (m *membership) leave(code int) int {
	switch {
	case m.world == nil:
		return code
	case code != exitDone && code != exitInterrupted:
		m.world.Exit(code)
	case m.world.Leave() != nil:
		return exitFailed
	case m.rank > 0:
		return exitDone // rank 0 has the code of the run
	}
	return code
}

// end ends all processes of the run because of something that no error says.
func (m *membership) end(why string) {
	m.said.failed(why)
	m.world.Exit(exitFailed)
}

// errAlone says why a program without MPI does not train under mpirun.
var errAlone = errors.New("mpirun has started several processes, each of which would train a model of its own, because this w2v is built without MPI: build it with \"go build -tags mpi ./cmd/w2v\"")

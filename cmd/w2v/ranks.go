package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
)

// A world is all processes of a run.
type world interface {
	cluster.Comm
	// Exit ends all processes.
	Exit(code int)
	// Exited reports whether rank 0 knows that another rank has called Exit.
	Exited() bool
	// Finish returns when all processes have called it.
	Finish(context.Context) error
	// Silent returns the ranks that this one has waited for that long. All ranks call it regularly.
	Silent(time.Duration) []int
}

// A membership is this process's role in a run of several processes. The zero value is a single process.
type membership struct {
	rank  int
	world world        // nil before the processes have joined
	aside cluster.Comm // for communication outside the library
	at    places
	said  *messages
	early chan os.Signal // receives forwardedSignals that came before signals were handled

	training bool        // training has begun, so ranks agree on how the run ends
	ended    atomic.Bool // mpirun ends the run; this process has already reported it
}

// prepare makes this process a rank of a run if its launcher has started w2v train several times.
func (m *membership) prepare(root *cobra.Command, args []string) {
	rank, size := launched()
	if c, _, err := root.Find(args); size < 2 || err != nil || c.CommandPath() != "w2v train" {
		return
	}
	m.rank, m.early = rank, make(chan os.Signal, 1)
	if len(forwardedSignals) > 0 { // signal.Notify without signals means all signals
		signal.Notify(m.early, forwardedSignals...)
	}
}

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
		if m.rank < 2 { // other ranks would report the same, and nobody knows who is missing
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

const silence = 10 * time.Second

// watch reports ranks that others wait for. The lowest rank that nobody waits for reports.
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
		paused := time.Since(before) > silence/2 // this process itself was paused, and has not checked its messages
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

// enter makes this process a rank of a world, which must have as many ranks as the launcher started
// processes. Otherwise each process would train its own model, and all would write the same files.
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

// silent reports whether another rank speaks for this one.
func (m *membership) silent() bool { return m != nil && m.rank > 0 }

// oneProcess returns an error if a launcher has started a command several times that does not train in several processes.
func oneProcess(command string) error {
	if _, size := launched(); size > 1 {
		return fmt.Errorf("w2v %s works in one process, and %d are started, which would write the same files: start it without mpirun", command, size)
	}
	return nil
}

// launchers have names in the environment for the rank of a process and for the number of processes.
var launchers = []struct{ rank, size string }{
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, // Open MPI's mpirun
	{"PMI_RANK", "PMI_SIZE"},                         // other launchers
	{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},            // srun --mpi=pmix
	{"PMIX_RANK", "SLURM_NTASKS"},
}

// launched returns the rank and the number of processes that a launcher such as mpirun has set, or 0 and 1.
func launched() (rank, size int) {
	for _, names := range launchers {
		rank, errRank := strconv.Atoi(os.Getenv(names.rank))
		size, errSize := strconv.Atoi(os.Getenv(names.size))
		if errRank == nil && errSize == nil {
			return rank, size
		}
	}
	return 0, 1
}

// The first process that fails ends all others, so a rank waits with its error: another may report it.
const (
	// perhapsToldByFirst is how long a rank waits with an error that rank 0 may report, which ends all.
	perhapsToldByFirst = 5 * time.Second
	// toldByAnother is how long a rank waits for one that certainly reports, perhaps after writing a checkpoint.
	toldByAnother = 15 * time.Minute
	// turnToTell is the time between ranks that have waited, so that only one reports.
	turnToTell = 20 * time.Millisecond
)

// waitToTell waits before this rank reports its error. If another one reports it, this process ends meanwhile.
func (m *membership) waitToTell(err error) { time.Sleep(beforeTelling(m.rank, err)) }

// beforeTelling returns how long a rank waits before it reports why the program ends.
func beforeTelling(rank int, err error) time.Duration {
	_, ended := errors.AsType[*cluster.EndedError](err)
	ofAll := errors.Is(err, sgns.ErrDiverged) // occurs on all ranks at the same time
	turn := time.Duration(rank) * turnToTell
	switch {
	case ended, ofAll && rank > 0:
		return toldByAnother + turn
	case rank > 0:
		return perhapsToldByFirst + turn
	}
	return 0
}

// leave ends this process's part in a run, and returns its exit code. A failure ends the other processes, too.
func (m *membership) leave(code int) int {
	if m.world == nil {
		return code
	}
	if code == exitDone || code == exitInterrupted {
		ctx, cancel := m.patience(code == exitInterrupted)
		defer cancel()
		err := m.world.Finish(ctx)
		switch {
		case err == nil && m.rank > 0:
			return exitDone // rank 0 has the code of the run
		case err == nil:
			return code
		case code == exitDone:
			m.waitToTell(err)
			m.said.failed("the ranks cannot end together: " + oneLine(err))
			code = exitFailed
		}
	}
	m.world.Exit(code)
	return code
}

// briefly is how long a process waits for others that may not come.
const briefly = 3 * time.Second

// patience is how long this rank waits for others at its end. After an interruption they should come
// soon: all ranks were interrupted. Ranks that train come together, but rank 0 saves first.
func (m *membership) patience(interrupted bool) (context.Context, context.CancelFunc) {
	wait := briefly
	switch {
	case !interrupted || m.training && m.rank > 0:
		return context.WithCancel(context.Background())
	case m.training:
		wait = 10 * time.Second
	}
	return context.WithTimeout(context.Background(), wait)
}

func (m *membership) total(result *train.Result, err error) error {
	interrupted := errors.Is(err, context.Canceled)
	if m.world == nil || err != nil && !(interrupted && m.training) {
		return nil
	}
	ctx, cancel := m.patience(interrupted)
	defer cancel()
	used := []float64{float64(m.world.Sent()), float64(m.world.Network()), 0}
	if result != nil {
		used[2] = result.CPU.Seconds()
	}
	if err := m.aside.AllReduce(ctx, cluster.Sum, used); err != nil {
		return err
	}
	if result != nil {
		result.Sent, result.Network, result.CPU = uint64(used[0]), uint64(used[1]), time.Duration(used[2]*1e9)
	}
	return nil
}

// untilSignals is untilSignals for what may be a run of several processes. In such a run SIGUSR1, which
// mpirun passes on to all ranks, asks to stop and save, too. mpirun sends SIGTERM to all ranks if
// somebody interrupts it, and also if a rank has died. goOn says how to go on then.
func (m *membership) untilSignals(ctx context.Context, stderr io.Writer, goOn func() string) (stopping, givingUp context.Context, stop context.CancelFunc) {
	if m.world == nil {
		return untilSignals(ctx, stderr)
	}
	i := listenForSignals(ctx, stderr, m.said.aloud(), append(endingSignals(), forwardedSignals...), func(s os.Signal) {
		switch why := m.lost(); {
		case s != syscall.SIGTERM:
		case m.world.Exited(): // that rank has reported why
			m.ended.Store(true)
		case why != "":
			m.said.failed(why + goOn())
			m.world.Exit(exitFailed)
		default:
			m.ended.Store(true)
			fmt.Fprintf(stderr, "mpirun ends the run, because somebody has interrupted it, or a rank or its machine has failed%s\n", goOn())
		}
	})
	select {
	case s := <-m.early:
		i.heard <- s
	default:
	}
	go m.watch(i.stopping)
	return i.stopping, i.givingUp, sync.OnceFunc(i.end)
}

// lost names the rank on this machine that has died, unless a lower rank on it reports that.
func (m *membership) lost() string {
	here, dead := m.at[m.rank], -1
	for rank, at := range m.at {
		switch {
		case at.Host != here.Host || rank == m.rank:
		case !alive(at.Process):
			dead = rank
		case rank < m.rank:
			return ""
		}
	}
	if dead < 0 {
		return ""
	}
	return fmt.Sprintf("rank %d (process %d on %s) has died, which ends the run", dead, m.at[dead].Process, here.Host)
}

type place struct {
	Host       string
	Process    int
	Processors string // that it may use, as Linux lists them; empty if that is not known
	Threads    int    // GOMAXPROCS
}

type places []place

// meet tells all ranks where each one runs, and shares the processors and the memory of a machine.
func meet(c cluster.Comm) (at places, err error) {
	ctx := context.Background()
	here := place{Process: os.Getpid(), Processors: allowedProcessors(), Threads: runtime.GOMAXPROCS(0)}
	here.Host, _ = os.Hostname() // machines without names count as one
	data, err := json.Marshal(here)
	if err != nil {
		return nil, err
	}
	each, err := c.Gather(ctx, 0, data)
	if err != nil {
		return nil, err
	}
	list := slices.Concat([]byte("["), bytes.Join(each, []byte(",")), []byte("]"))
	if list, err = c.Broadcast(ctx, 0, list); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(list, &at); err != nil {
		return nil, err
	}
	at.share(c.Rank())
	return at, nil
}

// share limits this rank to its share of the machine, unless the launcher has already divided it.
func (p places) share(rank int) {
	together, overlapping := p.beside(rank)
	if os.Getenv("GOMAXPROCS") == "" {
		for r := range p {
			if _, overlapping := p.beside(r); overlapping > 1 {
				p[r].Threads = max(1, p[r].Threads/overlapping)
			}
		}
		if overlapping > 1 {
			runtime.GOMAXPROCS(p[rank].Threads)
		}
	}
	if part := sysinfo.TotalMemory() / uint64(together); part > 0 && int64(part) < debug.SetMemoryLimit(-1) && together > 1 {
		debug.SetMemoryLimit(int64(part))
	}
}

// begin adds threads to those that train: turns and messages between ranks would else wait for Go to preempt a worker.
func (m *membership) begin(threads int) {
	m.training = true
	if m.world != nil {
		runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), 2*threads+1))
	}
}

// beside returns how many ranks share the machine of a rank, and how many its processors, itself included.
func (p places) beside(rank int) (together, overlapping int) {
	for _, other := range p {
		if other.Host == p[rank].Host {
			together++
			if overlap(other.Processors, p[rank].Processors) {
				overlapping++
			}
		}
	}
	return together, overlapping
}

// overlap tells whether two lists of processors, such as "0-3,8", have one in common; unknown lists do.
func overlap(a, b string) bool {
	if a == b {
		return true
	}
	span := func(text string) (first, last int, err error) {
		from, to, several := strings.Cut(text, "-")
		if !several {
			to = from
		}
		first, err = strconv.Atoi(from)
		last, errLast := strconv.Atoi(to)
		return first, last, errors.Join(err, errLast)
	}
	for one := range strings.SplitSeq(a, ",") {
		for other := range strings.SplitSeq(b, ",") {
			first, last, err := span(one)
			least, most, errOther := span(other)
			if err != nil || errOther != nil || first <= most && least <= last {
				return true
			}
		}
	}
	return false
}

func (m *membership) tell(to io.Writer) {
	if m.world == nil {
		return
	}
	fmt.Fprintln(to, m.at.text())
	if note := m.at.bound(m.rank); note != "" {
		fmt.Fprintf(to, "note: %s\n", note)
	}
}

func (p places) text() string {
	hosts := map[string]bool{}
	least, most := p[0].Threads, p[0].Threads
	for _, at := range p {
		hosts[at.Host] = true
		least, most = min(least, at.Threads), max(most, at.Threads)
	}
	threads := either(least < most, fmt.Sprintf("%d to %d threads", least, most), wording.Count(most, "thread", "threads"))
	return fmt.Sprintf("%s on %s, up to %s each", wording.Count(len(p), "rank", "ranks"), wording.Count(len(hosts), "machine", "machines"), threads)
}

func (p places) bound(rank int) string {
	together, overlapping := p.beside(rank)
	all := processorsOfMachine()
	if overlapping > 1 || p[rank].Threads*together >= all {
		return ""
	}
	return fmt.Sprintf("a rank may use %d of the %d processors of its machine: mpirun --bind-to none lets ranks use all", p[rank].Threads, all)
}

func allowedProcessors() string {
	status, _ := os.ReadFile("/proc/self/status") // other systems do not tell
	_, list, _ := strings.Cut(string(status), "\nCpus_allowed_list:")
	list, _, _ = strings.Cut(list, "\n")
	return strings.TrimSpace(list)
}

// processorsOfMachine returns how many processors the machine has; 0 if that is not known.
func processorsOfMachine() int {
	text, _ := os.ReadFile("/proc/cpuinfo") // other systems do not tell
	return strings.Count("\n"+string(text), "\nprocessor\t")
}

func addRanks(c *cobra.Command, o *train.Options) {
	flags := c.Flags()
	grouped(flags, "Cluster", func() {
		flags.BoolVar(&o.Divide, "divide", false, "under mpirun: divide the rows of rare words over the ranks, so that a model may be larger than the memory of a machine")
		flags.Var(&sizeFlag{to: &o.SyncBudget}, "sync-budget", "under mpirun: how much a rank may send to the others in a second, such as 50MB; ranks exchange changes less often to keep to it, but for the first times, and their workers hardly wait (default: no limit)")
		flags.Var((*setting.Tokens)(&o.SyncEvery), "sync-every", "under mpirun: how many tokens a rank trains between two exchanges of changes, such as 20k, once it has trained four times as many; its workers wait when they have trained several times as many, and with --divide perhaps for each exchange (default: what suits the run)")
	})
	checked(c, func([]string) error {
		if _, size := launched(); size < 2 {
			return refuse(flags, "--%s is for several processes that train together: start w2v with mpirun -np 2 or more"+withoutMPI, "divide", "sync-budget", "sync-every")
		}
		return refuse(flags, "--%s trains in one process: start w2v without mpirun", "bootstrap")
	})
}

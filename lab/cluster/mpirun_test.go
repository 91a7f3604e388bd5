//go:build linux

package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/process"
	"github.com/w2v-go/w2v/lab/product"
)

// programs are w2v as releases have it, and with MPI.
type programs struct{ plain, mpi, folder string }

// needsMPI skips a test unless W2V_MPI=require says that there is Open MPI, and builds both programs. Tests
// run in a fresh folder with a corpus.
func needsMPI(t *testing.T) programs {
	t.Helper()
	if os.Getenv("W2V_MPI") != "require" {
		t.Skip("needs Open MPI, and time: set W2V_MPI=require")
	}
	p := programs{folder: t.TempDir()}
	built := filepath.Join(os.TempDir(), "w2v-mpi-test-"+strconv.Itoa(os.Getpid()))
	if err := os.MkdirAll(built, 0o755); err != nil {
		t.Fatal(err)
	}
	p.plain, p.mpi = filepath.Join(built, "plain"), filepath.Join(built, "mpi")
	if _, err := os.Stat(p.mpi); err != nil {
		if err := product.Build(t.Context(), p.plain); err != nil {
			t.Fatal(err)
		}
		if err := product.BuildMPI(t.Context(), p.mpi); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(p.folder)
	text, err := io.ReadAll(demo.Corpus(30_000, 1))
	if err == nil {
		err = os.WriteFile("corpus.txt", text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(filepath.Join(os.TempDir(), "w2v-mpi-test-"+strconv.Itoa(os.Getpid()))) // of needsMPI
	os.Exit(code)
}

// short are settings of runs that take a second.
var short = []string{"corpus.txt", "-o", "model.w2v", "--dim", "50", "--epochs", "3", "--save-vocab", "vocab.tsv"}

// All ranks together train what one process trains, on the same words.
func TestRanks(t *testing.T) {
	p := needsMPI(t)
	alone, err := Launcher{}.Train(t.Context(), command.Runner{}, p.plain, short...)
	if err != nil {
		t.Fatal(err)
	}
	words := read(t, "vocab.tsv")
	for _, ranks := range []int{1, 2, 4} {
		t.Run(strconv.Itoa(ranks), func(t *testing.T) {
			got, err := Launcher{Ranks: ranks}.Train(t.Context(), command.Runner{}, p.mpi, short...)
			if err != nil {
				t.Fatal(err)
			}
			if got.Ranks != ranks || got.Tokens != alone.Tokens || got.Trained != alone.Trained || !got.Complete {
				t.Errorf("%d ranks trained %d × %d tokens of %d, want %d of %d", got.Ranks, got.Epochs, got.Tokens, got.Trained, alone.Tokens, alone.Trained)
			}
			if !bytes.Equal(read(t, "vocab.tsv"), words) {
				t.Error("the vocabulary is not that of a single run")
			}
			if (got.SentBytes > 0) != (ranks > 1) {
				t.Errorf("%v bytes were sent", got.SentBytes)
			}
			// The mean loss of an epoch is about that of one process: what ranks learn reaches the others.
			if got.Loss > 1.3*alone.Loss {
				t.Errorf("the loss is %v, and that of one process %v", got.Loss, alone.Loss)
			}
		})
	}
}

// One rank of the program with MPI trains the bytes that the other program trains.
func TestOneRankIsTheSame(t *testing.T) {
	p := needsMPI(t)
	args := append([]string{"--threads", "1", "--seed", "7"}, short...)
	if _, err := (Launcher{}).Train(t.Context(), command.Runner{}, p.plain, args...); err != nil {
		t.Fatal(err)
	}
	want := read(t, "model.w2v")
	if _, err := (Launcher{Ranks: 1}).Train(t.Context(), command.Runner{}, p.mpi, args...); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, "model.w2v"), want) {
		t.Error("the models differ")
	}
}

// What ranks in two network namespaces send each other goes over the link, and nothing else does: one sum of each machine,
// whose two ranks share a model.
func TestNamespaces(t *testing.T) {
	p := needsMPI(t)
	network := newNetwork(t, Link{})
	got, err := Launcher{Ranks: 4, Network: network}.Train(t.Context(), command.Runner{}, p.mpi, short...)
	if err != nil {
		t.Fatal(err)
	}
	carried, err := network.Bytes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("w2v sent %.0f bytes, %.0f of them to another machine, and the link carried %d", got.SentBytes, got.NetworkBytes, carried)
	if ratio := float64(carried) / got.NetworkBytes; ratio < 0.98 || ratio > 1.25 || got.NetworkBytes >= got.SentBytes {
		t.Errorf("the link carried %d bytes for %.0f that w2v counts of %.0f", carried, got.NetworkBytes, got.SentBytes)
	}
}

// A limited link slows a network down, so that measurements on it mean something.
func TestLimitedLink(t *testing.T) {
	p := needsMPI(t)
	network := newNetwork(t, Link{Rate: 100e6, Delay: 1e6})
	got, err := Launcher{Ranks: 2, Network: network}.Train(t.Context(), command.Runner{}, p.mpi, short...)
	if err != nil {
		t.Fatal(err)
	}
	carried, err := network.Bytes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Each direction carries about half of the bytes.
	if least := float64(carried) / 2 * 8 / 100e6; got.Seconds+got.CountSeconds < 0.8*least {
		t.Errorf("%d bytes took %.2f s, and need %.2f s at least", carried, got.Seconds, least)
	}
}

func newNetwork(t *testing.T, link Link) *Network {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to make network namespaces")
	}
	network, err := NewNetwork(t.Context(), link)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		t.Skipf("needs a system where root may make network namespaces and devices, as in few containers: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := network.Close(); err != nil {
			t.Error(err)
		}
	})
	return network
}

// long are settings of a run of a few seconds that something happens to in its first one.
var long = []string{"train", "corpus.txt", "-o", "model.w2v", "--dim", "50", "--epochs", "60", "--checkpoint", "run.ck", "--checkpoint-every", "100ms", "--json"}

// start starts a long run on two ranks, and returns when it has written a checkpoint.
func start(t *testing.T, p programs, more ...string) *process.Process {
	t.Helper()
	run := process.Start(t, Launcher{Ranks: 2}.Exec(t.Context(), p.mpi, append(slices.Clone(long), more...)...))
	if !run.Until(process.Appeared("run.ck")) {
		t.Fatalf("ended before its first checkpoint: %+v", run.Wait())
	}
	return run
}

// resume goes on with the run of start on other ranks, for a short while more than it has trained.
func resume(t *testing.T, l Launcher, program string, more ...string) {
	t.Helper()
	args := []string{"train", "corpus.txt", "-o", "model.w2v", "--resume", "run.ck", "--json"}
	args = append(args, more...)
	line := append([]string{program}, args...)
	if l.Ranks > 0 {
		line = l.Command(program, args...)
	}
	out, err := exec.CommandContext(t.Context(), line[0], line[1:]...).Output()
	if err != nil {
		t.Fatalf("%v: %v", line, err)
	}
	var got Summary
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if whole := got.Tokens * uint64(got.Epochs); !got.Complete || got.Trained < whole*99/100 || got.Trained > whole*101/100 {
		t.Errorf("trained %d of %d tokens", got.Trained, whole)
	}
}

func TestRankThatDies(t *testing.T) {
	p := needsMPI(t)
	run := start(t, p)
	ranks := workers(t)
	if len(ranks) != 2 {
		t.Fatalf("%v are the processes of two ranks", ranks)
	}
	if err := syscall.Kill(ranks[1], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	exit := run.Wait()
	if exit.Code == 0 {
		t.Error("the run ended well")
	}
	line := lineWith(exit.Stderr, "w2v: ")
	for _, want := range []string{"rank 1 (process " + strconv.Itoa(ranks[1]), "has died", "the last checkpoint has ", "--resume run.ck"} {
		if !strings.Contains(line, want) {
			t.Errorf("the message is %q, and should have %q; all of it:\n%s", line, want, exit.Stderr)
		}
	}
	for name, l := range map[string]Launcher{"on 3 ranks": {Ranks: 3}, "without mpirun": {}} {
		t.Run("resumed "+name, func(t *testing.T) {
			before := read(t, "run.ck")
			resume(t, l, p.mpi)
			if err := os.WriteFile("run.ck", before, 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// With w2v-restart, a run goes on by itself after a rank was killed, and after one was asked to stop, as on a machine that is
// taken back. It ends with all of its text trained.
func TestRestart(t *testing.T) {
	script, err := filepath.Abs("../../packaging/cluster/w2v-restart")
	if err != nil {
		t.Fatal(err)
	}
	p := needsMPI(t)
	args := slices.Clone(long[:slices.Index(long, "--checkpoint")])
	line := Launcher{Ranks: 3}.Command(p.mpi, append(args, "--checkpoint-every", "100ms", "--json")...)
	run := process.Start(t, exec.CommandContext(t.Context(), script, append([]string{"run.ck"}, line...)...))
	begun := process.Appeared("run.ck")
	for _, lost := range []struct {
		by   syscall.Signal
		code int
	}{{syscall.SIGKILL, 137}, {syscall.SIGTERM, 130}} {
		if !run.Until(begun) {
			t.Fatalf("ended before a checkpoint: %+v", run.Wait())
		}
		ranks := ranksBelow(t, os.Getpid(), p.mpi)
		if len(ranks) != 3 {
			t.Fatalf("%v are the processes of three ranks", ranks)
		}
		if err := syscall.Kill(ranks[2], lost.by); err != nil {
			t.Fatal(err)
		}
		if !run.Until(run.Said(fmt.Sprintf("w2v-restart: the run has ended with exit code %d, and goes on from run.ck", lost.code))) {
			t.Fatalf("does not go on: %+v", run.Wait())
		}
		begun = process.Replaced("run.ck")
	}
	exit := run.Wait()
	last := exit.Stdout[max(strings.LastIndex(exit.Stdout, `{"tokens"`), 0):]
	var got Summary
	if err := json.Unmarshal([]byte(last), &got); exit.Code != 0 || err != nil {
		t.Fatalf("exit code %d, %v: %s", exit.Code, err, exit.Stderr)
	}
	if whole := got.Tokens * uint64(got.Epochs); !got.Complete || got.Trained != whole {
		t.Errorf("trained %d of %d tokens\n%s", got.Trained, whole, exit.Stderr)
	}
}

// ranksBelow returns the processes below a process that run a program.
func ranksBelow(t *testing.T, of int, program string) (found []int) {
	t.Helper()
	for _, child := range children(t, of) {
		if exe, err := os.Readlink("/proc/" + strconv.Itoa(child) + "/exe"); err == nil && exe == program {
			found = append(found, child)
		}
		found = append(found, ranksBelow(t, child, program)...)
	}
	return found
}

// A rank that dies on another machine ends the run, too.
func TestRankThatDiesElsewhere(t *testing.T) {
	p := needsMPI(t)
	network := newNetwork(t, Link{})
	run := process.Start(t, Launcher{Ranks: 2, Network: network}.Exec(t.Context(), p.mpi, long...))
	if !run.Until(process.Appeared("run.ck")) {
		t.Fatalf("ended before its first checkpoint: %+v", run.Wait())
	}
	if err := network.kill(t.Context(), 1, p.mpi); err != nil {
		t.Fatal(err)
	}
	exit := run.Wait()
	if exit.Code == 0 {
		t.Error("the run ended well")
	}
	for _, want := range []string{"mpirun ends the run, because somebody has interrupted it, or a rank or its machine has failed; the last checkpoint has ", "--resume run.ck", "process rank 1 "} {
		if !strings.Contains(exit.Stderr, want) {
			t.Errorf("nothing says %q:\n%s", want, exit.Stderr)
		}
	}
	resume(t, Launcher{Ranks: 1}, p.mpi)
}

// SIGUSR1 to mpirun stops and saves, as SIGINT does in one process.
func TestInterrupted(t *testing.T) {
	p := needsMPI(t)
	run := start(t, p)
	run.Signal(syscall.SIGUSR1)
	exit := run.Wait()
	if exit.Code != 130 || !strings.Contains(exit.Stderr, "to go on: --resume run.ck") || !strings.Contains(exit.Stdout, `"complete":false`) {
		t.Errorf("exit code %d, %s\n%s", exit.Code, exit.Stdout, exit.Stderr)
	}
	resume(t, Launcher{Ranks: 2}, p.mpi)
}

// SIGINT to mpirun makes it ask all ranks to end, and later kill them. There is time to save before.
func TestInterruptedByControlC(t *testing.T) {
	p := needsMPI(t)
	run := start(t, p, "--epochs", "2000") // mpirun takes its time
	run.Signal(os.Interrupt)
	if exit := run.Wait(); exit.Code == 0 || !strings.Contains(exit.Stderr, "to go on: --resume run.ck") {
		t.Errorf("exit code %d:\n%s", exit.Code, exit.Stderr)
	}
}

// An error of one rank ends all, and is said once, with the rank: before ranks join, and after.
func TestErrorOfOneRank(t *testing.T) {
	p := needsMPI(t)
	for _, tt := range []struct {
		args []string // of rank 1
		code int
		want string
	}{
		{append([]string{"train", "missing.txt"}, short[1:]...), 1, "w2v: rank 1: missing.txt: no such file or directory"},
		{[]string{"train", "corpus.txt"}, 2, "w2v: rank 1: no output: say where the model goes with -o MODEL (see w2v train --help)"},
	} {
		args := append([]string{"train"}, short...)
		args = append(append(args, ":", "-np", "1", p.mpi), tt.args...)
		exit := process.Start(t, Launcher{Ranks: 1}.Exec(t.Context(), p.mpi, args...)).Wait()
		for again := 0; again < 3 && strings.Contains(exit.Stderr, "ORTE_ERROR_LOG"); again++ { // mpirun itself has lost what it was told, on a busy machine
			exit = process.Start(t, Launcher{Ranks: 1}.Exec(t.Context(), p.mpi, args...)).Wait()
		}
		if line := lineWith(exit.Stderr, "w2v: "); exit.Code != tt.code || line != tt.want || strings.Contains(exit.Stderr, "mpirun ends the run") {
			t.Errorf("exit code %d, want %d and %q:\n%s", exit.Code, tt.code, tt.want, exit.Stderr)
		}
	}
}

// What is wrong on all ranks is said once.
func TestErrorsOfAllRanks(t *testing.T) {
	p := needsMPI(t)
	for _, tt := range []struct {
		program string
		args    []string
		code    int
		want    string
	}{
		{p.mpi, []string{"train", "missing.txt", "-o", "model.w2v"}, 1, "w2v: missing.txt: no such file or directory"},
		{p.mpi, []string{"train", "corpus.txt"}, 2, "w2v: no output: say where the model goes with -o MODEL (see w2v train --help)"},
		{p.mpi, []string{"train", "corpus.txt", "-o", "model.w2v", "--min-count", "1000000"}, 1, "w2v: corpus.txt: no token is seen 1000000 times"},
		{p.mpi, append([]string{"train", "--lr", "1000", "--checkpoint", "run.ck"}, short...), 1, "w2v: training diverged at learning rate 1000"},
		{p.plain, append([]string{"train"}, short...), 1, "w2v: mpirun has started several processes"},
	} {
		exit := process.Start(t, Launcher{Ranks: 3}.Exec(t.Context(), tt.program, tt.args...)).Wait()
		if exit.Code != tt.code || strings.Count(exit.Stderr, "w2v: ") != 1 || !strings.HasPrefix(lineWith(exit.Stderr, "w2v: "), tt.want) {
			t.Errorf("%v: exit code %d, want %d and once %q:\n%s", tt.args, exit.Code, tt.code, tt.want, exit.Stderr)
		}
	}
}

// Rank 0 says what is wrong on all ranks, also if it comes late.
func TestErrorOfLateRank(t *testing.T) {
	p := needsMPI(t)
	late := `[ "$OMPI_COMM_WORLD_RANK" != 0 ] || sleep 2; exec "$0" "$@"`
	exit := process.Start(t, Launcher{Ranks: 2}.Exec(t.Context(), "sh", "-c", late, p.mpi, "train", "corpus.txt")).Wait()
	if want := "w2v: no output"; exit.Code != 2 || strings.Count(exit.Stderr, "w2v: ") != 1 || !strings.HasPrefix(lineWith(exit.Stderr, "w2v: "), want) {
		t.Errorf("exit code %d, want 2 and once %q:\n%s", exit.Code, want, exit.Stderr)
	}
}

// Processes of a launcher that is none of this MPI's do not train, each for itself, and write one file.
func TestProcessesThatMPIDoesNotJoin(t *testing.T) {
	p := needsMPI(t)
	var all []*process.Process
	for rank := range 2 {
		c := exec.CommandContext(t.Context(), p.mpi, append([]string{"train"}, short...)...)
		c.Env = append(os.Environ(), "PMI_SIZE=2", "PMI_RANK="+strconv.Itoa(rank))
		all = append(all, process.Start(t, c))
	}
	for rank, want := range []string{"w2v: the launcher has started 2 processes, and MPI has joined 1: ", "w2v: rank 1: the launcher has started 2 processes"} {
		exit := all[rank].Wait()
		if exit.Code != 1 || strings.Count(exit.Stderr, "w2v: ") != 1 || !strings.HasPrefix(lineWith(exit.Stderr, "w2v: "), want) {
			t.Errorf("rank %d: exit code %d, want 1 and once %q:\n%s", rank, exit.Code, want, exit.Stderr)
		}
	}
	if _, err := os.Stat("model.w2v"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a process has written a model: %v", err)
	}
}

// SIGQUIT to any rank prints its stacks, and stops the run as other signals do.
func TestStacksOfRank(t *testing.T) {
	p := needsMPI(t)
	run := start(t, p)
	ranks := workers(t)
	if len(ranks) != 2 {
		t.Fatalf("%v are the processes of two ranks", ranks)
	}
	if err := syscall.Kill(ranks[1], syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	exit := run.Wait()
	if exit.Code != 130 || !strings.Contains(exit.Stderr, "goroutine ") || !strings.Contains(exit.Stderr, "to go on: --resume run.ck") {
		t.Errorf("exit code %d:\n%s", exit.Code, exit.Stderr)
	}
}

// workers returns the processes that mpirun of this test has started, by rank.
func workers(t *testing.T) []int {
	t.Helper()
	var ranks []int
	for _, launcher := range children(t, os.Getpid()) {
		ranks = append(ranks, children(t, launcher)...)
	}
	return ranks
}

// children returns the processes that a process has started, in their order.
func children(t *testing.T, of int) []int {
	t.Helper()
	var found []int
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(of) {
			id, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, id)
		}
	}
	slices.Sort(found)
	return found
}

// lineWith returns the first line that begins so.
func lineWith(text, begin string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, begin) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

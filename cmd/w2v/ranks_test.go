package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/sgns"
)

// A toldWorld is a rank of a world, and remembers how it was left.
type toldWorld struct {
	cluster.Comm
	failing  error // of Finish
	finished bool
	exited   bool
	code     int // of Exit
	silent   []int
}

func (w *toldWorld) Silent(time.Duration) []int   { return w.silent }
func (w *toldWorld) Exited() bool                 { return w.exited }
func (w *toldWorld) Exit(code int)                { w.exited, w.code = true, code }
func (w *toldWorld) Finish(context.Context) error { w.finished = true; return w.failing }

// Who may say why a run ends is what another rank does not say at the same time.
func TestBeforeTelling(t *testing.T) {
	missing := errors.New("missing.txt: no such file or directory")
	diverged := fmt.Errorf("lower the rate: %w", &sgns.DivergedError{Times: 1})
	ended := fmt.Errorf("reading: %w", &cluster.EndedError{Rank: 0, Err: missing})
	for _, tt := range []struct {
		rank        int
		err         error
		least, most time.Duration
	}{
		{0, missing, 0, 0},
		{0, &usageError{"w2v train", missing}, 0, 0},
		{0, diverged, 0, 0},
		{1, missing, 5 * time.Second, 6 * time.Second},
		{1, &usageError{"w2v train", missing}, 5 * time.Second, 6 * time.Second},
		{1, diverged, 10 * time.Minute, time.Hour}, // rank 0 may write a checkpoint for minutes
		{1, ended, 10 * time.Minute, time.Hour},
		{0, &cluster.EndedError{Rank: 3, Err: missing}, 10 * time.Minute, time.Hour},
	} {
		if got := beforeTelling(tt.rank, tt.err); got < tt.least || got > tt.most {
			t.Errorf("rank %d waits %v with %v, want %v to %v", tt.rank, got, tt.err, tt.least, tt.most)
		}
	}
	if beforeTelling(2, missing)-beforeTelling(1, missing) < 10*time.Millisecond {
		t.Error("ranks 1 and 2 speak at once")
	}
}

func TestLeave(t *testing.T) {
	lost := errors.New("MPI: a rank is lost")
	for _, tt := range []struct {
		rank, code int
		failing    error
		want       int
		exited     bool
		said       string
	}{
		{0, exitDone, nil, exitDone, false, ""},
		{1, exitDone, nil, exitDone, false, ""},
		{0, exitInterrupted, nil, exitInterrupted, false, ""},
		{1, exitInterrupted, nil, exitDone, false, ""}, // rank 0 has the code
		{0, exitFailed, nil, exitFailed, true, ""},
		{1, exitUsage, nil, exitUsage, true, ""},
		{0, exitDone, lost, exitFailed, true, "w2v: the ranks cannot end together: MPI: a rank is lost\n"},
		{0, exitInterrupted, lost, exitInterrupted, true, ""}, // the others were slow
	} {
		var said bytes.Buffer
		w := &toldWorld{Comm: ranktest.Local(2)[tt.rank], failing: tt.failing}
		m := &membership{rank: tt.rank, world: w}
		m.said = &messages{w: &said, ranks: m}
		code := m.leave(tt.code)
		if code != tt.want || w.exited != tt.exited || tt.exited && w.code != tt.want || said.String() != tt.said {
			t.Errorf("rank %d, code %d, Finish returns %v: code %d, want %d; ended all: %v with code %d, want %v; said %q, want %q",
				tt.rank, tt.code, tt.failing, code, tt.want, w.exited, w.code, tt.exited, said.String(), tt.said)
		}
	}
	if code := new(membership).leave(exitUsage); code != exitUsage {
		t.Errorf("without a world the code is %d", code)
	}
}

// Processes that MPI has not joined must not train, each for itself, and write the same files.
func TestEnterNeedsAllProcesses(t *testing.T) {
	alone := &toldWorld{Comm: ranktest.Local(1)[0]}
	m := &membership{}
	err := m.enter(alone, 4)
	if want := "the launcher has started 4 processes, and MPI has joined 1: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
	if m.world != nil || !alone.finished {
		t.Errorf("the process is a rank of %v, and has left its world: %v", m.world, alone.finished)
	}
	threads, memory := runtime.GOMAXPROCS(0), debug.SetMemoryLimit(-1) // which ranks on one machine share
	t.Cleanup(func() {
		runtime.GOMAXPROCS(threads)
		debug.SetMemoryLimit(memory)
	})
	err = ranktest.Each(2, func(c cluster.Comm) error {
		m := &membership{}
		if err := m.enter(&toldWorld{Comm: c}, 2); err != nil {
			return err
		}
		if m.rank != c.Rank() || len(m.at) != 2 || m.world == nil {
			return fmt.Errorf("is rank %d of %v", m.rank, m.at)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestLaunched(t *testing.T) {
	type environment map[string]string
	for _, tt := range []struct {
		set        environment
		rank, size int
	}{
		{nil, 0, 1},
		{environment{"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "3"}, 2, 3},
		{environment{"PMI_RANK": "1", "PMI_SIZE": "4"}, 1, 4},
		{environment{"PMIX_RANK": "1", "SLURM_NTASKS": "8"}, 1, 8},
		{environment{"PMIX_RANK": "1", "SLURM_NTASKS": "8", "SLURM_STEP_NUM_TASKS": "2"}, 1, 2},
		{environment{"SLURM_PROCID": "1", "SLURM_NTASKS": "8"}, 0, 1}, // a job that starts w2v without srun
		{environment{"PMI_RANK": "1"}, 0, 1},
		{environment{"PMI_RANK": "one", "PMI_SIZE": "4"}, 0, 1},
		{environment{"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "3", "PMI_RANK": "1", "PMI_SIZE": "4"}, 2, 3},
	} {
		for _, names := range launchers {
			t.Setenv(names.rank, tt.set[names.rank])
			t.Setenv(names.size, tt.set[names.size])
		}
		if rank, size := launched(); rank != tt.rank || size != tt.size {
			t.Errorf("%v: rank %d of %d, want %d of %d", tt.set, rank, size, tt.rank, tt.size)
		}
	}
}

// A command that ranks do not share is a program of its own in each process of a launcher. One file is not written
// by two of them.
func TestEveryRankRunsOtherCommands(t *testing.T) {
	folder := t.TempDir()
	edges, walks := filepath.Join(folder, "edges.tsv"), filepath.Join(folder, "walks.txt")
	if err := os.WriteFile(edges, []byte("a b\nb c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "3")
	t.Setenv("OMPI_COMM_WORLD_RANK", "1")
	walk := func(args ...string) (code int, out, said string) {
		var o, e bytes.Buffer
		code = run(t.Context(), append([]string{"walk", edges}, args...), streams{in: strings.NewReader(""), out: &o, err: &e})
		return code, o.String(), e.String()
	}
	if code, out, said := walk(); code != exitDone || out == "" || strings.Contains(said, "rank") {
		t.Errorf("code %d, %d bytes, said %q", code, len(out), said)
	}
	other, err := atomicfile.NewLock(walks)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	if code, _, said := walk("-o", walks); code != exitFailed || !strings.HasPrefix(said, fmt.Sprintf("w2v: %s: is being written by another run (process %d ", walks, os.Getpid())) || strings.Count(said, "\n") != 1 {
		t.Errorf("code %d, said %q", code, said)
	}
	other.Release()
	for range 2 {
		if code, _, said := walk("-o", walks); code != exitDone {
			t.Errorf("code %d, said %q", code, said)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".w2v-*")); left != nil {
		t.Errorf("%v are left", left)
	}
	// A command line that is wrong leaves nothing behind either.
	if code, _, _ := walk("-o", walks, "--walks", "-1"); code != exitUsage {
		t.Errorf("code %d", code)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".w2v-*")); left != nil {
		t.Errorf("%v are left", left)
	}
}

func TestOverlap(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"0-3", "0-3", true},
		{"0-3", "2-5", true},
		{"0-3", "4-7", false},
		{"0", "0-63", true},
		{"0", "1", false},
		{"0-1,4-5", "2-3,6-7", false},
		{"0-1,4-5", "2-3,5,9", true},
		{"8,10", "9-10", true},
		{"10", "1-2", false},
		{"", "", true}, // not known
		{"", "0-3", true},
		{"0-3", "all", true},
	} {
		if overlap(tt.a, tt.b) != tt.want || overlap(tt.b, tt.a) != tt.want {
			t.Errorf("%q and %q have a processor in common: %v, want %v", tt.a, tt.b, !tt.want, tt.want)
		}
	}
}

func TestBeside(t *testing.T) {
	at := places{{Host: "a", Processors: "0-3"}, {Host: "a", Processors: "2-5"}, {Host: "a", Processors: "6-7"}, {Host: "b", Processors: "0-3"}}
	for rank, want := range [][2]int{{3, 2}, {3, 2}, {3, 1}, {1, 1}} {
		if together, overlapping := at.beside(rank); together != want[0] || overlapping != want[1] {
			t.Errorf("rank %d: %d on its machine and %d on its processors, want %v", rank, together, overlapping, want)
		}
	}
}

func TestPlacesText(t *testing.T) {
	for want, at := range map[string]places{
		"1 rank on 1 machine, up to 1 thread each":   {{Host: "a", Threads: 1}},
		"2 ranks on 1 machine, up to 4 threads each": {{Host: "a", Threads: 4}, {Host: "a", Threads: 4}},
	} {
		if got := at.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/cluster"
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
		w := &toldWorld{Comm: cluster.Local(2)[tt.rank], failing: tt.failing}
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
	alone := &toldWorld{Comm: cluster.Local(1)[0]}
	m := &membership{}
	err := m.enter(alone, 4)
	if want := "the launcher has started 4 processes, and MPI has joined 1: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
	if m.comm() != nil || !alone.finished {
		t.Errorf("the process is a rank of %v, and has left its world: %v", m.comm(), alone.finished)
	}
	threads, memory := runtime.GOMAXPROCS(0), debug.SetMemoryLimit(-1) // which ranks on one machine share
	t.Cleanup(func() {
		runtime.GOMAXPROCS(threads)
		debug.SetMemoryLimit(memory)
	})
	err = cluster.Each(2, func(c cluster.Comm) error {
		m := &membership{}
		if err := m.enter(&toldWorld{Comm: c}, 2); err != nil {
			return err
		}
		if m.rank != c.Rank() || len(m.at) != 2 || m.comm() == nil {
			return fmt.Errorf("is rank %d of %v", m.rank, m.at)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

package ranktest

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/cluster"
)

// A rank that fails ends what the others wait for, and they fail with its reason.
func TestAbortEndsTheOthers(t *testing.T) {
	reason := errors.New("the disk is full")
	var seen error
	err := Each(3, func(c cluster.Comm) error {
		if c.Rank() == 1 {
			return reason
		}
		err := c.Barrier(t.Context())
		if c.Rank() == 0 {
			seen = err
		}
		return err
	})
	if want := "rank 1: the disk is full"; err == nil || err.Error() != want {
		t.Errorf("Each returns %v, want %s", err, want)
	}
	ended, ok := errors.AsType[*cluster.EndedError](seen)
	if !ok || ended.Rank != 1 || !errors.Is(seen, reason) {
		t.Errorf("rank 0 gets %v", seen)
	}
}

func TestOperationsMustBeTheSame(t *testing.T) {
	err := Each(2, func(c cluster.Comm) error {
		if c.Rank() == 0 {
			_, err := c.AllToAll(t.Context(), make([][]byte, 2))
			return err
		}
		for first := c.(*local); ; runtime.Gosched() { // until rank 0 has begun
			first.mutex.Lock()
			begun := len(first.rounds) > 0
			first.mutex.Unlock()
			if begun {
				return c.AllReduce(t.Context(), cluster.Sum, []float64{1})
			}
		}
	})
	if want := "rank 1 calls AllReduce where another rank calls AllToAll"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestOperationEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Local(2)[0].AllToAll(ctx, make([][]byte, 2)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestSeveral(t *testing.T) {
	if cluster.Several(nil) || cluster.Several(Local(1)[0]) || !cluster.Several(Local(2)[0]) {
		t.Error("only a Comm of several ranks has several")
	}
}

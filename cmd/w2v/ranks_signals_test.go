//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/ranktest"
)

// SIGQUIT prints the stacks of a rank for which rank 0 speaks otherwise.
func TestStacksOfEveryRank(t *testing.T) {
	t.Cleanup(func() { signal.Reset(append(endingSignals(), forwardedSignals...)...) })
	for _, json := range []bool{false, true} {
		var printed bytes.Buffer
		m := &membership{rank: 1, world: &toldWorld{Comm: ranktest.Local(2)[1]}, at: places{{Process: os.Getpid()}, {Process: os.Getpid()}}}
		m.said = &messages{w: &printed, json: json, ranks: m}
		stopping, _, stop := m.untilSignals(t.Context(), m.said, nil)
		defer stop()
		fmt.Fprintln(m.said, "what rank 0 says")
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGQUIT); err != nil {
			t.Fatal(err)
		}
		select {
		case <-stopping.Done():
		case <-time.After(time.Minute):
			t.Fatal("SIGQUIT does not stop the run")
		}
		text := printed.String()
		if !strings.Contains(text, "goroutine ") || !strings.Contains(text, "TestStacksOfEveryRank") || strings.Contains(text, "rank 0 says") {
			t.Errorf("printed:\n%s", text)
		}
		if begin := `{"event":"note"`; json && !strings.HasPrefix(text, begin) {
			t.Errorf("printed no event: %.80s", text)
		}
	}
}

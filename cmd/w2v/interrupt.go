package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// sameWish is the time after the first signal in which further signals count as the
	// same one. timeout(1) signals the program and then its process group, and a shell or a
	// batch system may do so, too: one wish arrives as several signals.
	sameWish = time.Second
	// tidyTime is the time that a program has to remove unfinished files after the second
	// signal.
	tidyTime = 250 * time.Millisecond
)

// givenUp is printed when a second signal has stopped the saving.
const givenUp = "interrupted again: what was not saved yet is given up"

// untilSignal returns a context that ends with the first signal that asks the program to
// end: SIGINT, SIGTERM, SIGQUIT, or SIGHUP unless nohup ignores it. A second signal, a second
// or more later, ends the program at once. Commands that have nothing to save or to clean up
// do not need it: the first signal ends them.
func untilSignal(ctx context.Context, stderr io.Writer) (context.Context, context.CancelFunc) {
	i := listenForSignals(ctx, stderr)
	return i.stopping, sync.OnceFunc(i.restore)
}

// untilSignals is untilSignal for commands that save something when they are interrupted.
// The first context ends with the first signal: the command saves. The second context ends
// with the second signal: the command gives up saving. After stop the program ends with the
// exit code that it has by then, whatever signal comes.
//
// SIGQUIT prints the stacks of all goroutines first, as the Go runtime does: people send it
// to find out why a program hangs.
func untilSignals(ctx context.Context, stderr io.Writer) (stopping, givingUp context.Context, stop context.CancelFunc) {
	i := listenForSignals(ctx, stderr)
	return i.stopping, i.givingUp, sync.OnceFunc(i.end)
}

// endingSignals are those that ask the program to end.
func endingSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

func listenForSignals(ctx context.Context, stderr io.Writer) *interruption {
	i := &interruption{stderr: stderr, heard: make(chan os.Signal, 8), over: make(chan struct{})}
	i.stopping, i.stop = context.WithCancel(ctx)
	i.givingUp, i.giveUp = context.WithCancel(context.WithoutCancel(ctx))
	signal.Notify(i.heard, endingSignals()...)
	go i.listen()
	return i
}

// An interruption is what signals have asked for.
type interruption struct {
	stderr io.Writer
	heard  chan os.Signal
	over   chan struct{} // closed when the command has nothing more to save

	stopping, givingUp context.Context
	stop, giveUp       context.CancelFunc

	mu    sync.Mutex
	first time.Time // when the first signal came; zero if none did
}

// listen handles signals until the command has nothing more to save, or ends the program.
func (i *interruption) listen() {
	for {
		select {
		case <-i.over: // the program is about to say how it ended
			return
		case s := <-i.heard:
			if s == syscall.SIGQUIT {
				_ = pprof.Lookup("goroutine").WriteTo(i.stderr, 2) // perhaps nobody reads it
			}
		}
		switch first := i.began(); {
		case first.IsZero():
			i.begin()
		case time.Since(first) < sameWish:
		default:
			i.giveUp()
			select {
			case <-i.over:
				return
			case <-i.heard:
			case <-time.After(tidyTime):
			}
			fmt.Fprintf(i.stderr, "w2v: %s\n", givenUp)
			os.Exit(exitInterrupted)
		}
	}
}

func (i *interruption) began() time.Time {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.first
}

func (i *interruption) begin() {
	i.mu.Lock()
	i.first = time.Now()
	i.mu.Unlock()
	i.stop()
}

// end ends both contexts. Signals still do not end the program before it says how it ended.
func (i *interruption) end() {
	i.stop()
	i.giveUp()
	close(i.over)
}

// restore gives signals their usual effect again. If a signal has come, the program is about
// to end: a second signal still ends a program that goes on.
func (i *interruption) restore() {
	if i.began().IsZero() {
		signal.Stop(i.heard)
		i.end()
		return
	}
	i.stop()
	i.giveUp()
}

// ending returns the line that is printed for an error that ends the program, and whether
// the program was interrupted and nothing else is wrong.
func ending(err error) (line string, interrupted bool) {
	if !errors.Is(err, context.Canceled) {
		return oneLine(err), false
	}
	also := besides(err)
	if len(also) == 0 {
		return "interrupted", true
	}
	return "interrupted; and " + strings.Join(also, "; and "), false
}

// oneLine puts several errors on one line. One that another ends with already, as when a file fails
// again while it is closed, is said once.
func oneLine(err error) string {
	var parts []string
	for part := range strings.SplitSeq(err.Error(), "\n") {
		if !slices.ContainsFunc(parts, func(said string) bool { return strings.HasSuffix(said, ": "+part) }) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// besides returns what went wrong besides an interruption, with the text that err puts
// around it. A closed standard output counts as part of the interruption: Ctrl-C in a
// pipeline ends all its programs.
func besides(err error) []string {
	if !errors.Is(err, context.Canceled) {
		if errors.Is(err, errClosed) {
			return nil
		}
		return []string{oneLine(err)}
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var all []string
		for _, part := range e.Unwrap() {
			all = append(all, besides(part)...)
		}
		return all
	case interface{ Unwrap() error }:
		inner := e.Unwrap()
		all := besides(inner)
		if before, after, ok := strings.Cut(oneLine(err), oneLine(inner)); ok {
			for i := range all {
				all[i] = before + all[i] + after
			}
		}
		return all
	}
	return nil
}

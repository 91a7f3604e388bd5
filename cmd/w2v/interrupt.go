package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/sysinfo"
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

// untilSignal returns a context that ends with the first signal that asks the program to end. A second one, a second
// or more later, ends the program at once. Commands with nothing to clean up let the first signal end them.
func untilSignal(ctx context.Context, stderr io.Writer) (context.Context, context.CancelFunc) {
	i := listenForSignals(ctx, stderr, stderr, endingSignals(), nil)
	return i.stopping, sync.OnceFunc(i.restore)
}

// untilSignals is untilSignal for commands that save something. The first context ends with the first signal: the
// command saves. The second one ends with the second signal: the command gives up saving. After stop no signal
// changes the exit code. SIGQUIT prints the stacks of all goroutines first, as the Go runtime does.
func untilSignals(ctx context.Context, stderr io.Writer) (stopping, givingUp context.Context, stop context.CancelFunc) {
	i := listenForSignals(ctx, stderr, stderr, endingSignals(), nil)
	return i.stopping, i.givingUp, sync.OnceFunc(i.end)
}

func endingSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// sendAgain lets a signal that was caught end the program as if it had not been caught.
func sendAgain(s os.Signal) {
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(s) != nil { // Windows has no such signals
		os.Exit(exitInterrupted)
	}
}

func listenForSignals(ctx context.Context, stderr, stacks io.Writer, signals []os.Signal, first func(os.Signal)) *interruption {
	i := &interruption{stderr: stderr, stacks: stacks, asked: first, heard: make(chan os.Signal, 8), over: make(chan struct{})}
	i.stopping, i.stop = context.WithCancel(ctx)
	i.givingUp, i.giveUp = context.WithCancel(context.WithoutCancel(ctx))
	listening.Add(1)
	signal.Notify(i.heard, signals...)
	go i.listen()
	return i
}

// listening is how many listen for signals. Where nobody does, a signal ends the program at once.
var listening atomic.Int32

type interruption struct {
	stderr io.Writer
	stacks io.Writer // for what SIGQUIT prints
	heard  chan os.Signal
	asked  func(os.Signal) // is called with the first signal, if it is not nil
	over   chan struct{}   // closed when the command has nothing more to save

	stopping, givingUp context.Context
	stop, giveUp       context.CancelFunc

	first atomic.Pointer[time.Time] // when the first signal came; nil if none did
}

// listen handles signals until the command has nothing more to save, or ends the program.
func (i *interruption) listen() {
	for {
		var s os.Signal
		select {
		case <-i.over: // the program is about to say how it ended
			return
		case s = <-i.heard:
			if s == syscall.SIGQUIT {
				_ = pprof.Lookup("goroutine").WriteTo(i.stacks, 2) // perhaps nobody reads it
			}
		}
		switch first := i.first.Load(); {
		case first == nil:
			if i.asked != nil {
				i.asked(s)
			}
			now := time.Now()
			i.first.Store(&now)
			i.stop()
		case time.Since(*first) < sameWish:
		default:
			i.giveUp()
			select {
			case <-i.over:
				return
			case <-i.heard:
			case <-time.After(tidyTime):
			}
			fmt.Fprintf(i.stderr, "w2v: %s\n", givenUp)
			atomicfile.ReleaseAll()
			os.Exit(exitInterrupted)
		}
	}
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
	i.stop()
	i.giveUp()
	if i.first.Load() == nil {
		signal.Stop(i.heard)
		listening.Add(-1)
		close(i.over)
	}
}

// The environment variables by which a program that starts this one asks it not to outlive it. The Python
// package does: docs/python.md.
const (
	// parentPipe is the number of a descriptor, on Windows of a handle: the reading end of a pipe that
	// the parent alone can write to, so the system closes it however the parent ends. A byte says that
	// the parent has written all files that the program is to read, another one that it has taken the result.
	parentPipe = "W2V_PARENT"
	// parentFolder is a folder of the parent, which is removed if the parent cannot do it any more.
	parentFolder = "W2V_PARENT_FOLDER"
)

// soon is the time in which all descriptors of a process are closed that has ended.
const soon = 100 * time.Millisecond

// underParent waits until the parent lets the program begin. It returns a context that ends when the
// parent does, and what is to be called at the end of the program. Without such a parent nothing ends it.
func underParent() (ctx context.Context, end func()) {
	handle, err := strconv.ParseUint(os.Getenv(parentPipe), 10, 64)
	folder := os.Getenv(parentFolder)
	_, _ = os.Unsetenv(parentPipe), os.Unsetenv(parentFolder) // they are not for programs that this one starts
	if err != nil {
		return context.Background(), func() {}
	}
	ctx, orphaned := context.WithCancel(context.Background())
	taken := make(chan struct{})
	end = func() {
		if folder == "" {
			return
		}
		select {
		case <-taken:
		case <-ctx.Done():
		case <-time.After(soon): // perhaps the parent has ended, which is about to be known
		}
		if ctx.Err() != nil {
			_ = os.RemoveAll(folder) // there is nobody to tell
		}
	}
	pipe, word := os.NewFile(uintptr(handle), "the pipe of the parent"), make([]byte, 1)
	if _, err := pipe.Read(word); err == io.EOF {
		orphaned()
		end()
		os.Exit(exitInterrupted)
	}
	go func() {
		n, err := pipe.Read(word)
		if n > 0 {
			close(taken)
			_, err = pipe.Read(word)
		}
		if err == io.EOF {
			orphaned()
		}
	}()
	return ctx, end
}

// Counting makes tables larger again and again, and the heap of training is nearly all
// matrices, in which Go finds no pointers: to look for garbage often costs nothing, and
// waiting would cost as much memory as there is garbage.

// garbagePercent is how much garbage there may be, of what is in use.
const garbagePercent = 25

// collectEarly makes Go look for garbage early enough, unless GOGC says when.
func collectEarly() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if have, _ := sysinfo.MemoryLimit(); have > 0 {
		sysinfo.KeepMemoryBelow(have)
	}
}

// withRoom adds to what a run takes of memory what garbage may take beside it. Without room Go
// would look for garbage all the time: at 300 dimensions that took a sixth of the time.
func withRoom(bytes uint64) uint64 { return bytes + max(bytes/32, 16<<20) }

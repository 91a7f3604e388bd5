package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/fileuse"
)

// writtenFiles are the files that a command writes. They are locked while it runs, so that two processes, such as
// those that a launcher starts with one command line, do not write the same one.
type writtenFiles struct{ locks []*atomicfile.Lock }

// lock locks them.
func (w *writtenFiles) lock(c *cobra.Command, stderr io.Writer, said []stated) error {
	if w == nil || c.Name() == "train" || c.Name() == "fasttext" { // training locks them, on one of its ranks; nil locks nothing
		return nil
	}
	for _, of := range said {
		if of.use != fileuse.Writes || of.paths == nil || of.value == "" || of.value == "-" {
			continue
		}
		for _, path := range of.paths(c, of.value) {
			lock, err := atomicfile.NewLock(path)
			if none, ok := errors.AsType[*atomicfile.NoLockError](err); ok {
				if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) { // which writing says
					fmt.Fprintf(stderr, "note: %v\n", none)
				}
				continue
			}
			if err != nil {
				return err
			}
			w.locks = append(w.locks, lock)
		}
	}
	if len(w.locks) > 0 {
		go releaseWithSignal()
	}
	return nil
}

// releaseWithSignal lets a signal that nobody listens for end the program without a lock left behind.
func releaseWithSignal() {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, endingSignals()...)
	for s := range heard {
		if listening.Load() > 0 {
			continue
		}
		atomicfile.ReleaseAll()
		signal.Reset(s)
		if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(s) != nil { // Windows has no such signals
			os.Exit(exitInterrupted)
		}
	}
}

func (w *writtenFiles) release() {
	for _, lock := range w.locks {
		lock.Release()
	}
}

package main

import (
	"context"
	"io"
	"os"
	"strconv"
	"time"
)

// The environment variables by which a program that starts this one asks it not to outlive it. The Python
// package does: docs/python.md.
const (
	// parentPipe is the number of a descriptor, on Windows of a handle: the reading end of a pipe that
	// the parent alone can write to, so the system closes it however the parent ends. A byte says that
	// the parent has written all files that the program is to read.
	parentPipe = "W2V_PARENT"
	// parentFolder is a folder of the parent, which is removed if the parent cannot do it any more.
	parentFolder = "W2V_PARENT_FOLDER"
)

// soon is the time in which all descriptors of a process are closed that has ended.
const soon = 100 * time.Millisecond

// underParent waits until the parent lets the program begin. It returns a context that ends when the
// parent does, and what is to be called with the exit code at the end of the program. Without such a parent nothing ends it.
func underParent() (ctx context.Context, end func(code int)) {
	handle, err := strconv.ParseUint(os.Getenv(parentPipe), 10, 64)
	folder := os.Getenv(parentFolder)
	_, _ = os.Unsetenv(parentPipe), os.Unsetenv(parentFolder) // they are not for programs that this one starts
	if err != nil {
		return context.Background(), func(int) {}
	}
	ctx, orphaned := context.WithCancel(context.Background())
	end = func(code int) {
		if folder == "" {
			return
		}
		if code != exitDone { // perhaps because the parent has ended, which is about to be known
			select {
			case <-ctx.Done():
			case <-time.After(soon):
			}
		}
		if ctx.Err() != nil {
			_ = os.RemoveAll(folder) // there is nobody to tell
		}
	}
	pipe, word := os.NewFile(uintptr(handle), "the pipe of the parent"), make([]byte, 1)
	if _, err := pipe.Read(word); err == io.EOF {
		orphaned()
		end(exitDone)
		os.Exit(exitInterrupted)
	}
	go func() {
		if _, err := pipe.Read(word); err == io.EOF {
			orphaned()
		}
	}()
	return ctx, end
}

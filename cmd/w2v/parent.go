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

package main

import (
	"context"
	"errors"
	"slices"
	"strings"
)

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

package main

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// An interruption is said together with what else went wrong, and alone if nothing did.
func TestEnding(t *testing.T) {
	full := errors.New("no space left")
	stopped := fmt.Errorf("training stopped at 1 of 2 tokens: %w", context.Canceled)
	for _, tt := range []struct {
		err         error
		line        string
		interrupted bool
	}{
		{full, "no space left", false},
		{errors.Join(full, errClosed), "no space left; standard output was closed by its reader", false},
		{context.Canceled, "interrupted", true},
		{stopped, "interrupted", true},
		{errors.Join(stopped, nil, fmt.Errorf("a: %w", stopped)), "interrupted", true},
		{errors.Join(stopped, errClosed), "interrupted", true}, // Ctrl-C ends the reader, too
		{errors.Join(stopped, full), "interrupted; and no space left", false},
		{errors.Join(full, stopped, fmt.Errorf("log: %w", full)), "interrupted; and no space left; and log: no space left", false},
		{fmt.Errorf("m.bin: %w; try again", fmt.Errorf("%w; and %w", stopped, full)), "interrupted; and m.bin: no space left; try again", false},
		{errors.Join(stopped, errors.Join(full, full)), "interrupted; and no space left; no space left", false},
	} {
		if line, interrupted := ending(tt.err); line != tt.line || interrupted != tt.interrupted {
			t.Errorf("%v: %q, %v, want %q", tt.err, line, interrupted, tt.line)
		}
	}
}

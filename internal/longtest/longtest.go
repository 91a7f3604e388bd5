// Package longtest marks tests that are too slow for every change.
package longtest

import (
	"os"
	"testing"
)

// Enabled reports whether long tests run: the environment has W2V_LONG=1, as in "make long".
func Enabled() bool { return os.Getenv("W2V_LONG") == "1" }

// Only skips t unless long tests run. A quick test of the same promise must exist beside it.
func Only(t testing.TB) {
	t.Helper()
	if !Enabled() {
		t.Skip("a long test: W2V_LONG=1 runs it")
	}
}

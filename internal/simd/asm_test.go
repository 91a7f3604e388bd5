//go:build (amd64 || arm64) && !purego

package simd

import "testing"

// isas lists what the kernels can be run in here.
func isas() (names []string) {
	for _, i := range available() {
		names = append(names, string(i))
	}
	return names
}

// use runs the kernels in the named set of instructions until the test ends.
func use(tb testing.TB, name string) {
	before := chosen
	chosen = isa(name)
	tb.Cleanup(func() { chosen = before })
}

// transposes reports whether Transpose does what it says: the portable Errors does
// not need it.
func transposes() bool { return chosen != portable }

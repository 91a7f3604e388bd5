//go:build !unix

package corpus

// identify returns what tells a file from another of the same size and time of change, as far as parts of the
// content do: this system has no time of change that programs cannot set.
func identify(path string) string { return sampleSum(path) }

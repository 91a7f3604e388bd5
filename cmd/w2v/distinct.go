package main

import (
	"fmt"
	"io"
	"os"

	"github.com/w2v-go/w2v/internal/atomicfile"
)

// A namedFile is a file and what it is for: the flag that names it, or the corpus.
type namedFile struct{ role, path string }

// checkDistinct reports a file that a command would write for two purposes, or both read and write.
// Without a path, a file is not asked for, and "-" is standard output.
func checkDistinct(written, read []namedFile, corpus []string, stdin io.Reader) error {
	read = append([]namedFile(nil), read...)
	for _, path := range corpus {
		read = append(read, namedFile{"the corpus", path})
	}
	for i, out := range written {
		if out.path == "" || out.path == "-" {
			continue
		}
		for _, other := range append(read, written[i+1:]...) {
			if other.path != "" && other.path != "-" && atomicfile.Same(out.path, other.path) {
				return fmt.Errorf("%s and %s are the same file, %s", out.role, other.role, out.path)
			}
		}
		if file, ok := stdin.(*os.File); ok {
			in, errIn := file.Stat()
			if at, err := os.Stat(out.path); err == nil && errIn == nil && in.Mode().IsRegular() && os.SameFile(in, at) {
				return fmt.Errorf("%s and standard input are the same file, %s", out.role, out.path)
			}
		}
	}
	return nil
}

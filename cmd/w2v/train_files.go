package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
)

// checkTargets returns an error if a file cannot be written where it is to be: what can
// be known to fail should not fail after hours.
func (f *trainFlags) checkTargets(format vectors.Format) error {
	if err := vectors.CheckTarget(f.output, format); err != nil {
		return err
	}
	if f.saveVocab != "" {
		if err := atomicfile.Check(f.saveVocab); err != nil {
			return err
		}
	}
	return f.checkpoint.check()
}

// distinctFiles returns an error if a file is to be written that is read, or
// written for something else, too.
func (f *trainFlags) distinctFiles(corpus []string) error {
	type file struct{ role, path string }
	files := []file{{"--output", f.output}, {"--save-vocab", f.saveVocab}, {"--checkpoint", f.checkpoint.path}}
	if f.logJSON != "-" {
		files = append(files, file{"--log-json", f.logJSON})
	}
	written := len(files)
	files = append(files, file{"--vocab", f.vocabFile}, file{"--validate", f.evaluation.heldOut}, file{"--resume", f.checkpoint.resume})
	if f.init.path != f.checkpoint.resume {
		files = append(files, file{"--init", f.init.path})
	}
	for _, path := range f.evaluation.paths {
		files = append(files, file{"--eval", path})
	}
	for _, path := range corpus {
		files = append(files, file{"the corpus", path})
	}
	for i, out := range files[:written] {
		for _, other := range files[i+1:] {
			if out.role == "--output" && other.path == f.init.path {
				continue // is replaced when training is done
			}
			if out.role == "--checkpoint" && other.role == "--resume" && f.checkpoint.from != nil {
				continue // is the same run's
			}
			if out.path != "" && other.path != "" && sameFile(out.path, other.path) {
				return fmt.Errorf("%s and %s are the same file, %s", out.role, other.role, other.path)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one regular file, or would if it
// were there.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}

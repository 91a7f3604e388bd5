package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/w2v-go/w2v/corpus"
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

// A roleFile is a file and what the command line names it for.
type roleFile struct{ role, path string }

// writtenFiles are the files that the run writes, by any name that it writes.
func (f *trainFlags) writtenFiles(format vectors.Format) ([]roleFile, error) {
	outputs, err := vectors.TargetFiles(f.output, format)
	if err != nil {
		return nil, err
	}
	var files []roleFile
	for _, path := range outputs {
		files = append(files, roleFile{"--output", path})
	}
	for _, file := range []roleFile{{"--save-vocab", f.saveVocab}, {"--checkpoint", f.checkpoint.path}, {"--log-json", f.logFile()}} {
		if file.path != "" {
			files = append(files, file)
		}
	}
	return files, nil
}

// logFile is the path of the log; empty if it goes to no file of its own.
func (f *trainFlags) logFile() string {
	if f.logJSON == "-" {
		return ""
	}
	return f.logJSON
}

// readFiles are the files that the run reads besides the corpus.
func (f *trainFlags) readFiles() ([]roleFile, error) {
	files := []roleFile{{"--vocab", f.vocabFile}, {"--resume", f.checkpoint.resume}, {"--cache", f.cache}}
	if f.init.path != f.checkpoint.resume {
		files = append(files, roleFile{"--init", f.init.path})
		// Where the words of a matrix are.
		if beside, err := vectors.TargetFiles(f.init.path, vectors.FormatNpy); err == nil && f.init.path != "" {
			files = append(files, roleFile{"--init", beside[1]})
		}
	}
	for _, path := range f.evaluation.paths {
		files = append(files, roleFile{"--eval", path})
	}
	if f.evaluation.heldOut != "" {
		src, err := corpus.Files([]string{f.evaluation.heldOut}, nil, f.corpus.options)
		if err != nil {
			return nil, err
		}
		for _, path := range src.Files() {
			files = append(files, roleFile{"--validate", path})
		}
	}
	return files, nil
}

// distinctFiles returns an error if a file is to be written that is read, or
// written for something else, too. Standard input is part of the corpus if stdin is not nil.
func (f *trainFlags) distinctFiles(format vectors.Format, texts []string, stdin io.Reader) error {
	written, err := f.writtenFiles(format)
	if err != nil {
		return err
	}
	read, err := f.readFiles()
	if err != nil {
		return err
	}
	for _, path := range texts {
		read = append(read, roleFile{"the corpus", path})
	}
	for i, out := range written {
		for _, other := range written[i+1:] {
			if out.role != other.role && atomicfile.Same(out.path, other.path) {
				return sameError(out, other)
			}
		}
		if err := f.inFolder(out, format); err != nil {
			return err
		}
		if info, err := os.Stat(out.path); err == nil && isFile(stdin, info) {
			return sameError(out, roleFile{"the corpus", out.path})
		}
		_, missing := os.Lstat(out.path)
		for _, other := range read {
			if other.path == "" || missing != nil && other.role != "--cache" || f.mayReplace(out.role, other.role) {
				continue // what is read is there
			}
			if atomicfile.Same(out.path, other.path) {
				return sameError(out, other)
			}
		}
	}
	return nil
}

func sameError(out, other roleFile) error {
	return fmt.Errorf("%s and %s are the same file, %s", out.role, other.role, other.path)
}

// mayReplace tells of files that are read and replaced: vectors by the model that began
// with them, and a checkpoint by the next one of the same run.
func (f *trainFlags) mayReplace(out, other string) bool {
	return out == "--output" && other == "--init" || out == "--checkpoint" && other == "--resume" && f.checkpoint.from != nil
}

// inFolder returns an error if a file is to be written in a folder that is replaced as a
// whole, or over what is in a folder of vectors that is read.
func (f *trainFlags) inFolder(out roleFile, format vectors.Format) error {
	describe, err := vectors.Describe(format)
	folder := err == nil && describe.Several && isFolder(f.output, format)
	switch {
	case folder && out.role != "--output" && atomicfile.Within(out.path, f.output):
		return fmt.Errorf("%s, %s, is in the folder of --output, which is replaced as a whole: name another place", out.role, out.path)
	case folder && f.cache != "" && atomicfile.Within(f.cache, f.output):
		return fmt.Errorf("--cache, %s, is in the folder of --output, which is replaced as a whole: name another place", f.cache)
	}
	info, err := os.Stat(f.init.path)
	if f.init.path == "" || err != nil || !info.IsDir() || atomicfile.Same(f.output, f.init.path) {
		return nil
	}
	if _, err := os.Stat(out.path); err == nil && atomicfile.Within(out.path, f.init.path) {
		return fmt.Errorf("%s, %s, is a file of --init, %s: name another place", out.role, out.path, f.init.path)
	}
	return nil
}

// isFolder tells whether a model at path in that format is a folder.
func isFolder(path string, format vectors.Format) bool {
	files, err := vectors.TargetFiles(path, format)
	return err == nil && len(files) > 0 && filepath.Dir(files[0]) == filepath.Clean(path)
}

// isFile tells whether r reads the regular file of that description.
func isFile(r io.Reader, info os.FileInfo) bool {
	file, ok := r.(*os.File)
	if !ok {
		return false
	}
	open, err := file.Stat()
	return err == nil && open.Mode().IsRegular() && os.SameFile(open, info)
}

// checkReplaced returns an error if a file would be replaced that is not what the run
// makes.
func (f *trainFlags) checkReplaced(format vectors.Format) error {
	written, err := f.writtenFiles(format)
	if err != nil {
		return err
	}
	taken := func(path string) bool {
		return slices.ContainsFunc(written, func(file roleFile) bool { return atomicfile.Same(file.path, path) })
	}
	if err := f.checkpoint.checkReplaced(taken); err != nil {
		return err
	}
	if info, err := os.Stat(f.output); err == nil && info.Mode().IsRegular() {
		if state, err := vectors.HasState(f.output); err == nil && state {
			return fmt.Errorf("%s: is a checkpoint, which the model would replace: name another file with -o, or move it away", f.output)
		}
	}
	if path := f.logFile(); path != "" {
		return checkLog(path)
	}
	return nil
}

// checkLog returns an error if there is a file at path that is no log of training.
func checkLog(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // what else is wrong with it is found when it is opened
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	start := make([]byte, len(logStart))
	n, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return named(path, err)
	}
	if string(start[:n]) != logStart[:n] {
		return fmt.Errorf("%s: is no log of w2v train, and --log-json would replace it: name another file, or move it away", path)
	}
	return nil
}

// lock makes sure that no other run writes what this one writes for as long as it runs, and
// tells note where that cannot be known.
func (f *trainFlags) lock(note func(string)) error {
	for _, path := range []string{f.output, f.checkpoint.path, f.logFile()} {
		if path == "" {
			continue
		}
		lock, err := atomicfile.NewLock(path)
		if none, ok := errors.AsType[*atomicfile.NoLockError](err); ok {
			if !errors.Is(err, fs.ErrNotExist) { // writing says that there is no such folder
				note(none.Error())
			}
			continue
		}
		if err != nil {
			return err
		}
		f.locks = append(f.locks, lock)
	}
	return f.checkpoint.unchanged(note)
}

func (f *trainFlags) unlock() {
	for _, lock := range f.locks {
		lock.Release()
	}
}

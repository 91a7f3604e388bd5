package train

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors/format"
)

// A place is a file and the option that names it. Files of the corpus have no option.
type place struct {
	option name
	path   string
}

// role names what the file is for.
func (p place) role() any {
	if p.option == "" {
		return "the corpus"
	}
	return p.option
}

// checkTargets checks that all files can be written where the options say. A run must not fail
// after hours for a reason that could be known at its start.
func (r *run) checkTargets() error {
	if r.options.Output != "" {
		if err := format.CheckTarget(r.options.Output, r.format); err != nil {
			return err
		}
	}
	if path := r.options.Vocabulary.Save; path != "" {
		if err := atomicfile.Check(path); err != nil {
			return err
		}
	}
	return r.checkpoints.check()
}

// written returns the files that the run writes.
func (r *run) written() ([]place, error) {
	var all []place
	if r.options.Output != "" {
		outputs, err := format.TargetFiles(r.options.Output, r.format)
		if err != nil {
			return nil, err
		}
		for _, path := range outputs {
			all = append(all, place{"output", path})
		}
	}
	others := []place{{"save-vocab", r.options.Vocabulary.Save}, {"checkpoint", r.checkpoints.file}}
	for _, f := range r.options.Files {
		others = append(others, place{name(f.Name), f.Path})
	}
	for _, p := range others {
		if p.path != "" {
			all = append(all, p)
		}
	}
	return all, nil
}

// read returns the files that the run reads besides the corpus.
func (r *run) read() ([]place, error) {
	o := &r.options
	all := []place{{"vocab", o.Vocabulary.File}, {"resume", o.Checkpoint.Resume}, {"cache", o.Cache}}
	if o.Init.File != o.Checkpoint.Resume {
		all = append(all, place{"init", o.Init.File})
		// Where the words of a matrix are.
		if beside, err := format.TargetFiles(o.Init.File, format.Npy); err == nil && o.Init.File != "" {
			all = append(all, place{"init", beside[1]})
		}
	}
	for _, set := range r.evaluator.sets {
		all = append(all, place{"eval", set.path})
	}
	if r.evaluator.source != nil {
		for _, path := range r.evaluator.source.Files() {
			all = append(all, place{"validate", path})
		}
	}
	return all, nil
}

// checkDistinct checks that no file is written for two purposes, or read and written.
func (r *run) checkDistinct(source *corpus.Source, stdin io.Reader) error {
	written, err := r.written()
	if err != nil {
		return err
	}
	read, err := r.read()
	if err != nil {
		return err
	}
	for _, path := range source.Files() {
		read = append(read, place{"", path})
	}
	for i, out := range written {
		for _, other := range written[i+1:] {
			if out.option != other.option && atomicfile.Same(out.path, other.path) {
				return sameError(out, other)
			}
		}
		if err := r.checkFolders(out); err != nil {
			return err
		}
		if info, err := os.Stat(out.path); err == nil && isFile(stdin, info) {
			return sameError(out, place{"", out.path})
		}
		_, missing := os.Lstat(out.path)
		for _, other := range read {
			if other.path == "" || missing != nil && other.option != "cache" || r.mayReplace(out, other) {
				continue // what is read is there
			}
			if atomicfile.Same(out.path, other.path) {
				return sameError(out, other)
			}
		}
	}
	return nil
}

func sameError(out, other place) error {
	return optionErrorf("%v and %v are the same file, %s", out.role(), other.role(), other.path)
}

// mayReplace tells which files a run may both read and replace: the vectors that it starts from
// by the model, and the checkpoint that it resumes by the next one.
func (r *run) mayReplace(out, other place) bool {
	return out.option == "output" && other.option == "init" || out.option == "checkpoint" && other.option == "resume" && r.from != nil
}

// checkFolders checks that a file is not written into a folder that is replaced as a whole, and
// does not replace a file in a folder of vectors that is read.
func (r *run) checkFolders(out place) error {
	output, cache, start := r.options.Output, r.options.Cache, r.options.Init.File
	describe, err := format.Describe(r.format)
	folder := err == nil && describe.Several && output != "" && isFolder(output, r.format)
	switch {
	case folder && out.option != "output" && atomicfile.Within(out.path, output):
		return optionErrorf("%v, %s, is in the folder of %v, which is replaced as a whole: name another place", out.role(), out.path, name("output"))
	case folder && cache != "" && atomicfile.Within(cache, output):
		return optionErrorf("%v, %s, is in the folder of %v, which is replaced as a whole: name another place", name("cache"), cache, name("output"))
	}
	info, err := os.Stat(start)
	if start == "" || err != nil || !info.IsDir() || atomicfile.Same(output, start) {
		return nil
	}
	if _, err := os.Stat(out.path); err == nil && atomicfile.Within(out.path, start) {
		return optionErrorf("%v, %s, is a file of %v, %s: name another place", out.role(), out.path, name("init"), start)
	}
	return nil
}

// isFolder tells whether a model at path in that format is a folder.
func isFolder(path string, f format.Format) bool {
	files, err := format.TargetFiles(path, f)
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

// checkReplaced checks that no file is replaced that is of another kind than the new one.
func (r *run) checkReplaced() error {
	written, err := r.written()
	if err != nil {
		return err
	}
	taken := func(path string) bool {
		return slices.ContainsFunc(written, func(p place) bool { return atomicfile.Same(p.path, path) })
	}
	if err := r.checkpoints.checkReplaced(r.replacesResumed(), taken); err != nil {
		return err
	}
	output := r.options.Output
	if info, err := os.Stat(output); output != "" && err == nil && info.Mode().IsRegular() {
		if state, err := format.HasState(output); err == nil && state {
			return errorf("%s: is a checkpoint, which the model would replace: name another file with %v, or move it away", output, name("output").to("FILE"))
		}
	}
	return nil
}

// replacesResumed tells whether checkpoints take the place of the one that is resumed.
func (r *run) replacesResumed() bool {
	return r.from != nil && atomicfile.Same(r.checkpoints.file, r.resumed.file)
}

// lock makes sure that no other process writes the files of this run while it runs, and tells
// where that cannot be known.
func (r *run) lock() error {
	paths := []string{r.options.Output, r.checkpoints.file}
	for _, f := range r.options.Files {
		paths = append(paths, f.Path)
	}
	for _, path := range paths {
		if path == "" {
			continue
		}
		lock, err := atomicfile.NewLock(path)
		if none, ok := errors.AsType[*atomicfile.NoLockError](err); ok {
			if !errors.Is(err, fs.ErrNotExist) { // writing says that there is no such folder
				r.tell(messagef("%v", none))
			}
			continue
		}
		if err != nil {
			return err
		}
		r.locks = append(r.locks, lock)
	}
	if r.from == nil {
		return nil
	}
	return r.resumed.unchanged(r.checkpoints.file, r.tell)
}

func (r *run) unlock() {
	for _, lock := range r.locks {
		lock.Release()
	}
}

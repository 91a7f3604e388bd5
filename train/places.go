package train

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/fileuse"
	"github.com/w2v-go/w2v/vectors/format"
)

// A place is a file and the option that names it.
func place(option name, use fileuse.Use, path string) fileuse.Place {
	return fileuse.Place{Role: option, Use: use, Path: path}
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
func (r *run) written() ([]fileuse.Place, error) {
	var all []fileuse.Place
	if output := r.options.Output; output != "" {
		files, err := format.TargetFiles(output, r.format)
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			all = append(all, place("output", fileuse.Writes, path))
		}
		if d, err := format.Describe(r.format); err == nil && d.Folder {
			all = append(all, place("output", fileuse.Replaces, output))
		}
		for i := range all {
			all[i].Updates = []any{name("init")} // which is in memory by then
		}
	}
	checkpoint := place("checkpoint", fileuse.Writes, r.checkpoints.file)
	if r.from != nil {
		checkpoint.Updates = []any{name("resume")} // the next one of the same run
	}
	others := []fileuse.Place{place("save-vocab", fileuse.Writes, r.options.Vocabulary.Save), checkpoint, place("cache", fileuse.Keeps, r.options.Cache)}
	for _, f := range r.options.Files {
		others = append(others, place(name(f.Name), fileuse.Writes, f.Path))
	}
	for _, p := range others {
		if p.Path != "" {
			all = append(all, p)
		}
	}
	return all, nil
}

// read returns the files that the run reads.
func (r *run) read(source *corpus.Source) (all []fileuse.Place) {
	o := &r.options
	all = append(all, place("vocab", fileuse.Reads, o.Vocabulary.File), place("resume", fileuse.Reads, o.Checkpoint.Resume))
	if file := o.Settings.Text.File; file != nil {
		all = append(all, place("tokenizer", fileuse.Reads, file.Path()))
	}
	if o.Init.File != "" && o.Init.File != o.Checkpoint.Resume {
		all = append(all, place("init", fileuse.Reads, o.Init.File))
		// Where the words of a matrix are.
		if beside, err := format.TargetFiles(o.Init.File, format.Npy); err == nil {
			all = append(all, place("init", fileuse.Reads, beside[1]))
		}
	}
	for _, set := range r.evaluator.sets {
		all = append(all, place("eval", fileuse.Reads, set.path))
	}
	if r.evaluator.source != nil {
		for _, path := range r.evaluator.source.Files() {
			all = append(all, place("validate", fileuse.Reads, path))
		}
	}
	for _, path := range source.Files() {
		all = append(all, fileuse.Place{Role: "the corpus", Path: path})
	}
	return all
}

// checkDistinct checks that no file is written for two purposes, or read and written.
func (r *run) checkDistinct(source *corpus.Source, stdin io.Reader) error {
	all, err := r.written()
	if err != nil {
		return err
	}
	all = append(all, r.read(source)...)
	if file, ok := stdin.(*os.File); ok {
		all = append(all, fileuse.Place{Role: "the corpus", Open: file})
	}
	if conflict := fileuse.Check(all); conflict != nil {
		return optionErrorf(conflict.Format, conflict.Args...)
	}
	return nil
}

// checkReplaced checks that no file is replaced that is of another kind than the new one.
func (r *run) checkReplaced() error {
	written, err := r.written()
	if err != nil {
		return err
	}
	taken := func(path string) bool {
		return slices.ContainsFunc(written, func(p fileuse.Place) bool { return atomicfile.Same(p.Path, path) })
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
	paths := []string{r.options.Output, r.checkpoints.file, r.options.Vocabulary.Save}
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

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/eval"
)

// readSets reads all sets, so that a bad one is known before anything is scored. Files of folders
// that are no sets are noted. Unread is an error if others could not be read.
func readSets(s streams, paths []string, task eval.Task) (sets []eval.SetFile, unread, err error) {
	sets, skipped, err := eval.ReadSets(paths, eval.ReadOptions{Stdin: s.in, Task: task})
	if err != nil {
		return nil, nil, sayTask(err)
	}
	var none []string
	for _, file := range skipped {
		switch _, broken := errors.AsType[*eval.ParseError](file.Err); {
		case errors.Is(file.Err, eval.ErrLayout):
			none = append(none, file.Path)
		case broken:
			unread = errors.Join(unread, sayTask(file.Err))
		default:
			s.note(fmt.Sprintf("%s is skipped: %v", file.Path, file.Err))
		}
	}
	if len(none) > 0 {
		what := "evaluation sets"
		if task != "" {
			what = fmt.Sprintf("sets of the task %s", task)
		}
		s.note(fmt.Sprintf("skipped, because they are no %s: %s", what, strings.Join(none, ", ")))
	}
	return sets, unread, nil
}

// setsOf reads sets of one task.
func setsOf[T eval.Set](s streams, paths []string, task eval.Task) ([]T, error) {
	files, unread, err := readSets(s, paths, task)
	if err = errors.Join(err, unread); err != nil {
		return nil, err
	}
	var sets []T
	for _, f := range files {
		sets = append(sets, f.Set.(T)) // all sets of a task are of one type
	}
	return sets, nil
}

// sayTask says what to do about a file whose task is not known.
func sayTask(err error) error {
	if errors.Is(err, eval.ErrAmbiguous) {
		return fmt.Errorf("%w; say which one with --task", err)
	}
	return err
}

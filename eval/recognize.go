package eval

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/absent"
	"github.com/w2v-go/w2v/internal/plaintext"
)

// maxSet is the largest size of an evaluation set, in bytes. Real sets are much smaller.
const maxSet = 256 << 20

// ErrLayout is in the error of a file that has no layout of an evaluation set.
var ErrLayout = errors.New("the file has no layout of an evaluation set")

// ErrAmbiguous is in the error of a file that could be a set of several tasks.
var ErrAmbiguous = errors.New("the file could be a set of several tasks")

// ReadSet reads a set of any task, which it recognises by the content of r. Errors and results
// call the set by name. The error wraps ErrLayout if no layout fits, and ErrAmbiguous if layouts
// of several tasks fit; ReadSetOf reads such a set. Other errors are those of the reader of the
// task, such as ReadPairs.
func ReadSet(r io.Reader, name string) (Set, error) { return ReadSetOf(r, name, "") }

// ReadSetOf is ReadSet for a set of the given task. An empty task stands for any.
func ReadSetOf(r io.Reader, name string, task Task) (Set, error) {
	raw, err := readAll(r, name)
	if err != nil {
		return nil, err
	}
	return parse(raw, name, task, false)
}

// Tasks returns the tasks whose sets ReadSet reads.
func Tasks() []Task {
	var all []Task
	for _, l := range layouts() {
		if !slices.Contains(all, l.task) {
			all = append(all, l.task)
		}
	}
	return all
}

func readAll(r io.Reader, name string) ([]byte, error) {
	if absent.Is(r) {
		return nil, &ParseError{Set: name, Err: errors.New("there is no reader of the set: it is nil")}
	}
	raw, err := io.ReadAll(io.LimitReader(r, maxSet+1))
	if err == nil && len(raw) > maxSet {
		err = fmt.Errorf("more than %d MB: is this an evaluation set?", maxSet>>20)
	}
	if err != nil {
		return nil, &ParseError{Set: name, Err: err}
	}
	return raw, nil
}

// parse reads a set of a task, or of any if task is empty. If strict is false and no layout of
// the task fits, the task's first reader says why.
func parse(raw []byte, name string, task Task, strict bool) (Set, error) {
	if task != "" && !slices.Contains(Tasks(), task) {
		return nil, fmt.Errorf("eval: there is no task %q: tasks are %s", task, listed(Tasks()))
	}
	if err := plaintext.Check(raw[:min(len(raw), maxLine)]); err != nil {
		return nil, &ParseError{Set: name, Err: err}
	}
	content := newText(raw)
	var fit []layout
	var tasks []Task
	for _, l := range layouts() {
		if task != "" && l.task != task {
			continue
		}
		if !content.binary() && l.sniff(content) {
			fit = append(fit, l)
			if !slices.Contains(tasks, l.task) {
				tasks = append(tasks, l.task)
			}
		}
	}
	switch {
	case len(tasks) == 1:
		return fit[0].read(bytes.NewReader(raw), name)
	case len(tasks) > 1:
		return nil, &ParseError{Set: name, Err: fmt.Errorf("%w: %s", ErrAmbiguous, listed(tasks))}
	case task != "" && !strict:
		for _, l := range layouts() {
			if l.task == task {
				return l.read(bytes.NewReader(raw), name)
			}
		}
	}
	if len(content.full) == 0 {
		return nil, &ParseError{Set: name, Err: fmt.Errorf("%w: it has no lines but blank ones and comments", ErrLayout)}
	}
	return nil, &ParseError{Set: name, Err: fmt.Errorf("%w: %s", ErrLayout, forms(task))}
}

func listed(tasks []Task) string {
	names := make([]string, len(tasks))
	for i, t := range tasks {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// forms describes the layouts of a task, or all if task is empty.
func forms(task Task) string {
	var all []string
	for _, l := range layouts() {
		if task == "" || l.task == task {
			all = append(all, fmt.Sprintf("%s (%s)", l.task, l.form))
		}
	}
	return "layouts are " + strings.Join(all, ", ")
}

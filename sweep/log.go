package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
)

// A log is the file results.jsonl. It has a line for each result, in the order in which trials
// ended.
type log struct {
	path string
	file *atomicfile.Appender
	done map[string]Result // by their keys
}

// openLog reads the results that are there, and opens the file to add more. It cuts off an
// incomplete last line, which a run leaves that is killed.
func openLog(path string) (*log, error) {
	l := &log{path: path, done: make(map[string]Result)}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, l.failed(err)
	}
	whole, err := l.read(text)
	if err != nil {
		return nil, err
	}
	l.file, err = atomicfile.OpenAppender(path, int64(whole))
	return l, err
}

// read takes the results in a text, and returns how much of it is whole lines.
func (l *log) read(text []byte) (whole int, err error) {
	whole = bytes.LastIndexByte(text, '\n') + 1
	n := 0
	for line := range bytes.Lines(text[:whole]) {
		n++
		var r Result
		if err := json.Unmarshal(line, &r); err != nil || r.Key == "" {
			return 0, fmt.Errorf("%s:%d: is no result of a sweep: delete the line, or choose another folder", l.path, n)
		}
		if l.done[r.Key].Revision != sgns.Revision || r.Revision == sgns.Revision {
			l.done[r.Key] = r
		}
	}
	if begin := []byte(`{"key":"`); !bytes.HasPrefix(text[whole:], begin[:min(len(begin), len(text)-whole)]) {
		return 0, fmt.Errorf("%s:%d: is no result of a sweep: choose another folder", l.path, n+1)
	}
	return whole, nil
}

// add writes a result, and waits until it is on the disk.
func (l *log) add(r Result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return l.failed(err)
	}
	if err := l.file.Append(append(line, '\n')); err != nil {
		return err
	}
	l.done[r.Key] = r
	return nil
}

func (l *log) failed(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s: %w", l.path, err)
}

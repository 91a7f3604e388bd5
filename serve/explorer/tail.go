package explorer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
)

const (
	// maxEvent bounds a line of a log, in bytes. A longer one is left out.
	maxEvent = 1 << 20
	// remembered is how many bytes before the place of a tail tell whether they are still the same.
	remembered = 256
	// batch bounds what is read at a time.
	batch = 256 << 10
)

// A tail reads the events of a log that grows: lines with a JSON object that has an "event".
type tail struct {
	path string
	file *os.File
	info fs.FileInfo
	at   int64  // what was read of the file
	last []byte // the last bytes of it
	half []byte // of a line whose end is not there yet
	skip bool   // until the next line begins: this one is too long
}

// next returns the events that were added, in their order; none if there are no more for now. Again is
// true if the events before are no longer those of the file: it was truncated or replaced, and is read
// from its beginning. A file that is not there, or cannot be read, has no events: perhaps later.
func (t *tail) next() (events [][]byte, again bool) {
	info, err := os.Stat(t.path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	if t.file != nil && !(os.SameFile(info, t.info) && info.Size() >= t.at && t.unchanged()) {
		t.close()
		again = true
	}
	if t.file == nil && !t.open() {
		return nil, again
	}
	for read := make([]byte, batch); len(events) == 0; {
		n, err := t.file.ReadAt(read, t.at)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, again
		}
		t.at += int64(n)
		t.last = append(t.last, read[:n]...)
		t.last = bytes.Clone(t.last[max(0, len(t.last)-remembered):])
		events = t.lines(read[:n])
		if n < batch {
			break
		}
	}
	return events, again
}

func (t *tail) open() bool {
	f, err := openRegular(t.path)
	if err != nil {
		return false
	}
	if t.info, err = f.Stat(); err != nil {
		_ = f.Close() // nothing was written
		return false
	}
	t.file = f
	return true
}

// unchanged tells whether what was read last is still there.
func (t *tail) unchanged() bool {
	now := make([]byte, len(t.last))
	_, err := t.file.ReadAt(now, t.at-int64(len(t.last)))
	return (err == nil || errors.Is(err, io.EOF)) && bytes.Equal(now, t.last)
}

// lines returns the events of lines that end in what was read. A last line without an end is an event
// if it is whole: no beginning of an object is one.
func (t *tail) lines(read []byte) (events [][]byte) {
	add := func(line []byte) bool {
		line = bytes.TrimSpace(line)
		if !isEvent(line) {
			return false
		}
		var compact bytes.Buffer // without line breaks of any kind
		if err := json.Compact(&compact, line); err != nil {
			return false
		}
		events = append(events, compact.Bytes())
		return true
	}
	for {
		line, rest, ended := bytes.Cut(read, []byte{'\n'})
		if !t.skip {
			t.half = append(t.half, line...)
		}
		switch {
		case ended:
			if len(t.half) <= maxEvent {
				add(t.half)
			}
			t.half, t.skip = t.half[:0], false
		case len(t.half) > maxEvent:
			t.half, t.skip = nil, true
			return events
		default:
			if len(t.half) > 0 && t.half[len(t.half)-1] == '}' && add(t.half) {
				t.half = t.half[:0]
			}
			return events
		}
		read = rest
	}
}

func (t *tail) close() {
	if t.file != nil {
		_ = t.file.Close() // nothing was written
	}
	*t = tail{path: t.path}
}

// eventOf returns what kind of event a line is; empty if it is none.
func eventOf(line []byte) string {
	var e struct {
		Event string `json:"event"`
	}
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &e) != nil {
		return ""
	}
	return e.Event
}

func isEvent(line []byte) bool { return eventOf(line) != "" }

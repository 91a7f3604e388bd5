package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const polling = 300 * time.Millisecond // how often a log is looked at

type runFile struct {
	Name     string `json:"name"`
	Finished bool   `json:"finished"` // according to its last event
	path     string
}

var logExtensions = []string{".jsonl", ".ndjson", ".json", ".log"}

// runs returns the logs that there are now. Files of one name have numbers.
func (e *Explorer) runs() (runs []runFile) {
	add := func(path string) {
		base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		name := base
		for n := 2; slices.ContainsFunc(runs, func(f runFile) bool { return f.Name == name }); n++ {
			name = fmt.Sprintf("%s (%d)", base, n)
		}
		runs = append(runs, runFile{Name: name, path: path})
	}
	for _, path := range e.options.Logs {
		entries, err := os.ReadDir(path)
		if err != nil { // a file, or nothing yet
			add(path)
			continue
		}
		for _, entry := range entries {
			// A link in a folder could lead anywhere.
			if entry.Type().IsRegular() && slices.Contains(logExtensions, filepath.Ext(entry.Name())) {
				add(filepath.Join(path, entry.Name()))
			}
		}
	}
	return runs
}

func (e *Explorer) listRuns(w http.ResponseWriter, r *http.Request) error {
	list := []runFile{}
	for _, run := range e.runs() {
		run.Finished = finished(run.path)
		list = append(list, run)
	}
	return sendJSON(w, http.StatusOK, list)
}

func finished(path string) bool {
	f, info, err := openRegular(path)
	if err != nil {
		return false
	}
	defer f.Close()                           // nothing was written
	for size := int64(4 << 10); ; size *= 8 { // most events are short
		size = min(size, info.Size(), maxEvent)
		end := make([]byte, size)
		n, err := f.ReadAt(end, info.Size()-size)
		if err != nil && err != io.EOF {
			return false
		}
		last := bytes.TrimSpace(end[:n])
		at := bytes.LastIndexByte(last, '\n')
		if at < 0 && size < min(info.Size(), maxEvent) {
			continue
		}
		event := eventOf(bytes.TrimSpace(last[at+1:]))
		return event == "done" || event == "failed"
	}
}

// followRun sends the events of a run until nobody listens. After a restart event, earlier events are not in the file.
func (e *Explorer) followRun(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("run")
	runs := e.runs()
	i := slices.IndexFunc(runs, func(f runFile) bool { return f.Name == name })
	if i < 0 && slices.Contains(e.options.Models.Names(), "runs") { // of which this is the address, too
		r.SetPathValue("model", "runs")
		r.SetPathValue("what", name)
		return e.of(e.about)(w, r)
	}
	if i < 0 {
		return notThere("unknown_run", "there is no run %.200q", name)
	}
	t := tail{path: runs[i].path}
	defer t.close()
	events := newEvents(w)
	for {
		lines, again := t.next()
		if again {
			events.send("restart", []byte("{}"))
		}
		for _, line := range lines {
			events.send("record", line)
		}
		if time.Since(events.sent) >= heartbeat {
			events.beat()
		}
		if events.gone || len(lines) == 0 && !e.wait(r.Context(), polling, nil) { // after lines there may be more
			return nil
		}
	}
}

const (
	maxEvent   = 1 << 20   // a line of a log, in bytes. A longer one is left out.
	remembered = 256       // how many bytes before the place of a tail tell whether they are still the same
	batch      = 256 << 10 // bounds what is read at a time
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

// next returns the new events in order, if any. Again says that the file was truncated or replaced: it is read from
// its beginning. A file that cannot be read has no events: perhaps later.
func (t *tail) next() (events [][]byte, again bool) {
	info, err := os.Stat(t.path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	if t.file != nil { // are the bytes that were read last still in the file?
		now := make([]byte, len(t.last))
		_, err := t.file.ReadAt(now, t.at-int64(len(t.last)))
		if again = !os.SameFile(info, t.info) || info.Size() < t.at || err != nil && !errors.Is(err, io.EOF) || !bytes.Equal(now, t.last); again {
			t.close()
		}
	}
	if t.file == nil {
		if t.file, t.info, err = openRegular(t.path); err != nil {
			return nil, again
		}
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

// lines returns events. A last line without an end is one if it is whole: no beginning of an object is an event.
func (t *tail) lines(read []byte) (events [][]byte) {
	add := func(line []byte) bool {
		line = bytes.TrimSpace(line)
		var compact bytes.Buffer // without line breaks of any kind
		if eventOf(line) == "" || json.Compact(&compact, line) != nil {
			return false
		}
		events = append(events, compact.Bytes())
		return true
	}
	for line := range bytes.Lines(read) {
		line, ended := bytes.CutSuffix(line, []byte("\n"))
		if !t.skip {
			t.half = append(t.half, line...)
		}
		t.skip = !ended && (t.skip || len(t.half) > maxEvent)
		if t.skip || len(t.half) <= maxEvent && (ended || bytes.HasSuffix(t.half, []byte("}"))) && add(t.half) || ended {
			t.half = t.half[:0]
		}
	}
	return events
}

func (t *tail) close() {
	if t.file != nil {
		_ = t.file.Close() // nothing was written
	}
	*t = tail{path: t.path}
}

func eventOf(line []byte) string {
	var e struct {
		Event string `json:"event"`
	}
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &e) != nil {
		return ""
	}
	return e.Event
}

const heartbeat = 15 * time.Second // the longest silence in a stream, so that proxies do not close it

type events struct {
	w    http.ResponseWriter
	sent time.Time // when something was sent last
	gone bool      // nobody listens
}

func newEvents(w http.ResponseWriter) *events {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // as some proxies need it
	w.WriteHeader(http.StatusOK)
	s := &events{w: w, sent: time.Now()}
	_ = http.NewResponseController(w).Flush() // the first event tells whether somebody listens
	return s
}

func (s *events) send(kind string, data []byte) { s.write("event: %s\ndata: %s\n\n", kind, data) }

func (s *events) beat() { s.write(": \n\n") }

func (s *events) write(format string, args ...any) {
	if s.gone {
		return
	}
	_, err := fmt.Fprintf(s.w, format, args...)
	s.gone = err != nil || http.NewResponseController(s.w).Flush() != nil
	s.sent = time.Now()
}

// wait waits for a while, or for a channel, and tells whether client and explorer are still there.
func (e *Explorer) wait(ctx context.Context, d time.Duration, early <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-early:
	case <-ctx.Done():
	case <-e.ctx.Done():
	}
	return ctx.Err() == nil && e.ctx.Err() == nil
}

const maxScores = 16 << 20 // bounds a file of results of evaluations, in bytes

type scoreFile struct {
	path string

	mu   sync.Mutex  // held while the file is read: all who ask meanwhile get what one has read
	info fs.FileInfo // of what was read; nil if nothing was
	text []byte      // what is sent of it
}

func (e *Explorer) evaluations(w http.ResponseWriter, r *http.Request) error {
	texts := [][]byte{[]byte("[")}
	for i, f := range e.scores {
		if i > 0 {
			texts = append(texts, []byte(","))
		}
		texts = append(texts, f.now())
	}
	sendText(w, http.StatusOK, append(texts, []byte("]"))...)
	return nil
}

func (s *scoreFile) now() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.path)
	if err == nil && s.info != nil && os.SameFile(info, s.info) && info.Size() == s.info.Size() && info.ModTime().Equal(s.info.ModTime()) {
		return s.text
	}
	var records bytes.Buffer
	problem := readRecords(&records, s.path)
	name, _ := json.Marshal(filepath.Base(s.path)) // strings can be encoded
	s.info = info                                  // nil if the file is not there
	s.text = fmt.Appendf(nil, `{"file":%s,"records":[%s]`, name, records.Bytes())
	if problem != nil { // why there are no more records
		reason, _ := json.Marshal(problem.Error())
		s.text = fmt.Appendf(s.text, `,"error":%s`, reason)
	}
	s.text = append(s.text, '}')
	return s.text
}

// Its errors do not name folders.
func readRecords(to *bytes.Buffer, path string) error {
	f, _, err := openRegular(path)
	if err != nil {
		return bare(err)
	}
	defer f.Close() // nothing was written
	limited := &io.LimitedReader{R: f, N: maxScores + 1}
	dec := json.NewDecoder(limited)
	for n := 1; ; n++ {
		var record json.RawMessage
		err := dec.Decode(&record)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case limited.N <= 0:
			return fmt.Errorf("the file is larger than %d bytes", maxScores)
		case err != nil:
			return fmt.Errorf("record %d is not JSON: %w", n, bare(err))
		case record[0] != '{':
			return fmt.Errorf("record %d is not a JSON object", n)
		}
		if n > 1 {
			to.WriteByte(',')
		}
		if err := json.Compact(to, record); err != nil {
			return err
		}
	}
}

// errNotRegular says that a file is a folder, a pipe or a device, which could be read for ever.
var errNotRegular = errors.New("it is not a regular file")

// openRegular opens a file unless reading it could block.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errNotRegular
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil { // another file may be there now
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func bare(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	return err
}

package explorer

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// polling is how often a log is looked at.
const polling = 300 * time.Millisecond

// runFiles are logs of trainings, and folders of them.
type runFiles struct{ paths []string }

// A runFile is a log and its name.
type runFile struct {
	name, path string
}

// logExtensions are those of the files of a folder that are logs.
var logExtensions = []string{".jsonl", ".ndjson", ".json", ".log"}

// list returns the logs that there are now. A name is that of the file without its extension. Files
// of one name have numbers.
func (f runFiles) list() (runs []runFile) {
	taken := map[string]bool{}
	add := func(path string) {
		base := filepath.Base(path)
		base = strings.TrimSuffix(base, filepath.Ext(base))
		name := base
		for n := 2; taken[name]; n++ {
			name = base + " (" + strconv.Itoa(n) + ")"
		}
		taken[name] = true
		runs = append(runs, runFile{name, path})
	}
	for _, path := range f.paths {
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

// A runInfo says whether a run has ended, by its last event.
type runInfo struct {
	Name     string `json:"name"`
	Finished bool   `json:"finished"`
}

func (e *Explorer) listRuns(w http.ResponseWriter, r *http.Request) error {
	list := []runInfo{}
	for _, run := range e.runs.list() {
		list = append(list, runInfo{run.name, finished(run.path)})
	}
	return answer{value: list}.send(w, r)
}

// finished tells whether the last event of a log ends a run.
func finished(path string) bool {
	f, err := openRegular(path)
	if err != nil {
		return false
	}
	defer f.Close() // nothing was written
	info, err := f.Stat()
	if err != nil {
		return false
	}
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

// followRun sends the events of a run, from its beginning, and then those that are added, until nobody
// listens. An event of the kind restart says that those before are no longer in the file.
func (e *Explorer) followRun(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("run")
	runs := e.runs.list()
	i := slices.IndexFunc(runs, func(f runFile) bool { return f.name == name })
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
	sent := time.Now()
	for {
		lines, again := t.next()
		if again {
			sent = time.Now()
			if !events.send("restart", []byte("{}")) {
				return nil
			}
		}
		for _, line := range lines {
			sent = time.Now()
			if !events.send("record", line) {
				return nil
			}
		}
		if time.Since(sent) >= heartbeat {
			sent = time.Now()
			if !events.beat() {
				return nil
			}
		}
		if len(lines) > 0 {
			continue // there may be more
		}
		if !e.wait(r.Context(), polling, nil) {
			return nil
		}
	}
}

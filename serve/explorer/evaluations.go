package explorer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

// maxScores bounds a file of results of evaluations, in bytes.
const maxScores = 16 << 20

// A scoreFile is a file of results as it was when it was read last.
type scoreFile struct {
	path string

	mu   sync.Mutex  // held while the file is read: all who ask meanwhile get what one has read
	info fs.FileInfo // of what was read; nil if nothing was
	text []byte      // what is sent of it
}

func (e *Explorer) evaluations(w http.ResponseWriter, r *http.Request) error {
	texts := make([][]byte, len(e.scores))
	for i, f := range e.scores {
		var err error
		if texts[i], err = f.now(); err != nil {
			return err
		}
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, "[") // if the client is gone, there is nobody to tell
	for i, text := range texts {
		if i > 0 {
			_, _ = io.WriteString(w, ",")
		}
		_, _ = w.Write(text)
	}
	_, _ = io.WriteString(w, "]")
	return nil
}

// now returns JSON of the file, which is read again if it has changed.
func (s *scoreFile) now() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.path)
	if err == nil && s.info != nil && os.SameFile(info, s.info) && info.Size() == s.info.Size() && info.ModTime().Equal(s.info.ModTime()) {
		return s.text, nil
	}
	var records bytes.Buffer
	s.info, s.text = info, nil // nil if the file is not there
	problem := readRecords(&records, s.path)
	head, err := json.Marshal(filepath.Base(s.path)) // without folders
	if err != nil {
		return nil, err
	}
	s.text = fmt.Appendf(nil, `{"file":%s,"records":[%s]`, head, records.Bytes())
	if problem != nil { // why there are no more records
		reason, err := json.Marshal(problem.Error())
		if err != nil {
			return nil, err
		}
		s.text = fmt.Appendf(s.text, `,"error":%s`, reason)
	}
	s.text = append(s.text, '}')
	return s.text, nil
}

// readRecords writes the records of a file, which are objects of JSON, one after the other, with commas between
// them. Its errors do not name folders.
func readRecords(to *bytes.Buffer, path string) error {
	f, err := openRegular(path)
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
			return fmt.Errorf("record %d is no JSON: %w", n, bare(err))
		case record[0] != '{':
			return fmt.Errorf("record %d is no JSON object", n)
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
var errNotRegular = errors.New("it is no regular file")

// openRegular opens a file unless reading it could block.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, errNotRegular)
	}
	return os.Open(path)
}

// bare takes the path from an error of a file.
func bare(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	if errors.Is(err, errNotRegular) {
		return errNotRegular
	}
	return err
}

package explorer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// maxScores bounds a file of results of evaluations, in bytes.
const maxScores = 16 << 20

// A scoreFile is the records of one file of results.
type scoreFile struct {
	File    string            `json:"file"` // its name, without folders
	Records []json.RawMessage `json:"records"`
	Error   string            `json:"error,omitempty"` // why there are no more records
}

func (e *Explorer) evaluations(w http.ResponseWriter, r *http.Request) error {
	return answer{value: readScores(e.options.Scores)}.send(w, r)
}

// readScores reads files of results as they are now.
func readScores(paths []string) []scoreFile {
	files := make([]scoreFile, 0, len(paths))
	for _, path := range paths {
		s := scoreFile{File: filepath.Base(path), Records: []json.RawMessage{}}
		if err := s.read(path); err != nil {
			s.Error = err.Error()
		}
		files = append(files, s)
	}
	return files
}

// read reads the records of a file: objects of JSON, one after the other. Its errors do not name folders.
func (s *scoreFile) read(path string) error {
	f, err := openRegular(path)
	if err != nil {
		return bare(err)
	}
	defer f.Close() // nothing was written
	limited := &io.LimitedReader{R: f, N: maxScores + 1}
	dec := json.NewDecoder(limited)
	for {
		var record json.RawMessage
		err := dec.Decode(&record)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case limited.N <= 0:
			return fmt.Errorf("the file is larger than %d bytes", maxScores)
		case err != nil:
			return fmt.Errorf("record %d is no JSON: %w", len(s.Records)+1, bare(err))
		case record[0] != '{':
			return fmt.Errorf("record %d is no JSON object", len(s.Records)+1)
		}
		s.Records = append(s.Records, record)
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

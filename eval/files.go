package eval

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A File is a file that was read.
type File struct {
	Path   string `json:"path"`   // "-" for standard input
	SHA256 string `json:"sha256"` // in hexadecimal digits
	Bytes  int64  `json:"bytes"`
}

// A Source is what was read from files, usually one.
type Source struct {
	// SHA256 identifies the content of the files: the checksum of the file, or, of several files,
	// that of the text that has a line "checksum, two spaces, name of the file" for each of them.
	// That text is what sha256sum prints in their folder.
	SHA256 string `json:"sha256"`
	Files  []File `json:"files"`
}

func newSource(files []File) Source {
	s := Source{Files: files}
	if len(files) == 1 {
		s.SHA256 = files[0].SHA256
		return s
	}
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s  %s\n", f.SHA256, filepath.Base(f.Path)) // a hash takes everything
	}
	s.SHA256 = fmt.Sprintf("%x", h.Sum(nil))
	return s
}

// Hash returns the checksums of files, byte for byte as they are stored, compressed or not. It
// reads them once, from the beginning to the end.
func Hash(paths ...string) (Source, error) {
	var files []File
	for _, path := range paths {
		f, err := hash(path)
		if err != nil {
			return Source{}, ofPath(path, err)
		}
		files = append(files, f)
	}
	return newSource(files), nil
}

func hash(path string) (File, error) {
	file, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	h := sha256.New()
	n, err := io.CopyBuffer(h, file, make([]byte, 1<<20))
	return File{path, fmt.Sprintf("%x", h.Sum(nil)), n}, err
}

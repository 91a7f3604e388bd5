package train

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors"
)

// ofFile puts a file's name before an error, in place of the system call that package os puts
// there.
func ofFile(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// ofModel puts the path of a model before an error of what is in it, unless the error names
// the file.
func ofModel(path string, err error) error {
	if errors.Is(err, vectors.ErrChanged) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// readFile parses the file at path, which may be compressed.
func readFile[T any](path string, parse func(r io.Reader) (T, error)) (parsed T, err error) {
	file, err := os.Open(path)
	if err != nil {
		return parsed, err
	}
	defer file.Close()
	plain, _, err := compression.NewReader(file)
	if err != nil {
		return parsed, err
	}
	defer plain.Close()
	return parse(plain)
}

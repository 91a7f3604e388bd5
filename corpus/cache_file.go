package corpus

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

// createCache creates a file that only its owner can read, in dir, or in the system's folder
// for temporary files if dir is empty. Other users may be able to write to that folder. So
// the name cannot be guessed (os.CreateTemp would use only 32 random bits), and a file or
// link that already exists is never opened.
func createCache(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	name := "w2v-ids-" + rand.Text()
	return os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// closeCache closes and removes a file that createCache created.
func closeCache(f *os.File) error {
	err := f.Close()
	if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

package corpus

import (
	"crypto/rand"
	"os"
	"path/filepath"
)

// createCache creates a file in dir, or in the system's folder for temporary files if dir
// is empty, that its owner alone can read. Others may write to that folder: nobody can
// guess the name, which os.CreateTemp takes only 32 bits for, and a file or a link that
// is there already is never opened.
func createCache(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	name := "w2v-ids-" + rand.Text()
	return os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// calls are the system calls that create, move and remove names, and that wait for the disk.
type calls struct {
	create   func(name string, flag int, mode fs.FileMode) (*os.File, error)
	mkdir    func(name string, mode fs.FileMode) error
	link     func(f *os.File, name string) error // gives a nameless file its name
	rename   func(from, to string) error
	exchange func(a, b string) error
	remove   func(name string) error
	sync     func(f *os.File) error
}

// system holds the calls that the package uses. Tests replace them by calls that end the process
// between two steps, or that remember what a power cut would leave.
var system = calls{
	create:   os.OpenFile,
	mkdir:    os.Mkdir,
	link:     giveName,
	rename:   os.Rename,
	exchange: exchange,
	remove:   os.Remove,
	sync:     (*os.File).Sync,
}

// unfinished matches the names of files and folders that are being written.
// docs/reliability.md explains them.
var unfinished = regexp.MustCompile(`^\.w2v-[0-9a-f]{32}\.tmp$`)

// tempName returns a name that cannot be guessed.
func tempName() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails, see crypto/rand
	return ".w2v-" + hex.EncodeToString(random[:]) + ".tmp"
}

// createTemp creates a file with an unguessable name in folder.
func createTemp(folder string, mode fs.FileMode) (*os.File, error) {
	return system.create(filepath.Join(folder, tempName()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// createTempFolder creates a folder with an unguessable name in parent, which only its owner can read.
func createTempFolder(parent string) (string, error) {
	name := filepath.Join(parent, tempName())
	return name, system.mkdir(name, 0o700)
}

// discard removes a file or an empty folder, if it is still there.
func discard(name string) error {
	if err := system.remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// abandonedAfter is the age from which an unfinished file counts as left by a killed process, on
// systems where locks do not show that.
const abandonedAfter = time.Minute

// clearAbandoned removes unfinished files and folders that killed processes have left in folder.
// From an unfinished folder it removes only files of these names, and then the folder if it is
// empty. Errors are ignored.
func clearAbandoned(folder string, names ...string) {
	d, err := os.Open(folder)
	if err != nil {
		return
	}
	defer d.Close()
	there, _ := d.Readdirnames(-1)
	for _, name := range slices.DeleteFunc(there, func(name string) bool { return !unfinished.MatchString(name) }) {
		path := filepath.Join(folder, name)
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() && !info.IsDir() || time.Since(info.ModTime()) < abandonedAfter {
			continue
		}
		release, ok := seize(path)
		if !ok {
			continue
		}
		if info.IsDir() {
			for _, name := range append(names, probeName) {
				_ = system.remove(filepath.Join(path, name))
			}
		}
		_ = system.remove(path)
		release()
	}
}

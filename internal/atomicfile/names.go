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

// calls are the calls by which a name appears, moves or disappears.
type calls struct {
	create   func(name string, flag int, mode fs.FileMode) (*os.File, error)
	mkdir    func(name string, mode fs.FileMode) error
	link     func(f *os.File, name string) error // gives a nameless file its name
	rename   func(from, to string) error
	exchange func(a, b string) error
	remove   func(name string) error
}

// system is what the package calls. Tests put other calls in their place, which end the
// process between two of them.
var system = calls{
	create:   os.OpenFile,
	mkdir:    os.Mkdir,
	link:     giveName,
	rename:   os.Rename,
	exchange: exchange,
	remove:   os.Remove,
}

// unfinished is what the name of a file or folder that is being written looks like, for the
// time in which it has one. docs/reliability.md explains it.
var unfinished = regexp.MustCompile(`^\.w2v-[0-9a-f]{32}\.tmp$`)

// tempName returns a name that cannot be guessed.
func tempName() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails, see crypto/rand
	return ".w2v-" + hex.EncodeToString(random[:]) + ".tmp"
}

// createTemp creates a file of an unguessable name in folder.
func createTemp(folder string, mode fs.FileMode) (*os.File, error) {
	return system.create(filepath.Join(folder, tempName()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// createTempFolder creates a folder of an unguessable name in parent, for the owner alone.
func createTempFolder(parent string) (string, error) {
	name := filepath.Join(parent, tempName())
	return name, system.mkdir(name, 0o700)
}

// discard removes a file or an empty folder that may be gone already.
func discard(name string) error {
	if err := system.remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// abandonedAfter is how long nothing may have happened to an unfinished file before it is
// taken for one of a process that was killed, where locks do not tell.
const abandonedAfter = time.Minute

// clearAbandoned removes what processes that were killed left unfinished in folder. Of
// unfinished folders it removes the files of these names only, and the folder if nothing
// else is in it. What cannot be removed stays: nobody needs it to be gone.
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

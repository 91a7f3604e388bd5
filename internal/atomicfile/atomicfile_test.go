package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/atomicfile"
)

func writeText(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// only fails the test if folder holds anything but the named files.
func only(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("folder holds %q, want %q", got, names)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, text := range []string{"first", "second, longer", ""} {
		if err := atomicfile.Write(path, writeText(text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	only(t, dir, "model")
}

func TestFailureKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := atomicfile.Write(path, func(w io.Writer) error {
		if err := writeText("half of the n")(w); err != nil {
			t.Fatal(err)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
	if got := read(t, path); got != "old" {
		t.Errorf("got %q, want %q", got, "old")
	}
	only(t, dir, "model")
}

func TestAbort(t *testing.T) {
	dir := t.TempDir()
	f, err := atomicfile.Create(filepath.Join(dir, "model"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second does nothing
		if err := f.Abort(); err != nil {
			t.Error(err)
		}
	}
	only(t, dir)
	if err := f.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Commit after Abort: got %v, want %v", err, fs.ErrClosed)
	}
}

func TestAbortAfterCommit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := f.Abort(); err != nil {
		t.Error(err)
	}
	if got := read(t, path); got != "new" {
		t.Errorf("got %q, want %q", got, "new")
	}
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	dir := t.TempDir()
	path, plain := filepath.Join(dir, "model"), filepath.Join(dir, "plain")
	f, err := atomicfile.CreateNamed(path)
	if err != nil {
		t.Fatal(err)
	}
	temps, err := filepath.Glob(filepath.Join(dir, ".w2v-*.tmp"))
	if err != nil || len(temps) != 1 {
		t.Fatalf("temporary files %q, %v", temps, err)
	}
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if got := mode(temps[0]); got != 0o600 {
		t.Errorf("temporary file has mode %o, want 600", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := mode(path), mode(plain); got != want {
		t.Errorf("new file has mode %o, any other has %o", got, want)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, writeText("again")); err != nil {
		t.Fatal(err)
	}
	if got := mode(path); got != 0o640 {
		t.Errorf("replaced file has mode %o, want 640", got)
	}
}

func TestSymbolicLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"folder": "real", "dangling": "folder/model", "twice": "dangling", "loop": "loop",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"first", "second"} {
		if err := atomicfile.Write(filepath.Join(dir, "twice"), writeText(text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, filepath.Join(dir, "real", "model")); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	only(t, dir, "dangling", "folder", "loop", "real", "twice")
	only(t, filepath.Join(dir, "real"), "model")
	if err := atomicfile.Check(filepath.Join(dir, "loop")); err == nil {
		t.Error("a loop of links: no error")
	}
}

func TestDevice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no /dev/null")
	}
	if err := atomicfile.Check("/dev/null"); err != nil {
		t.Error(err)
	}
	if err := atomicfile.Write("/dev/null", writeText("gone")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
		t.Errorf("/dev/null was replaced: %v, %v", info.Mode(), err)
	}
}

func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	// A writer that forgets to look at its errors must not look like success.
	err := atomicfile.Write("/dev/full", func(w io.Writer) error {
		_, _ = w.Write([]byte("lost"))
		return nil
	})
	if err == nil || err.Error() != "/dev/full: no space left on device" {
		t.Errorf("got %v", err)
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(locked, 0o700) })
	tests := []struct {
		name, path string
		want       error // wrapped; nil for any
		ok         bool
	}{
		{name: "new file", path: filepath.Join(dir, "new"), ok: true},
		{name: "existing file", path: file, ok: true},
		{name: "no folder", path: filepath.Join(dir, "none", "new"), want: fs.ErrNotExist},
		{name: "a file as folder", path: filepath.Join(file, "new")},
		{name: "a folder", path: dir},
		{name: "a folder to be", path: filepath.Join(dir, "new") + string(filepath.Separator)},
		{name: "no write permission", path: filepath.Join(locked, "new"), want: fs.ErrPermission},
		{name: "nothing", path: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == fs.ErrPermission && (os.Getuid() == 0 || runtime.GOOS == "windows") { //nolint:errorlint // a table entry
				t.Skip("permissions do not bind here")
			}
			err := atomicfile.Check(tt.path)
			f, createErr := atomicfile.Create(tt.path)
			if createErr == nil {
				if err := f.Abort(); err != nil {
					t.Error(err)
				}
			}
			if (err == nil) != tt.ok || (createErr == nil) != tt.ok {
				t.Fatalf("Check: %v, Create: %v", err, createErr)
			}
			if tt.ok {
				return
			}
			if err.Error() != createErr.Error() {
				t.Errorf("Check says %q and Create %q", err, createErr)
			}
			if tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if !strings.HasPrefix(err.Error(), tt.path) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q is not a line that begins with the path", err)
			}
		})
	}
	only(t, dir, "file", "locked")
}

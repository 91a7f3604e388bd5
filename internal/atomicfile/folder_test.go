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

// create is what WriteFolder gives to make files with.
type create = func(name string, write func(io.Writer) error) error

// writeTexts writes files of these names that hold text.
func writeTexts(text string, names ...string) func(create) error {
	return func(create create) error {
		for _, name := range names {
			if err := create(name, writeText(text)); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestWriteFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, tt := range []struct {
		text, path string
		names      []string
	}{
		{"first", path, []string{"a", "b"}},
		{"second, longer", path + string(filepath.Separator), []string{"a", "b"}},
		{"third", path, []string{"a", "b", "c"}}, // more files than before
	} {
		if err := atomicfile.CheckFolder(tt.path, tt.names...); err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.WriteFolder(tt.path, writeTexts(tt.text, tt.names...)); err != nil {
			t.Fatal(err)
		}
		for _, name := range tt.names {
			if got := read(t, filepath.Join(path, name)); got != tt.text {
				t.Errorf("%s: got %q, want %q", name, got, tt.text)
			}
		}
		only(t, path, tt.names...)
		only(t, dir, "model")
	}
}

func TestWriteFolderReplacesAnEmptyOne(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteFolder(path, writeTexts("new", "a")); err != nil {
		t.Fatal(err)
	}
	only(t, path, "a")
	only(t, dir, "model")
}

// What somebody put into the folder stays, and the folder is as it was.
func TestWriteFolderKeepsForeignFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, foreign := range []string{"notes.txt", "b" + string(filepath.Separator)} { // a file, and a folder of a file's name
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.WriteFolder(path, writeTexts("old", "a")); err != nil {
			t.Fatal(err)
		}
		name := filepath.Clean(foreign)
		if strings.HasSuffix(foreign, string(filepath.Separator)) {
			if err := os.Mkdir(filepath.Join(path, name), 0o700); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(filepath.Join(path, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		want := path + ": there is already a folder with " + name + " in it, which would be lost: remove the folder, or name another one"
		if err := atomicfile.CheckFolder(path, "a", "b"); err == nil || err.Error() != want {
			t.Errorf("CheckFolder: got %v, want %s", err, want)
		}
		if err := atomicfile.WriteFolder(path, writeTexts("new", "a", "b")); err == nil || err.Error() != want {
			t.Errorf("WriteFolder: got %v, want %s", err, want)
		}
		if got := read(t, filepath.Join(path, "a")); got != "old" {
			t.Errorf("got %q, want %q", got, "old")
		}
		only(t, dir, "model")
	}
}

// A folder that came after the check, or that has other files than were announced,
// is not lost either.
func TestWriteFolderLooksAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	err := atomicfile.WriteFolder(path, func(create create) error {
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		return errors.Join(os.WriteFile(filepath.Join(path, "theirs"), nil, 0o600), create("a", writeText("new")))
	})
	if err == nil || !strings.HasPrefix(err.Error(), path+": there is already a folder with theirs in it") {
		t.Errorf("got %v", err)
	}
	only(t, path, "theirs")
	only(t, dir, "model")
}

func TestWriteFolderFailureKeepsTheOldOne(t *testing.T) {
	broken := errors.New("broken")
	half := func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		return broken
	}
	for name, write := range map[string]func(create) error{
		"a: broken": func(create create) error { return create("a", half) },
		"b: broken": func(create create) error {
			return errors.Join(create("a", writeText("new")), create("b", half))
		},
		"broken": func(create create) error { return errors.Join(create("a", writeText("new")), broken) },
		"a: file exists": func(create create) error {
			return errors.Join(create("a", writeText("new")), create("a", writeText("x")))
		},
	} {
		for _, old := range []bool{false, true} {
			dir := t.TempDir()
			path := filepath.Join(dir, "model")
			if old {
				if err := atomicfile.WriteFolder(path, writeTexts("old", "a")); err != nil {
					t.Fatal(err)
				}
			}
			err := atomicfile.WriteFolder(path, write)
			if err == nil || err.Error() != path+": "+name {
				t.Errorf("got %v, want %s: %s", err, path, name)
			}
			if !old {
				only(t, dir)
				continue
			}
			only(t, dir, "model")
			only(t, path, "a")
			if got := read(t, filepath.Join(path, "a")); got != "old" {
				t.Errorf("got %q, want %q", got, "old")
			}
		}
	}
}

func TestWriteFolderPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	dir := t.TempDir()
	path, plain := filepath.Join(dir, "model"), filepath.Join(dir, "plain")
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	err := atomicfile.WriteFolder(path, func(create create) error {
		temps, err := filepath.Glob(filepath.Join(dir, ".w2v-*.tmp"))
		if err != nil || len(temps) != 1 {
			t.Fatalf("temporary folders %q, %v", temps, err)
		}
		if got := mode(temps[0]); got != 0o700 {
			t.Errorf("temporary folder has mode %o, want 700", got)
		}
		return create("a", writeText(""))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(plain, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(plain, "a"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "a"} {
		if got, want := mode(filepath.Join(path, name)), mode(filepath.Join(plain, name)); got != want {
			t.Errorf("%q has mode %o, any other has %o", name, got, want)
		}
	}
	if err := os.Chmod(path, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteFolder(path, writeTexts("", "a")); err != nil {
		t.Fatal(err)
	}
	if got := mode(path); got != 0o750 {
		t.Errorf("replaced folder has mode %o, want 750", got)
	}
}

// A link to a folder goes on leading to it.
func TestWriteFolderSymbolicLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege")
	}
	dir := t.TempDir()
	if err := atomicfile.WriteFolder(filepath.Join(dir, "real"), writeTexts("old", "a")); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "real", "dangling": "none"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := atomicfile.WriteFolder(filepath.Join(dir, "link"), writeTexts("new", "a")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, "real", "a")); got != "new" {
		t.Errorf("got %q, want %q", got, "new")
	}
	only(t, dir, "dangling", "link", "real")
}

func TestCheckFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink("none", filepath.Join(dir, "dangling")); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		path, want string // empty if it can be written
	}{
		{filepath.Join(dir, "new"), ""},
		{filepath.Join(dir, "new") + string(filepath.Separator), ""},
		{file, "is a file, want a folder"},
		{filepath.Join(file, "new"), ""},
		{filepath.Join(dir, "none", "new"), "cannot write to the folder"},
		{filepath.Join(dir, "dangling"), "is a symbolic link to nothing, want a folder"},
		{".", "is not a folder that can be replaced: name one in it"},
		{"..", "is not a folder that can be replaced: name one in it"},
		{string(filepath.Separator), "is not a folder that can be replaced: name one in it"},
		{"", "no output path given"},
	} {
		if runtime.GOOS == "windows" && strings.HasSuffix(tt.path, "dangling") {
			continue
		}
		err := atomicfile.CheckFolder(tt.path)
		if tt.path == filepath.Join(file, "new") {
			if err == nil { // says so in the words of the system
				t.Errorf("%s: no error", tt.path)
			}
			continue
		}
		if tt.want == "" && err == nil {
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), tt.path) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.path, err, tt.want)
		}
		if err := atomicfile.WriteFolder(tt.path, writeTexts("", "a")); err == nil {
			t.Errorf("%s: WriteFolder says nothing", tt.path)
		}
	}
}

// What somebody puts into the old folder at the last moment is kept beside the new one.
func TestWriteFolderKeepsLateFiles(t *testing.T) {
	for _, noExchange := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "model")
		if err := atomicfile.WriteFolder(path, writeTexts("old", "a")); err != nil {
			t.Fatal(err)
		}
		restore := atomicfile.System{NoExchange: noExchange, Before: func(call string) {
			if verb, _, _ := strings.Cut(call, " "); verb == "exchange" || verb == "rename" && strings.HasPrefix(call, "rename "+path+" ") {
				if err := os.WriteFile(filepath.Join(path, "late"), []byte("late"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}}.Use()
		err := atomicfile.WriteFolder(path, writeTexts("new", "a"))
		restore()
		aside := path + ".before-w2v"
		if err == nil || !strings.HasPrefix(err.Error(), path+": is written, but the folder that was there before is now "+aside+": ") {
			t.Errorf("without exchange %v: %v", noExchange, err)
		}
		only(t, dir, "model", "model.before-w2v")
		only(t, aside, "late")
		if got := read(t, filepath.Join(path, "a")); got != "new" {
			t.Errorf("the new file is %q", got)
		}
	}
}

// Nothing that was written, or failed to be, stays open.
func TestNothingStaysOpen(t *testing.T) {
	open := func() int {
		there, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(there)
	}
	dir := t.TempDir()
	failing := func(io.Writer) error { return errors.New("no") }
	before := 0
	for n := range 3 {
		if n == 1 {
			before = open()
		}
		for _, content := range []func(io.Writer) error{writeText("text"), failing} {
			_ = atomicfile.Write(filepath.Join(dir, "file"), content)
			_ = atomicfile.WritePair(filepath.Join(dir, "pair"), ".beside", writeText("text"), content)
			_ = atomicfile.WriteFolder(filepath.Join(dir, "folder"), func(create create) error { return create("a", content) })
			_ = atomicfile.Check(filepath.Join(dir, "file"))
			_ = atomicfile.CheckFolder(filepath.Join(dir, "folder"), "a")
		}
		lock, err := atomicfile.NewLock(filepath.Join(dir, "file"))
		if err != nil {
			t.Skip(err)
		}
		if f, _, err := atomicfile.Beside(filepath.Join(dir, "pair"), ".beside"); err == nil {
			f.Close()
		}
		lock.Release()
	}
	if after := open(); after != before {
		t.Errorf("%d files are open, %d were before", after, before)
	}
}

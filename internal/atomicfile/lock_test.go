//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows

package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestLock(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	first, err := NewLock(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func() {
		t.Helper()
		_, err := NewLock(filepath.Join(dir, "x", "..", "file"))
		inUse, ok := errors.AsType[*InUseError](err)
		if !ok || !strings.HasPrefix(inUse.Holder, fmt.Sprintf("process %d on ", os.Getpid())) || strings.Contains(err.Error(), "\n") {
			t.Errorf("a second lock: %v", err)
		}
		if holder, held := Holder(path); !held || holder != inUse.Holder {
			t.Errorf("holder %q, %v", holder, held)
		}
	}
	refused()
	// It is of the path, whatever file is there.
	for range 2 {
		if err := Write(path, func(w io.Writer) error { _, err := w.Write([]byte("text")); return err }); err != nil {
			t.Fatal(err)
		}
		refused()
	}
	other, err := NewLock(filepath.Join(dir, "other"))
	if err != nil {
		t.Errorf("of another file: %v", err)
	}
	other.Release()
	first.Release()
	first.Release()
	if _, held := Holder(path); held {
		t.Error("held when it is released")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("files are %v", entries)
	}

	// What a process has left that was killed does not matter; anything else is left alone.
	name := filepath.Join(dir, ".w2v-file.lock")
	for content, ok := range map[string]bool{"w2v locks file (process 1 on host, since then)": true, "": true, "w2v": true, "my diary": false} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		lock, err := NewLock(path)
		if ok != (err == nil) {
			t.Errorf("where there is %q: %v", content, err)
		}
		if err == nil {
			lock.Release()
			continue
		}
		if b, err := os.ReadFile(name); err != nil || string(b) != content {
			t.Errorf("is now %q, %v", b, err)
		}
		if _, no := errors.AsType[*NoLockError](err); !no {
			t.Errorf("is no NoLockError: %v", err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLockWhereThereIsNone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"missing/file", strings.Repeat("n", 250)} {
		_, err := NewLock(filepath.Join(dir, name))
		if _, ok := errors.AsType[*NoLockError](err); !ok {
			t.Errorf("%.20s: %v", name, err)
		}
	}
	lock, err := NewLock(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	lock.Release()
}

// A lock is of its name: one that its last holder removes while this process waits for it is none.
func TestLockThatIsRemovedMeanwhile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a lock that is held cannot be removed")
	}
	path := filepath.Join(t.TempDir(), "file")
	defer func(real calls) { system = real }(system)
	opened := 0
	system.create = func(name string, flag int, mode fs.FileMode) (*os.File, error) {
		file, err := os.OpenFile(name, flag, mode)
		if opened++; opened <= 2 {
			_ = os.Remove(name)
		}
		return file, err
	}
	lock, err := NewLock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := NewLock(path); err == nil || opened < 3 {
		t.Errorf("a second lock after %d tries: %v", opened, err)
	}
}

// Of many who want a lock one has it at a time, also while it is removed and made again.
func TestLockIsHeldByOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var holders, got atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 15 {
				lock, err := NewLock(path)
				if err != nil {
					continue
				}
				got.Add(1)
				if holders.Add(1) != 1 {
					t.Error("two hold it")
				}
				holders.Add(-1)
				lock.Release()
			}
		})
	}
	all.Wait()
	if got.Load() == 0 {
		t.Error("nobody got it")
	}
}

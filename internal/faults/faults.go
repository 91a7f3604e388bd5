// Package faults makes faults on purpose: writers that run out of room, readers that
// give little and then fail, and disks that are full. Tests use it to see that nothing is lost.
package faults

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"syscall"
	"testing"
)

// A Writer takes so many bytes and then fails, as a disk does that is full.
type Writer struct {
	W     io.Writer // where the bytes go; nil to drop them
	Room  int64     // how many it takes
	Err   error     // what it fails with; nil for syscall.ENOSPC
	Fails int       // how often it has failed
}

// Write takes what there is room for, and fails if that is not all of p.
func (w *Writer) Write(p []byte) (n int, err error) {
	fits := p[:min(int64(len(p)), max(0, w.Room))]
	n = len(fits)
	if w.W != nil {
		if n, err = w.W.Write(fits); err != nil {
			return n, err
		}
	}
	w.Room -= int64(n)
	if n == len(p) {
		return n, nil
	}
	w.Fails++
	if w.Err != nil {
		return n, w.Err
	}
	return n, syscall.ENOSPC
}

// A Reader gives a few bytes at a time, as a pipe may, and then fails if it is told to.
type Reader struct {
	R    io.Reader
	Most int    // a read gives 1 to Most bytes; 0 for as many as are asked for
	Seed uint64 // of the random numbers of bytes
	Err  error  // what it fails with after Room bytes; nil for never
	Room int64

	random *rand.Rand
}

// Read gives some of the next bytes.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if r.Most > 0 {
		if r.random == nil {
			r.random = rand.New(rand.NewPCG(r.Seed, 0))
		}
		p = p[:min(len(p), 1+r.random.IntN(r.Most))]
	}
	if r.Err != nil {
		if r.Room <= 0 {
			return 0, r.Err
		}
		p = p[:min(int64(len(p)), r.Room)]
	}
	n, err := r.R.Read(p)
	r.Room -= int64(n)
	return n, err
}

// Tmpfs returns a folder on a disk of so many bytes, which is gone when the test
// ends. The test is skipped where there can be none: only root on Linux may mount it.
func Tmpfs(t testing.TB, size int64) string {
	t.Helper()
	folder := t.TempDir()
	if said, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", size), "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("no small disk to fill: mounting one: %v: %s", err, said)
	}
	t.Cleanup(func() {
		if said, err := exec.Command("umount", "-l", folder).CombinedOutput(); err != nil {
			t.Errorf("unmounting %s: %v: %s", folder, err, said)
		}
	})
	return folder
}

// ReadOnly makes the disk that a folder of Tmpfs is take no more writes.
func ReadOnly(t testing.TB, folder string) {
	t.Helper()
	if said, err := exec.Command("mount", "-o", "remount,ro", folder).CombinedOutput(); err != nil {
		t.Fatalf("mounting %s again: %v: %s", folder, err, said)
	}
}

package faults

import (
	"fmt"
	"syscall"
	"testing"
)

// Tmpfs returns a folder on a disk of so many bytes, which is gone when the test
// ends. The test is skipped where there can be none: only root may mount.
func Tmpfs(t testing.TB, size int64) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("no small disk to fill: mounting one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmounting %s: %v", folder, err)
		}
	})
	return folder
}

// ReadOnly makes the disk that a folder of Tmpfs is take no more writes.
func ReadOnly(t testing.TB, folder string) {
	t.Helper()
	if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatalf("mounting %s again: %v", folder, err)
	}
}

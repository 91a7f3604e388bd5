package sysinfo_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/faults"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

func TestFree(t *testing.T) {
	const size = 1 << 20
	small := faults.Tmpfs(t, size)
	for _, path := range []string{"new", "new.folder/", "there"} {
		if got, ok := sysinfo.FreeDisk(filepath.Join(small, path)); !ok || got != size {
			t.Errorf("%s: %d bytes, %v; want %d", path, got, ok, size)
		}
	}
	there := filepath.Join(small, "there")
	if err := os.WriteFile(there, make([]byte, size/2), 0o666); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(there, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{there, link} { // the old file stays until the new one is complete
		if got, ok := sysinfo.FreeDisk(path); !ok || got != size/2 {
			t.Errorf("%s: %d bytes, %v; want %d", path, got, ok, size/2)
		}
	}
	if err := sysinfo.CheckDisk(link, size/2); err != nil {
		t.Error(err)
	}
	err := sysinfo.CheckDisk(link, 69e6)
	full, ok := errors.AsType[*sysinfo.DiskFullError](err)
	if !ok || full.Need != 69e6 || full.Free != size/2 || full.Folder != small {
		t.Errorf("error %+v", full)
	}
	want := link + ": needs about 69 MB and " + small + " has 524 kB free: free some space, or give another path"
	if err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}

func TestFreeOfThisFolder(t *testing.T) {
	if got, ok := sysinfo.FreeDisk("file"); !ok || got == 0 {
		t.Errorf("%d bytes, %v", got, ok)
	}
}

// Where nothing can be known nothing is said.
func TestNothingIsKnown(t *testing.T) {
	paths := []string{"", filepath.Join(t.TempDir(), "none", "file")}
	if runtime.GOOS != "windows" {
		dangling := filepath.Join(t.TempDir(), "dangling")
		if err := os.Symlink("none", dangling); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, dangling, "/dev/null", "/dev/stdout")
	}
	for _, path := range paths {
		if got, ok := sysinfo.FreeDisk(path); ok && path != "/dev/stdout" { // which may be a file
			t.Errorf("%s: %d bytes", path, got)
		}
		if err := sysinfo.CheckDisk(path, 1<<62); err != nil && path != "/dev/stdout" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestSizesAreShort(t *testing.T) {
	for bytes, want := range map[uint64]string{
		0: " 0 bytes ", 999: " 999 bytes ", 1000: " 1.0 kB ", 69_400_000: " 69 MB ", 3_200_000_000: " 3.2 GB ", 1 << 62: "TB ",
	} {
		if got := (&sysinfo.DiskFullError{Need: bytes}).Error(); !strings.Contains(got, want) {
			t.Errorf("%d: %s", bytes, got)
		}
	}
}

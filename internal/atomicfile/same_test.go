package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSame(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"file", "other"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll("folder/inner", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Link("file", "hard"); err != nil {
		t.Skip(err)
	}
	for link, to := range map[string]string{"to-file": "file", "to-later": "later", "to-link": "to-later", "to-folder": "folder", "loop": "loop", "far": filepath.Join(dir, "folder", "later")} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"file", "file", true},
		{"file", "./folder/../file", true},
		{"file", filepath.Join(dir, "file"), true},
		{"file", "other", false},
		{"file", "hard", true},
		{"to-file", "hard", true},
		{"file", "later", false},
		{"later", "later", true},
		{"later", filepath.Join(dir, "later"), true},
		{"to-later", "later", true},
		{"to-link", "later", true},
		{"to-link", "to-later", true},
		{"to-later", "LATERS", false},
		{"folder/later", "later", false},
		{"to-folder/later", "folder/later", true},
		{"far", "to-folder/../folder/later", true},
		{"to-folder", "folder/", true},
		{"missing/file", "missing/file", true},
		{"missing/file", "missing/other", false},
		{"loop", "later", false},
		{os.DevNull, os.DevNull, false}, // two may write there
	} {
		for _, names := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := Same(names[0], names[1]); got != tt.want {
				t.Errorf("Same(%q, %q) = %v", names[0], names[1], got)
			}
		}
	}
	// Where names are the same in upper case, so are those of files to come.
	_, err := os.Stat("FILE")
	if folds := err == nil; folds != Same("file", "FILE") {
		t.Errorf("Same of file and FILE is %v", !folds)
	}
	for path, want := range map[string]bool{
		"folder": true, "folder/later": true, "folder/inner/later": true, "to-folder/x/y": true, "far": true,
		"folders": false, "later": false, ".": false, strings.Repeat("../", 30): false,
	} {
		if got := Within(path, "folder"); got != want {
			t.Errorf("Within(%q, folder) = %v", path, got)
		}
	}
	if !Within("later/a", "later") || Within("later", "later/a") {
		t.Error("of a folder that is not there yet")
	}
}

package faults_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/w2v-go/w2v/internal/faults"
)

func TestTmpfsIsSmall(t *testing.T) {
	folder := faults.Tmpfs(t, 64<<10)
	path := filepath.Join(folder, "file")
	err := os.WriteFile(path, make([]byte, 100<<10), 0o600)
	if err == nil || !strings.HasSuffix(err.Error(), syscall.ENOSPC.Error()) {
		t.Errorf("writing more than there is room for: %v", err)
	}
	faults.ReadOnly(t, folder)
	if err := os.Remove(path); err == nil {
		t.Error("a read-only disk has been changed")
	}
}

//go:build !linux

package faults

import "testing"

// Tmpfs skips the test: small disks can be mounted on Linux alone.
func Tmpfs(t testing.TB, _ int64) string {
	t.Helper()
	t.Skip("no small disk to fill: only Linux has tmpfs")
	return ""
}

// ReadOnly is for folders of Tmpfs, of which there are none.
func ReadOnly(t testing.TB, folder string) {
	t.Helper()
	t.Fatalf("%s is not a folder of Tmpfs", folder)
}

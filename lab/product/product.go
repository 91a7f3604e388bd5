// Package product finds the module that this one measures and tests, and builds its program.
package product

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Folder returns the folder of the product's source code.
func Folder(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/w2v-go/w2v").Output()
	if err != nil {
		return "", fmt.Errorf("finding the product's source code: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Build builds the program w2v as the file at path, without cgo as releases are. Flags are those
// of go build.
func Build(ctx context.Context, path string, flags ...string) error {
	return build(ctx, path, "CGO_ENABLED=0", flags)
}

// BuildMPI builds the program w2v that trains on several ranks as the file at path. It resolves names as the program
// without cgo does.
func BuildMPI(ctx context.Context, path string) error {
	return build(ctx, path, "CGO_ENABLED=1", []string{"-tags", "mpi,netgo,osusergo"})
}

func build(ctx context.Context, path, cgo string, flags []string) error {
	folder, err := Folder(ctx)
	if err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, "go", append(append([]string{"build", "-C", folder, "-o", path}, flags...), "./cmd/w2v")...)
	c.Env = append(os.Environ(), cgo)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building w2v: %w\n%s", err, out)
	}
	return nil
}

// FileName is the name of the program's file on this system.
func FileName() string {
	if runtime.GOOS == "windows" {
		return "w2v.exe"
	}
	return "w2v"
}

// Version names the program with the commit that it is built from and the version of Go.
func Version(ctx context.Context) string {
	version := "w2v of this repository"
	if out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty").Output(); err == nil {
		version = "w2v " + strings.TrimSpace(string(out))
	}
	return version + ", " + runtime.Version()
}

package docs

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/lab/product"
)

//go:embed given.mk
var givenRules []byte

// clone is the given name of a copy of the repository: the page's folder is one then.
const clone = "clone"

// sameDigits has programs compute the same digits on all processors that have these kernels, as one thread does.
const sameDigits = "W2V_SIMD=avx2"

// A Workshop has what the blocks of pages need.
type Workshop struct {
	root     string   // the repository
	folder   string   // has everything that is made
	env      []string // of blocks
	digits   []string // the environment of blocks whose digits pages show; nil if this processor has not the kernels
	isolated []string // the words before a command, with which it has a network and processes of its own; nil if that is not possible

	making sync.Mutex // given files are made one request at a time
	// Without networks and processes of their own, a page with a server runs alone: it has the ports,
	// and may send signals to all programs of a name.
	serving sync.RWMutex
}

// NewWorkshop builds the program. What it makes is in folder.
func NewWorkshop(ctx context.Context, folder string) (*Workshop, error) {
	root, err := product.Folder(ctx)
	if err != nil {
		return nil, err
	}
	w := &Workshop{root: root, folder: folder}
	for _, name := range []string{"bin", "pages"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o777); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "given.mk"), givenRules, 0o666); err != nil {
		return nil, err
	}
	program := w.program()
	// Without paths the build cache also serves copies of the repository.
	if err := product.Build(ctx, program, "-trimpath", "-ldflags=-s -w"); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	paths := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(paths) != 3 {
		return nil, fmt.Errorf("go env: %q", out)
	}
	w.env = []string{
		"PATH=" + filepath.Join(folder, "bin") + ":" + filepath.Join(paths[2], "bin") + ":" + os.Getenv("PATH"),
		"LANG=C.UTF-8",
		"TERM=dumb",
		"GOMAXPROCS=1",
		"W2V_BINARY=" + program,
		"PYTHONPATH=" + filepath.Join(root, "python", "src"),
		"PYTHONDONTWRITEBYTECODE=1",
		"GOCACHE=" + paths[0],
		"GOMODCACHE=" + paths[1],
		"GOFLAGS=-trimpath",
		"GOPROXY=off",
		"CGO_ENABLED=0",
	}
	version := exec.CommandContext(ctx, program, "--version")
	version.Env = append(os.Environ(), sameDigits)
	if version.Run() == nil {
		w.digits = []string{sameDigits}
	}
	for _, unshare := range [][]string{{"unshare"}, {"unshare", "--map-root-user"}} {
		prefix := append(unshare, "--net", "--pid", "--mount", "--mount-proc", "--fork", "--kill-child", "--")
		if exec.CommandContext(ctx, prefix[0], append(prefix[1:], "ip", "link", "set", "lo", "up")...).Run() == nil {
			w.isolated = prefix
			break
		}
	}
	return w, nil
}

// program is the path of w2v.
func (w *Workshop) program() string { return filepath.Join(w.folder, "bin", product.FileName()) }

// prepare makes a folder with what the rules of given files begin with, unless it is there.
func (w *Workshop) prepare(folder string) error {
	if _, err := os.Stat(filepath.Join(folder, "demo")); err == nil {
		return nil
	}
	text, err := io.ReadAll(demo.Corpus(demo.DefaultSentences, demo.DefaultSeed))
	if err != nil {
		return err
	}
	files := map[string][]byte{"demo/corpus.txt": text}
	for _, set := range demo.Sets() {
		files["demo/sets/"+set.Path] = []byte(set.Text)
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// give puts files and folders that a reader has into the folder of a page. They are made with env.
func (w *Workshop) give(ctx context.Context, names []string, page string, env []string) error {
	var targets []string
	for _, name := range names {
		if name == clone {
			if err := w.clone(ctx, page); err != nil {
				return err
			}
			continue
		}
		targets = append(targets, strings.TrimSuffix(name, "/"))
	}
	if len(targets) == 0 {
		return nil
	}
	w.making.Lock()
	defer w.making.Unlock()
	shared := filepath.Join(append([]string{w.folder, "given"}, env...)...)
	if err := w.prepare(shared); err != nil {
		return err
	}
	make := exec.CommandContext(ctx, "make", append([]string{"--silent", "-f", filepath.Join(w.folder, "given.mk")}, targets...)...)
	make.Dir, make.Env = shared, append(append(append([]string{}, w.env...), env...), "HOME="+w.folder, "TESTDATA="+filepath.Join(w.root, "testdata"))
	if out, err := make.CombinedOutput(); err != nil {
		return fmt.Errorf("making the given files %s: %w\n%s", strings.Join(targets, " "), err, out)
	}
	for _, name := range targets {
		if _, err := os.Lstat(filepath.Join(page, name)); err == nil {
			return fmt.Errorf("%s is given, but the page has made it itself", name)
		}
		if out, err := exec.CommandContext(ctx, "cp", "-R", filepath.Join(shared, name), filepath.Join(page, name)).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return nil
}

// clone copies the repository, as it is now, into a folder.
func (w *Workshop) clone(ctx context.Context, folder string) error {
	list := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = w.root
	names, err := list.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(w.root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and not committed yet
		}
		if err != nil {
			return err
		}
		info, err := os.Stat(filepath.Join(w.root, name))
		if err != nil {
			return err
		}
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return nil
}

// build builds the program of a block in a module that uses this repository, and returns its path.
func (w *Workshop) build(ctx context.Context, source, folder string) (program string, err error) {
	module, err := os.ReadFile(filepath.Join(w.root, "go.mod"))
	if err != nil {
		return "", err
	}
	sums, err := os.ReadFile(filepath.Join(w.root, "go.sum"))
	if err != nil {
		return "", err
	}
	const path = "github.com/w2v-go/w2v"
	module = bytes.Replace(module, []byte("module "+path), []byte("module example.org/program"), 1)
	module = fmt.Appendf(module, "\nrequire %s v0.0.0\nreplace %s => %s\n", path, path, w.root)
	if err := os.Mkdir(folder, 0o777); err != nil {
		return "", err
	}
	for name, text := range map[string][]byte{"go.mod": module, "go.sum": sums, "main.go": []byte(source)} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			return "", err
		}
	}
	for _, args := range [][]string{{"vet", "."}, {"build", "-ldflags=-s -w", "-o", "program", "."}} {
		command := exec.CommandContext(ctx, "go", args...)
		command.Dir, command.Env = folder, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -mod=mod", "GOWORK=off")
		if out, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go %s: %w\n%s", args[0], err, out)
		}
	}
	return filepath.Join(folder, "program"), nil
}

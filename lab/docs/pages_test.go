package docs

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/lab/product"
)

// tools are the programs that pages use. Where one is missing, nothing is run; where W2V_DOCS is
// "require", as in .ci/run, that is an error.
var tools = []string{"bash", "curl", "git", "go", "ip", "jq", "make", "openssl", "script", "unshare", "zstd"}

// modules are what pages import in Python.
const modules = "numpy, gensim, torch, sklearn, pandas, crcmod, faiss"

// reasons are why a block may not be run: the beginnings of its comment's text.
var reasons = []string{
	"needs the network",
	"needs a container engine",
	"needs another computer",
	"needs a Python package that Debian lacks",
	"needs a program that Debian lacks",
	"a step of .ci/run",
	"measures for minutes",
}

// most is how many blocks of all pages may not be run. Raise it for a block that cannot run, not
// for one that does not.
const most = 50

// commandsPage has the examples of all help texts.
const commandsPage = "docs/commands.md"

// source returns the folder of the repository and the names of all pages in it.
func source(t *testing.T) (root string, names []string) {
	t.Helper()
	root, err := product.Folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "python/README.md"} {
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			names = append(names, name)
		}
	}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			name, _ := filepath.Rel(root, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil || len(names) < 20 {
		t.Fatalf("%d pages: %v", len(names), err)
	}
	return root, names
}

// parse reads a page of the repository.
func parse(t *testing.T, root, name string) *Page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// missing says what pages need and this machine lacks.
func missing() string {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return err.Error()
		}
	}
	if out, err := exec.Command("/usr/bin/python3", "-c", "import "+modules).CombinedOutput(); err != nil {
		return fmt.Sprintf("/usr/bin/python3 -c 'import %s': %v\n%s", modules, err, out)
	}
	return ""
}

// The workshop, which all tests share, and its folder, which is made first.
var folder string

var newWorkshop = sync.OnceValues(func() (w *Workshop, err error) {
	if folder, err = os.MkdirTemp("", "w2v-docs-"); err != nil {
		return nil, err
	}
	return NewWorkshop(context.Background(), folder)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if folder != "" && os.Getenv("W2V_DOCS_KEEP") == "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

func workshop(t *testing.T) *Workshop {
	t.Helper()
	if lacks := missing(); lacks != "" {
		if os.Getenv("W2V_DOCS") == "require" {
			t.Fatal(lacks)
		}
		t.Skip(lacks)
	}
	w, err := newWorkshop()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Every block of every page runs, and prints what the page shows.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all pages")
	}
	w := workshop(t)
	root, names := source(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := parse(t, root, name)
			if w.isolated == nil && p.serves() && os.Getenv("W2V_DOCS") != "require" {
				t.Skip("unshare cannot give the page a network of its own, and servers of others may be at its ports")
			}
			if name != commandsPage {
				if err := w.Run(t.Context(), p); err != nil {
					t.Error(err)
				}
				return
			}
			for _, example := range Examples(p) {
				t.Run(fmt.Sprintf("line %d", example.Blocks[0].Line), func(t *testing.T) {
					t.Parallel()
					if err := w.Run(t.Context(), example); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// Few blocks are not run, and each says why.
func TestBlocksThatAreNotRun(t *testing.T) {
	root, names := source(t)
	count := 0
	for _, name := range names {
		for _, b := range parse(t, root, name).Blocks {
			if b.NotRun == "" {
				continue
			}
			count++
			t.Logf("%s:%d: %s", name, b.Line, b.NotRun)
			if !slices.ContainsFunc(reasons, func(reason string) bool { return strings.HasPrefix(b.NotRun, reason) }) {
				t.Errorf("%s:%d: %q is none of the reasons %q", name, b.Line, b.NotRun, reasons)
			}
		}
	}
	if count > most {
		t.Errorf("%d blocks are not run, expected at most %d", count, most)
	}
}

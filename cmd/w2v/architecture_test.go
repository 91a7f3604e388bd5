package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/w2v-go/w2v/"

// rootPackage teaches the others and exports nothing.
const rootPackage = "github.com/w2v-go/w2v"

// mayImport is the way of the data: what each library may know of this module,
// and which modules of others. See docs/architecture.md.
var mayImport = map[string][]string{
	rootPackage:            {},
	"hashing":              {},
	"subword":              {"hashing", "internal/absent"},
	"corpus":               {"internal/absent", "internal/compression", "internal/wordbreak", "internal/wordlimit", "golang.org/x/sys/unix", "github.com/edsrzf/mmap-go", "github.com/clipperhouse/uax29/v2", "golang.org/x/sync"},
	"vocab":                {"corpus", "internal/absent", "internal/memory", "golang.org/x/sync"},
	"vectors":              {"subword", "hashing", "internal/absent", "internal/simd", "internal/pq", "internal/eigen", "internal/memory", "internal/compression", "internal/atomicfile", "internal/wordbreak", "internal/wordlimit", "github.com/edsrzf/mmap-go", "golang.org/x/sync", "golang.org/x/sys", "gonum.org/v1/gonum"},
	"sgns":                 {"corpus", "vocab", "subword", "vectors", "internal/absent", "internal/simd", "internal/memory", "golang.org/x/sync"},
	"eval":                 {"vectors", "internal/absent", "internal/simd", "golang.org/x/sync", "golang.org/x/text", "gonum.org/v1/gonum"},
	"train":                {"corpus", "vocab", "subword", "sgns", "vectors", "eval", "internal/absent", "internal/atomicfile", "internal/compression", "internal/cputime", "internal/disk", "internal/memory", "internal/setting"},
	"internal/absent":      {},
	"internal/simd":        {"golang.org/x/sys"},
	"internal/pq":          {"internal/simd", "internal/eigen", "golang.org/x/sync"},
	"internal/eigen":       {"golang.org/x/sync", "gonum.org/v1/gonum"},
	"internal/compression": {"github.com/klauspost/compress"},
	"internal/atomicfile":  {"golang.org/x/sys"},
	"internal/memory":      {"golang.org/x/sys"},
	"internal/wordlimit":   {},
	"internal/disk":        {"golang.org/x/sys"},
	"internal/wordbreak":   {"github.com/clipperhouse/uax29/v2"},
	"internal/demo":        {},
	"internal/cputime":     {"golang.org/x/sys"},
	"internal/faults":      {},
	"internal/chart":       {"gonum.org/v1/plot"},
	"sweep":       {"corpus", "vocab", "sgns", "vectors", "eval", "internal/chart", "internal/compression", "internal/atomicfile", "github.com/BurntSushi/toml"},
}

// When garbage goes back to the system is for the program to decide: a package may be part
// of another one.
func TestPackagesLeaveGarbageAlone(t *testing.T) {
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == filepath.Join("..", "..", "cmd", "w2v") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, call := range []string{"debug.FreeOSMemory(", "debug.SetGCPercent("} {
			if strings.Contains(string(text), call) {
				t.Errorf("%s calls %s)", path, call)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The root package says where to find every package that other modules can import, and has
// nothing of its own.
func TestRootPackageNamesTheOthers(t *testing.T) {
	doc, err := os.ReadFile("../../doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for name := range mayImport {
		if name != rootPackage && !strings.HasPrefix(name, "internal/") && !strings.Contains(string(doc), "["+module+name+"]") {
			t.Errorf("doc.go does not name %s", name)
		}
	}
	if out, err := exec.Command("go", "doc", "-short", rootPackage).Output(); err != nil || len(out) > 0 {
		t.Errorf("the root package exports %s, %v", out, err)
	}
}

// The program that README has for users of the library compiles.
func TestProgramOfReadmeCompiles(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(readme), "```go\n")
	program, _, ok := strings.Cut(program, "```")
	if !ok || !strings.HasPrefix(program, "package main\n") {
		t.Fatalf("there is no program in README.md: %q", program)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Data flows one way, and libraries know nothing of terminals and flags.
func TestImportsFollowTheData(t *testing.T) {
	list := exec.Command("go", "list", "-json=ImportPath,Imports", "./../../...")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		allowed, ok := mayImport[name]
		if !ok {
			if name != "cmd/w2v" {
				t.Errorf("package %s has no line in mayImport", name)
			}
			continue
		}
		seen++
		for _, imported := range p.Imports {
			first, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(first, ".") && imported != "flag" && imported != "log" {
				continue // the standard library
			}
			imported = strings.TrimPrefix(imported, module)
			if !slices.ContainsFunc(allowed, func(a string) bool { return imported == a || strings.HasPrefix(imported, a+"/") }) {
				t.Errorf("%s imports %s", name, imported)
			}
		}
	}
	if seen != len(mayImport) {
		t.Errorf("%d of %d packages are there", seen, len(mayImport))
	}
}

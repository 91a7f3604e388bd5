package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/w2v-go/w2v/"

// mayImport is the way of the data: what each library may know of this module,
// and which modules of others. See docs/architecture.md.
var mayImport = map[string][]string{
	"hashing":              {},
	"subword":              {"hashing"},
	"corpus":               {"internal/compression", "internal/wordlimit", "golang.org/x/sys/unix", "github.com/edsrzf/mmap-go", "github.com/clipperhouse/uax29/v2", "golang.org/x/sync"},
	"vocab":                {"corpus", "internal/memory", "golang.org/x/sync"},
	"vectors":              {"subword", "hashing", "internal/simd", "internal/pq", "internal/compression", "internal/atomicfile", "internal/wordlimit", "github.com/edsrzf/mmap-go", "golang.org/x/sync", "golang.org/x/sys", "gonum.org/v1/gonum"},
	"sgns":                 {"corpus", "vocab", "subword", "vectors", "internal/simd", "internal/memory", "golang.org/x/sync"},
	"eval":                 {"vectors", "internal/simd", "golang.org/x/sync", "gonum.org/v1/gonum"},
	"internal/simd":        {"golang.org/x/sys"},
	"internal/pq":          {"internal/simd", "golang.org/x/sync", "gonum.org/v1/gonum"},
	"internal/compression": {"github.com/klauspost/compress"},
	"internal/atomicfile":  {"golang.org/x/sys/unix"},
	"internal/memory":      {"golang.org/x/sys"},
	"internal/wordlimit":   {},
	"internal/disk":        {"golang.org/x/sys"},
	"internal/demo":        {},
	"internal/cputime":     {"golang.org/x/sys"},
	"internal/figures":     {},
	"internal/gensim":      {},
	"internal/machine":     {},
	"internal/faults":      {},
	"internal/chart":       {"gonum.org/v1/plot"},
	"internal/sweep":       {"corpus", "vocab", "sgns", "vectors", "eval", "internal/chart", "internal/compression", "internal/atomicfile", "github.com/BurntSushi/toml"},
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
			if name != "cmd/w2v" && name != "internal/interop" && name != "internal/bench" && name != "internal/variants" && name != "internal/reliability" {
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

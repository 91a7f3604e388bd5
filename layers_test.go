package w2v_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/w2v-go/w2v"

// A layer is one package, or with /... all packages of a folder that have no layer of their
// own, and what they may import besides the standard library: packages of this module, and
// modules of others. Data flows one way: from bytes to ids, from ids to vectors, from
// vectors to files and scores.
type layer struct {
	name      string
	mayImport string
}

// variants are the packages whose types are the variants of a model. Only sgns and what puts
// them together know them.
const variants = "sgns/internal/arch sgns/internal/loss sgns/internal/compose"

// layers is the one list of who may import whom. docs/architecture.md explains it.
var layers = []layer{
	{"", ""}, // the root teaches the others

	// Processes that train together.
	{"cluster", ""},
	{"cluster/mpi", "cluster"},
	{"internal/ranktest", "cluster"}, // for tests

	// From bytes to ids to rows.
	{"packaging/licenses", "golang.org/x/text"}, // a program for releases
	{"hashing", ""},
	{"corpus", "internal/parquet internal/atomicfile internal/extsort internal/plaintext internal/decimal internal/scratch internal/compression internal/wordbreak github.com/clipperhouse/uax29/v2 golang.org/x/text internal/tokenizerfile internal/wording"},
	{"internal/parquet", "internal/half github.com/klauspost/compress"}, // tables as texts
	{"corpus/kmers", "corpus"},                         // sequences of biology as text
	{"corpus/pipeline", "corpus corpus/kmers phrases"}, // a text as tokens, as the training text was cut
	// A graph is read from edges as a corpus is, and its walks are a corpus.
	{"graph", "corpus internal/plaintext internal/decimal internal/scratch internal/atomicfile internal/sysinfo internal/wording golang.org/x/sync github.com/edsrzf/mmap-go"},
	{"vocab", "cluster hashing corpus internal/hugepages internal/wordbreak internal/extsort internal/plaintext internal/atomicfile internal/scratch internal/sysinfo internal/wording golang.org/x/sync golang.org/x/sys github.com/edsrzf/mmap-go"},
	{"corpus/tokenizer", "corpus vocab internal/tokenizerfile internal/wording golang.org/x/sync"}, // tokenizers of subwords
	{"phrases", "corpus vocab internal/plaintext internal/decimal"},
	{"subword", "hashing internal/wording"},
	{"internal/rowtable", "subword"},

	// Training knows no format and no file name.
	{"sgns", "cluster vocab vectors sgns/internal/checkpoint sgns/internal/config sgns/internal/engine sgns/internal/plan sgns/internal/ranks sgns/internal/ranks/... sgns/internal/run sgns/internal/settings sgns/internal/step sgns/internal/warmstart internal/setting"},
	{"sgns/internal/config", "vocab subword vectors internal/setting sgns/internal/arch sgns/internal/loss sgns/internal/variant sgns/internal/step sgns/internal/settings"},
	{"sgns/internal/model", "vocab internal/eigen internal/rowtable internal/simd vectors sgns/internal/params sgns/internal/step sgns/internal/variant"},
	{"sgns/internal/warmstart", "vocab subword internal/rowtable vectors sgns/internal/config sgns/internal/model sgns/internal/params sgns/internal/random sgns/internal/variant"},
	{"sgns/internal/plan", "vocab subword internal/counting internal/rowtable internal/simd internal/sysinfo sgns/internal/arch sgns/internal/config sgns/internal/counts sgns/internal/engine sgns/internal/params sgns/internal/settings sgns/internal/step sgns/internal/variant sgns/internal/warmstart"},
	{"sgns/internal/checkpoint", "vocab subword internal/rowtable vectors sgns/internal/config sgns/internal/engine sgns/internal/model sgns/internal/monitor sgns/internal/params sgns/internal/plan sgns/internal/variant"},
	// The loop of a run knows no other process: those come in as its Synchroniser.
	{"sgns/internal/run", "vocab subword vectors internal/rowtable internal/sysinfo internal/wording golang.org/x/sync sgns/internal/checkpoint sgns/internal/config sgns/internal/counts sgns/internal/engine sgns/internal/model sgns/internal/monitor sgns/internal/params sgns/internal/plan sgns/internal/step sgns/internal/variant sgns/internal/warmstart"},
	{"sgns/internal/ranks", "cluster vocab internal/rowtable vectors internal/sharedmem internal/sysinfo sgns/internal/checkpoint sgns/internal/config sgns/internal/engine sgns/internal/loss sgns/internal/model sgns/internal/monitor sgns/internal/params sgns/internal/plan sgns/internal/random sgns/internal/ranks/... sgns/internal/run sgns/internal/settings sgns/internal/step"},
	{"sgns/internal/ranks/replica", "cluster vectors internal/simd sgns/internal/monitor"}, // rows that ranks share
	{"sgns/internal/ranks/divided", "cluster vocab vectors internal/simd sgns/internal/ranks/replica sgns/internal/engine sgns/internal/loss sgns/internal/params sgns/internal/random"},
	{"sgns/internal/trial", "corpus vocab subword vectors sgns/internal/config sgns/internal/settings"}, // for tests
	{"sgns/internal/random", ""},
	{"sgns/internal/reference", ""}, // for readers and tests
	{"sgns/internal/capability", ""},
	{"sgns/internal/settings", "subword vectors internal/setting"},
	{"sgns/internal/params", "vectors internal/half internal/simd sgns/internal/random"},
	{"sgns/internal/step", "vocab vectors internal/simd sgns/internal/params sgns/internal/random sgns/internal/settings"},
	{"sgns/internal/arch", "vocab subword vectors internal/simd sgns/internal/random sgns/internal/step sgns/internal/params sgns/internal/capability sgns/internal/settings"},
	{"sgns/internal/counts", "vocab internal/scratch internal/simd golang.org/x/sync sgns/internal/random sgns/internal/settings"}, // pairs of words
	{"sgns/internal/loss", "vocab vectors internal/simd sgns/internal/step sgns/internal/params sgns/internal/capability sgns/internal/settings sgns/internal/random internal/counting"},
	{"sgns/internal/compose", "vocab subword internal/rowtable vectors internal/simd sgns/internal/step sgns/internal/params sgns/internal/capability sgns/internal/settings sgns/internal/random"},
	{"sgns/internal/variant", variants + " vocab internal/rowtable sgns/internal/counts sgns/internal/step sgns/internal/params sgns/internal/capability sgns/internal/settings"},
	{"sgns/internal/engine", "vocab internal/rowtable vectors internal/simd sgns/internal/counts sgns/internal/step sgns/internal/params sgns/internal/random sgns/internal/variant"},
	{"sgns/internal/monitor", "vocab sgns/internal/engine"},

	// Vectors in memory, what is made of them, their files, and what they are worth.
	{"vectors", "internal/decimal subword hashing vectors/internal/... internal/simd internal/half internal/hugepages internal/endian internal/wordbreak golang.org/x/sync"},
	{"vectors/internal/backing", "vectors/internal/parallel"}, // mapped memory
	{"vectors/internal/coded", "internal/pq"},                 // rows that are stored coded
	{"vectors/internal/parallel", "golang.org/x/sync"},
	{"vectors/internal/scan", "vectors vectors/internal/parallel internal/simd"},
	{"vectors/internal/trial", "vectors vectors/... subword internal/rowtable internal/pq"}, // for tests
	{"vectors/transform", "vectors vectors/internal/... subword hashing internal/endian internal/pq internal/eigen internal/sysinfo golang.org/x/sync gonum.org/v1/gonum"},
	{"vectors/align", "vectors vectors/transform vectors/internal/... internal/plaintext internal/simd internal/sysinfo golang.org/x/sync gonum.org/v1/gonum"},
	{"vectors/inspect", "vectors vectors/transform vectors/internal/... subword hashing internal/eigen internal/sysinfo golang.org/x/sync gonum.org/v1/gonum"},
	{"vectors/projection", "vectors vectors/transform vectors/internal/scan internal/atomicfile internal/clustering internal/eigen internal/simd internal/sysinfo golang.org/x/sync gonum.org/v1/gonum"},
	{"vectors/metadata", "internal/plaintext internal/decimal internal/wording"},                          // tables of facts about words
	{"vectors/query", "vectors vectors/format vectors/convert corpus corpus/pipeline internal/wordbreak"}, // what people ask of a model
	{"vectors/pooling", "vectors internal/simd"}, // texts from words
	{"vectors/index", "vectors vectors/format vectors/pooling vectors/query vectors/internal/... internal/simd internal/sysinfo"}, // the nearest of millions
	{"vectors/convert", "vectors vectors/... internal/sysinfo"},
	{"vectors/format/...", "internal/parquet vectors vectors/format/... vectors/internal/... vectors/pooling subword internal/wording internal/plaintext internal/decimal internal/pq internal/safetensors internal/endian internal/half internal/atomicfile internal/compression internal/wordbreak github.com/edsrzf/mmap-go golang.org/x/sys"},
	{"eval", "internal/plaintext internal/decimal internal/wordbreak vectors vectors/pooling vectors/query internal/clustering internal/simd internal/compression golang.org/x/sync golang.org/x/text gonum.org/v1/gonum internal/wording"},
	{"eval/labels", "eval gonum.org/v1/gonum"}, // predictions of labels, whoever makes them
	{"eval/report", "eval eval/labels internal/wording"},

	// What a run needs, in one call.
	{"train", "internal/fileuse cluster corpus corpus/kmers corpus/pipeline graph vocab phrases subword sgns vectors vectors/... eval internal/atomicfile internal/compression internal/sysinfo internal/setting internal/wordbreak internal/buildinfo gonum.org/v1/gonum internal/wording"},
	// Texts into labels.
	{"classify/internal/opinions", ""},
	{"classify", "internal/ordered classify/internal/scorer vocab sgns eval/labels corpus corpus/pipeline subword vectors vectors/... internal/temperature golang.org/x/sync internal/decimal internal/wording"},
	{"classify/internal/scorer", "corpus corpus/pipeline hashing subword vectors internal/simd internal/temperature internal/topk"},
	{"classify/tune", "classify corpus eval/labels sgns vectors vectors/format vectors/transform internal/halving"}, // settings
	// Vectors of whole corpora.
	{"embed", "corpus corpus/pipeline vectors vectors/pooling vectors/query internal/atomicfile internal/half internal/hugepages internal/ordered internal/parquet internal/simd"},
	// Vectors of texts from pairs of texts, or from those of a teacher.
	{"pairs", "corpus corpus/pipeline subword vectors vectors/format/npy eval internal/decimal internal/eigen internal/parquet internal/scratch internal/simd internal/sysinfo"},
	// The terms of another program.
	{"fasttext", "train corpus classify classify/tune eval/labels sgns vectors vectors/format vectors/format/fasttext vectors/transform internal/atomicfile internal/topk vectors/query internal/decimal"},
	{"plots", "vectors vectors/inspect vectors/metadata vectors/projection eval internal/chart internal/clustering"},
	{"sweep", "internal/fileuse train eval corpus vocab sgns vectors vectors/... internal/chart internal/atomicfile internal/compression internal/decimal internal/sysinfo internal/halving github.com/BurntSushi/toml gonum.org/v1/gonum internal/wording"},
	// Models over HTTP.
	{"serve", "classify golang.org/x/sync serve/... corpus/pipeline vectors vectors/... internal/decimal internal/wording internal/sysinfo github.com/klauspost/compress"},
	// It trains on the built-in text, to show real numbers without a model.
	{"serve/lessons", "corpus corpus/tokenizer vocab subword sgns train sweep eval vectors internal/atomicfile internal/demo internal/eigen internal/wording"},
	{"serve/internal/facts", "vectors vectors/metadata"},
	{"serve/internal/models", "vectors vectors/... internal/compression internal/sysinfo"},
	{"cmd/w2v", "internal/parquet internal/fileuse classify classify/tune embed cluster cluster/mpi fasttext pairs plots serve serve/explorer serve/lessons train sweep sgns eval eval/... vectors vectors/... corpus corpus/kmers corpus/pipeline graph vocab phrases subword internal/terminal internal/setting internal/wording internal/buildinfo internal/demo internal/atomicfile internal/compression internal/plaintext internal/decimal internal/simd internal/sysinfo github.com/spf13/cobra github.com/spf13/pflag github.com/schollz/progressbar/v3 golang.org/x/term corpus/tokenizer"},

	// Rooms of one subject.
	{"serve/explorer", "serve/web serve/internal/explore vectors vectors/... internal/eigen"}, // a model as one page
	{"serve/internal/explore", "serve/internal/facts vectors vectors/... golang.org/x/sync"},
	{"serve/web", "github.com/klauspost/compress"}, // the built front end
	{"internal/counting", ""}, // what training makes of counts
	{"internal/endian", ""},
	{"internal/decimal", ""},
	{"internal/ordered", "golang.org/x/sync"}, // work on all processors in the order of a stream
	{"internal/half", ""},
	{"internal/hugepages", "golang.org/x/sys"},
	{"internal/plaintext", ""},
	{"internal/setting", ""},
	{"internal/wording", ""},
	{"internal/longtest", ""},    // for tests
	{"internal/temperature", ""}, // calibrates probabilities
	{"internal/topk", ""},        // the best of many, in the order of GNU's C++ library
	{"internal/terminal", "vectors vectors/query internal/wording charm.land/bubbletea/v2 charm.land/bubbles/v2 charm.land/lipgloss/v2 github.com/charmbracelet/x golang.org/x/text"},
	{"internal/demo", ""},
	{"internal/faults", ""},
	{"internal/scratch", ""},
	{"internal/extsort", "internal/scratch"},
	{"internal/atomicfile", "golang.org/x/sys"},
	{"internal/fileuse", "internal/atomicfile"},
	{"internal/buildinfo", "golang.org/x/mod"},
	{"internal/clustering", ""}, // k-means, unions of clusters, and how well clusters agree with classes
	{"internal/chart", "internal/sysinfo gonum.org/v1/plot codeberg.org/go-fonts/liberation golang.org/x/image golang.org/x/text"},
	{"internal/compression", "github.com/klauspost/compress github.com/therootcompany/xz"},
	{"internal/eigen", "gonum.org/v1/gonum golang.org/x/sync"},
	{"internal/halving", "golang.org/x/sync"},
	{"internal/pq", "internal/simd internal/eigen golang.org/x/sync"},
	{"internal/safetensors", "internal/endian"},
	{"internal/simd", "internal/half golang.org/x/sys"},
	{"internal/sharedmem", "golang.org/x/sys"},
	{"internal/sysinfo", "golang.org/x/sys"},
	{"internal/tokenizerfile", "internal/wordbreak github.com/clipperhouse/uax29/v2 github.com/dlclark/regexp2 golang.org/x/text"},
	{"internal/wordbreak", "github.com/clipperhouse/uax29/v2 golang.org/x/text"},
}

// allows reports whether a list of what may be imported has a package.
func allows(list, imported string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(name string) bool {
		name, below := strings.CutSuffix(name, "/...")
		external := strings.Contains(name, ".")
		return imported == name || (below || external) && strings.HasPrefix(imported, name+"/")
	})
}

// A goPackage is what go list says of a package.
type goPackage struct {
	ImportPath, Name                         string
	Imports, Deps, TestImports, XTestImports []string
}

// listPackages returns all packages of this module.
func listPackages(t *testing.T) []goPackage {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return all
}

var listed = sync.OnceValues(func() (all []goPackage, err error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Name,Imports,Deps,TestImports,XTestImports", "./...").Output()
	for dec := json.NewDecoder(bytes.NewReader(out)); err == nil; {
		var p goPackage
		if err = dec.Decode(&p); err == nil {
			all = append(all, p)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return all, err
})

// local is the name of a package without the module's.
func local(importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// Data flows one way, and libraries know nothing of terminals and flags.
func TestLayers(t *testing.T) {
	all := listPackages(t)
	forTests := map[string]bool{}
	for _, p := range all {
		forTests[p.ImportPath] = slices.Contains(p.Imports, "testing")
	}
	seen, used := map[string]bool{}, map[string][]string{} // by the names of layers
	for _, p := range all {
		name := local(p.ImportPath)
		var of *layer
		for i, l := range layers {
			if folder, below := strings.CutSuffix(l.name, "/..."); l.name == name || below && of == nil && (name == folder || strings.HasPrefix(name, folder+"/")) {
				of = &layers[i]
			}
		}
		if of == nil {
			t.Errorf("package %s has no line in layers", name)
			continue
		}
		seen[of.name] = true
		for _, imported := range p.Imports {
			if forTests[imported] {
				t.Errorf("%s imports %s, which is for tests", name, imported)
			}
			if isStandard(imported) {
				if p.Name != "main" && (imported == "flag" || imported == "log") && !allows(of.mayImport, imported) {
					t.Errorf("%s imports %s", name, imported)
				}
				continue
			}
			if imported = local(imported); !allows(of.mayImport, imported) {
				t.Errorf("%s imports %s", name, imported)
			}
			used[of.name] = append(used[of.name], imported)
		}
	}
	for _, l := range layers {
		if !seen[l.name] {
			t.Errorf("layers has a line for %s, and there is no such package", l.name)
		}
		for _, may := range strings.Fields(l.mayImport) {
			// Modules of others may be for other systems, and cluster/mpi needs a tag.
			if l.name != "cluster/mpi" && may != "cluster/mpi" && !strings.Contains(may, ".") && !slices.ContainsFunc(used[l.name], func(imported string) bool { return allows(may, imported) }) {
				t.Errorf("%s may import %s, which it does not", l.name, may)
			}
		}
	}
}

// What the rows above say of one step must hold of all steps together, too.
func TestWhatLayersNeverReach(t *testing.T) {
	never := map[string]string{
		"sgns":              module + "/vectors/format/... " + module + "/train " + module + "/eval",
		"sgns/internal/run": module + "/sgns/internal/ranks/...",
		"vectors":           module + "/vectors/format/... " + module + "/internal/compression " + module + "/internal/atomicfile",
		"train":             module + "/sweep gonum.org/v1/plot",
	}
	for _, p := range listPackages(t) {
		list := never[local(p.ImportPath)]
		if p.Name != "main" && !slices.Contains(p.Imports, "testing") {
			list += " github.com/spf13/cobra github.com/spf13/pflag github.com/schollz/progressbar/v3 golang.org/x/term flag"
		}
		for _, needed := range p.Deps {
			if allows(list, needed) {
				t.Errorf("%s needs %s, by way of others", p.ImportPath, needed)
			}
		}
	}
}

// lab tests and measures the product, and the product, its tests included, does not know it.
func TestNothingImportsLab(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, imported := range slices.Concat(p.Imports, p.Deps, p.TestImports, p.XTestImports) {
			if imported == module+"/lab" || strings.HasPrefix(imported, module+"/lab/") {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), module+"/lab") {
			t.Errorf("%s names lab", file)
		}
	}
}

// The root package says where to find every package that other modules can import, except the
// formats, which vectors/format lists. It exports nothing.
func TestRootPackageNamesTheOthers(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range listPackages(t) {
		if name := p.ImportPath; name != module && p.Name != "main" && !strings.Contains(name, "/internal/") && !strings.Contains(name, "/vectors/format/") && !strings.Contains(string(doc), "["+name+"]") {
			t.Errorf("doc.go does not name %s", name)
		}
	}
	if out, err := exec.Command("go", "doc", "-short", module).Output(); err != nil || len(out) > 0 {
		t.Errorf("the root package exports %s, %v", out, err)
	}
}

package w2v_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sources calls visit for each Go file of this repository that is neither a test nor generated,
// with its lines. The path has slashes.
func sources(t *testing.T, visit func(path string, lines []string)) {
	t.Helper()
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && !generated.Match(text) {
			visit(filepath.ToSlash(path), strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// When garbage goes back to the system, and what is printed, is for the program to decide: a
// package may be part of another one.
func TestLibrariesLeaveTheProcessAlone(t *testing.T) {
	sources(t, func(path string, lines []string) {
		if strings.HasPrefix(path, "cmd/") || strings.HasPrefix(path, "lab/") || strings.HasPrefix(path, "packaging/") || strings.HasPrefix(path, "internal/simd/_gen/") {
			return
		}
		for i, line := range lines {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			for _, call := range []string{"debug.FreeOSMemory(", "debug.SetGCPercent(", "os.Exit(", "fmt.Print", "os.Stdout", "os.Stderr", "signal.Notify"} {
				if strings.Contains(line, call) {
					t.Errorf("%s:%d has %s", path, i+1, call)
				}
			}
		}
	})
}

// definers are the packages that define variants, and the table of settings, which names them.
var definers = []string{"subword", "sgns/internal/arch", "sgns/internal/loss", "sgns/internal/config"}

// knowing are functions outside of definers that may know of a variant: a format of another program
// holds the n-grams of that program, and no others.
var knowing = []string{
	"fasttext.settings", "fasttext.Set", "fasttext", // what the program fastText does
	"classify.Advice",    // losses suit numbers of labels
	"classify.StartFrom", // a classifier has fastText's n-grams
	"pairs.StartFrom",    // models of pairs have fastText's n-grams
	"classify.usualRate", // rates were measured loss by loss
	"vectors/format/fasttext.argsOf", "vectors/format/fasttext.checkSubword", "vectors/format/fasttext.readKept",
	"vectors/format/finalfusion.checkSubword", "vectors/format/finalfusion.vocabOf",
	"vectors/format/floret.checkSubword", "vectors/format/floret.write",
}

// parts of variants are settings that a variant may have, by their fields, and owners the packages that compute
// what they ask for.
var (
	parts  = []string{"Tied", "Rank", "Nested", "PositionWeights", "WordNgrams"}
	owners = []string{"sgns/internal/variant", "sgns/internal/compose", "sgns/internal/settings"}
)

// A variantSet holds what the definers define.
type variantSet struct {
	symbols map[string]bool // kinds of n-grams, compositions, architectures and losses
	names   map[string]bool // by which files and users know them, but for those that formats have too
}

// definedVariants reads the definers.
func definedVariants(t *testing.T) variantSet {
	v := variantSet{map[string]bool{}, map[string]bool{}}
	sources(t, func(path string, _ []string) {
		if !slices.Contains(definers, filepath.ToSlash(filepath.Dir(path))) {
			return
		}
		ast.Inspect(parsed(t, path, nil), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "kind" && n.Recv != nil { // of an indexer
					v.symbols[typeName(n.Recv.List[0].Type)] = true
				}
				if n.Name.Name == "Name" && len(n.Body.List) == 1 {
					v.literals(n.Body.List[0].(*ast.ReturnStmt).Results)
				}
			case *ast.ValueSpec:
				if kind, ok := n.Type.(*ast.Ident); ok && slices.Contains([]string{"Composition", "Arch", "Loss"}, kind.Name) {
					for _, name := range n.Names {
						v.symbols[name.Name] = true
					}
					v.literals(n.Values)
				}
			case *ast.CompositeLit:
				for _, part := range n.Elts {
					if field, ok := part.(*ast.KeyValueExpr); ok && typeName(n.Type) == "Kind" && typeName(field.Key) == "Name" {
						v.literals([]ast.Expr{field.Value})
					}
				}
			}
			return true
		})
	})
	for _, format := range []string{"fasttext", "floret", "finalfusion"} {
		delete(v.names, format)
	}
	return v
}

// literals adds the texts among expressions to the names.
func (v variantSet) literals(list []ast.Expr) {
	for _, x := range list {
		if text, ok := x.(*ast.BasicLit); ok && text.Kind == token.STRING && text.Value != `""` {
			v.names[strings.Trim(text.Value, `"`)] = true
		}
	}
}

// is reports whether an expression is a variant, or its name.
func (v variantSet) is(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.StarExpr:
		return v.is(x.X)
	case *ast.CompositeLit:
		return slices.ContainsFunc(x.Elts, v.is)
	case *ast.SelectorExpr:
		in, ok := x.X.(*ast.Ident)
		return ok && slices.Contains([]string{"subword", "sgns", "config", "arch", "loss"}, in.Name) && v.symbols[x.Sel.Name]
	case *ast.BasicLit:
		return x.Kind == token.STRING && v.names[strings.Trim(x.Value, `"`)]
	}
	return false
}

// isPart reports whether an expression is a part of a variant, or its length.
func isPart(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.UnaryExpr:
		return isPart(x.X)
	case *ast.CallExpr:
		return typeName(x.Fun) == "len" && len(x.Args) == 1 && isPart(x.Args[0])
	case *ast.SelectorExpr:
		return slices.Contains(parts, x.Sel.Name) && slices.Contains([]string{"Model", "Config", "config", "Run", "run"}, typeName(x.X))
	}
	return false
}

// compared returns where a function compares something with a variant, looks it up among variants, asks whether
// something is of the type of one, or asks for a part of a variant.
func (v variantSet) compared(of ast.Node) (at []token.Pos) {
	ast.Inspect(of, func(n ast.Node) bool {
		var with, asked []ast.Expr
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if asked = []ast.Expr{n.X, n.Y}; n.Op == token.EQL || n.Op == token.NEQ {
				with = asked
			}
		case *ast.IfStmt:
			asked = []ast.Expr{n.Cond}
			if init, ok := n.Init.(*ast.AssignStmt); ok {
				asked = append(asked, init.Rhs...)
			}
		case *ast.SwitchStmt:
			asked = []ast.Expr{n.Tag}
		case *ast.CaseClause:
			with, asked = n.List, n.List
		case *ast.TypeAssertExpr:
			with = []ast.Expr{n.Type}
		case *ast.IndexExpr:
			with = []ast.Expr{n.Index}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					with = append(with, pair.Key)
				}
			}
		case *ast.CallExpr:
			if f := typeName(n.Fun); f == "Contains" || f == "Index" {
				with = n.Args
			}
		}
		if slices.ContainsFunc(with, v.is) || slices.ContainsFunc(asked, isPart) {
			at = append(at, n.Pos())
		}
		return true
	})
	return at
}

func parsed(t *testing.T, path string, text any) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(positions, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

var positions = token.NewFileSet()

// typeName returns the name of a type, or of a field, without a package and a pointer.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

// A variant is known by what it can do. No line asks which composition, architecture, loss or kind of
// n-grams something is, but for those that define variants.
func TestNothingAsksForVariants(t *testing.T) {
	v := definedVariants(t)
	for _, want := range []string{"Mean", "Whole", "Pieces", "Weighted", "FastText", "Hash", "Pruned", "CBOW", "HierarchicalSoftmax"} {
		if !v.symbols[want] {
			t.Errorf("%s is not among the variants", want)
		}
	}
	for _, want := range []string{"weighted", "hash", "cbow", "ns"} {
		if !v.names[want] {
			t.Errorf("%q is not among the names of variants", want)
		}
	}
	for body, want := range map[string]int{
		`_ = c == subword.Mean`: 1, `_ = subword.Mean != c`: 1, `switch c { case subword.Whole: }`: 1, `_ = x.(*subword.Pruned)`: 1,
		`switch x.(type) { case nil, subword.Hash: }`: 1, `_ = c.Name() == "weighted"`: 1, `switch arch { case "cbow": }`: 1,
		`_ = map[string]int{"cbow": 1}[arch]`: 1, `_ = known["hs"]`: 1, `_ = slices.Contains([]string{"ns", "x"}, loss)`: 1,
		`if s.Model.Tied {}`: 1, `if n := len(c.Config.Nested); n > 0 {}`: 1, `switch { case r.Run.Rank > 0: }`: 1, `s.Model.Rank = 3`: 0,
		`_ = config.Arch == sgns.CBOW`: 1, `c = subword.Mean`: 0, `_ = c.OwnRows()`: 0, `f(subword.FastText{}, "cbow")`: 0,
	} {
		if at := v.compared(parsed(t, "example.go", "package p\nfunc f() {"+body+"}")); len(at) != want {
			t.Errorf("%s compares %d variants, expected %d", body, len(at), want)
		}
	}
	needed := map[string]bool{}
	sources(t, func(path string, _ []string) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if strings.HasPrefix(path, "lab/") || filepath.Base(folder) == "trial" || slices.Contains(slices.Concat(definers, owners), folder) {
			return // trial makes all variants, for tests
		}
		for _, d := range parsed(t, path, nil).Decls {
			name := folder
			if f, ok := d.(*ast.FuncDecl); ok {
				name += "." + f.Name.Name
			}
			for _, at := range v.compared(d) {
				if needed[name] = true; !slices.Contains(knowing, name) {
					t.Errorf("%s: %s asks for a variant: ask what the variant can do", positions.Position(at), name)
				}
			}
		}
	})
	for _, name := range knowing {
		if !needed[name] {
			t.Errorf("%s asks for no variant: it needs no excuse", name)
		}
	}
}

// How a user says what a text asks for is for the program to add: a library knows of no flags and
// no commands. Only the lines of help in the table of settings name other settings as flags, and stores
// are read by commands of others.
func TestLibrariesNameNoFlags(t *testing.T) {
	named := regexp.MustCompile(`(^|[^\w-])--[a-z]|\bw2v (train|sweep|convert|factorize|quantize|eval|vocab|export)\b`)
	for in, want := range map[string]bool{"needs --dim": true, "--dim": true, "(w2v train)": true, "a -- b": false, "w2v locks": false} {
		if named.MatchString(in) != want {
			t.Errorf("%q names a flag or command: %t, want %t", in, !want, want)
		}
	}
	sources(t, func(path string, _ []string) {
		folder, _, _ := strings.Cut(path, "/")
		if folder == "cmd" || folder == "lab" || path == "sgns/internal/config/settings.go" || path == "corpus/store.go" {
			return
		}
		ast.Inspect(parsed(t, path, nil), func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if value, err := strconv.Unquote(text.Value); err != nil || named.MatchString(value) {
					t.Errorf("%s names a flag or a command: %s", positions.Position(text.Pos()), text.Value)
				}
			}
			return true
		})
	})
}

// The program that README has for users of the library compiles.
func TestProgramOfReadmeCompiles(t *testing.T) {
	readme, err := os.ReadFile("README.md")
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

// The workflow ci runs every part of .ci/run, once.
func TestWorkflowRunsAllParts(t *testing.T) {
	script, err := os.ReadFile(".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	workflow, err := os.ReadFile(".github/workflows/ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^part_(\w+)\(\)`).FindAllStringSubmatch(string(script), -1) {
		want = append(want, m[1])
	}
	list := regexp.MustCompile(`(?ms)^parts=\($(.*?)^\)$`).FindStringSubmatch(string(script))
	if list == nil {
		t.Fatal("there is no list of parts")
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+) +#`).FindAllStringSubmatch(list[1], -1) {
		listed = append(listed, m[1])
	}
	for _, m := range regexp.MustCompile(`, parts: ([\w ]+?) }`).FindAllStringSubmatch(string(workflow), -1) {
		got = append(got, strings.Fields(m[1])...)
	}
	for _, all := range [][]string{want, listed, got} {
		slices.Sort(all)
	}
	if len(want) < 10 || !slices.Equal(listed, want) || !slices.Equal(got, want) {
		t.Errorf(".ci/run has the functions of %q, lists %q, and the workflow runs %q", want, listed, got)
	}
}

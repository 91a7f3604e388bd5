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

// How a user says what a text asks for is for the program to add: a library knows of no flags and
// no commands. Only the lines of help in the table of settings name other settings as flags.
func TestLibrariesNameNoFlags(t *testing.T) {
	named := regexp.MustCompile(`(^|[^\w-])--[a-z]|\bw2v (train|sweep|convert|factorize|quantize|eval|vocab|export)\b`)
	for in, want := range map[string]bool{"needs --dim": true, "--dim": true, "(w2v train)": true, "a -- b": false, "w2v locks": false} {
		if named.MatchString(in) != want {
			t.Errorf("%q names a flag or command: %t, want %t", in, !want, want)
		}
	}
	sources(t, func(path string, _ []string) {
		folder, _, _ := strings.Cut(path, "/")
		if folder == "cmd" || folder == "lab" || path == "sgns/internal/config/settings.go" {
			return
		}
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
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

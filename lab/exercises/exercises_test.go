package exercises

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/demo"
)

// exercises are the two that CONTRIBUTING.md walks through: each is one new file and one line.
var exercises = []struct {
	source, file string // of the new file: here, and where it goes
	list, after  string // where the line goes: into this file, behind this line
	line         string
}{
	{
		source: "margin.go.txt", file: "sgns/internal/loss/margin.go",
		list: "sgns/internal/loss/loss.go", after: "\t\tHierarchicalSoftmax,\n", line: "\t\tMargin,\n",
	},
	{
		source: "letters.go.txt", file: "subword/letters.go",
		list: "subword/kind.go", after: "\t\thashKind(),\n", line: "\t\tlettersKind(),\n",
	},
}

const root = "../.."

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// CONTRIBUTING.md has the exercises as they are compiled here.
func TestExercisesAreInContributing(t *testing.T) {
	guide := read(t, filepath.Join(root, "CONTRIBUTING.md"))
	for _, e := range exercises {
		if !strings.Contains(guide, "```go\n"+read(t, e.source)+"```\n") {
			t.Errorf("CONTRIBUTING.md lacks %s, or has another version of it", e.source)
		}
		for _, what := range []string{e.file, e.list, strings.TrimSpace(e.line)} {
			if !strings.Contains(guide, "`"+what+"`") {
				t.Errorf("CONTRIBUTING.md does not name `%s`", what)
			}
		}
	}
}

// extended builds the program with the exercises in it, and returns where it is.
func extended(t *testing.T) (program string) {
	t.Helper()
	module := t.TempDir()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || name == "lab" || name == "docs" || strings.HasPrefix(name, ".") && name != "."):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(module, name), 0o777)
		case !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(module, name), text, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range exercises {
		list := read(t, filepath.Join(module, e.list))
		if strings.Count(list, e.after) != 1 {
			t.Fatalf("%s has the line %q %d times, expected once", e.list, e.after, strings.Count(list, e.after))
		}
		for path, text := range map[string]string{
			e.file: read(t, e.source),
			e.list: strings.Replace(list, e.after, e.after+e.line, 1),
		} {
			if err := os.WriteFile(filepath.Join(module, path), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	program = filepath.Join(t.TempDir(), "w2v")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	for _, args := range [][]string{{"vet", "./sgns/internal/loss", "./subword"}, {"build", "-o", program, "./cmd/w2v"}} {
		command := exec.Command("go", args...)
		command.Dir = module
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return program
}

// run runs the program and returns what it wrote to stdout and to stderr.
func run(t *testing.T, program string, args ...string) (out, messages string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.Command(program, args...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("w2v %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// heldOutLoss matches what train says of an evaluation.
var heldOutLoss = regexp.MustCompile(`held-out loss ([0-9.]+)`)

// A new loss and a new composition are trained, and work in every command, without another
// line being changed.
func TestExercises(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := extended(t)
	dir := t.TempDir()
	corpus, unknown := filepath.Join(dir, "corpus.txt"), "unheardofword"
	text, err := io.ReadAll(demo.Corpus(5000, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(corpus, text, 0o666); err != nil {
		t.Fatal(err)
	}
	help, _ := run(t, program, "train", "--help")
	for _, part := range []string{"negative sampling with a hinge", "of characters with their positions", "--positions"} {
		if !strings.Contains(strings.Join(strings.Fields(help), " "), part) {
			t.Errorf("train --help lacks %q", part)
		}
	}
	for _, variant := range []struct {
		name  string
		flags []string
		info  []string
		whole bool // words have no pieces
	}{
		{"margin", []string{"--loss", "margin"}, []string{"margin"}, true},
		{"letters", []string{"--subwords", "letters", "--positions", "6"}, []string{"letters"}, false},
		{"margin-of-cbow-of-letters", []string{"--loss", "margin", "--arch", "cbow", "--subwords", "letters", "--nested", "8,24", "--deterministic"}, []string{"margin", "cbow", "letters"}, false},
		{"structured-margin", []string{"--loss", "margin", "--arch", "structured"}, []string{"margin", "structured"}, true},
	} {
		t.Run(variant.name, func(t *testing.T) {
			model, checkpoint := filepath.Join(dir, variant.name+".w2v"), filepath.Join(dir, variant.name+".ck")
			common := []string{"train", corpus, "-o", model, "--dim", "24", "--threads", "1", "--sample", "1e-3", "--validate", "0.05", "--checkpoint", checkpoint}
			_, messages := run(t, program, append(append(common, "--epochs", "4"), variant.flags...)...)
			losses := heldOutLoss.FindAllStringSubmatch(messages, -1)
			if len(losses) != 4 {
				t.Fatalf("%d evaluations, expected 4:\n%s", len(losses), messages)
			}
			first, errFirst := strconv.ParseFloat(losses[0][1], 64)
			last, errLast := strconv.ParseFloat(losses[3][1], 64)
			if errFirst != nil || errLast != nil || !(last < 0.97*first) {
				t.Errorf("the held-out loss was %v after the first epoch and %v after the last one", first, last)
			}
			if similar, _ := run(t, program, "nn", model, "the", "-k", "5"); strings.Count(similar, "\n") != 5 {
				t.Errorf("nn: %q", similar)
			}
			info, _ := run(t, program, "info", model)
			for _, part := range variant.info {
				if !strings.Contains(info, part) {
					t.Errorf("info lacks %q:\n%s", part, info)
				}
			}
			if !variant.whole {
				if vector, _ := run(t, program, "vector", model, unknown); len(strings.Fields(vector)) != 1+24 {
					t.Errorf("vector of an unknown word: %q", vector)
				}
			}
			// The checkpoint of the ended run goes on for another epoch.
			_, messages = run(t, program, "train", corpus, "-o", model+".longer.w2v", "--resume", checkpoint, "--extend-epochs", "1")
			if more := heldOutLoss.FindAllString(messages, -1); len(more) != 1 {
				t.Errorf("a run that was resumed has %d evaluations, expected 1:\n%s", len(more), messages)
			}
		})
	}
	t.Run("sweep", func(t *testing.T) {
		config, pairs := filepath.Join(dir, "sweep.toml"), filepath.Join(dir, "pairs.tsv")
		for path, text := range map[string]string{
			pairs: "the\ta\t5\nof\tin\t4\nand\tto\t3\n",
			config: fmt.Sprintf(`corpus = [%q]
similarity = [%q]
output = %q
[settings]
dim = 10
epochs = 1
loss = ["ns", "margin"]
subwords = ["none", "letters"]
`, corpus, pairs, filepath.Join(dir, "swept")),
		} {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		table, messages := run(t, program, "sweep", config, "--threads", "1", "--progress", "never")
		for _, part := range []string{"margin", "letters"} {
			if !strings.Contains(table, part) || strings.Contains(messages, "skipped") {
				t.Errorf("the table of a sweep lacks %q:\n%s%s", part, table, messages)
			}
		}
	})
	t.Run("refusals", func(t *testing.T) {
		for _, refused := range []struct {
			flags []string
			want  string
		}{
			{[]string{"--loss", "hinge"}, "ns, hs or margin"},
			{[]string{"--subwords", "letters", "--positions", "0"}, "positions is 0, must be from 1 to 255"},
			{[]string{"--subwords", "letters", "--tied"}, "tied vectors are one row a word"},
			{[]string{"--positions", "3"}, "--positions needs --subwords letters"},
		} {
			command := exec.Command(program, append([]string{"train", corpus, "-o", filepath.Join(dir, "refused.w2v")}, refused.flags...)...)
			if out, err := command.CombinedOutput(); err == nil || !strings.Contains(string(out), refused.want) {
				t.Errorf("%v: error %v, %q, want %q", refused.flags, err, out, refused.want)
			}
		}
	})
}

package exercises

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
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

// exercises are those that CONTRIBUTING.md walks through: each is one new file and one line in a list.
var exercises = []struct {
	source, file string // of the new file: here, and where it goes
	list         string // the file whose lines follow
	lines        []line
}{
	{"margin.go.txt", "sgns/internal/loss/margin.go", "sgns/internal/loss/loss.go", []line{
		{after: "return []Kind{\n\t\tNegativeSampling,\n\t\tHierarchicalSoftmax,\n", line: "\t\tMargin,\n"},
	}},
	{"letters.go.txt", "subword/letters.go", "subword/kind.go", []line{
		{after: "\thashKind,\n", line: "\tlettersKind,\n"},
	}},
	{"placed.go.txt", "subword/placed.go", "subword/kind.go", []line{
		{after: "\tlettersKind,\n", line: "\tplacedKind,\n"},
	}},
	{"placed.py.txt", "python/src/w2v/placed.py", "python/src/w2v/kinds.py", []line{
		{after: "    \"hash\": Hash,\n", line: "    \"placed\": Placed,\n"},
		{after: "Metadata, Sum\n", line: "from .placed import Placed\n"},
	}},
}

// A line goes behind another one.
type line struct{ after, line string }

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
		if !strings.Contains(guide, "\n"+read(t, e.source)+"```\n") {
			t.Errorf("CONTRIBUTING.md lacks %s, or has another version of it", e.source)
		}
		for _, what := range []string{e.file, e.list, strings.TrimSpace(e.lines[0].line)} {
			if !strings.Contains(guide, "`"+what+"`") {
				t.Errorf("CONTRIBUTING.md does not name `%s`", what)
			}
		}
	}
}

// extended builds the program with the exercises in it, and returns where it is, and its sources.
func extended(t *testing.T) (program, module string) {
	t.Helper()
	module = t.TempDir()
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
		for _, l := range e.lines {
			if strings.Count(list, l.after) != 1 {
				t.Fatalf("%s has the line %q %d times, expected once", e.list, l.after, strings.Count(list, l.after))
			}
			list = strings.Replace(list, l.after, l.after+l.line, 1)
		}
		for path, text := range map[string]string{e.file: read(t, e.source), e.list: list} {
			if err := os.WriteFile(filepath.Join(module, path), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	program = filepath.Join(t.TempDir(), "w2v")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	// Nearly all packages are compiled anew, which takes half the time if they are not optimised.
	fast := "-gcflags=github.com/w2v-go/w2v/...=-N -l -dwarf=false"
	for _, args := range [][]string{{"vet", "./sgns/internal/loss", "./subword"}, {"build", fast, "-ldflags=-s -w", "-o", program, "./cmd/w2v"}} {
		command := exec.Command("go", args...)
		command.Dir = module
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return program, module
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
	program, module := extended(t)
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
	for _, part := range []string{"negative sampling with a hinge", "of characters with their positions", "--positions", "weighted by learned numbers of their places", "--places"} {
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
		{"placed", []string{"--subwords", "placed", "--places", "5"}, []string{"placed"}, false},
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
	// A model of a sum of its own is opened, asked, explained, scored, and made into others.
	t.Run("sum", func(t *testing.T) {
		model, pairs := filepath.Join(dir, "placed.w2v"), filepath.Join(dir, "known.tsv")
		if err := os.WriteFile(pairs, []byte("the\ta\t5\nof\tin\t4\nand\tto\t3\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		vectors := func(model string) string {
			out, _ := run(t, program, "vector", model, "the", "in", unknown)
			return out
		}
		want := vectors(model)
		if table, _ := run(t, program, "eval", model, pairs); !strings.Contains(table, "known") {
			t.Errorf("eval: %q", table)
		}
		if text, _ := run(t, program, "nn", model, "the", "-k", "1", "--explain"); !strings.Contains(text, "<the") {
			t.Errorf("nn --explain: %q", text)
		}
		if rows, _ := run(t, program, "ngrams", model, "the"); strings.Count(rows, "\n") != 7 || len(strings.Fields(strings.SplitN(rows, "\n", 2)[0])) != 3+24 {
			t.Errorf("ngrams: %q, expected the whole word and 6 n-grams, each with a bucket and its learned number", rows)
		}
		for _, made := range []struct {
			name string
			args []string
			same bool // vectors, of unknown words too
		}{
			{"copy.w2v", []string{"convert"}, true},
			{"few.w2v", []string{"convert", "--top", "30"}, false},
			{"scaled.w2v", []string{"convert", "--scale", "sqrt-dim"}, false},
			{"first.w2v", []string{"convert", "--first", "8"}, false},
			{"words.vec", []string{"convert"}, false},
			{"centred.w2v", []string{"convert", "--center"}, false},
			{"small.w2v", []string{"quantize", "--method", "int8"}, false},
			{"factors.w2v", []string{"factorize", "--rank", "6"}, false},
		} {
			to := filepath.Join(dir, made.name)
			run(t, program, append([]string{made.args[0], model, to}, made.args[1:]...)...)
			if out, _ := run(t, program, "nn", to, "the", "-k", "2"); strings.Count(out, "\n") != 2 {
				t.Errorf("nn in %s: %q", made.name, out)
			}
			if made.same && vectors(to) != want {
				t.Errorf("the vectors in %s differ", made.name)
			}
		}
		warm := filepath.Join(dir, "warm.w2v")
		if _, messages := run(t, program, "train", corpus, "-o", warm, "--dim", "24", "--epochs", "1", "--threads", "1", "--subwords", "placed", "--places", "5", "--init", model); strings.Contains(messages, "rror") {
			t.Errorf("train --init: %q", messages)
		}
		python, err := exec.LookPath("python3")
		if err == nil {
			err = exec.Command(python, "-c", "import numpy").Run()
		}
		if err != nil {
			t.Skip("there is no python3 with numpy")
		}
		script := `import sys, w2v
model = w2v.load(sys.argv[1])
for word in sys.argv[2:]:
    print(word, *model[word])`
		command := exec.Command(python, "-c", script, model, "the", "in", unknown)
		command.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(module, "python", "src"))
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		ours, theirs := strings.Fields(want), strings.Fields(string(out))
		if len(ours) != len(theirs) {
			t.Fatalf("python has %d words and numbers, expected %d:\n%s", len(theirs), len(ours), out)
		}
		for i := range ours {
			a, err := strconv.ParseFloat(ours[i], 64)
			b, errOfB := strconv.ParseFloat(theirs[i], 64)
			if err != nil && ours[i] != theirs[i] || err == nil && (errOfB != nil || math.Abs(a-b) > 1e-5) {
				t.Errorf("python has %s at %d, expected %s", theirs[i], i, ours[i])
			}
		}
	})
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
subwords = ["none", "letters", "placed"]
`, corpus, pairs, filepath.Join(dir, "swept")),
		} {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		table, messages := run(t, program, "sweep", config, "--threads", "1", "--progress", "never")
		for _, part := range []string{"margin", "letters", "placed"} {
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
			{[]string{"--loss", "hinge"}, "ns, hs, margin, softmax, directional or glove"},
			{[]string{"--subwords", "letters", "--positions", "0"}, "positions is 0, must be from 1 to 255"},
			{[]string{"--subwords", "letters", "--tied"}, "tied vectors are one row a word"},
			{[]string{"--subwords", "placed", "--deterministic", "--threads", "2", "--precision", "f16"}, "precision f16 is not for placed n-grams"},
			{[]string{"--positions", "3"}, "--positions needs --subwords letters"},
		} {
			command := exec.Command(program, append([]string{"train", corpus, "-o", filepath.Join(dir, "refused.w2v")}, refused.flags...)...)
			if out, err := command.CombinedOutput(); err == nil || !strings.Contains(string(out), refused.want) {
				t.Errorf("%v: error %v, %q, want %q", refused.flags, err, out, refused.want)
			}
		}
	})
}

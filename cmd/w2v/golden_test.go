package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/sgns"
)

// golden is testdata of the module.
var golden = filepath.Join("..", "..", "testdata")

// goldenCommands returns the lines of a folder's commands.txt: names of files, and what made
// them.
func goldenCommands(t *testing.T, folder ...string) (names []string, commands map[string][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(golden, filepath.Join(folder...), "commands.txt"))
	if err != nil {
		t.Fatal(err)
	}
	commands = map[string][]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		names = append(names, words[0])
		commands[words[0]] = words[1:]
	}
	return names, commands
}

// runW2V runs the program in a folder with the portable kernels, whose numbers are the same on
// all machines of one architecture.
func runW2V(t *testing.T, folder string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	c := exec.Command("w2v", args...)
	c.Dir = folder
	c.Env = append(os.Environ(), "W2V_SIMD=portable")
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	err = c.Run()
	return out.String(), said.String(), err
}

// Native models that w2v wrote before are read to the same numbers: written again they are the
// same files, and the vectors of words are those that w2v printed then, also of words that
// n-grams compose.
func TestGoldenNativeModels(t *testing.T) {
	names, _ := goldenCommands(t, "native")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			file, err := filepath.Abs(filepath.Join(golden, "native", name+".w2v"))
			if err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir()
			if _, stderr, err := runW2V(t, folder, "convert", file, "again.w2v"); err != nil {
				t.Fatalf("%v\n%s", err, stderr)
			}
			before, errBefore := os.ReadFile(file)
			again, errAgain := os.ReadFile(filepath.Join(folder, "again.w2v"))
			if errBefore != nil || errAgain != nil || !bytes.Equal(before, again) {
				t.Errorf("%v, %v: written again, the %d bytes are %d others", errBefore, errAgain, len(before), len(again))
			}
			want, err := os.ReadFile(filepath.Join(golden, "native", name+".vectors.txt"))
			if err != nil {
				t.Fatal(err)
			}
			got, _, _ := runW2V(t, folder, "vector", file, "the", "baker", "café", "bakers", "mills", "naïvely") // fails where some have no vector
			if err := sameVectors(got, string(want)); err != nil {
				t.Errorf("%v:\n%swant\n%s", err, got, want)
			}
		})
	}
}

// sameVectors compares lines of words and numbers.
func sameVectors(got, want string) error {
	a, b := strings.Fields(got), strings.Fields(want)
	if len(a) != len(b) || len(b) < 10 {
		return fmt.Errorf("%d words and numbers, want %d", len(a), len(b))
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		x, errX := strconv.ParseFloat(a[i], 32)
		y, errY := strconv.ParseFloat(b[i], 32)
		if errX != nil || errY != nil || math.Abs(x-y) > 1e-5 {
			return fmt.Errorf("%s, want %s", a[i], b[i])
		}
	}
	return nil
}

// Checkpoints of each revision are resumed, to the same model as a run that was not
// interrupted, or are refused with the name of the revision.
func TestGoldenCheckpoints(t *testing.T) {
	text, err := filepath.Abs(filepath.Join(golden, "toy.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for revision := 2; revision <= sgns.Revision; revision++ { // those of revision 1 are tests of sgns
		folder := "revision" + strconv.Itoa(revision)
		names, commands := goldenCommands(t, "checkpoints", folder)
		for _, name := range names {
			quick := name == "words" || revision == sgns.Revision && (name == "hash" || name == "validated")
			if !quick && !longtest.Enabled() {
				continue
			}
			t.Run(folder+"/"+name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				file := filepath.Join(golden, "checkpoints", folder, name+".w2v")
				if err := copyFile(filepath.Join(dir, "checkpoint"), file); err != nil {
					t.Fatal(err)
				}
				_, said, err := runW2V(t, dir, "train", text, "-o", "resumed.w2v", "--resume", "checkpoint", "--progress", "never")
				if err != nil {
					if !strings.Contains(said, fmt.Sprintf("made by algorithm revision %d,", revision)) {
						t.Errorf("%v: %s", err, said)
					}
					return
				}
				if revision < 5 || revision < 6 && name == "rank" { // subsampled so small a corpus: sgns.TestSmallCorporaOfRevisionsBefore; moved projections more
					return
				}
				flags := strings.Fields("--dim 4 --min-count 2 --epochs 300 --sample 0.01 --threads 1 --seed 7 --lr 0.02 --progress never")
				for _, flag := range commands[name] {
					if strings.HasPrefix(flag, "../") {
						if flag, err = filepath.Abs(filepath.Join(golden, "checkpoints", folder, flag)); err != nil {
							t.Fatal(err)
						}
					}
					flags = append(flags, flag)
				}
				if _, said, err := runW2V(t, dir, append([]string{"train", text, "-o", "whole.w2v"}, flags...)...); err != nil {
					t.Fatalf("%v\n%s", err, said)
				}
				resumed, errResumed := os.ReadFile(filepath.Join(dir, "resumed.w2v"))
				whole, errWhole := os.ReadFile(filepath.Join(dir, "whole.w2v"))
				if errResumed != nil || errWhole != nil {
					t.Fatal(errResumed, errWhole)
				}
				if runtime.GOARCH == "amd64" && name != "threads" && !bytes.Equal(resumed, whole) { // others add in another order, and so do several threads
					t.Error("the resumed run has another model than one that was not interrupted")
				}
			})
		}
	}
}

func copyFile(to, from string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o666)
}

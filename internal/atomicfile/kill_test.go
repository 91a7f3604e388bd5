package atomicfile_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A killing is what a child process writes until it kills itself.
type killing struct {
	Path       string
	Format     format.Format
	Generation int
	At         int // the call before which it dies, from 1
	NoExchange bool
	NoNameless bool
}

// killingVariable has the killing, for the child.
const killingVariable = "ATOMICFILE_TEST_KILLING"

func TestMain(m *testing.M) {
	text, ok := os.LookupEnv(killingVariable)
	if !ok {
		os.Exit(m.Run())
	}
	var k killing
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		panic(err)
	}
	n := 0
	atomicfile.System{NoExchange: k.NoExchange, NoNameless: k.NoNameless, Before: func(call string) {
		if n++; n != k.At {
			return
		}
		fmt.Println(call)
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill() // no deferred function runs
		}
		if err != nil {
			panic(err)
		}
		select {}
	}}.Use()
	if err := k.write(); err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	os.Exit(0)
}

// write writes the set of the generation.
func (k killing) write() error {
	return format.Write(context.Background(), k.Path, generation(k.Format, k.Generation), k.Format)
}

// generation returns a set that differs from that of every other generation in all words
// and numbers, but not in its size.
func generation(f format.Format, n int) *vectors.Set {
	const words, dim = 5, 4
	if f == format.Floret {
		s := newSet(vectors.Parts{
			Subword:     subword.Floret{MinN: 2, MaxN: 3, Buckets: words, Hashes: 2, BOW: "<", EOW: ">"},
			Composition: subword.Pieces,
			Input:       vectors.NewMatrix(words, dim),
		})
		fill(s.Input(), n)
		return s
	}
	var list []string
	for i := range words {
		list = append(list, fmt.Sprintf("%c%c", 'a'+n, 'a'+i))
	}
	s := newSet(vectors.Parts{Words: vectors.NewWords(list...), Input: vectors.NewMatrix(words, dim)})
	fill(s.Input(), n)
	return s
}

func fill(m vectors.Matrix, n int) {
	for r := range m.Rows {
		for c := range m.Row(r) {
			m.Row(r)[c] = float32(1 + n + 8*r + 64*c)
		}
	}
}

// content returns what is read of the model at path, as a text.
func content(path string) (string, error) {
	s, err := format.Open(path)
	if err != nil {
		return "", err
	}
	defer s.Close()
	if err := s.Check(); err != nil {
		return "", err
	}
	text := s.Words().String()
	for r := range s.Input().Rows {
		text += fmt.Sprintln(s.Input().Row(r))
	}
	return text, s.Err()
}

// run lets a child be killed, and reports whether it came to its end before.
func (k killing) run(t *testing.T) (call string, done bool) {
	t.Helper()
	text, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), killingVariable+"="+string(text))
	out, err := child.CombinedOutput()
	if err == nil {
		return "", true
	}
	if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() > 1 {
		t.Fatalf("the child failed: %v: %s", err, out)
	}
	return strings.TrimSpace(string(out)), false
}

var unfinished = regexp.MustCompile(`^\.w2v-[0-9a-f]{32}\.tmp$`)

// A writer that is killed before any of its calls that make, move or remove a name leaves
// the old model or the new one, or nothing where nothing was. Where a folder cannot be
// replaced in one step it may leave a refusal that says where the old one is. Nothing else
// is left that docs/reliability.md does not name, and the next writer cleans up.
func TestKilledWriters(t *testing.T) {
	type variant struct {
		format     format.Format
		ext        string
		noExchange bool
		noNameless bool
	}
	var variants []variant
	for _, f := range format.All() {
		if !longtest.Enabled() && f != format.W2V && f != format.Npy && f != format.Projector {
			continue // they are written by the same calls
		}
		d, err := format.Describe(f)
		if err != nil {
			t.Fatal(err)
		}
		variants = append(variants, variant{format: f})
		switch {
		case d.Folder:
			variants = append(variants, variant{format: f, noExchange: true})
		case d.Several && longtest.Enabled():
			variants = append(variants, variant{format: f, noNameless: true}, variant{format: f, ext: ".gz"}, variant{format: f, ext: ".zst"})
		case f == format.W2V && longtest.Enabled():
			variants = append(variants, variant{format: f, noNameless: true}, variant{format: f, ext: ".zst"})
		}
	}
	for _, v := range variants {
		name := string(v.format) + v.ext
		if v.noExchange {
			name += " without exchange"
		}
		if v.noNameless {
			name += " without nameless files"
		}
		for _, old := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s over old %v", name, old), func(t *testing.T) {
				t.Parallel()
				k := killing{Format: v.format, NoExchange: v.noExchange, NoNameless: v.noNameless}
				want := [3]string{} // of generations
				for n := range want {
					k.Path, k.Generation = filepath.Join(t.TempDir(), "m"+v.ext), n
					if err := k.write(); err != nil {
						t.Fatal(err)
					}
					var err error
					if want[n], err = content(k.Path); err != nil {
						t.Fatal(err)
					}
				}
				for k.At = 1; ; k.At++ {
					dir := t.TempDir()
					k.Path = filepath.Join(dir, "m"+v.ext)
					k.Generation = 0
					if old {
						if err := k.write(); err != nil {
							t.Fatal(err)
						}
					}
					clean := names(t, dir)
					k.Generation = 1
					call, done := k.run(t)
					if done {
						break
					}
					if k.At > 200 {
						t.Fatal("the writer does not end")
					}
					k.check(t, call, old, want)
					for _, name := range names(t, dir) {
						if base := filepath.Base(k.Path); name != base && name != base+".vocab.txt" && name != base+".pending-w2v" &&
							name != base+".before-w2v" && !unfinished.MatchString(name) {
							t.Errorf("killed before %q: %s is left, which no page explains", call, name)
						}
						long := time.Now().Add(-2 * atomicfile.AbandonedAfter)
						if err := os.Chtimes(filepath.Join(dir, name), long, long); err != nil {
							t.Fatal(err)
						}
					}
					k.Generation = 2
					if err := k.write(); err != nil {
						t.Fatalf("killed before %q: the next writer fails: %v", call, err)
					}
					if got, err := content(k.Path); err != nil || got != want[2] {
						t.Errorf("killed before %q: the next writer leaves %v:\n%s", call, err, got)
					}
					if !old {
						clean = names(t, filepath.Dir(writtenOnce(t, k, v.ext)))
					}
					if got := names(t, dir); runtime.GOOS != "windows" && !slices.Equal(got, clean) {
						t.Errorf("killed before %q: the next writer leaves %q, want %q", call, got, clean)
					}
				}
				if k.At < 3 {
					t.Errorf("the writer has %d calls, expected more", k.At-1)
				}
			})
		}
	}
}

// check compares what a killed child left with what may be there.
func (k killing) check(t *testing.T, call string, old bool, want [3]string) {
	t.Helper()
	got, err := content(k.Path)
	switch {
	case err == nil && (got == want[1] || old && got == want[0]):
	case err == nil:
		t.Errorf("killed before %q: neither the old nor the new model is left:\n%s", call, got)
	case strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), k.Path):
		t.Errorf("killed before %q: %q is not a line that begins with the path", call, err)
	case !old:
		// Nothing was there, and nothing may be.
	case !k.NoExchange || !strings.Contains(err.Error(), k.Path+".before-w2v"):
		t.Errorf("killed before %q: %v", call, err)
	default:
		if got, err := content(k.Path + ".before-w2v"); err != nil || got != want[0] {
			t.Errorf("killed before %q: the folder that is named has %v:\n%s", call, err, got)
		}
	}
}

// writtenOnce writes where nothing was, and returns the path.
func writtenOnce(t *testing.T, k killing, ext string) string {
	t.Helper()
	k.Path = filepath.Join(t.TempDir(), "m"+ext)
	if err := k.write(); err != nil {
		t.Fatal(err)
	}
	return k.Path
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// newSet is vectors.New of parts that fit together.
func newSet(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(err)
	}
	return s
}

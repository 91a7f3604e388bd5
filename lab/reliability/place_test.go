package reliability

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/lab/process"
	"github.com/w2v-go/w2v/lab/product"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// soak is how long TestSoak goes on, and makes the other tests as thorough as the
// promises are.
var soak = flag.Duration("soak", 0, "train, kill, resume and compare for so long")

// program is the path of w2v.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(build(m.Run))
}

// build makes the program, runs the tests and removes it.
func build(run func() int) int {
	folder, err := os.MkdirTemp("", "w2v-reliability-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	program = filepath.Join(folder, "w2v")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if err := product.Build(context.Background(), program); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

// needsSignals skips a test where programs cannot be told to end.
func needsSignals(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
}

// thorough is n, or less in a short run; all is how many there are in a soak.
func thorough(short, n, all int) int {
	switch {
	case *soak > 0:
		return all
	case testing.Short():
		return short
	}
	return n
}

// A place is a folder with a corpus, in which programs run.
type place struct {
	t   testing.TB
	dir string
}

// newPlace returns a place with the demo's text as corpus.txt. When the test ends,
// nothing of the tokenised corpus may be left, however its programs ended: at most an
// empty file, of a kill before that lost its name.
func newPlace(t testing.TB) place {
	t.Helper()
	p := place{t, t.TempDir()}
	p.mkdir("tmp")
	p.write("corpus.txt", text(t))
	t.Cleanup(func() {
		for _, name := range names(t, p.path("tmp")) {
			if info, err := os.Stat(p.path("tmp/" + name)); runtime.GOOS != "windows" && err == nil && info.Size() > 0 {
				t.Errorf("%d bytes are left in %s", info.Size(), name)
			}
		}
	})
	return p
}

var usual = sync.OnceValues(func() ([]byte, error) {
	return io.ReadAll(demo.Corpus(thorough(8_000, 12_000, 30_000), 1))
})

// text returns the usual corpus, in which words mean something: 1.4 MB, and 0.4 MB in a
// short run.
func text(t testing.TB) []byte {
	t.Helper()
	b, err := usual()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (p place) path(name string) string { return filepath.Join(p.dir, name) }

func (p place) write(name string, content []byte) {
	p.t.Helper()
	if err := os.WriteFile(p.path(name), content, 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) read(name string) []byte {
	p.t.Helper()
	b, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

func (p place) mkdir(name string) {
	p.t.Helper()
	if err := os.Mkdir(p.path(name), 0o777); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) remove(names ...string) {
	p.t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(p.path(name)); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p place) has(name string) bool {
	_, err := os.Stat(p.path(name))
	return err == nil
}

// names are the files in a folder.
func names(t testing.TB, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// only fails the test if there are other files than these besides the corpus.
func (p place) only(want ...string) {
	p.t.Helper()
	want = append(want, "corpus.txt", "tmp")
	slices.Sort(want)
	if got := names(p.t, p.dir); !slices.Equal(got, want) {
		p.t.Errorf("files are %q, want %q", got, want)
	}
}

// unique are the names without those that are named again.
func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// matches fails the test unless something is a text that matches a pattern.
func matches(t testing.TB, what string, got any, pattern string) {
	t.Helper()
	if text, ok := got.(string); !ok || !regexp.MustCompile(pattern).MatchString(text) {
		t.Errorf("%s is %v, want %q", what, got, pattern)
	}
}

// temporary is the name of a file that is being written.
var temporary = regexp.MustCompile(`^\.w2v-[0-9a-f]{32}\.tmp$`)

// locked is the name of a file that says who writes another.
var locked = regexp.MustCompile(`^\.w2v-.+\.lock$`)

// sweep removes the unfinished files that a kill leaves, and the locks, which must say what
// they are.
func (p place) sweep() {
	p.t.Helper()
	for _, name := range names(p.t, p.dir) {
		switch {
		case temporary.MatchString(name):
			p.remove(name)
		case locked.MatchString(name):
			if text := string(p.read(name)); text != "" && !strings.HasPrefix(text, "w2v locks ") { // empty if killed right then
				p.t.Errorf("%s says %q", name, text)
			}
			p.remove(name)
		}
	}
}

func (p place) command(args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir = p.dir
	c.Env = append(os.Environ(), "TMPDIR="+p.path("tmp"))
	return c
}

// start starts w2v with the arguments of a line and those that follow.
func (p place) start(line string, more ...string) *process.Process {
	p.t.Helper()
	return process.Start(p.t, p.command(append(strings.Fields(line), more...)...))
}

func (p place) run(line string, more ...string) process.Exit {
	p.t.Helper()
	return p.start(line, more...).Wait()
}

// must runs w2v, which must succeed.
func (p place) must(line string, more ...string) process.Exit {
	p.t.Helper()
	exit := p.run(line, more...)
	if exit.Code != 0 {
		p.t.Fatalf("w2v %s %q: exit code %d, signal %v\n%s", line, more, exit.Code, exit.Signal, exit.Stderr)
	}
	return exit
}

// refused runs w2v, which must fail with one line that matches a pattern.
func (p place) refused(pattern, line string, more ...string) {
	p.t.Helper()
	p.failed(p.run(line, more...), pattern, "w2v "+line)
}

// failed fails the test unless a program ended with exit code 1 or 2 and a last line
// of its own that matches a pattern.
func (p place) failed(exit process.Exit, pattern, what string) {
	p.t.Helper()
	if exit.Code != 1 && exit.Code != 2 {
		p.t.Errorf("%s: exit code %d, signal %v, want a refusal\n%s", what, exit.Code, exit.Signal, exit.Stderr)
		return
	}
	said := lines(exit.Stderr)
	message := said[len(said)-1]
	said = slices.DeleteFunc(said, func(line string) bool { return !strings.HasPrefix(line, "w2v: ") })
	if strings.Contains(exit.Stderr, "goroutine ") || len(said) != 1 || said[0] != message ||
		!regexp.MustCompile(pattern).MatchString(message) {
		p.t.Errorf("%s: not one line of %q:\n%s", what, pattern, exit.Stderr)
	}
}

// lines are what a program has said, where those of a progress bar are lines of their
// own. There is at least one.
func lines(said string) []string {
	return strings.FieldsFunc(" \n"+said, func(r rune) bool { return r == '\n' || r == '\r' })
}

// open opens a model or checkpoint, which must be whole and have nothing but finite
// numbers.
func (p place) open(name string) *vectors.Set {
	p.t.Helper()
	s, err := format.Open(p.path(name))
	if err != nil {
		p.t.Fatalf("not whole: %v", err)
	}
	p.t.Cleanup(func() { _ = s.Close() }) // was only read
	if err := s.Verify(); err != nil {
		p.t.Fatalf("not whole: %v", err)
	}
	for _, m := range append([]vectors.Matrix{s.Input(), s.Output()}, s.StateRows()...) {
		for r := range m.Rows {
			for _, x := range m.Row(r) {
				if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
					p.t.Fatalf("%s: row %d has %v", name, r, x)
				}
			}
		}
	}
	return s
}

// same fails the test unless a file has this content.
func (p place) same(name string, want []byte) {
	p.t.Helper()
	if got := p.read(name); !bytes.Equal(got, want) {
		p.t.Errorf("%s of %d bytes is not what it should be, of %d bytes", name, len(got), len(want))
	}
}

// A logLine is a line of --log-json.
type logLine map[string]any

// log reads a log. The line that a kill has cut short is none.
func (p place) log(name string) []logLine {
	p.t.Helper()
	var events []logLine
	for line := range bytes.Lines(p.read(name)) {
		if line[len(line)-1] != '\n' {
			break
		}
		var l logLine
		if err := json.Unmarshal(line, &l); err != nil {
			p.t.Fatalf("%s: %v: %s", name, err, line)
		}
		events = append(events, l)
	}
	return events
}

// last returns the last line of an event, or nil.
func last(events []logLine, event string) logLine {
	for _, l := range slices.Backward(events) {
		if l["event"] == event {
			return l
		}
	}
	return nil
}

// number is a field of a line that must be a number.
func (l logLine) number(t testing.TB, field string) float64 {
	t.Helper()
	x, ok := l[field].(float64)
	if !ok {
		t.Fatalf("%s is %v in %v", field, l[field], l)
	}
	return x
}

// A reference is a run to which nothing happened.
type reference struct {
	model  []byte
	tokens uint64 // trained
	took   time.Duration
}

var references = struct {
	sync.Mutex
	runs map[string]reference
}{runs: map[string]reference{}}

// uninterrupted returns what training on the usual corpus with these flags gives. It
// runs once.
func uninterrupted(t *testing.T, flags string) reference {
	t.Helper()
	references.Lock()
	defer references.Unlock()
	if r, ok := references.runs[flags]; ok {
		return r
	}
	p := newPlace(t)
	exit := p.must("train corpus.txt -o model.w2v " + flags)
	r := reference{p.read("model.w2v"), p.open("model.w2v").Training().Uint("trained"), exit.Took}
	references.runs[flags] = r
	return r
}

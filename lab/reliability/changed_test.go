package reliability

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/lab/process"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// largeModel writes a model whose text is longer than what a pipe holds.
func (p place) largeModel(name string) {
	p.t.Helper()
	const words, dim = 6000, 64
	list := []string{"the", "a"}
	for i := len(list); i < words; i++ {
		list = append(list, fmt.Sprintf("word%d", i))
	}
	s := newSet(vectors.Parts{Words: vectors.NewWords(list...), Input: vectors.NewMatrix(words, dim), Counts: make([]uint64, words)})
	for r := range words {
		for k := range s.Input().Row(r) {
			s.Input().Row(r)[k] = float32(math.Sin(float64(r*dim + k)))
		}
		s.Counts()[r] = uint64(words - r)
	}
	if err := format.Write(p.t.Context(), p.path(name), s, format.W2V); err != nil {
		p.t.Fatal(err)
	}
}

// mapped returns what is true once a program has mapped the file of that name.
func mapped(c *exec.Cmd, name string) func() bool {
	return func() bool {
		maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", c.Process.Pid))
		return err == nil && strings.Contains(string(maps), "/"+name+"\n")
	}
}

// A model that another program shortens or writes over while it is read is one line and
// exit code 1, and nothing is written.
func TestModelThatChangesWhileItIsRead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc to know when a file is mapped")
	}
	shorten := func(path string) error { return os.Truncate(path, 4096) }
	overwrite := func(path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		if err != nil {
			return err
		}
		if _, err := f.WriteString("another model"); err != nil {
			return err
		}
		return f.Close()
	}
	p := newPlace(t)
	p.largeModel("large.w2v")
	p.must("train corpus.txt -o trained.w2v --dim 16 --epochs 1 --threads 1 --checkpoint run.ckpt")
	p.must("convert large.w2v large.fifu")
	for _, tt := range []struct {
		line, model string
		corpus      bool // is what is read, after the model; else words
		pairs       bool // of words are
		pipe        bool // the output is read when the model has changed
	}{
		{line: "nn MODEL", model: "large.w2v"},
		{line: "nn MODEL", model: "large.fifu"},
		{line: "vector MODEL", model: "large.w2v"},
		{line: "similarity MODEL", model: "large.w2v", pairs: true},
		{line: "sentence MODEL", model: "large.w2v"},
		{line: "convert MODEL - --to text", model: "large.w2v", pipe: true},
		{line: "convert MODEL - --to word2vec", model: "large.w2v", pipe: true},
		{line: "convert MODEL - --to w2v", model: "large.fifu", pipe: true},
		{line: "train - -o out.w2v --threads 2 --init MODEL", model: "large.w2v", corpus: true},
		{line: "train - -o out.w2v --threads 2 --init MODEL --update-vocab", model: "large.w2v", corpus: true},
		{line: "train - -o out.w2v --resume MODEL", model: "run.ckpt", corpus: true},
	} {
		for name, change := range map[string]func(string) error{"shorter": shorten, "written over": overwrite} {
			t.Run(tt.line+" "+tt.model+" "+name, func(t *testing.T) {
				p := place{t, p.dir}
				changing := "changing" + filepath.Ext(tt.model)
				p.write(changing, p.read(tt.model))
				defer p.remove(changing)
				c := p.command(strings.Fields(strings.Replace(tt.line, "MODEL", changing, 1))...)
				stdin, err := c.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				stdout, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer stdout.Close()
				c.Stdout = w
				run := process.Start(t, c)
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				ready := mapped(c, changing)
				if tt.pipe {
					ready = func() bool { // the first bytes are there, and the others cannot be written
						_, err := stdout.Read(make([]byte, 1))
						return err == nil
					}
				}
				if !run.Until(ready) {
					t.Fatalf("ended before the file was read: %s", run.Wait().Stderr)
				}
				if err := change(p.path(changing)); err != nil {
					t.Fatal(err)
				}
				input := "the\nword77\nword5999\n"
				if tt.pairs {
					input = "the word77\nword5999 word77\n"
				}
				if tt.corpus {
					input = string(p.read("corpus.txt"))
				}
				go func() {
					_, _ = io.WriteString(stdin, input) // the program may be gone before
					_ = stdin.Close()
				}()
				_, _ = io.Copy(io.Discard, stdout)
				p.failed(run.Wait(), `^w2v: changing\.\w+: changed while it was read: try again$`, tt.line)
				if p.has("out.w2v") {
					t.Error("a model is written")
				}
			})
		}
	}
}

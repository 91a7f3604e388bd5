package format

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

var update = flag.Bool("update", false, "write the table of formats into docs/formats.md")

// The table of formats in docs/formats.md is what the registry says, which
// TestCapabilities has tried.
func TestFormatsTable(t *testing.T) {
	const begin, end = "<!-- formats: generated -->\n", "<!-- formats: end -->\n"
	path := filepath.Join("..", "..", "docs", "formats.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	got, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no lines %q and %q", path, begin, end)
	}
	want := formatsTable(t)
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the formats are: run go test ./vectors -run TestFormatsTable -update", path)
	}
	if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

func formatsTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| format | extension | read | write | stream | map | subwords kept | context vectors | nodes of a tree | counts | lossless | who else reads it |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, f := range All() {
		d, err := Describe(f)
		if err != nil {
			t.Fatal(err)
		}
		if d.Programs == "" {
			t.Errorf("%s: nobody reads it", f)
		}
		where := "a folder"
		if !d.Folder && len(d.Extensions) == 0 {
			where = "by name"
		} else if !d.Folder {
			where = "`" + strings.Join(d.Extensions, "` `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s |", f, where)
		for _, can := range []bool{
			d.Read, d.Write, d.Stream, d.Map, d.Keeps.Subwords, d.Keeps.Context, d.Keeps.Nodes, d.Keeps.Counts, d.Lossless,
		} {
			b.WriteString(map[bool]string{true: " yes |", false: " |"}[can])
		}
		fmt.Fprintf(&b, " %s |\n", d.Programs)
	}
	return b.String()
}

// trialSets are what formats are tried with: each one with the first that it can
// hold.
func trialSets() []*vectors.Set { return []*vectors.Set{trial.Full(), trial.Cut(), trial.Table(200)} }

// What the registry says of a format is tried, for every format there is.
func TestCapabilities(t *testing.T) {
	if known := trial.Full().Training().Known(); !slices.Equal(known, vectors.TrainingNames()) {
		t.Fatalf("the set to try has only %q", known)
	}
	for _, f := range All() {
		t.Run(string(f), func(t *testing.T) {
			d, err := Describe(f)
			if err != nil {
				t.Fatal(err)
			}
			if !d.Folder {
				for _, ext := range d.Extensions {
					plain, _ := ForPath("x"+ext, false)
					subwords, _ := ForPath("x"+ext, true)
					if plain != f && subwords != f {
						t.Errorf("the extension %s asks for %s or %s", ext, plain, subwords)
					}
				}
			}
			if !d.Write {
				if err := Write(t.Context(), filepath.Join(t.TempDir(), "model"), trial.Full(), f); err == nil {
					t.Error("written")
				}
				return
			}
			path := filepath.Join(t.TempDir(), "model")
			var s *vectors.Set
			for _, s = range trialSets() {
				if err = Write(t.Context(), path, s, f); err == nil {
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := Open(path)
			if (err == nil) != d.Read {
				t.Fatalf("read: %v, Open says %v", d.Read, err)
			}
			if err != nil {
				return
			}
			defer got.Close()
			if Format(got.Format()) != f || !slices.Equal(got.Words().Strings(), s.Words().Strings()) {
				t.Fatalf("read as %s, words %q, want %q", got.Format(), got.Words(), s.Words())
			}
			for id, word := range s.Words().All() {
				trial.Near(t, word, trial.WordVector(got, id), trial.WordVector(s, id))
			}
			tryKept(t, d, got, s)
			tryMapped(t, d, got)
			tryStream(t, d)
		})
	}
}

// tryKept compares what d says is kept of s with what was read.
func tryKept(t *testing.T, d Capabilities, got, s *vectors.Set) {
	t.Helper()
	if s.Len() > 0 && slices.Equal(got.Counts(), s.Counts()) != d.Keeps.Counts {
		t.Errorf("counts kept: %v, but there are %v", d.Keeps.Counts, got.Counts())
	}
	if context := s.Len() > 0 && got.Output().Rows == s.Len(); context != d.Keeps.Context {
		t.Errorf("context vectors kept: %v, but there are %d", d.Keeps.Context, got.Output().Rows)
	} else if context {
		trial.SameMatrix(t, "output", got.Output(), s.Output())
	}
	if (got.Subword() != nil) != d.Keeps.Subwords {
		t.Errorf("subwords kept: %v, but they are %v", d.Keeps.Subwords, got.Subword())
	}
	for _, word := range append([]string{"then", "w1", "日本日"}, trial.Unknown()...) {
		want, ok := vector(s, word)
		v, answered := vector(got, word)
		if answered != (ok && d.Keeps.Subwords) {
			t.Errorf("subwords kept: %v, but %q has a vector: %v", d.Keeps.Subwords, word, answered)
		}
		if answered {
			trial.Near(t, word, v, want)
		}
	}
	known, keeps := got.Training().Known(), slices.Clone(d.Keeps.Training)
	if got.Training().Text("loss") == "" { // that of nodes is said by their being there: TestTreeInFastText
		keeps = slices.DeleteFunc(keeps, func(name string) bool { return name == "loss" })
	}
	if !slices.Equal(known, keeps) {
		t.Errorf("of Training %q are kept, but there are %q", d.Keeps.Training, known)
	}
	all := slices.Equal(d.Keeps.Training, vectors.TrainingNames())
	if all && !got.Training().Equal(s.Training()) {
		t.Errorf("training %+v, want %+v", got.Training(), s.Training())
	}
	if !d.Lossless {
		return
	}
	for seed := range uint64(20) { // sets of every shape, words of any bytes
		r := dice{rand.New(rand.NewPCG(seed, 1))}
		s := r.set(anyPieces, true)
		path := filepath.Join(t.TempDir(), "any")
		if err := Write(t.Context(), path, s, d.Format); err != nil {
			t.Fatal(err)
		}
		got, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		trial.SameSet(t, got, s)
		if !got.Training().Equal(s.Training()) || got.Composition() != s.Composition() {
			t.Errorf("training %+v, want %+v", got.Training(), s.Training())
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}

// tryMapped looks where the rows of a plain file are.
func tryMapped(t *testing.T, d Capabilities, got *vectors.Set) {
	t.Helper()
	mapped := got.Parts().File.Mapped()
	if !endian.Big && mapped != d.Map {
		t.Errorf("maps: %v, but it is mapped: %v", d.Map, mapped)
	}
}

// tryStream writes plain words, or a table without words, whose rows come one by
// one, and leaves them in the file when it reads them.
func tryStream(t *testing.T, d Capabilities) {
	t.Helper()
	s := trial.Plain(1500, 8)
	if CheckSubword(nil, subword.Mean, d.Format) != nil {
		s = trial.Table(1500)
	}
	rows := &forward{of: s.Input()}
	s = alter(s, func(p *vectors.Parts) { p.Input = vectors.Stored(s.Input().Rows, s.Dim(), rows) })
	s = alter(s, func(p *vectors.Parts) { p.File = &backing.File{Sequential: true} })
	ext := ".gz"
	if d.Folder {
		ext = ""
	}
	path := filepath.Join(t.TempDir(), "plain"+ext)
	if err := Write(t.Context(), path, s, d.Format); err != nil {
		if d.Stream {
			t.Error(err)
		}
		return
	}
	// A second pass is for what has to be known before the first row is written.
	if begun := rows.begun.Load(); d.Stream && begun > 2 {
		t.Errorf("streams, but goes back in the rows: %d times", begun)
	}
	got, err := OpenStream(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if got.InFile() != d.Stream {
		t.Errorf("streams: %v, but the rows are left in the file: %v", d.Stream, got.InFile())
	}
	if got.Input().Rows != s.Input().Rows {
		t.Fatalf("%d rows, want %d", got.Input().Rows, s.Input().Rows)
	}
	for r := range s.Input().Rows {
		trial.Near(t, "row", got.Input().Row(r), s.Input().Row(r))
	}
}

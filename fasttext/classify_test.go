package fasttext

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// What fastText prints with classifiers of every loss is printed byte by byte, from its own files and from native
// ones. Recalls and F1 of single labels are left out, which 0.9.2 gets wrong.
func TestClassifiersPrintWhatFastTextPrints(t *testing.T) {
	lines := read(t, "lines.txt")
	for _, name := range strings.Fields("supervised.bin wordngrams.bin quantised.ftz pruned.ftz labels.ftz class-hs.bin class-ova.bin class-ns.bin class-runs.ftz") {
		t.Run(name, func(t *testing.T) {
			m, err := classify.Open(filepath.Join(golden, name))
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			base := strings.TrimSuffix(name, filepath.Ext(name))
			var predicted, tested, texts bytes.Buffer
			for _, c := range []struct {
				k             int
				threshold     float32
				probabilities bool
			}{{1, 0, false}, {3, 0, true}, {-1, 0.3, true}} {
				if err := (Classifier{m, c.k, c.threshold}).Predict(t.Context(), &predicted, strings.NewReader(lines), c.probabilities); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range []struct {
				k         int
				threshold float32
				perLabel  bool
			}{{1, 0, false}, {2, 0.25, false}, {1, 0, true}, {-1, 0.4, true}} {
				if err := (Classifier{m, c.k, c.threshold}).Test(t.Context(), &tested, strings.NewReader(lines), c.perLabel); err != nil {
					t.Fatal(err)
				}
			}
			if err := (Classifier{Model: m}).SentenceVectors(t.Context(), &texts, strings.NewReader(lines)); err != nil {
				t.Fatal(err)
			}
			if want := read(t, base+".predicted.txt"); predicted.String() != want {
				t.Errorf("predicted\n%s\nwant\n%s", predicted.String(), want)
			}
			if got, want := withoutRecall(tested.String()), withoutRecall(read(t, base+".tested.txt")); got != want {
				t.Errorf("tested\n%s\nwant\n%s", got, want)
			}
			if want := read(t, base+".texts.txt"); texts.String() != want {
				t.Errorf("vectors of texts\n%s\nwant\n%s", texts.String(), want)
			}
		})
	}
}

// withoutRecall drops F1 and recall from the lines of single labels.
func withoutRecall(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if fields := strings.Split(line, "  "); strings.HasPrefix(line, "F1-Score") && len(fields) == 4 {
			line = fields[1] + fields[3]
		}
		kept.WriteString(line)
	}
	return kept.String()
}

// With fewer rows than centroids nothing is lost but bytes, so a quantised file predicts what fastText predicts with
// the whole one. A cutoff keeps the longest rows and that of "</s>".
func TestQuantizedClassifiers(t *testing.T) {
	lines := read(t, "lines.txt")
	predicted := func(path string) string {
		t.Helper()
		m, err := classify.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		var out bytes.Buffer
		for _, c := range []Classifier{{m, 1, 0}, {m, 3, 0}, {m, -1, 0.3}} {
			if err := c.Predict(t.Context(), &out, strings.NewReader(lines), c.K != 1); err != nil {
				t.Fatal(err)
			}
		}
		return out.String()
	}
	for _, name := range strings.Fields("supervised wordngrams class-hs class-ova class-ns") {
		t.Run(name, func(t *testing.T) {
			output := filepath.Join(t.TempDir(), "model")
			if err := os.WriteFile(output+".bin", []byte(read(t, name+".bin")), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, opt := range []transform.ClassifierOptions{{}, {Part: 3, Output: true}} {
				if err := Quantize(t.Context(), output, QuantizeOptions{ClassifierOptions: opt}); err != nil {
					t.Fatal(err)
				}
				if got, want := predicted(output+".ftz"), read(t, name+".predicted.txt"); got != want {
					t.Errorf("%+v: predicted\n%s\nwant\n%s", opt, got, want)
				}
			}
			if err := Quantize(t.Context(), output, QuantizeOptions{ClassifierOptions: transform.ClassifierOptions{Cutoff: 60, Norms: true}}); err != nil {
				t.Fatal(err)
			}
			s, err := format.Open(output + ".ftz")
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			_, known := s.ID("</s>")
			rows := s.Input().Rows + s.Labels().Runs.Rows
			if err := s.Check(); err != nil || rows != 60 || !known || s.Input().Encoding() != vectors.EncodingPQ {
				t.Errorf("%v, %d rows, </s> is known: %v, %s", err, rows, known, s.Input().Encoding())
			}
			// Both formats hold all of it.
			native, bin := output+".w2v", output+"2.bin"
			for path, f := range map[string]format.Format{native: format.W2V, bin: format.FastText} {
				if err := format.Write(t.Context(), path, s, f); err != nil {
					t.Fatal(err)
				}
				if got, want := predicted(path), predicted(output+".ftz"); got != want {
					t.Errorf("%s: predicted\n%s\nwant\n%s", f, got, want)
				}
			}
			if err := os.Rename(bin, output+".bin"); err != nil {
				t.Fatal(err)
			}
			if err = Quantize(t.Context(), output, QuantizeOptions{}); err != nil {
				t.Errorf("what a cutoff left cannot be quantised again: %v", err)
			}
			err = Quantize(t.Context(), output, QuantizeOptions{ClassifierOptions: transform.ClassifierOptions{Cutoff: 20}})
			if words := name == "class-ns"; words && err != nil || !words && (err == nil || !strings.Contains(err.Error(), "quantised with a cutoff before")) {
				t.Errorf("quantised twice: %v", err)
			}
		})
	}
}

package fasttext

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify"
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

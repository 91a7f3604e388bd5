package format

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// finalfusionScript prints what finalfusion makes of a file of ours.
const finalfusionScript = `
import sys, json
from finalfusion import load_finalfusion
answer = []
for mmap in False, True:
    e = load_finalfusion(sys.argv[1], mmap)
    words = {}
    for word in json.load(open(sys.argv[2])):
        v = e.embedding(word)
        known = word in e.vocab.word_index
        words[word] = {
            "known": known,
            "vector": None if v is None else [float(x) for x in v],
            "norm": float(e.norms[e.vocab.word_index[word]]) if known else 0,
        }
    answer.append({"words": list(e.vocab.words), "vectors": words, "metadata": e.metadata})
json.dump(answer, sys.stdout)
`

// finalfusion-python reads our files, of every kind that it knows. It is skipped
// where that is not installed; PYTHONPATH may say where it was built, see
// testdata/generate-optional.sh.
func TestFinalfusionReadsOurs(t *testing.T) {
	const python = "/usr/bin/python3"
	needs(t, python, "-c", "from finalfusion import load_finalfusion") // the folder finalfusion here is none
	dir := t.TempDir()
	queries := filepath.Join(dir, "queries.json")
	for name, s := range ngramKinds(t) {
		if _, floret := s.Subword().(subword.Floret); floret {
			continue // it is older than these
		}
		t.Run(name, func(t *testing.T) {
			words := append(s.Words().Strings(), unknownWords...)
			list, err := json.Marshal(words)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(queries, list, 0o600); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "model.fifu")
			if err := Write(t.Context(), path, s, Finalfusion); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(python, "-c", finalfusionScript, path, queries)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			var answers []struct {
				Words   []string
				Vectors map[string]struct {
					Known  bool
					Vector []float32
					Norm   float32
				}
				Metadata map[string]map[string]any
			}
			d := json.NewDecoder(bytes.NewReader(out))
			d.UseNumber()
			if err := d.Decode(&answers); err != nil {
				t.Fatal(err)
			}
			for _, answer := range answers { // read, and mapped
				if strings.Join(answer.Words, "|") != strings.Join(s.Words().Strings(), "|") {
					t.Errorf("words %q", answer.Words)
				}
				training := answer.Metadata["training"]
				if known := s.Training().Known(); len(training) != len(known) {
					t.Errorf("metadata %v, want %q", training, known)
				}
				for _, word := range words {
					got := answer.Vectors[word]
					v, ok := vector(s, word)
					_, known := s.ID(word)
					if !known && cutOtherwise(s.Subword(), word) {
						continue
					}
					if known != got.Known || ok != (got.Vector != nil) {
						t.Errorf("%q: known: %v, %v", word, got.Known, got.Vector)
					} else if ok && known {
						trial.Near(t, word, []float32{got.Norm * got.Vector[0]}, v[:1])
					}
					if ok && got.Vector != nil {
						trial.Near(t, word, got.Vector, unit(v))
					}
				}
			}
		})
	}
}

// cutOtherwise tells whether fastText takes other n-grams of a word than
// finalfusion does, which also hashes the ends of a word, and "</s>".
func cutOtherwise(sub subword.Indexer, word string) bool {
	f, ok := sub.(subword.FastText)
	return ok && (f.MinN <= 1 || word == "</s>")
}

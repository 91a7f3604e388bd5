package format

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// These tests ask the real programs what they make of our files. They are
// skipped where the programs are not installed; the golden files hold what the
// programs say of theirs.

// queries are words in and out of the vocabulary of interopSets.
var queries = []string{"the", "baker", "café", "日本語", "caf\xe9", "bakers", "naïveté", "日本", "🙃", "the-mill"}

// interopSets are sets of every shape that the fastText format can hold.
func interopSets(t *testing.T) map[string]*vectors.Set {
	t.Helper()
	golden := openGolden(t, "fasttext/skipgram.bin")
	// Bucket 0, 3, 6 … were never trained, and others share rows.
	sharing := trial.Unchecked(vectors.Parts{
		Words: golden.Words(), Counts: golden.Counts(), Input: golden.Input(), Output: golden.Output(),
		Subword: subword.FastText{MinN: 3, MaxN: 6, Buckets: 50}, Training: golden.Training(),
	})
	for i := range sharing.Words().All() {
		sharing = alter(sharing, func(p *vectors.Parts) { p.WordRows = append(sharing.WordRows(), uint32(i*7%sharing.Input().Rows)) })
	}
	for b := range 50 {
		sharing = alter(sharing, func(p *vectors.Parts) {
			p.BucketRows = append(sharing.BucketRows(), []int32{-1, int32(b), int32(b / 2)}[b%3])
		})
	}
	return map[string]*vectors.Set{
		"subwords":      golden,
		"shared rows":   sharing,
		"plain words":   openGolden(t, "fasttext/words.bin"),
		"nothing known": trial.Unchecked(vectors.Parts{Words: golden.Words(), Input: golden.Vectors()}), // no counts, no output, no settings
	}
}

// hasModule fails if Python has no such module, without the seconds that loading it takes.
const hasModule = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"

func needs(t *testing.T, program string, args ...string) {
	t.Helper()
	longtest.Only(t) // quick tests compare what is written with what those programs write
	if err := exec.Command(program, args...).Run(); err != nil {
		t.Skipf("%s %s: %v", program, strings.Join(args, " "), err)
	}
}

func TestFastTextReadsOurs(t *testing.T) {
	longtest.Only(t) // TestGoldenFastTextBytes is quick
	if _, err := exec.LookPath("fasttext"); err != nil {
		t.Skip("no fasttext")
	}
	for name, s := range interopSets(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "model.bin")
			if err := Write(t.Context(), path, s, FastText); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("fasttext", "print-word-vectors", path)
			cmd.Stdin = strings.NewReader(strings.Join(queries, "\n") + "\n")
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			printed, err := Read(bytes.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			if printed.Len() != len(queries) {
				t.Fatalf("%d vectors for %d words", printed.Len(), len(queries))
			}
			for id, word := range printed.Words().All() {
				got, _ := vector(s, word)
				for j, x := range printed.Input().Row(id) {
					if !sameDigits(got[j], x) {
						t.Errorf("%q: fastText prints %v, want %v", word, printed.Input().Row(id), got)
						break
					}
				}
			}
		})
	}
}

// gensimScript prints, for each folder and each word of its input, the vector that gensim
// takes from each of our files.
const gensimScript = `
import sys, json, os
from gensim.models import KeyedVectors
from gensim.models.fasttext import load_facebook_model
words, answers = json.load(sys.stdin), []
for folder in sys.argv[1:]:
    model = load_facebook_model(os.path.join(folder, "model.bin"))
    plain = [
        KeyedVectors.load_word2vec_format(os.path.join(folder, "model.w2vbin"), binary=True, unicode_errors="backslashreplace"),
        KeyedVectors.load_word2vec_format(os.path.join(folder, "model.vec"), binary=False, unicode_errors="backslashreplace"),
        KeyedVectors.load_word2vec_format(os.path.join(folder, "model.glove"), binary=False, no_header=True, unicode_errors="backslashreplace"),
    ]
    answer = {"words": len(model.wv), "counts": int(sum(model.wv.get_vecattr(w, "count") for w in model.wv.index_to_key))}
    answer["output"] = [float(x) for x in model.syn1neg[0]]
    for word in words:
        rows = []
        for wv in [model.wv] + plain:
            rows.append([float(x) for x in wv[word]] if word in wv.key_to_index or wv is model.wv and model.wv.bucket else None)
        answer[word] = rows
    answers.append(answer)
json.dump(answers, sys.stdout)
`

func TestGensimReadsOurs(t *testing.T) {
	const python = "/usr/bin/python3"
	needs(t, python, "-c", hasModule, "gensim")
	valid := queries[:4:4] // of what is no UTF-8 gensim makes other words
	valid = append(valid, queries[5:]...)
	sets := interopSets(t)
	in, err := json.Marshal(valid)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", gensimScript)
	names := slices.Sorted(maps.Keys(sets))
	for _, name := range names {
		dir := t.TempDir()
		for file, f := range map[string]Format{
			"model.bin": FastText, "model.w2vbin": Word2Vec, "model.vec": Text, "model.glove": GloVe,
		} {
			if err := Write(t.Context(), filepath.Join(dir, file), sets[name], f); err != nil {
				t.Fatal(err)
			}
		}
		cmd.Args = append(cmd.Args, dir)
	}
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []map[string]json.RawMessage
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(sets) {
		t.Fatalf("%s: %v", out, err)
	}
	for n, name := range names {
		t.Run(name, func(t *testing.T) {
			s, answer := sets[name], answers[n]
			var words int
			var counts uint64
			var output []float32
			for key, to := range map[string]any{"words": &words, "counts": &counts, "output": &output} {
				if err := json.Unmarshal(answer[key], to); err != nil {
					t.Fatal(err)
				}
			}
			var want uint64
			for _, n := range s.Counts() {
				want += n
			}
			if s.Counts() == nil {
				want = uint64(s.Len()) // made up
			}
			if words != s.Len() || counts != want {
				t.Errorf("gensim reads %d words, %d counts; want %d, %d", words, counts, s.Len(), want)
			}
			if s.Output().Rows > 0 {
				closeTo(t, "context vector", output, s.Output().Row(0))
			}
			for _, word := range valid {
				var rows [][]float32
				if err := json.Unmarshal(answer[word], &rows); err != nil {
					t.Fatal(err)
				}
				v, ok := vector(s, word)
				_, known := s.ID(word)
				for i, row := range rows {
					if row == nil {
						if known || i == 0 && ok {
							t.Errorf("%q: gensim has no vector from file %d", word, i)
						}
						continue
					}
					closeTo(t, word, row, v)
				}
			}
		})
	}
}

func closeTo(t *testing.T, what string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%q: got %v, want %v", what, got, want)
		return
	}
	for j := range got {
		if d := got[j] - want[j]; d > 1e-6 || d < -1e-6 {
			t.Errorf("%q: got %v, want %v", what, got, want)
			return
		}
	}
}

// numpyScript reads native files by docs/format.md and nothing else.
const numpyScript = `
import sys, json, struct, numpy as np
types = {"F32": "<f4", "F16": "<f2", "BF16": "<u2", "U64": "<u8", "U32": "<u4", "I32": "<i4", "U8": "u1", "I8": "i1"}
answers = []
for path in sys.argv[1:]:
    b = open(path, "rb").read()
    n, = struct.unpack("<Q", b[:8])
    h = json.loads(b[8:8+n])
    t = {k: np.frombuffer(b[8+n+v["data_offsets"][0]:8+n+v["data_offsets"][1]], types[v["dtype"]]).reshape(v["shape"])
         for k, v in h.items() if k != "__metadata__"}
    assert (8 + n + h["input" if t["input"].dtype == "f4" else "word_offsets"]["data_offsets"][0]) % 64 == 0
    if h["input"]["dtype"] == "BF16":
        t["input"] = (t["input"].astype("<u4") << 16).view("<f4")
    if h["input"]["dtype"] == "I8":
        t["input"] = t["input"] * t["input_scales"][:, None]
    if h["input"]["dtype"] == "U8":
        w = int(h["__metadata__"]["input_part"]); c = t["input_centroids"]
        r = np.concatenate([c[t["input"][:, p], p*w:(p+1)*w] for p in range(t["input"].shape[1])], axis=1)
        if "input_norms" in t: r = r * (t["input_norms"][t["input_norm_codes"]] if "input_norm_codes" in t else t["input_norms"])[:, None]
        if "input_rotation" in t: r = r @ t["input_rotation"].T
        t["input"] = r
    if "bucket_set" in t:
        has = np.unpackbits(t["bucket_set"], bitorder="little").astype(bool)
        r = np.full(len(has), -1); r[has] = t["bucket_rows"]
        t["bucket_rows"] = r[:int(h["__metadata__"]["buckets"])]
    end = 0
    for v in sorted((v["data_offsets"] for k, v in h.items() if k != "__metadata__")):
        assert v[0] == end, (v, end)
        end = v[1]
    assert 8 + n + end == len(b)
    text, at = t["words"].tobytes(), t["word_offsets"]
    words = [text[at[i]:at[i+1]] for i in range(len(at) - 1)]
    rows = t.get("word_rows", np.arange(len(words)))
    answers.append({"words": [list(w) for w in words], "input": t["input"][rows].tolist(),
               "buckets": t["bucket_rows"].tolist() if "bucket_rows" in t else None})
json.dump(answers, sys.stdout)
`

func TestNumpyReadsOurs(t *testing.T) {
	const python = "/usr/bin/python3"
	needs(t, python, "-c", hasModule, "numpy")
	sets := interopSets(t)
	for name, s := range interopSets(t) {
		sets[name+", float16"], sets[name+", bfloat16"] = transform.WithDType(s, vectors.F16), transform.WithDType(s, vectors.BF16)
	}
	for _, method := range []string{"int8", "pq, two bytes", "opq"} {
		sets[method] = mustQuantize(t, trial.Quantizable(60, 900, 5), methods[method])
	}
	sets["norms"] = openGolden(t, "fasttext/pruned.ftz")
	cmd := exec.Command(python, "-c", numpyScript)
	names := slices.Sorted(maps.Keys(sets))
	for _, name := range names {
		path := filepath.Join(t.TempDir(), "model.w2v")
		if err := Write(t.Context(), path, sets[name], W2V); err != nil {
			t.Fatal(err)
		}
		cmd.Args = append(cmd.Args, path)
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []struct {
		Words   [][]int
		Input   [][]float32
		Buckets []int32
	}
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(sets) {
		t.Fatalf("%s: %v", out, err)
	}
	for n, name := range names {
		s, answer := sets[name], answers[n]
		for id, word := range s.Words().All() {
			var b []byte
			for _, c := range answer.Words[id] {
				b = append(b, byte(c))
			}
			if string(b) != word {
				t.Errorf("%s: word %d is %q, want %q", name, id, b, word)
			}
			closeTo(t, word, answer.Input[id], s.Input().Row(s.OwnRow(id)))
		}
		if !slices.Equal(answer.Buckets, s.BucketRows()) {
			t.Errorf("%s: buckets %v, want %v", name, answer.Buckets, s.BucketRows())
		}
	}
}

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

// cutOtherwise reports whether fastText takes other n-grams of a word than
// finalfusion does, which also hashes the ends of a word, and "</s>".
func cutOtherwise(sub subword.Indexer, word string) bool {
	f, ok := sub.(subword.FastText)
	return ok && (f.MinN <= 1 || word == "</s>")
}

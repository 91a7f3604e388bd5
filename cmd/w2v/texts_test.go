package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/serve"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/pooling"
)

// ran returns the standard output of a command, which must succeed.
func ran(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	if code := run(context.Background(), args, streams{in: strings.NewReader(stdin), out: &out, err: &said}); code != exitDone {
		t.Fatalf("w2v %q: %d, %s", args, code, said.String())
	}
	return out.String()
}

// A text has the same vector, to the bit, from the library, the command, the server and the evaluation.
func TestEveryDoorGivesTheSameVectors(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "the cat sat on the mat %d\nthe dog saw the cat and the bird %d\na bird sang on the mat\n", i%7, i%5)
	}
	train := func(name string, flags ...string) {
		ran(t, text.String(), append([]string{"train", "-", "-o", at(name), "--dim", "8", "--min-count", "1", "--sample", "0", "--threads", "1"}, flags...)...)
	}
	train("words.w2v")
	train("ngrams.w2v", "--subwords", "fasttext", "--buckets", "500")
	train("runs.w2v", "--arch", "cbow", "--word-ngrams", "2", "--word-buckets", "50")
	train("hash.w2v", "--subwords", "hash", "--buckets", "500")
	ran(t, "", "convert", at("words.w2v"), at("text.vec"))
	ran(t, "", "convert", at("text.vec"), at("uncounted.w2v"))
	ran(t, "", "quantize", at("ngrams.w2v"), at("codes.w2v"), "--method", "int8")
	ran(t, "", "convert", at("ngrams.w2v"), at("fasttext.bin"))
	plain, err := format.Open(at("words.w2v"))
	if err != nil {
		t.Fatal(err)
	}
	training := plain.Training()
	training.Set("pooling", pooling.SIF)
	training.Set("smoothing", .5)
	training.Set("text_norm", true)
	training.Set("text_limit", 3)
	if err := format.Write(t.Context(), at("recorded.w2v"), plain.WithTraining(training), format.W2V); err != nil {
		t.Fatal(err)
	}
	plain.Close()

	texts := []string{"the cat sat on the mat", "the bird", "bird", "cats sat unseen", "unseen the dog saw the bird", "the dog saw the the bird"}
	for model, own := range map[string]pooling.Method{
		"words.w2v": "weighted", "ngrams.w2v": "weighted", "runs.w2v": "weighted", "hash.w2v": "weighted", "codes.w2v": "weighted",
		"fasttext.bin": "weighted", "recorded.w2v": "sif", "text.vec": "mean", "uncounted.w2v": "mean",
	} {
		for _, method := range append([]pooling.Method{""}, pooling.Methods()...) {
			if method == pooling.DBOW && model != "words.w2v" { // others have no context vectors, or compose words that have none
				continue
			}
			set, err := format.Open(at(model))
			if err != nil {
				t.Fatal(err)
			}
			p, err := pooling.New(set, pooling.Options{Method: method})
			if err != nil {
				t.Fatal(err)
			}
			flags := []string{"sentence", at(model), "--json"}
			if want := method; method == "" {
				if p.Method() != own {
					t.Errorf("%s: %s, want %s", model, p.Method(), own)
				}
			} else {
				flags = append(flags, "--pooling", string(want))
			}
			var want [][]float32
			for _, text := range texts {
				var tokens []vectors.Token
				for word := range strings.FieldsSeq(text) {
					tokens = append(tokens, set.Token(word))
				}
				v := make([]float32, set.Dim())
				if p.Text(v, tokens) == 0 {
					t.Fatalf("%s: %q has no vector", model, text)
				}
				want = append(want, v)
			}

			printed := strings.Split(strings.TrimSpace(ran(t, strings.Join(texts, "\n")+"\n", flags...)), "\n")
			for i, line := range printed {
				var got struct{ Vector []float32 }
				if err := json.Unmarshal([]byte(line), &got); err != nil || !slices.Equal(got.Vector, want[i]) {
					t.Errorf("%s, %q: w2v sentence has %s, want %v", model, method, line, want[i])
				}
			}

			s, err := serve.New(serve.Config{Models: []serve.ModelSpec{{Name: "m", Path: at(model), Pooling: string(method)}}})
			if err != nil {
				t.Fatal(err)
			}
			body, _ := json.Marshal(map[string]any{"input": texts})
			answer := httptest.NewRecorder()
			s.Handler().ServeHTTP(answer, httptest.NewRequest("POST", "/v1/embeddings", bytes.NewReader(body)))
			var served struct {
				Data []struct{ Embedding []float32 }
			}
			if err := json.Unmarshal(answer.Body.Bytes(), &served); err != nil || len(served.Data) != len(texts) {
				t.Fatalf("%s: %s", model, answer.Body)
			}
			for i, d := range served.Data {
				unit := make([]float32, len(want[i]))
				vectors.Unit(unit, want[i])
				if !slices.Equal(d.Embedding, unit) {
					t.Errorf("%s, %q: the server has %v of %q, want %v", model, method, d.Embedding, texts[i], unit)
				}
			}
			s.Close()

			pairs := eval.Set{Task: eval.TaskSentences, Name: "pairs"}
			for i := range texts[1:] {
				pairs.Sentences = append(pairs.Sentences, eval.SentencePair{A: texts[i], B: texts[i+1], Score: float64(i)})
			}
			result, err := eval.Evaluate(t.Context(), set, pairs, eval.Options{SentenceMethod: eval.SentenceMethod(method)})
			if err != nil {
				t.Fatal(err)
			}
			for i, j := range result.Judgements {
				if cosine := cosineOf(want[i], want[i+1]); j.Model != cosine {
					t.Errorf("%s, %q: eval has the cosine %v of %q and %q, want %v", model, method, j.Model, texts[i], texts[i+1], cosine)
				}
			}
			set.Close()
		}
	}
}

// What the model records is overridden by a flag, and that is said.
func TestOverriddenPoolingIsSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.w2v")
	rows := vectors.NewMatrix(2, 2)
	rows.Row(0)[0], rows.Row(1)[1] = 1, 1
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords("sun", "moon"), Input: rows, Training: vectors.NewTraining("pooling", "mean")})
	if err != nil {
		t.Fatal(err)
	}
	if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	const said = "the model makes vectors of texts by the pooling mean, and sif is asked for"
	for pooled, want := range map[string]bool{"": false, "mean": false, "sif": true} {
		args := []string{"sentence", path}
		if pooled != "" {
			args = append(args, "--pooling", pooled)
		}
		var notes bytes.Buffer
		code := run(t.Context(), args, streams{in: strings.NewReader("sun moon\n"), out: &bytes.Buffer{}, err: &notes})
		if code != exitDone || strings.Contains(notes.String(), said) != want {
			t.Errorf("%q: %d, %s", pooled, code, notes.String())
		}
		s, err := serve.New(serve.Config{Models: []serve.ModelSpec{{Name: "m", Path: path, Pooling: pooled}}})
		if err != nil {
			t.Fatal(err)
		}
		answer := httptest.NewRecorder()
		s.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/v1/models", nil))
		if strings.Contains(answer.Body.String(), said) != want {
			t.Errorf("%q: %s", pooled, answer.Body)
		}
		s.Close()
	}
}

// cosineOf adds in float64, from the first dimension on.
func cosineOf(a, b []float32) float64 {
	var ab, aa, bb float64
	for k := range a {
		ab += float64(a[k]) * float64(b[k])
		aa += float64(a[k]) * float64(a[k])
		bb += float64(b[k]) * float64(b[k])
	}
	return min(1, max(-1, ab/(math.Sqrt(aa)*math.Sqrt(bb))))
}

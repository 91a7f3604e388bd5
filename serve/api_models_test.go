package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// random returns a set of n random vectors, trained as pairs of names and values say.
func random(t testing.TB, n, dim int, training ...any) *vectors.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(17, uint64(n)))
	words := make([]string, n)
	m := vectors.NewMatrix(n, dim)
	for i := range words {
		words[i] = fmt.Sprint("w", i)
		for k := range dim {
			m.Row(i)[k] = float32(rng.NormFloat64())
		}
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m, Training: vectors.NewTraining(training...)})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// grams is a set of two words with rows for n-grams.
func grams(t testing.TB) *vectors.Set {
	t.Helper()
	m := vectors.NewMatrix(2+50, 4)
	rng := rand.New(rand.NewPCG(17, 5))
	for r := range m.Rows {
		for k := range 4 {
			m.Row(r)[k] = float32(rng.NormFloat64())
		}
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords("walking", "talked"), Input: m, Subword: subword.FastText{MinN: 3, MaxN: 4, Buckets: 50}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Words outside the vocabulary are composed, and said to be.
func TestComposedWords(t *testing.T) {
	set := grams(t)
	h := answering(t, Limits{}, map[string]*vectors.Set{"grams": set})
	v := make([]float32, 4)
	if !set.Vector(v, "walked") {
		t.Fatal("walked has no n-grams")
	}
	var got struct {
		Data []struct {
			Vector   []float32
			Composed bool
			FoundAs  string `json:"found_as"`
		}
	}
	_, text := answerTo(h, "/v1/vectors?word=Walked", "")
	if err := json.Unmarshal([]byte(text), &got); err != nil || !got.Data[0].Composed || got.Data[0].FoundAs != "walked" || fmt.Sprint(got.Data[0].Vector) != fmt.Sprint(v) {
		t.Errorf("%s, want %v", text, v)
	}
	if status, text := answerTo(h, "/v1/neighbors?word=walked&k=1", ""); status != 200 || !strings.Contains(text, `"composed":true,"neighbors":[{"word":"`) {
		t.Error(text)
	}
	_, text = answerTo(h, "/v1/embeddings", `{"input":"walked?"}`)
	unit := make([]float32, 4)
	vectors.Unit(unit, v)
	checkEmbedding(t, text, unit)
}

// checkEmbedding looks whether the first vector of an answer is near to one.
func checkEmbedding(t *testing.T, text string, want []float32) {
	t.Helper()
	var got struct {
		Data []struct{ Embedding []float32 }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Data) == 0 || len(got.Data[0].Embedding) != len(want) {
		t.Fatalf("%s, want %v", text, want)
	}
	for k, x := range got.Data[0].Embedding {
		if math.Abs(float64(x-want[k])) > 1e-6 {
			t.Fatalf("%s, want %v", text, want)
		}
	}
}

// A size that was trained gives the first numbers. Others keep cosines as well as so many axes can.
func TestDimensions(t *testing.T) {
	nested := random(t, 40, 6, "arch", "skipgram", "nested", "2,4,6")
	h := answering(t, Limits{}, map[string]*vectors.Set{"nested": nested})
	row := nested.Vectors().Row(7)
	for _, n := range []int{2, 4, 6} {
		_, text := answerTo(h, "/v1/embeddings", fmt.Sprintf(`{"input":"w7","dimensions":%d}`, n))
		want := make([]float32, n)
		vectors.Unit(want, row[:n])
		checkEmbedding(t, text, want)
	}
	// All words lie in a plane, so two axes are enough for everything.
	plane := vectors.NewMatrix(30, 5)
	rng := rand.New(rand.NewPCG(17, 3))
	var words []string
	for i := range plane.Rows {
		x, y := rng.NormFloat64(), rng.NormFloat64()
		words = append(words, fmt.Sprint("p", i))
		for k, axis := range [][2]float64{{1, 0}, {.5, 1}, {-1, 1}, {0, 2}, {1, 1}} {
			plane.Row(i)[k] = float32(x*axis[0] + y*axis[1])
		}
	}
	flat, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: plane})
	if err != nil {
		t.Fatal(err)
	}
	h = answering(t, Limits{}, map[string]*vectors.Set{"flat": flat})
	_, text := answerTo(h, "/v1/embeddings", `{"input":["p1 p2","p3"],"dimensions":2}`)
	var got struct {
		Data []struct{ Embedding []float32 }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Data) != 2 || len(got.Data[0].Embedding) != 2 {
		t.Fatal(text)
	}
	a := make([]float32, 5)
	flat.Sentence(a, []string{"p1", "p2"})
	if cosine, want := vectors.Cosine(got.Data[0].Embedding, got.Data[1].Embedding), vectors.Cosine(a, plane.Row(3)); math.Abs(cosine-want) > 1e-5 {
		t.Errorf("the cosine is %v, want %v", cosine, want)
	}
}

// Pooling is what the config says, or else what the model has counts for.
func TestPoolingIsSaid(t *testing.T) {
	path := writeModel(t, "m.w2v", format.W2V, "sun", "moon")
	for given, want := range map[string]string{"": "mean", "mean": "mean", "weighted": "weighted", "sif": "sif"} {
		s, err := New(Config{Models: []ModelSpec{{Name: "m", Path: path, Pooling: given}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, text := answerTo(s.Handler(), "/v1/models/m", ""); !strings.Contains(text, `"pooling":"`+want+`"`) {
			t.Errorf("%q: %s", given, text)
		}
		s.Close()
	}
	if _, err := New(Config{Models: []ModelSpec{{Name: "m", Path: path, Pooling: "max"}}}); err == nil || !strings.Contains(err.Error(), `the model "m": unknown pooling "max"`) {
		t.Error(err)
	}
}

// A model that was trained with a tokenizer.json has everything but vectors of texts without that file, and a file that is
// another one is refused.
func TestTokenizerIsNeeded(t *testing.T) {
	set := random(t, 5, 3)
	file := filepath.Join(t.TempDir(), "tokenizer.json")
	text := `{"model":{"type":"WordLevel","vocab":{"w1":0,"w2":1,"[UNK]":2},"unk_token":"[UNK]"},"pre_tokenizer":{"type":"WhitespaceSplit"}}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	training := set.Training()
	training.Set("tokenizer", corpus.NewTokenizerFile(file).String())
	set = set.WithTraining(training)
	path := filepath.Join(t.TempDir(), "m.w2v")
	if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]int{"": http.StatusNotImplemented, file: http.StatusOK} {
		s, err := New(Config{Models: []ModelSpec{{Name: "m", Path: path, Tokenizer: given}}})
		if err != nil {
			t.Fatal(err)
		}
		if status, text := answerTo(s.Handler(), "/v1/embeddings", `{"input":"w1 w2"}`); status != want {
			t.Errorf("with %q: %d %s", given, status, text)
		}
		if status, text := answerTo(s.Handler(), "/v1/embeddings", `{"input":[1,2]}`); status != http.StatusOK {
			t.Errorf("tokens with %q: %d %s", given, status, text)
		}
		s.Close()
	}
	exploding := filepath.Join(t.TempDir(), "tokenizer.json")
	replace := `{"type":"Replace","pattern":{"String":"w"},"content":"` + strings.Repeat("w", 32) + `"}`
	bomb := strings.Replace(text, `"pre_tokenizer"`, `"normalizer":{"type":"Sequence","normalizers":[`+strings.Repeat(replace+",", 6)+replace+`]},"pre_tokenizer"`, 1)
	if err := os.WriteFile(exploding, []byte(bomb), 0o666); err != nil {
		t.Fatal(err)
	}
	training.Set("tokenizer", corpus.NewTokenizerFile(exploding).String())
	if err := format.Write(t.Context(), path, set.WithTraining(training), format.W2V); err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Models: []ModelSpec{{Name: "m", Path: path, Tokenizer: exploding}}})
	if err != nil {
		t.Fatal(err)
	}
	status, answer := answerTo(s.Handler(), "/v1/embeddings", `{"input":["w1 w2"]}`)
	if want := "input[0] cannot be cut into tokens: tokenizer.json: step 2 of 7 of the tokenizer's normalizer makes a text too long: more than 336 bytes"; status != http.StatusBadRequest || !strings.Contains(answer, want) {
		t.Errorf("%d %s, want %q", status, answer, want)
	}
	s.Close()
	if err := os.WriteFile(file, []byte(strings.Replace(text, "w2", "w3", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Models: []ModelSpec{{Name: "m", Path: path, Tokenizer: file}}}); err == nil {
		t.Error("another tokenizer.json is taken")
	}
}

// everything is a request to each endpoint that reads a model's rows.
var everything = []struct{ path, body string }{
	{"/v1/neighbors?word=w1", ""}, {"/v1/neighbors?expr=w1-w2", ""}, {"/v1/neighbors", `{"words":["w1","w2"]}`},
	{"/v1/vectors?word=w1", ""}, {"/v1/analogy?a=w1&b=w2&c=w3", ""}, {"/v1/analogy?a=w1&b=w2&c=w3&method=3cosmul", ""},
	{"/v1/similarity?a=w1&b=w2", ""}, {"/v1/similarity", `{"word":"w1","words":["w2"]}`}, {"/v1/doesnt-match?word=w1&word=w2&word=w3", ""},
	{"/v1/embeddings", `{"input":"w1 w2"}`}, {"/v1/embeddings", `{"input":"w1 w2","dimensions":3}`},
}

// A file that is cut short while it is served makes its model unavailable, and nothing else.
func TestDamagedModelIsUnavailable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be cut short")
	}
	for _, request := range everything {
		path := filepath.Join(t.TempDir(), "m.w2v")
		if err := format.Write(t.Context(), path, random(t, 4000, 50), format.W2V); err != nil {
			t.Fatal(err)
		}
		s, err := New(Config{Models: []ModelSpec{{Name: "m", Path: path}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 4096); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if status, text := answerTo(s.Handler(), request.path, request.body); status != http.StatusServiceUnavailable || !strings.Contains(text, `"code":"model_unavailable"`) {
				t.Errorf("%s %s: %d %s", request.path, request.body, status, text)
			}
		}
		s.Close()
	}
}

func TestClosedServerIsUnavailable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.w2v")
	if err := format.Write(t.Context(), path, random(t, 40, 5), format.W2V); err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Models: []ModelSpec{{Name: "m", Path: path}}})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	for _, request := range everything {
		if status, text := answerTo(s.Handler(), request.path, request.body); status != http.StatusServiceUnavailable {
			t.Errorf("%s %s: %d %s", request.path, request.body, status, text)
		}
	}
}

// What is answered together is what would be answered alone, also while clients go away and the model is replaced.
func TestManyAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.w2v")
	set := random(t, 2000, 16)
	if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Models: []ModelSpec{{Name: "m", Path: path}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	var g sync.WaitGroup
	for client := range 16 {
		g.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(client), 17))
			for range 40 {
				id, k := rng.IntN(2000), 1+rng.IntN(20)
				r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("/v1/neighbors?word=w%d&k=%d", id, k), nil)
				r.Host = "localhost"
				leaves := rng.IntN(4) == 0
				if leaves {
					ctx, cancel := context.WithCancel(t.Context())
					r = r.WithContext(ctx)
					go cancel()
				}
				w := httptest.NewRecorder()
				s.Handler().ServeHTTP(w, r)
				if leaves {
					continue
				}
				var got struct{ Neighbors []struct{ Word string } }
				if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
					t.Errorf("%v in %s", err, w.Body)
				}
				all, err := set.Nearest(t.Context(), vectors.Query{Vector: set.Vectors().Row(id), K: k, Skip: []int{id}})
				if err != nil {
					t.Error(err)
					return
				}
				want := all[0]
				for i, n := range want {
					if len(got.Neighbors) != k || got.Neighbors[i].Word != n.Word {
						t.Errorf("w%d: %s, want %v", id, w.Body, want)
						break
					}
				}
			}
		})
	}
	for range 5 {
		if err := s.Reload(t.Context()); err != nil {
			t.Error(err)
		}
	}
	g.Wait()
}

// Every word of a vocabulary is found by its URL-encoded spelling.
func TestOddWordsAreFound(t *testing.T) {
	set := royal(t)
	h := answering(t, Limits{}, map[string]*vectors.Set{"royal": set})
	for id, w := range set.Words().All() {
		for _, encoded := range []string{url.QueryEscape(w), url.PathEscape(w)} {
			if strings.ContainsAny(encoded, "&=") && encoded == url.PathEscape(w) {
				continue // these end a value
			}
			_, text := answerTo(h, "/v1/vectors?word="+encoded, "")
			var got struct{ Data []struct{ Word string } }
			if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Data) != 1 || got.Data[0].Word != w {
				t.Errorf("word %d %q as %s: %s", id, w, encoded, text)
			}
		}
	}
}

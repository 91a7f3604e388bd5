package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

const golden = "../testdata/fasttext/"

var classifiers = strings.Fields("supervised.bin wordngrams.bin quantised.ftz pruned.ftz labels.ftz class-hs.bin class-ova.bin class-ns.bin class-runs.ftz")

// sorting serves classifiers beside the royal set.
func sorting(t *testing.T, limits Limits) http.Handler {
	t.Helper()
	c := Config{Limits: limits, Models: []ModelSpec{{Name: "royal", Path: writeSet(t, royal(t))}}}
	for _, name := range classifiers {
		c.Models = append(c.Models, ModelSpec{Name: name, Path: golden + name})
	}
	return made(t, c).Handler()
}

func inJSONOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Several models at once, asked by several clients with batches, answer as the library does.
func TestClassifyAnswersAsTheLibrary(t *testing.T) {
	h := sorting(t, Limits{})
	file, err := os.ReadFile(golden + "labelled.txt")
	if err != nil {
		t.Fatal(err)
	}
	texts := append(strings.Split(strings.ToValidUTF8(string(file), "?"), "\n"), "", "\n", "the baker\nbakes bread", "\x00", strings.Repeat("bread ", 20_000))
	var asking sync.WaitGroup
	defer asking.Wait()
	for _, name := range classifiers {
		asking.Go(func() {
			m, err := classify.Open(golden + name)
			if err != nil {
				t.Error(err)
				return
			}
			defer m.Close()
			for _, ask := range []struct {
				k         int
				threshold float32
			}{{1, 0}, {3, 0}, {1000, 0.2}, {2, 1}, {0, 0}, {-1, 0.1}} {
				want := classifyAnswer{"list", name, nil}
				for i, text := range texts {
					best, err := m.Predict(text, ask.k, ask.threshold)
					if err != nil {
						t.Error(err)
					}
					of := classified{i, []labeled{}}
					for _, p := range best {
						of.Labels = append(of.Labels, labeled{p.Label, probability(p.Probability)})
					}
					want.Data = append(want.Data, of)
				}
				body := fmt.Sprintf(`{"model":%q,"input":%s,"k":%d,"threshold":%v}`, name, inJSONOf(t, texts), ask.k, ask.threshold)
				if status, got := answerTo(h, "/v1/classify", body); status != http.StatusOK || got != inJSONOf(t, want) {
					t.Errorf("%s, k %d, threshold %v: %d\ngot  %.300s\nwant %.300s", name, ask.k, ask.threshold, status, got, inJSONOf(t, want))
				}
			}
		})
	}
}

func TestClassifyAnswers(t *testing.T) {
	h := sorting(t, Limits{})
	if _, got := answerTo(sorting(t, Limits{Answers: 1}), "/v1/classify", `{"model":"pruned.ftz","input":"a","k":-1}`); !strings.Contains(got, `labels, and a request can ask for 1 of each text`) {
		t.Error(got)
	}
	for body, want := range map[string]string{
		`{"model":"class-hs.bin","input":"bread and wine"}`:                        `{"object":"list","model":"class-hs.bin","data":[{"index":0,"labels":[{"label":"__label__bread","probability":P}]}]}`,
		`{"model":"pruned.ftz","input":[],"k":1}`:                                  `{"error":{"message":"input is empty","type":"invalid_request_error","code":"invalid_value","param":"input"}}`,
		`{"model":"pruned.ftz","input":"a","k":null}`:                              ``,
		`{"model":"royal","input":"a"}`:                                            `no_classifier`,
		`{"model":"pruned.ftz","input":["a",null]}`:                                `input has a null in it`,
		`{"model":"pruned.ftz","input":[1]}`:                                       `input must be a string or an array of strings`,
		`{"model":"pruned.ftz","input":null}`:                                      `input has a null in it`,
		`{"model":"pruned.ftz"}`:                                                   `input is empty`,
		`{"model":"pruned.ftz","input":"a","k":-2}`:                                `k must be from -1 to 1000, is -2`,
		`{"model":"pruned.ftz","input":"a","k":1001}`:                              `k must be from -1 to 1000, is 1001`,
		`{"model":"pruned.ftz","input":"a","threshold":"b"}`:                       `threshold has a string where it must have a number`,
		`{"model":"pruned.ftz","input":"a","threshold":1.01}`:                      `threshold must be from 0 to 1, is 1.01`,
		`{"model":"pruned.ftz","input":"a","threshold":-1}`:                        `threshold must be from 0 to 1, is -1`,
		`{"model":"pruned.ftz","text":"a"}`:                                        `unknown_field`,
		`{"input":"a"}`:                                                            `missing_model`,
		`{"model":"pruned.ftz","input":["a"` + strings.Repeat(`,"a"`, 2048) + `]}`: `input has 2049 values, and a request can have 2048`,
	} {
		_, got := answerTo(h, "/v1/classify", body)
		if before, after, exact := strings.Cut(want, "P"); exact && strings.HasPrefix(got, before) && strings.HasSuffix(got, after) || !exact && strings.Contains(got, want) {
			continue
		}
		t.Errorf("%.100s\ngot  %.300s\nwant %s", body, got, want)
	}
	if _, got := answerTo(h, "/v1/classify", `{"model":"royal","input":"a"}`); !strings.Contains(got, `"suggestions":["supervised.bin",`) || !strings.Contains(got, `the model \"royal\" cannot classify: it has vectors and no labels`) {
		t.Error(got)
	}
}

// Probabilities have the digits that w2v classify predict prints.
func TestClassifyDigits(t *testing.T) {
	for p, want := range map[float32]string{0.50782186: "0.507822", 1.00001: "1.00001", 1: "1", 0.5: "0.5", 1e-5: "1e-05", float32(math.NaN()): "null"} {
		if got, err := json.Marshal(probability(p)); err != nil || string(got) != want {
			t.Errorf("%v is %s (%v), want %s", p, got, err, want)
		}
	}
}

// A model that has learned when a text is unknown says so, also with a threshold of the question.
func TestClassifyUnknown(t *testing.T) {
	from, err := format.Open(golden + "class-hs.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	facts := from.Training()
	facts.Set("unknown_threshold", 0.999)
	h := answering(t, Limits{}, map[string]*vectors.Set{"unsure": from.WithTraining(facts)})
	for _, threshold := range []string{"0", "1"} {
		status, got := answerTo(h, "/v1/classify", `{"input":["bread of the baker"],"k":3,"threshold":`+threshold+`}`)
		if want := `"labels":[{"label":"unknown","probability":0.`; status != http.StatusOK || threshold == "0" && !strings.Contains(got, want) {
			t.Errorf("threshold %s: %d, %s", threshold, status, got)
		}
	}
}

// Models say what they classify into, and answer about their words. A model of labels that has no word left is served.
func TestClassifiersAnswerAboutWords(t *testing.T) {
	h := sorting(t, Limits{})
	for path, want := range map[string]string{
		"/v1/models/class-ova.bin":                            `"classifier":{"labels":3,"loss":"ova"}`,
		"/v1/models/class-runs.ftz":                           `"classifier":{"labels":3,"loss":"softmax"}`,
		"/v1/neighbors?model=class-ova.bin&word=bread&k=1":    `"neighbors":[{"word":`,
		"/v1/vectors?model=supervised.bin&word=bread":         `"vector":[`,
		"/v1/similarity?model=supervised.bin&a=bread&b=baker": `"similarity":`,
	} {
		if status, got := answerTo(h, path, ""); status != http.StatusOK || !strings.Contains(got, want) {
			t.Errorf("%s: %d, got %.300s", path, status, got)
		}
	}
	if _, got := answerTo(h, "/v1/models/royal", ""); strings.Contains(got, "classifier") {
		t.Error(got)
	}
	if status, got := answerTo(h, "/v1/embeddings", `{"model":"class-ns.bin","input":"bread and wine"}`); status != http.StatusOK || !strings.Contains(got, `"known_tokens":3`) {
		t.Errorf("%d, %s", status, got)
	}
	words := vectors.NewWords()
	p := vectors.Parts{Words: words, Input: vectors.NewMatrix(0, 2), Training: vectors.NewTraining("loss", "softmax")}
	p.Labels = &vectors.Labels{Names: vectors.NewWords("a", "b"), Rows: vectors.NewMatrix(2, 2)}
	set, err := vectors.New(p)
	if err != nil {
		t.Fatal(err)
	}
	h = answering(t, Limits{}, map[string]*vectors.Set{"none": set})
	if status, got := answerTo(h, "/v1/classify", `{"input":"x"}`); status != http.StatusOK || !strings.Contains(got, `"labels":[]`) {
		t.Errorf("%d, %s", status, got)
	}
	if status, got := answerTo(h, "/v1/neighbors?word=x", ""); status != http.StatusNotFound || !strings.Contains(got, "unknown_word") {
		t.Errorf("%d, %s", status, got)
	}
}

// What labels of an answer take is limited; the limit of vectors counts them.
func TestClassifyLimits(t *testing.T) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprint("label", i)
	}
	p := vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 2), Training: vectors.NewTraining("loss", "softmax")}
	p.Labels = &vectors.Labels{Names: vectors.NewWords(names...), Rows: vectors.NewMatrix(len(names), 2)}
	set, err := vectors.New(p)
	if err != nil {
		t.Fatal(err)
	}
	h := answering(t, Limits{}, map[string]*vectors.Set{"many": set})
	for n, want := range map[int]int{maxNumbers / labelNumbers / 1000: http.StatusOK, maxNumbers/labelNumbers/1000 + 1: http.StatusBadRequest} {
		body := fmt.Sprintf(`{"k":1000,"input":%s}`, inJSONOf(t, slices.Repeat([]string{"a"}, n)))
		if status, got := answerTo(h, "/v1/classify", body); status != want || want != http.StatusOK && !strings.Contains(got, "too_many_answers") {
			t.Errorf("%d texts: %d, %.300s", n, status, got)
		}
	}
}

// A model whose labels cannot be predicted is not served. A changed file is no longer used.
func TestUnusableClassifiers(t *testing.T) {
	p := vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 2), Training: vectors.NewTraining("loss", "hinge")}
	p.Labels = &vectors.Labels{Names: vectors.NewWords("x"), Rows: vectors.NewMatrix(1, 2)}
	set, err := vectors.New(p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Models: []ModelSpec{{Name: "odd", Path: writeSet(t, set)}}}); err == nil || !strings.Contains(err.Error(), `the model "odd": the loss "hinge" is not known`) {
		t.Error(err)
	}
	from, err := format.Open(golden + "class-ova.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	path := filepath.Join(t.TempDir(), "model.w2v")
	if err := format.Write(t.Context(), path, from, format.W2V); err != nil {
		t.Fatal(err)
	}
	h := made(t, Config{Models: []ModelSpec{{Name: "ova", Path: path}}}).Handler()
	if status, got := answerTo(h, "/v1/classify", `{"input":"bread"}`); status != http.StatusOK {
		t.Fatalf("%d, %s", status, got)
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	if status, got := answerTo(h, "/v1/classify", `{"input":["bread","wine"]}`); status != http.StatusServiceUnavailable || !strings.Contains(got, "model_unavailable") {
		t.Errorf("%d, %s", status, got)
	}
}

package serve

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/index"
)

// writeIndex writes an index of entries, and returns its path.
func writeIndex(t testing.TB, of string, e *index.Entries) string {
	t.Helper()
	x, err := index.Build(t.Context(), e, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x.About.Of = of
	path := filepath.Join(t.TempDir(), "entries.index")
	if err := x.Write(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	return path
}

// indexed is the royal set with an index of its words.
func indexed(t testing.TB) ModelSpec {
	t.Helper()
	set := royal(t)
	e, err := index.Of(set)
	if err != nil {
		t.Fatal(err)
	}
	return ModelSpec{Name: "royal", Path: writeSet(t, set), Index: writeIndex(t, "words", e)}
}

func TestSearchAnswers(t *testing.T) {
	h := made(t, Config{Models: []ModelSpec{indexed(t)}, Limits: Limits{Inputs: 3, Answers: 60_000}}).Handler()
	for _, test := range []struct {
		body, want string
	}{
		{`{"input":"man","among":["woman","man"]}`, `{"object":"list","model":"royal","data":[{"index":0,"neighbors":[{"name":"man","similarity":1},{"name":"woman","similarity":0}]}]}`},
		{`{"input":[[2]],"k":1}`, `"neighbors":[{"name":"man","similarity":1}]`},
		{`{"vectors":[[2,0,0],[0,0,7]],"k":1}`, `"data":[{"index":0,"neighbors":[{"name":"man","similarity":1}]},{"index":1,"neighbors":[{"name":"new york","similarity":1}]}]`},
		{`{"vectors":[[1,0,0]],"threshold":0.9}`, `"neighbors":[{"name":"man","similarity":1}]`},
		{`{"vectors":[[1,0,0]],"threshold":2}`, `"neighbors":[]`},
		{`{"vectors":[[1,0,0]],"among":["woman","king"],"effort":1}`, `"neighbors":[{"name":"king","similarity":0.7071`},
		{`{"vectors":[[1,0,0]],"among":["woman","king"],"exclude":["king","nobody"]}`, `"neighbors":[{"name":"woman","similarity":0}]`},
		{`{"vectors":[[1,0,0]],"exclude":["man"],"k":1}`, `"neighbors":[{"name":"well-known","similarity":0.8944`},
		{`{"input":["xyzzy","man"],"k":1}`, `"data":[{"index":0,"neighbors":[],"error":{"message":"input[0] has no direction: no token of it has a vector, or they cancel out","type":"invalid_request_error","code":"no_direction","param":"input"}},{"index":1,"neighbors":[{"name":"man","similarity":1}]}]`},
		{`{"vectors":[[0,0,0]]}`, `"message":"vectors[0] has no direction: it is zero"`},

		{`{}`, `"code":"missing_parameter","param":"input"`},
		{`{"input":"a","vectors":[[1,2,3]]}`, `input and vectors ask different questions`},
		{`{"input":""}`, `input[0] is an empty string`},
		{`{"vectors":[]}`, `vectors is empty`},
		{`{"vectors":[[1,2,3],[1,2]]}`, `vectors[1] has 2 numbers, and the index has 3 dimensions`},
		{`{"vectors":[[1,2,null]]}`, `vectors must be an array of arrays of numbers of float32`},
		{`{"vectors":[null]}`, `vectors must be an array of arrays of numbers of float32`},
		{`{"vectors":[[1,2,1e60]]}`, `vectors must be an array of arrays of numbers of float32`},
		{`{"vectors":[[1,2,3],[1,2,3],[1,2,3],[1,2,3]]}`, `vectors has 4 values, and a request can have 3`},
		{`{"input":["a","a","a","a"]}`, `input has 4 values, and a request can have 3`},
		{`{"vectors":[[1,2,3]],"among":["nobody"]}`, `no entry of the index has the name \"nobody\"`},
		{`{"vectors":[[1,2,3]],"among":[]}`, `no entry may answer`},
		{`{"vectors":[[1,2,3]],"among":["king"],"exclude":["king"]}`, `no entry may answer`},
		{`{"vectors":[[1,2,3]],"effort":0}`, `effort must be from 1 to 65536, is 0`},
		{`{"vectors":[[1,2,3],[1,2,3]],"k":60000}`, `2 queries with 60000 answers each are 120000 answers, and a request can have 100000`},
		{`{"vectors":[[1,2,3]],"where":["kind=x"]}`, `"message":"the server has no facts about the entries of this index","type":"invalid_request_error","code":"no_facts","param":"where"`},
		{`{"vectors":[[1,2,3]],"topn":1}`, `unknown_field`},
		{`{"vectors":[[1,2,3]],"model":"other"}`, `model_not_found`},
	} {
		status, got := answerTo(h, "/v1/search", test.body)
		if isProblem := strings.HasPrefix(got, `{"error"`); !strings.Contains(got, test.want) || isProblem != (status != http.StatusOK) {
			t.Errorf("%s: %d\ngot  %s\nwant %s", test.body, status, got, test.want)
		}
	}
	if _, got := answerTo(h, "/v1/models/royal", ""); !strings.Contains(got, `"index":{"entries":12,"of":"words"}`) {
		t.Error(got)
	}
}

// Conditions on facts restrict neighbours of words, too.
func TestNeighborsOfFacts(t *testing.T) {
	facts := filepath.Join(t.TempDir(), "facts.tsv")
	if err := os.WriteFile(facts, []byte("word\tkind\tage\nman\tperson\t30\nwoman\tperson\t40\nking\troyal\t50\nqueen\troyal\t\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := made(t, Config{Models: []ModelSpec{{Name: "royal", Path: writeSet(t, royal(t))}}, Metadata: map[string]string{"royal": facts}}).Handler()
	words := regexp.MustCompile(`"word":"([^"]*)"`)
	for question, want := range map[string]string{
		"where=kind%3Dperson":                             "man woman",
		"where=kind%3Dperson&where=age%3E30":              "woman",
		"where=age%3E%3D30&where=kind!%3Dx&exclude=woman": "man",
		"where=kind%3Droyal":                              "queen",
		"where=kind%3Dperson&among=woman&among=queen":     "woman",
		"where=kind%3Dperson&restrict=3":                  "man",
		"where=age%3E60":                                  "",
		"where=colour%3Dred":                              `there is no column \"colour\", only kind, age`,
	} {
		_, got := answerTo(h, "/v1/neighbors?word=king&"+question, "")
		var found []string
		for _, word := range words.FindAllStringSubmatch(got, -1) {
			found = append(found, word[1])
		}
		if strings.Join(found, " ") != want && !(strings.Contains(want, "column") && strings.Contains(got, want)) {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
	if _, got := answerTo(h, "/v1/neighbors", `{"words":["king","queen"],"where":["kind=person"],"k":1}`); strings.Count(got, `"word":"`) != 2 || !strings.Contains(got, `"word":"man"`) {
		t.Error(got)
	}
	h = made(t, Config{Models: []ModelSpec{{Name: "royal", Path: writeSet(t, royal(t))}}}).Handler()
	if _, got := answerTo(h, "/v1/neighbors?word=king&where=a%3Db", ""); !strings.Contains(got, `"code":"no_facts","param":"where"`) {
		t.Error(got)
	}
}

// Conditions are on facts about entries.
func TestSearchOfFacts(t *testing.T) {
	facts := filepath.Join(t.TempDir(), "facts.tsv")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(facts, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("name\tkind\tage\nman\tperson\t30\nwoman\tperson\t40\nking\troyal\t50\nnew york\tcity\t\n")
	s := made(t, Config{Models: []ModelSpec{indexed(t)}, Metadata: map[string]string{"royal": facts}})
	names := regexp.MustCompile(`"name":"([^"]*)"`)
	for body, want := range map[string]string{
		`"where":["kind=person"]`:                                 "man woman",
		`"where":["kind=person"],"exclude":["man"]`:               "woman",
		`"where":["kind!=city","age>30"]`:                         "king woman",
		`"where":["kind!=city","age>30"],"among":["woman"]`:       "woman",
		`"where":["age>=30"],"k":2`:                               "man king",
		`"where":["age>=30"],"threshold":0.5`:                     "man king",
		`"where":["age>60"]`:                                      `"message":"none of the entries of this index meets \"age>60\": the values of the column \"age\" are from 30 to 50","type":"invalid_request_error","code":"invalid_value","param":"where"`,
		`"where":["colour=red"]`:                                  `there is no column \"colour\", only kind, age`,
		`"where":["kind"]`:                                        `is no condition`,
		`"where":[""]`:                                            `where is empty`,
		`"where":"kind=person"`:                                   `where has a string where it must have an array`,
		`"where":["kind<a"]`:                                      `, which are not ordered`,
		`"where":[` + strings.Repeat(`"age>1",`, 64) + `"age>1"]`: `where has 65 values, and a request can have 64`,
	} {
		_, got := answerTo(s.Handler(), "/v1/search", `{"vectors":[[1,0,0]],`+body+`}`)
		var found []string
		for _, name := range names.FindAllStringSubmatch(got, -1) {
			found = append(found, name[1])
		}
		if strings.Join(found, " ") != want && !(found == nil && strings.Contains(got, want)) {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
	if _, got := answerTo(s.Handler(), "/v1/models/royal", ""); !strings.Contains(got, `"index":{"entries":12,"of":"words","facts":["kind","age"]}`) {
		t.Error(got)
	}
	// Facts are read with the index.
	write("name\tkind\nking\tperson\n")
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, got := answerTo(s.Handler(), "/v1/search", `{"vectors":[[1,0,0]],"where":["kind=person"]}`); !strings.Contains(got, `"neighbors":[{"name":"king"`) {
		t.Error(got)
	}
	write("name\n")
	if err := s.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), "the header has one column") {
		t.Error(err)
	}
}

// Efforts of all queries together have a limit.
func TestSearchEffort(t *testing.T) {
	h := made(t, Config{Models: []ModelSpec{indexed(t)}}).Handler()
	for n, want := range map[int]int{64: http.StatusOK, 65: http.StatusBadRequest} {
		body := `{"effort":65536,"vectors":[[1,2,3]` + strings.Repeat(`,[1,2,3]`, n-1) + `]}`
		if status, got := answerTo(h, "/v1/search", body); status != want || want != http.StatusOK && !strings.Contains(got, "65 queries with an effort of 65536 each are 4259840, and a request can have 4194304") {
			t.Errorf("%d queries: %d, %.200s", n, status, got)
		}
	}
}

// A model without an index names those that have one.
func TestSearchOfSeveralModels(t *testing.T) {
	h := made(t, Config{Models: []ModelSpec{{Name: "bare", Path: writeSet(t, royal(t))}, indexed(t)}}).Handler()
	for body, want := range map[string]string{
		`{"input":"king"}`:                        `"code":"missing_model"`,
		`{"input":"king","model":"bare"}`:         `"message":"the model \"bare\" has no index to search","type":"invalid_request_error","code":"no_index","param":"model","suggestions":["royal"]`,
		`{"input":"queen","model":"royal","k":1}`: `"neighbors":[{"name":"queen","similarity":`,
	} {
		if _, got := answerTo(h, "/v1/search", body); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
	if _, got := answerTo(h, "/v1/models/bare", ""); strings.Contains(got, `"index"`) {
		t.Error(got)
	}
}

// Texts are found by the vectors that the model makes of them.
func TestSearchOfTexts(t *testing.T) {
	e := index.NewEntries(3)
	e.Add("king queen", []float32{1, 1, 2})
	e.Add("man", []float32{1, 0, 0})
	spec := ModelSpec{Name: "royal", Path: writeSet(t, royal(t)), Pooling: "mean", Index: writeIndex(t, "texts", e)}
	own := spec
	own.Pooling = ""
	h := made(t, Config{Models: []ModelSpec{own}}).Handler()
	if _, got := answerTo(h, "/v1/search", `{"input":"a man","k":1}`); !strings.Contains(got, `"neighbors":[{"name":"man","similarity":1}]`) {
		t.Error(got)
	}
	if _, err := New(Config{Models: []ModelSpec{spec}}); err == nil || !strings.Contains(err.Error(), "the index has vectors of texts by the rule weighted, and the server was started with mean") {
		t.Error(err)
	}
}

// An index that is not the model's, damaged or none is not served.
func TestUnusableIndexes(t *testing.T) {
	other, flat := index.NewEntries(3), index.NewEntries(2)
	other.Add("king", []float32{-1, 0, 0})
	flat.Add("king", []float32{1, 0})
	spec := indexed(t)
	whole, err := os.ReadFile(spec.Index)
	if err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(t.TempDir(), "damaged.index")
	whole[len(whole)-1] ^= 1
	if err := os.WriteFile(damaged, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		writeIndex(t, "words", other): "the model gives other vectors than the index has",
		writeIndex(t, "words", flat):  "the index has 2 dimensions, and the model has 3",
		spec.Path:                     "is not an index: w2v index makes one",
		"none.index":                  "none.index",
		damaged:                       "the file is damaged",
	} {
		spec.Index = path
		if _, err := New(Config{Models: []ModelSpec{spec}}); err == nil || !strings.Contains(err.Error(), `the model "royal": `) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
}

// A reload opens the index again; one that does not fit leaves that from before. An index that is changed in place is no longer used.
func TestSearchAfterReload(t *testing.T) {
	spec := indexed(t)
	s := made(t, Config{Models: []ModelSpec{spec}})
	search := func(status int, want string) {
		t.Helper()
		if got, text := answerTo(s.Handler(), "/v1/search", `{"vectors":[[1,0,0]],"k":1}`); got != status || !strings.Contains(text, want) {
			t.Errorf("%d, %s, want %d, %s", got, text, status, want)
		}
	}
	search(http.StatusOK, `"man"`)
	replace := func(of *vectors.Set) {
		t.Helper()
		e, err := index.Of(of)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(writeIndex(t, "words", e), spec.Index); err != nil {
			t.Fatal(err)
		}
	}
	turned, err := vectors.New(vectors.Parts{Words: vectors.NewWords("king"), Input: vectors.Matrix{Data: []float32{-1, 0, 0}, Rows: 1, Cols: 3, Stride: 3}})
	if err != nil {
		t.Fatal(err)
	}
	replace(turned)
	if err := s.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), `the model "royal" stays as it was`) {
		t.Error(err)
	}
	search(http.StatusOK, `"man"`)
	few, err := vectors.New(vectors.Parts{Words: vectors.NewWords("king"), Input: vectors.Matrix{Data: []float32{1, 0, 1}, Rows: 1, Cols: 3, Stride: 3}})
	if err != nil {
		t.Fatal(err)
	}
	replace(few)
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	search(http.StatusOK, `"king"`)
	if err := os.Truncate(spec.Index, 100); err != nil {
		t.Fatal(err)
	}
	search(http.StatusServiceUnavailable, "model_unavailable")
	if status, got := answerTo(s.Handler(), "/readyz", ""); status != http.StatusServiceUnavailable {
		t.Errorf("%d, %s", status, got)
	}
}

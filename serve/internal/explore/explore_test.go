package explore_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/w2v-go/w2v/serve/internal/explore"
	"github.com/w2v-go/w2v/serve/internal/facts"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/query"
)

// shelf is models in memory.
type shelf struct {
	mu    sync.Mutex
	names []string
	sets  map[string]*vectors.Set
	ctx   map[string]context.Context
	end   map[string]context.CancelFunc // of ctx
	used  map[*vectors.Set]int
	facts map[string]*facts.Facts
}

var errNoModel = errors.New("no such model")

func (s *shelf) Names() []string { return s.names }

func (s *shelf) put(name string, set *vectors.Set) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sets == nil {
		s.sets, s.used = map[string]*vectors.Set{}, map[*vectors.Set]int{}
		s.ctx, s.end = map[string]context.Context{}, map[string]context.CancelFunc{}
	}
	if s.sets[name] == nil {
		s.names = append(s.names, name)
	} else {
		s.end[name]()
	}
	s.sets[name] = set
	s.ctx[name], s.end[name] = context.WithCancel(context.Background())
}

func (s *shelf) Use(name string) (*explore.Model, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set := s.sets[name]
	if set == nil {
		return nil, errNoModel
	}
	words, err := query.New(set, vectors.CaseAuto)
	if err != nil {
		return nil, err
	}
	s.used[set]++
	release := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.used[set]--
	}
	return &explore.Model{Name: name, Context: s.ctx[name], Checksum: func() (string, error) { return explore.Checksum(set) }, Words: words, Facts: s.facts[name], Read: set.Guard, Release: release}, nil
}

// tell gives facts about the words of a model, in the place of those that it has.
func (s *shelf) tell(t *testing.T, name, table string) {
	t.Helper()
	about, err := metadata.Read(strings.NewReader(table), "facts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.facts == nil {
		s.facts = map[string]*facts.Facts{}
	}
	s.facts[name] = facts.New(about, s.sets[name])
}

// inUse returns how often models have been used and not released.
func (s *shelf) inUse() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, used := range s.used {
		n += used
	}
	return n
}

// compass are words in directions of the plane.
func compass(t *testing.T) *vectors.Set {
	t.Helper()
	return newSet(t, []uint64{50, 40, 30, 20, 10}, []string{"north", "east", "south", "west", "northeast"}, [][]float32{{0, 2}, {1, 0}, {0, -1}, {-3, 0}, {1, 1}})
}

func newSet(t *testing.T, counts []uint64, words []string, rows [][]float32) *vectors.Set {
	t.Helper()
	m := vectors.NewMatrix(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(m.Row(i), row)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m, Counts: counts})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// random are n words, w0 and so on, in groups of ten that lie together.
func random(t *testing.T, n, dim int, seed uint64) *vectors.Set {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	words, rows, counts := make([]string, n), make([][]float32, n), make([]uint64, n)
	for i := range n {
		words[i], counts[i] = fmt.Sprint("w", i), uint64(10*(n-i))
		centre := rand.New(rand.NewPCG(uint64(i/10), 7))
		for range dim {
			rows[i] = append(rows[i], float32(centre.NormFloat64()+0.2*r.NormFloat64()))
		}
	}
	return newSet(t, counts, words, rows)
}

// serve answers requests with an explorer's routes, as the server does.
func serve(t *testing.T, o explore.Options) (*httptest.Server, *explore.Explorer) {
	t.Helper()
	e, err := explore.New(o)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for _, route := range e.Routes() {
		mux.HandleFunc(route.Pattern, func(w http.ResponseWriter, r *http.Request) {
			err := route.Handle(w, r)
			p, ok := errors.AsType[*explore.Problem](err)
			switch {
			case ok:
				w.WriteHeader(p.Status)
				fmt.Fprintf(w, "%s %s: %s %q", p.Code, p.Param, p.Message, p.Suggestions)
			case errors.Is(err, errNoModel):
				w.WriteHeader(http.StatusNotFound)
				fmt.Fprint(w, err)
			case err != nil:
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprint(w, err)
			}
		})
	}
	s := httptest.NewServer(mux)
	t.Cleanup(func() {
		e.Close()
		s.Close()
	})
	return s, e
}

// get returns what the server answers.
func get(t *testing.T, s *httptest.Server, path string) (status int, body string) {
	t.Helper()
	r, err := s.Client().Get(s.URL + "/explorer/" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// write writes a file into a new folder.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnswers(t *testing.T) {
	models := &shelf{}
	models.put("compass", compass(t))
	models.put("a/b", compass(t))
	models.put("runs", compass(t))
	models.tell(t, "compass", "word\taxis\tangle\nnorth\ty\t90\neast\tx\t0\nsouth\ty\n")
	s, _ := serve(t, explore.Options{
		Models: models,
		Scores: []string{
			write(t, "good.json", `{"set":"a"} {"set":"b"}`), write(t, "bad.json", "{\"set\":\"a\"}\n[1]"), filepath.Join(t.TempDir(), "absent.json"), os.DevNull,
		},
		Logs: []string{write(t, "first.jsonl", "{\"event\":\"start\"}\n{\"event\":\"done\"}\n"), write(t, "second.jsonl", "{\"event\":\"start\"}\n"), filepath.Join(t.TempDir(), "later.jsonl")},
	})
	for _, test := range []struct {
		path   string
		status int
		want   string // all of it, or its beginning before …
	}{
		{"models", 200, `[{"name":"compass","format":"","words":5,"dim":2,"points":5,"subwords":false,"counts":true,"ignores_case":true,"training":{},"fields":[{"name":"axis","kind":"category"},{"name":"angle","kind":"number"}],"projections":["pca","umap"]},…`},
		{"compass/words", 200, `["north","east","south","west","northeast"]`},
		{"a%2Fb/words", 200, `["north","east","south","west","northeast"]`},
		{"runs/words", 200, `["north","east","south","west","northeast"]`},
		{"compass/fields/axis", 200, `{"name":"axis","kind":"category","categories":["y","x"],"known":3,"values":[0,1,0,-1,-1]}`},
		{"compass/fields/angle", 200, `{"name":"angle","kind":"number","known":2,"values":[90,0,null,null,null]}`},
		{"compass/fields/colour", 404, `unknown_field : compass has no field "colour" []`},
		{"a%2Fb/fields/axis", 404, `unknown_field : a/b has no field "axis" []`},
		{"moon/words", 404, `no such model`},
		{"compass/cosines?word=north", 200, "\x00\x00\x80\x3f…"}, // 1
		{"compass/cosines?word=nort", 404, `unknown_word word: there is no vector for the word "nort" ["north"]`},
		{"compass/cosines?expr=north+-+north", 400, `invalid_value expr: the vector of "north - north" has no direction []`},
		{"compass/nothing", 404, `not_found : there is nothing at this address []`},

		{"compass/place?word=North&k=1", 200, `{"word":"North","found_as":"north","id":0,"composed":false,"estimated":false,"neighbors":[{"word":"northeast","id":4,"similarity":0.70710677,"count":10}]}`},
		{"compass/place?expr=north%2Beast&k=1", 200, `{"word":"north+east","terms":[{"word":"north","weight":1},{"word":"east","weight":1}],"id":-1,"composed":false,"estimated":false,"neighbors":[{"word":"northeast","id":4,"similarity":0.99999994,"count":10}]}`},
		{"compass/place?word=nort", 404, `unknown_word word: there is no vector for the word "nort" ["north"]`},
		{"compass/place?expr=north+%2B+nort", 404, `unknown_word expr: there is no vector for the word "nort" ["north"]`},
		{"compass/place?expr=north+%2B", 400, `invalid_value expr: "north +" is not an expression: no word stands behind the last + []`},
		{"compass/place", 400, `missing_parameter word: the parameter word is missing []`},
		{"compass/place?word=north&k=0", 400, `invalid_value k: k must be a number from 1 to 1000, is "0" []`},
		{"compass/place?word=north&map=moon", 404, `unknown_projection : there is no projection "moon", only ["pca" "umap"] []`},
		{"compass/place?word=" + strings.Repeat("a", 4097), 400, `invalid_value word: word is longer than 4096 bytes []`},

		{"compass/axis?from=west&to=east&k=1&words=northeast,up,north", 200, `{"from":"west","to":"east","toward":[{"word":"northeast","id":4,"value":0.70710677}],"away":[{"word":"north","id":0,"value":0}],"words":[{"word":"northeast","id":4,"value":0.70710677},{"word":"north","id":0,"value":0}],"missing":["up"]}`},
		{"compass/axis?from=west&to=east&k=1&restrict=4", 200, `{"from":"west","to":"east","toward":[{"word":"north","id":0,"value":0}],"away":[{"word":"north","id":0,"value":0}],"words":[],"missing":[]}`},
		{"compass/place?word=north&k=1&where=axis%3Dx", 200, `{"word":"north","id":0,"composed":false,"estimated":false,"neighbors":[{"word":"east","id":1,"similarity":0,"count":40}]}`},
		{"compass/place?word=north&k=1&where=axis%3Dx&where=angle%3E90", 200, `{"word":"north","id":0,"composed":false,"estimated":false,"neighbors":[]}`},
		{"compass/place?word=north&k=1&where=size%3D1", 400, `invalid_value where: "size=1": there is no column "size", only axis, angle []`},
		{"a%2Fb/place?word=north&k=1&where=size%3D1", 400, `invalid_value where: a/b has no fields []`},
		{"compass/place?word=north&k=1&cluster=x", 400, `invalid_value cluster: cluster must be a number from 0, is "x" []`},
		{"compass/place?word=north&k=1&cluster=0", 409, `not_ready cluster: the clusters are not known before the map by umap is ready []`},
		{"compass/axis?from=west&to=east&k=1&where=axis%3Dy", 200, `{"from":"west","to":"east","toward":[{"word":"north","id":0,"value":0}],"away":[{"word":"north","id":0,"value":0}],"words":[],"missing":[]}`},
		{"compass/analogy?a=north&b=east&c=south&k=1&where=axis%3Dy", 200, `{"method":"3cosadd","terms":[{"role":"a","word":"north","id":0,"composed":false},{"role":"b","word":"east","id":1,"composed":false},{"role":"c","word":"south","id":2,"composed":false}],"answers":[]}`},
		{"compass/axis?from=west&to=east&restrict=0", 400, `invalid_value restrict: restrict must be a number from 1, is "0" []`},
		{"compass/axis?from=west&to=west", 400, `invalid_value to: there is no axis between words of one direction []`},
		{"compass/axis?from=west", 400, `missing_parameter to: the parameter to is missing []`},

		{"compass/analogy?a=north&b=east&c=south&k=1", 200, `{"method":"3cosadd","terms":[{"role":"a","word":"north","id":0,"composed":false},{"role":"b","word":"east","id":1,"composed":false},{"role":"c","word":"south","id":2,"composed":false}],"answers":[{"word":"northeast","id":4,"score":-0.31622776}]}`},
		{"compass/analogy?a=north&b=east&c=south&k=1&restrict=4", 200, `{"method":"3cosadd","terms":[{"role":"a","word":"north","id":0,"composed":false},{"role":"b","word":"east","id":1,"composed":false},{"role":"c","word":"south","id":2,"composed":false}],"answers":[{"word":"west","id":3,"score":-0.4472136}]}`},
		{"compass/analogy?a=north&b=east&c=sout", 404, `unknown_word c: there is no vector for the word "sout" ["south"]`},
		{"compass/analogy?a=north&b=east&c=south&method=magic", 400, `invalid_value method: unknown analogy method "magic", want 3cosadd, 3cosmul or pairdirection []`},

		{"compass/maps/moon", 404, `unknown_projection : there is no projection "moon", only ["pca" "umap"] []`},
		{"compass/maps/umap/points", 409, `not_ready : the map by umap is not ready []`},
		{"compass/maps/umap/clusters", 409, `not_ready : the map by umap is not ready []`},
		{"compass/maps/umap/preserved", 409, `not_ready : the map by umap is not ready []`},

		{"evaluations", 200, `[{"file":"good.json","records":[{"set":"a"},{"set":"b"}]},{"file":"bad.json","records":[{"set":"a"}],"error":"record 2 is not a JSON object"},{"file":"absent.json","records":[],"error":"no such file or directory"},{"file":"null","records":[],"error":"it is not a regular file"}]`},
		{"runs", 200, `[{"name":"first","finished":true},{"name":"second","finished":false},{"name":"later","finished":false}]`},
		{"runs/third", 404, `not_found : there is nothing at this address []`}, // of the model that is called runs
		{"compare?old=compass", 400, `missing_parameter new: the parameter new is missing []`},
		{"compare?old=compass&new=moon", 404, `no such model`},
		{"compare?old=compass&new=runs&min_count=-1", 400, `invalid_value min_count: min_count must be a number from 0, is "-1" []`},
	} {
		t.Run(test.path[:min(40, len(test.path))], func(t *testing.T) {
			status, body := get(t, s, test.path)
			want, isPrefix := strings.CutSuffix(test.want, "…")
			if status != test.status || body != want && !(isPrefix && strings.HasPrefix(body, want)) {
				t.Errorf("status %d, want %d\ngot  %s\nwant %s", status, test.status, body, test.want)
			}
		})
	}
	if n := models.inUse(); n != 0 {
		t.Errorf("%d uses of models were not released", n)
	}
}

// Numbers of a map come as typed arrays of the browser have them.
func TestSelection(t *testing.T) {
	models := &shelf{}
	models.put("compass", compass(t))
	s, _ := serve(t, explore.Options{Models: models})
	for _, test := range []struct {
		body   string
		status int
		want   string // a part of it
	}{
		// 1/3 of the cosines 0, 0.7071 and 0.7071; the mean is northeast
		{`{"ids":[1,4,0]}`, 200, `{"similarity":0.471,"cosines":[0.707,1,0.707],"toward":[{"word":"northeast","id":4,"value":1},`},
		{`{"ids":[1,4,0],"first":2}`, 200, `"toward":[{"word":"`},
		{`{"ids":[3]}`, 200, `{"similarity":0,"cosines":[1],"toward":[{"word":"west","id":3,"value":`},
		{`{"ids":[0,1,2,3,4],"map":"pca"}`, 200, `"explained":[`},
		{`{"ids":[0,1,2,3,4],"map":"umap"}`, 200, `{"points":[`},
		{`{"ids":[0,1],"map":"pca"}`, 400, `a map by pca is made of 5 to 50000 words, and these are 2`},
		{`{"ids":[0,1],"map":"tsne"}`, 400, `map must be pca or umap, is "tsne"`},
		{`{"ids":[]}`, 400, `there are no ids`},
		{`{"ids":[0,0]}`, 400, `from 0 to 4, each once: 0`},
		{`{"ids":[5]}`, 400, `from 0 to 4, each once: 5`},
		{`{"words":["north"]}`, 400, `the body must have ids`},
	} {
		r, err := s.Client().Post(s.URL+"/explorer/compass/selection", "application/json", strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		got := regexp.MustCompile(`\d+\.\d+`).ReplaceAllStringFunc(string(text), func(number string) string { // the last digits are those of the processor
			x, _ := strconv.ParseFloat(number, 64)
			return strconv.FormatFloat(math.Round(1000*x)/1000, 'f', -1, 64)
		})
		if err != nil || r.StatusCode != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s: %d %s, want %d %s", test.body, r.StatusCode, got, test.status, test.want)
		}
	}
}

func TestBinaryAnswers(t *testing.T) {
	models := &shelf{}
	models.put("compass", compass(t))
	s, _ := serve(t, explore.Options{Models: models, MapWords: 4})
	_, body := get(t, s, "compass/counts")
	counts := make([]float64, 4)
	if _, err := binary.Decode([]byte(body), binary.LittleEndian, counts); err != nil || len(body) != 32 || counts[3] != 20 {
		t.Errorf("counts %v in %d bytes, %v", counts, len(body), err)
	}
	_, body = get(t, s, "compass/axis/values?from=south&to=north")
	values := make([]float32, 4)
	if _, err := binary.Decode([]byte(body), binary.LittleEndian, values); err != nil || len(body) != 16 || values != nil && (values[0] != 1 || values[1] != 0 || values[2] != -1) {
		t.Errorf("values %v in %d bytes, %v", values, len(body), err)
	}
}

// Words that a browser has are not sent again, unless the model has changed.
func TestBrowsersKeepLargeAnswers(t *testing.T) {
	models := &shelf{}
	models.put("m", compass(t))
	s, _ := serve(t, explore.Options{Models: models})
	ask := func(tag string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/explorer/m/words", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", tag)
		answer, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode, answer.Header.Get("ETag")
	}
	_, tag := ask("")
	if status, _ := ask(tag); status != http.StatusNotModified {
		t.Errorf("status %d for a tag that is known", status)
	}
	models.put("m", random(t, 20, 3, 1))
	if status, _ := ask(tag); status != http.StatusOK {
		t.Errorf("status %d after the model changed", status)
	}
}

func TestWrongOptions(t *testing.T) {
	models := &shelf{}
	models.put("m", compass(t))
	want := "explorer: MapWords is -1, must be from 1 to 2000000, or 0 for 200000"
	if _, err := explore.New(explore.Options{Models: models, MapWords: -1}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// An info is what is known of a map.
type info struct {
	State           string    `json:"state"`
	Progress        float64   `json:"progress"`
	Error           string    `json:"error"`
	Trustworthiness float64   `json:"trustworthiness"`
	Explained       []float64 `json:"explained"`
	Bounds          []float32 `json:"bounds"`
	Clusters        []struct {
		ID, Size int
		Label    string
		X, Y     float32
	} `json:"clusters"`
}

// follow reads events until the stream ends, or enough has come.
func follow(t *testing.T, s *httptest.Server, path string, enough func(kind, data string) bool) {
	t.Helper()
	r, err := s.Client().Get(s.URL + "/explorer/" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if kind := r.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("%s is %s", path, kind)
	}
	kind := ""
	for lines := bufio.NewScanner(r.Body); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			kind = text
		} else if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && enough(kind, data) {
			return
		}
	}
}

// ready makes a map and returns what is known of it.
func ready(t *testing.T, s *httptest.Server, path string) (last info) {
	t.Helper()
	follow(t, s, path+"/progress", func(_, data string) bool {
		last = info{}
		if err := json.Unmarshal([]byte(data), &last); err != nil {
			t.Error(err)
		}
		return false
	})
	return last
}

func TestMaps(t *testing.T) {
	models := &shelf{}
	models.put("m", random(t, 300, 8, 1))
	s, _ := serve(t, explore.Options{Models: models, MapWords: 200})
	for _, method := range []string{"pca", "umap"} {
		last := ready(t, s, "m/maps/"+method)
		if last.State != "ready" || method == "umap" && !(last.Trustworthiness > 0.6 && last.Trustworthiness < 1) || (len(last.Explained) == 8) != (method == "pca") {
			t.Errorf("%s: %+v", method, last)
		}
		_, body := get(t, s, "m/maps/"+method+"/points")
		points := make([]float32, 400)
		if _, err := binary.Decode([]byte(body), binary.LittleEndian, points); err != nil || len(body) != 1600 {
			t.Fatalf("%s: %d bytes of points, %v", method, len(body), err)
		}
		for i, x := range points {
			if x < last.Bounds[i%2] || x > last.Bounds[2+i%2] {
				t.Errorf("%s: point %d is out of bounds", method, i/2)
			}
		}
		_, body = get(t, s, "m/maps/"+method+"/clusters")
		clusters := make([]uint16, 200)
		if _, err := binary.Decode([]byte(body), binary.LittleEndian, clusters); err != nil || len(body) != 400 {
			t.Fatalf("%s: %d bytes of clusters, %v", method, len(body), err)
		}
		if method == "umap" && len(last.Clusters) == 0 {
			t.Error("there are no clusters")
		}
		sizes := map[int]int{}
		for _, c := range clusters {
			sizes[int(c)]++
		}
		for _, c := range last.Clusters {
			if c.Size != sizes[c.ID] || c.Size == 0 || c.Label == "" {
				t.Errorf("%s: cluster %+v has %d points", method, c, sizes[c.ID])
			}
		}

		// Groups of ten lie together: on a map, too.
		status, kept := http.StatusAccepted, ""
		for deadline := time.Now().Add(time.Minute); status == http.StatusAccepted && time.Now().Before(deadline); {
			status, kept = get(t, s, "m/maps/"+method+"/preserved")
		}
		sum := 0
		for _, n := range []byte(kept) {
			sum += int(n)
		}
		if least := map[string]int{"pca": 1, "umap": 4}[method]; status != http.StatusOK || len(kept) != 200 || sum < 200*least || sum >= 2000 {
			t.Errorf("%s: %d words of 200 keep %d of 2,000 neighbours", method, len(kept), sum)
		}

		// A word that is not on the map is near to its neighbours.
		_, body = get(t, s, "m/place?map="+method+"&word=w0")
		if want := fmt.Sprintf(`"x":%v,"y":%v,"estimated":false`, points[0], points[1]); !strings.Contains(body, want) {
			t.Errorf("%s: %s has no %s", method, body, want)
		}
		if _, body = get(t, s, "m/place?map="+method+"&word=w205"); !strings.Contains(body, `"estimated":true`) || !strings.Contains(body, `"x":`) {
			t.Errorf("%s: a word beyond the map: %s", method, body)
		}
		_, body = get(t, s, "m/analogy?map="+method+"&a=w0&b=w1&c=w2")
		var analogy struct{ Target struct{ X, Y float32 } }
		if err := json.Unmarshal([]byte(body), &analogy); err != nil || abs(analogy.Target.X-(points[4]+points[2]-points[0])) > 1e-5 {
			t.Errorf("%s: %s, %v", method, body, err)
		}
	}
	// Only words of a cluster answer, to each kind of question.
	_, body := get(t, s, "m/maps/umap/clusters")
	clusters := make([]uint16, 200)
	if _, err := binary.Decode([]byte(body), binary.LittleEndian, clusters); err != nil {
		t.Fatal(err)
	}
	only := clusters[100]
	for _, question := range []string{"place?word=w0&k=30", "axis?from=w0&to=w50&k=30", "analogy?a=w0&b=w1&c=w50&k=30"} {
		_, body := get(t, s, fmt.Sprintf("m/%s&cluster=%d&restrict=150", question, only))
		ids := regexp.MustCompile(`"id":(\d+),"(?:similarity|value|score)"`).FindAllStringSubmatch(body, -1)
		if len(ids) < 5 {
			t.Errorf("%s: %s", question, body)
		}
		for _, found := range ids {
			if id, _ := strconv.Atoi(found[1]); id >= 150 || clusters[id] != only {
				t.Errorf("%s: word %d is no answer: %s", question, id, body)
			}
		}
	}
	// A map by PCA has a trustworthiness soon, and the clusters of the one by UMAP once that is ready.
	var of [2][]byte
	for deadline := time.Now().Add(time.Minute); ; {
		for i, method := range []string{"pca", "umap"} {
			_, body := get(t, s, "m/maps/"+method+"/clusters")
			of[i] = []byte(body)
		}
		_, body := get(t, s, "m/maps/pca")
		if bytes.Equal(of[0], of[1]) && strings.Contains(body, `"trustworthiness":0.`) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the maps have other clusters")
		}
	}
	for deadline := time.Now().Add(time.Minute); models.inUse() != 0; {
		if time.Now().After(deadline) {
			t.Fatalf("%d uses of models were not released", models.inUse())
		}
	}
}

// A map that begins at the places of another model's map: a word that both models have is where it was, and one of a model
// alone has a place, too.
func TestMapsLikeAnother(t *testing.T) {
	models := &shelf{}
	models.put("old", random(t, 200, 8, 1))
	models.put("new", random(t, 250, 8, 2))
	s, _ := serve(t, explore.Options{Models: models})
	for path, want := range map[string]string{
		"new/maps/pca?like=old":         `invalid_value like: a map by pca has no first places []`,
		"new/maps/umap?like=new":        `invalid_value like: like names another model than the map is of []`,
		"new/maps/umap?like=moon":       `no such model`,
		"new/maps/umap/points?like=old": `not_ready : the map by umap is not ready []`,
	} {
		if _, body := get(t, s, path); body != want {
			t.Errorf("%s: %s, want %s", path, body, want)
		}
	}
	get(t, s, "new/maps/umap?like=old") // asks for the map of the old model, too
	until(t, "the map", func() bool {
		_, body := get(t, s, "new/maps/umap?like=old")
		return strings.Contains(body, `"state":"ready"`)
	})
	places := func(path string) (points [][2]float32) {
		_, body := get(t, s, path)
		points = make([][2]float32, len(body)/8)
		if _, err := binary.Decode([]byte(body), binary.LittleEndian, points); err != nil {
			t.Fatal(err)
		}
		return points
	}
	until(t, "the map of its own", func() bool {
		_, body := get(t, s, "new/maps/umap")
		return strings.Contains(body, `"state":"ready"`)
	})
	old, alike, own := places("old/maps/umap/points"), places("new/maps/umap/points?like=old"), places("new/maps/umap/points")
	if len(old) != 200 || len(alike) != 250 || len(own) != 250 {
		t.Fatalf("%d, %d and %d points", len(old), len(alike), len(own))
	}
	far := func(from [][2]float32) (sum float64) {
		for i, p := range old {
			sum += math.Hypot(float64(p[0]-from[i][0]), float64(p[1]-from[i][1])) / float64(len(old))
		}
		return sum
	}
	if near, usual := far(alike), far(own); near > usual/2 {
		t.Errorf("words are %.2f from where they began, and %.2f from a map of its own", near, usual)
	}
	want := fmt.Sprintf(`"x":%v,"y":%v,"estimated":false`, alike[0][0], alike[0][1])
	if _, body := get(t, s, "new/place?map=umap&like=old&word=w0"); !strings.Contains(body, want) {
		t.Errorf("%s has no %s", body, want)
	}
	until(t, "the models are released", func() bool { return models.inUse() == 0 })
}

func abs(x float32) float32 { return max(x, -x) }

// Maps of a model that was loaded again are made again if its vectors are others.
func TestReloadedModels(t *testing.T) {
	models := &shelf{}
	models.put("m", random(t, 60, 4, 1))
	s, _ := serve(t, explore.Options{Models: models})
	ready(t, s, "m/maps/pca")
	models.put("m", random(t, 60, 4, 1))
	if status, _ := get(t, s, "m/maps/pca/points"); status != http.StatusOK {
		t.Errorf("status %d for the same vectors", status)
	}
	models.put("m", random(t, 60, 4, 2))
	if status, _ := get(t, s, "m/maps/pca/points"); status != http.StatusConflict {
		t.Errorf("status %d for other vectors", status)
	}
}

// Close ends maps that are being made, and streams.
func TestClose(t *testing.T) {
	models := &shelf{}
	models.put("m", random(t, 20_000, 20, 1)) // takes some seconds
	s, e := serve(t, explore.Options{Models: models, Logs: []string{write(t, "run.jsonl", "{\"event\":\"start\"}\n")}})
	var streams sync.WaitGroup
	began := make(chan struct{}, 2)
	for _, path := range []string{"m/maps/umap/progress", "runs/run"} {
		streams.Go(func() {
			follow(t, s, path, func(string, string) bool {
				select {
				case began <- struct{}{}:
				default:
				}
				return false
			})
		})
	}
	<-began
	<-began
	done := make(chan struct{})
	go func() {
		e.Close()
		streams.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("something goes on after Close")
	}
	if _, body := get(t, s, "m/maps/umap"); !strings.Contains(body, `"state":"failed"`) {
		t.Errorf("after Close: %s", body)
	}
	if n := models.inUse(); n != 0 {
		t.Errorf("%d uses of models were not released", n)
	}
}

func TestCompare(t *testing.T) {
	models := &shelf{}
	models.put("old", random(t, 200, 8, 1))
	models.put("new", random(t, 200, 8, 2))
	models.put("small", compass(t))
	s, _ := serve(t, explore.Options{Models: models})
	var got struct {
		State         string
		Shared        int
		Moved, Stable []struct {
			Word         string
			Cosine       float64
			Rank         int
			OldNeighbors []string `json:"old_neighbors"`
		}
	}
	status, body := 0, ""
	for status = http.StatusAccepted; status == http.StatusAccepted; {
		status, body = get(t, s, "compare?old=old&new=new&k=3")
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusOK {
		t.Fatalf("status %d, %v: %s", status, err, body)
	}
	if got.State != "ready" || got.Shared != 200 || len(got.Moved) != 3 || len(got.Stable) != 3 || got.Moved[2].Rank != 3 {
		t.Errorf("%+v", got)
	}
	if !(got.Moved[0].Cosine <= got.Moved[1].Cosine && got.Moved[1].Cosine < got.Stable[1].Cosine && got.Stable[1].Cosine <= got.Stable[0].Cosine) {
		t.Errorf("not in order: %+v", got)
	}
	_, body = get(t, s, "compare/cosines?old=old&new=new")
	cosines := make([]float32, 200)
	if _, err := binary.Decode([]byte(body), binary.LittleEndian, cosines); err != nil || len(body) != 800 {
		t.Fatalf("%d bytes of cosines, %v", len(body), err)
	}
	for _, m := range got.Moved {
		id, _ := strconv.Atoi(m.Word[1:])
		if abs(cosines[id]-float32(m.Cosine)) > 1e-6 {
			t.Errorf("%s: %v, want %v", m.Word, cosines[id], m.Cosine)
		}
	}
	if status, body := get(t, s, "compare?old=old&new=small"); status != http.StatusUnprocessableEntity || !strings.HasPrefix(body, "dimensions_differ : ") && !strings.HasPrefix(body, "no_shared_words : ") {
		t.Errorf("status %d: %s", status, body)
	}
	if n := models.inUse(); n != 0 {
		t.Errorf("%d uses of models were not released", n)
	}
}

// The answer for a word outside the vocabulary says which n-grams its vector consists of, by the names that the page reads.
func TestPartsOfAComposedWord(t *testing.T) {
	m := vectors.NewMatrix(2+50, 2)
	for i := range m.Rows {
		m.Row(i)[0], m.Row(i)[1] = 1, float32(i)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords("walking", "talked"), Input: m, Subword: subword.FastText{MinN: 3, MaxN: 4, Buckets: 50}})
	if err != nil {
		t.Fatal(err)
	}
	models := &shelf{}
	models.put("m", set)
	s, _ := serve(t, explore.Options{Models: models})
	status, body := get(t, s, "m/place?word=walked")
	var got struct{ Parts []map[string]any }
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusOK || len(got.Parts) == 0 {
		t.Fatalf("%d %s", status, body)
	}
	shares := 0.0
	for _, part := range got.Parts {
		share, _ := part["share"].(float64)
		if shares += share; part["name"] == nil || part["kind"] != "ngram" || part["norm"] == nil {
			t.Errorf("a part is %v", part)
		}
	}
	if math.Abs(shares-1) > 1e-6 {
		t.Errorf("the shares sum up to %v", shares)
	}
}

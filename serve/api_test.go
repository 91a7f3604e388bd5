package serve

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// royal is a set of words with simple vectors and counts. Some words look like something else.
func royal(t testing.TB) *vectors.Set {
	t.Helper()
	words := []string{"king", "queen", "man", "woman", "c++", "new york", "?a=b&c", "a/b", "naïve", "日本語", "zero", "well-known", `"quoted"`, "nan"}
	rows := [][]float32{{1, 0, 1}, {0, 1, 1}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 2}, {1, 1, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0}, {2, 1, 0}, {2, 0, 1}, {float32(math.NaN()), 0, 0}}
	m := vectors.NewMatrix(len(words), 3)
	counts := make([]uint64, len(words))
	for i, row := range rows {
		copy(m.Row(i), row)
		counts[i] = uint64(100 - i)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m, Counts: counts})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// writeSet writes a set to a new file, and returns its path.
func writeSet(t testing.TB, set *vectors.Set) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.w2v")
	if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	return path
}

// answering returns what answers requests about sets, by their names.
func answering(t testing.TB, limits Limits, sets map[string]*vectors.Set) http.Handler {
	t.Helper()
	c := Config{Limits: limits}
	for name, set := range sets {
		c.Models = append(c.Models, ModelSpec{Name: name, Path: writeSet(t, set)})
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.Handler()
}

// answerTo returns the status and body of the answer to a request. With a body it is a POST.
func answerTo(h http.Handler, path, body string) (int, string) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if body != "" {
		r = httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	}
	r.Host = "localhost"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, strings.TrimSuffix(w.Body.String(), "\n")
}

// answers are requests about the royal set, and the answers to them.
var answers = []struct{ path, body, want string }{
	{"/v1/neighbors?word=king&k=2", "", `{"model":"royal","query":"king","found_as":"king","composed":false,"neighbors":[{"word":"\"quoted\"","id":12,"similarity":0.94868,"count":88},{"word":"?a=b&c","id":6,"similarity":0.81649655,"count":94}]}`},
	{"/v1/neighbors?word=King&k=2&restrict=2&model=royal", "", `{"model":"royal","query":"King","found_as":"king","composed":false,"neighbors":[{"word":"queen","id":1,"similarity":0.5,"count":99}]}`},
	{"/v1/neighbors?word=king&restrict=5&threshold=0.6", "", `{"model":"royal","query":"king","found_as":"king","composed":false,"neighbors":[{"word":"man","id":2,"similarity":0.70710677,"count":98}]}`},
	{"/v1/neighbors?word=king&among=woman&among=Queen&among=king&among=queen", "", `{"model":"royal","query":"king","found_as":"king","composed":false,"neighbors":[{"word":"queen","id":1,"similarity":0.5,"count":99},{"word":"woman","id":3,"similarity":0,"count":97}]}`},
	{"/v1/neighbors?word=king&k=1&restrict=5&exclude=man&exclude=nobody", "", `{"model":"royal","query":"king","found_as":"king","composed":false,"neighbors":[{"word":"queen","id":1,"similarity":0.5,"count":99}]}`},
	{"/v1/neighbors", `{"words":["man"],"among":["king","c++"],"k":1}`, `{"model":"royal","results":[{"query":"man","found_as":"man","composed":false,"neighbors":[{"word":"king","id":0,"similarity":0.70710677,"count":100}]}]}`},
	{"/v1/neighbors?expr=king-man%2Bwoman&k=1&restrict=4", "", `{"model":"royal","query":"king-man+woman","terms":[{"word":"king","weight":1},{"word":"man","weight":-1},{"word":"woman","weight":1}],"composed":false,"neighbors":[{"word":"queen","id":1,"similarity":0.95857,"count":99}]}`},
	{"/v1/neighbors?expr=king-man+woman&k=1&restrict=4", "", `{"model":"royal","query":"king-man+woman","terms":[{"word":"king","weight":1},{"word":"man","weight":-1},{"word":"woman","weight":1}],"composed":false,"neighbors":[{"word":"queen","id":1,"similarity":0.95857,"count":99}]}`},
	{"/v1/neighbors?expr=King+-+man+%2B+woman&k=1&restrict=4", "", `{"model":"royal","query":"King - man + woman","terms":[{"word":"King","found_as":"king","weight":1},{"word":"man","weight":-1},{"word":"woman","weight":1}],"composed":false,"neighbors":[{"word":"queen","id":1,"similarity":0.95857,"count":99}]}`},
	{"/v1/neighbors?word=man&word=none&word=zero&k=1", "", `{"model":"royal","results":[{"query":"man","found_as":"man","composed":false,"neighbors":[{"word":"well-known","id":11,"similarity":0.8944272,"count":89}]},{"query":"none","composed":false,"neighbors":[],"error":{"message":"\"none\" is not in the vocabulary, and has no n-grams that compose it","type":"invalid_request_error","code":"unknown_word","param":"word"}},{"query":"zero","found_as":"zero","composed":false,"neighbors":[],"error":{"message":"the vector of \"zero\" is zero or not finite: nothing is near to it","type":"invalid_request_error","code":"no_direction","param":"word"}}]}`},
	{"/v1/neighbors", `{"words":["man"],"k":1,"restrict":5,"threshold":0.1,"model":"royal"}`, `{"model":"royal","results":[{"query":"man","found_as":"man","composed":false,"neighbors":[{"word":"king","id":0,"similarity":0.70710677,"count":100}]}]}`},
	{"/v1/neighbors", `{"expressions":["2*man - king"],"k":1,"restrict":5}`, `{"model":"royal","results":[{"query":"2*man - king","terms":[{"word":"man","weight":2},{"word":"king","weight":-1}],"composed":false,"neighbors":[{"word":"c++","id":4,"similarity":0.62038,"count":96}]}]}`},
	{"/v1/neighbors", `{"words":["king - man"],"k":1}`, `{"model":"royal","results":[{"query":"king - man","composed":false,"neighbors":[],"error":{"message":"\"king - man\" is not in the vocabulary, and has no n-grams that compose it","type":"invalid_request_error","code":"unknown_word","param":"words"}}]}`},
	{"/v1/vectors?word=c++&word=new+york", "", `{"model":"royal","dimensions":3,"data":[{"word":"c++","found_as":"c++","composed":false,"vector":[1,1,0]},{"word":"new york","found_as":"new york","composed":false,"vector":[0,0,2]}]}`},
	{"/v1/vectors?word=c%2B%2B&word=new%20york&word=%3Fa%3Db%26c&word=a/b&word=na%C3%AFve&word=%E6%97%A5%E6%9C%AC%E8%AA%9E&word=%22quoted%22", "", `{"model":"royal","dimensions":3,"data":[{"word":"c++","found_as":"c++","composed":false,"vector":[1,1,0]},{"word":"new york","found_as":"new york","composed":false,"vector":[0,0,2]},{"word":"?a=b&c","found_as":"?a=b&c","composed":false,"vector":[1,1,1]},{"word":"a/b","found_as":"a/b","composed":false,"vector":[-1,0,0]},{"word":"naïve","found_as":"naïve","composed":false,"vector":[0,-1,0]},{"word":"日本語","found_as":"日本語","composed":false,"vector":[0,0,-1]},{"word":"\"quoted\"","found_as":"\"quoted\"","composed":false,"vector":[2,0,1]}]}`},
	{"/v1/vectors?word=nan", "", `{"model":"royal","dimensions":3,"data":[{"word":"nan","found_as":"nan","composed":false,"vector":[null,0,0]}]}`},
	{"/v1/vectors?expr=c%2B%2B-woman", "", `{"model":"royal","dimensions":3,"data":[{"word":"c++-woman","terms":[{"word":"c++","weight":1},{"word":"woman","weight":-1}],"composed":false,"vector":[0.70710677,-0.29289323,0]}]}`},
	{"/v1/vectors", `{"words":["NAÏVE","x"]}`, `{"model":"royal","dimensions":3,"data":[{"word":"NAÏVE","found_as":"naïve","composed":false,"vector":[0,-1,0]},{"word":"x","composed":false,"vector":null,"error":{"message":"\"x\" is not in the vocabulary, and has no n-grams that compose it","type":"invalid_request_error","code":"unknown_word","param":"words"}}]}`},
	{"/v1/analogy?a=man&b=king&c=woman&k=1", "", `{"model":"royal","query":["man","king","woman"],"found_as":["man","king","woman"],"method":"3cosadd","answers":[{"word":"queen","id":1,"score":0.95857,"count":99}]}`},
	{"/v1/analogy?a=man&b=King&c=woman&k=1&method=3cosmul&restrict=6", "", `{"model":"royal","query":["man","King","woman"],"found_as":["man","king","woman"],"method":"3cosmul","answers":[{"word":"queen","id":1,"score":1.27777,"count":99}]}`},
	{"/v1/analogy?a=man&b=king&c=woman&k=3&method=pairdirection&threshold=0.6", "", `{"model":"royal","query":["man","king","woman"],"found_as":["man","king","woman"],"method":"pairdirection","answers":[{"word":"queen","id":1,"score":0.85355335,"count":99},{"word":"new york","id":5,"score":0.65328145,"count":95}]}`},
	{"/v1/analogy?a=man&b=king&c=woman&k=2&among=c%2B%2B&among=Queen&among=man&among=new+york&exclude=queen", "", `{"model":"royal","query":["man","king","woman"],"found_as":["man","king","woman"],"method":"3cosadd","answers":[{"word":"new york","id":5,"score":0.5615167,"count":95},{"word":"c++","id":4,"score":0.39705223,"count":96}]}`},
	{"/v1/analogy?a=man&b=king&c=woman&k=1&method=3cosmul&exclude=queen&restrict=6", "", `{"model":"royal","query":["man","king","woman"],"found_as":["man","king","woman"],"method":"3cosmul","answers":[{"word":"new york","id":5,"score":0.85184973,"count":95}]}`},
	{"/v1/similarity?a=king&b=Queen", "", `{"model":"royal","a":"king","b":"Queen","found_as":["king","queen"],"similarity":0.5}`},
	{"/v1/similarity", `{"word":"king","words":["queen","qween","zero"]}`, `{"model":"royal","word":"king","found_as":"king","results":[{"word":"queen","found_as":"queen","similarity":0.5},{"word":"qween","similarity":null,"error":{"message":"\"qween\" is not in the vocabulary, and has no n-grams that compose it","type":"invalid_request_error","code":"unknown_word","param":"words","suggestions":["queen"]}},{"word":"zero","similarity":null,"error":{"message":"the vector of \"zero\" is zero or not finite: nothing is near to it","type":"invalid_request_error","code":"no_direction","param":"words"}}]}`},
	{"/v1/doesnt-match?word=king&word=Man&word=a/b&word=x", "", `{"model":"royal","odd":"a/b","words":[{"word":"a/b","similarity":-0.70710677},{"word":"Man","similarity":0.70710677},{"word":"king","similarity":1}],"found_as":{"Man":"man"},"missing":["x"]}`},
	{"/v1/doesnt-match?word=king&word=y&word=x", "", `{"model":"royal","odd":null,"words":[{"word":"king","similarity":1}],"found_as":{},"missing":["y","x"]}`},
	{"/v1/embeddings", `{"input":"King, well-known and UNSEEN!"}`, `{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.90737253,0.3139385,0.27949545],"known_tokens":2}],"model":"royal","usage":{"prompt_tokens":4,"total_tokens":4}}`},
	{"/v1/embeddings", `{"input":[[2,3],[2]],"encoding_format":"base64","model":"royal","user":"u","dimensions":null}`, `{"object":"list","data":[{"object":"embedding","index":0,"embedding":"Vhc0P1nxNT8AAAAA","known_tokens":2},{"object":"embedding","index":1,"embedding":"AACAPwAAAAAAAAAA","known_tokens":1}],"model":"royal","usage":{"prompt_tokens":3,"total_tokens":3}}`},
	{"/v1/embeddings", `{"input":[" ","nobody"],"model":"royal"}`, `{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0,0,0],"known_tokens":0},{"object":"embedding","index":1,"embedding":[0,0,0],"known_tokens":0}],"model":"royal","usage":{"prompt_tokens":1,"total_tokens":1}}`},
}

func TestAnswers(t *testing.T) {
	h := answering(t, Limits{}, map[string]*vectors.Set{"royal": royal(t)})
	for _, test := range answers {
		status, got := answerTo(h, test.path, test.body)
		if status != http.StatusOK || rounded(got) != rounded(test.want) {
			t.Errorf("%s %s: %d\ngot  %s\nwant %s", test.path, test.body, status, got, test.want)
		}
	}
}

// rounded returns JSON with numbers of four decimals, because kernels round differently.
func rounded(text string) string {
	return regexp.MustCompile(`-?\d+\.\d+`).ReplaceAllStringFunc(text, func(number string) string {
		x, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return number
		}
		return strconv.FormatFloat(math.Round(x*1e4)/1e4, 'g', -1, 64)
	})
}

func TestProblems(t *testing.T) {
	h := answering(t, Limits{Inputs: 3, Answers: 50}, map[string]*vectors.Set{"royal": royal(t), "other": royal(t)})
	long := strings.Repeat("x", vectors.MaxWord+1)
	for _, test := range []struct {
		path, body        string
		status            int
		code, param, text string
	}{
		{"/v1/neighbors?word=kinng&model=royal", "", 404, "unknown_word", "word", `"kinng" is not in the vocabulary`},
		{"/v1/neighbors?expr=king-kinng&model=royal", "", 404, "unknown_word", "expr", `"king-kinng" is not in`},
		{"/v1/neighbors?expr=king+-+kinng&model=royal", "", 404, "unknown_word", "expr", `"kinng" is not in`},
		{"/v1/neighbors?expr=king+-+-+man&model=royal", "", 400, "invalid_expression", "expr", "no word stands between"},
		{"/v1/neighbors?word=zero&model=royal", "", 422, "no_direction", "word", "zero or not finite"},
		{"/v1/neighbors?word=nan&model=royal", "", 422, "no_direction", "word", "zero or not finite"},
		{"/v1/neighbors?expr=king+-+zero&model=royal", "", 422, "no_direction", "expr", "zero or not finite"},
		{"/v1/neighbors?expr=king-king&model=royal", "", 422, "no_direction", "expr", "zero or not finite"},
		{"/v1/neighbors?model=royal", "", 400, "missing_parameter", "word", "word is missing"},
		{"/v1/neighbors?word=&model=royal", "", 400, "invalid_value", "word", "word is empty"},
		{"/v1/neighbors?word=a&expr=b&model=royal", "", 400, "invalid_value", "expr", "give one of them"},
		{"/v1/neighbors?word=king", "", 400, "missing_model", "model", "there are 2 models"},
		{"/v1/neighbors?word=king&model=Royal", "", 404, "model_not_found", "model", `no model "Royal"`},
		{"/v1/neighbors?word=king&model=royal&model=other", "", 400, "invalid_value", "model", "model is there 2 times"},
		{"/v1/neighbors?word=king&model=royal&k=0", "", 400, "invalid_value", "k", "k must be from 1 to 50, is 0"},
		{"/v1/neighbors?word=king&model=royal&k=51", "", 400, "invalid_value", "k", "k must be from 1 to 50, is 51"},
		{"/v1/neighbors?word=king&model=royal&k=ten", "", 400, "invalid_value", "k", `k must be a whole number, is "ten"`},
		{"/v1/neighbors?word=king&model=royal&k=1e1", "", 400, "invalid_value", "k", "whole number"},
		{"/v1/neighbors?word=king&model=royal&k=99999999999999999999", "", 400, "invalid_value", "k", "whole number"},
		{"/v1/neighbors?word=king&model=royal&among=queen&among=nobody", "", 400, "invalid_value", "among", "the vocabulary does not have the word \"nobody\""},
		{"/v1/neighbors?word=king&model=royal&restrict=0", "", 400, "invalid_value", "restrict", "restrict must be at least 1, is 0"},
		{"/v1/neighbors?word=king&model=royal&threshold=NaN", "", 400, "invalid_value", "threshold", "must be a number"},
		{"/v1/neighbors?word=king&model=royal&threshold=inf", "", 400, "invalid_value", "threshold", "must be a number"},
		{"/v1/neighbors?word=a&word=b&word=c&word=d&model=royal", "", 400, "too_many_inputs", "word", "word has 4 values, and a request can have 3"},
		{"/v1/neighbors?wrod=king&model=royal", "", 400, "unknown_parameter", "wrod", "is it word?"},
		{"/v1/neighbors?word=%zz&model=royal", "", 400, "bad_query", "word", "not URL-encoded"},
		{"/v1/neighbors?%zz=king&model=royal", "", 400, "bad_query", "", "not URL-encoded"},
		{"/v1/neighbors?model=royal&word=" + long, "", 414, "url_too_long", "", "may have 8192"},
		{"/v1/embeddings", `{"model":"royal","input":[1,null]}`, 400, "invalid_value", "input", "input has a null in it"},
		{"/v1/embeddings", `{"model":"royal","input":[[1],null]}`, 400, "invalid_value", "input", "input[1] has no tokens"},
		{"/v1/neighbors?k=1", `{"words":["king"]}`, 400, "unknown_parameter", "", "stand in its body"},
		{"/v1/neighbors", `{"words":["king"]`, 400, "bad_json", "", "not JSON"},
		{"/v1/neighbors", `{"words":["king"]} {}`, 400, "bad_json", "", "not JSON"},
		{"/v1/neighbors", `["king"]`, 400, "bad_json", "", "must be a JSON object"},
		{"/v1/neighbors", `null`, 400, "bad_json", "", "must be a JSON object"},
		{"/v1/neighbors", `{"model":"royal"}`, 400, "missing_parameter", "words", "words is missing"},
		{"/v1/neighbors", `{"model":"royal","words":[]}`, 400, "missing_parameter", "words", "words is missing"},
		{"/v1/neighbors", `{"model":"royal","words":{}}`, 400, "invalid_value", "words", "words has an object where it must have an array"},
		{"/v1/neighbors", `{"model":"royal","words":"king"}`, 400, "invalid_value", "words", "words has a string where it must have an array"},
		{"/v1/neighbors", `{"model":"royal","words":[1]}`, 400, "invalid_value", "words", "a number where it must have a string"},
		{"/v1/neighbors", `{"model":"royal","words":["a"],"expressions":["b"]}`, 400, "invalid_value", "expressions", "give one of them"},
		{"/v1/neighbors", `{"model":"royal","words":["a"],"k":1.5}`, 400, "invalid_value", "k", "whole number"},
		{"/v1/neighbors", `{"model":"royal","words":["a"],"restrict":0}`, 400, "invalid_value", "restrict", "at least 1"},
		{"/v1/neighbors", `{"model":"royal","word":["a"]}`, 400, "unknown_field", "word", "is it words?"},
		{"/v1/neighbors", `{"model":"royal","words":["a","b","c","d"]}`, 400, "too_many_inputs", "words", "can have 3"},
		{"/v1/neighbors", `{"model":"royal","words":["` + long + `"]}`, 400, "invalid_value", "words", "no word has more than"},
		{"/v1/vectors?model=royal", "", 400, "missing_parameter", "word", "word is missing"},
		{"/v1/vectors?model=royal&word=x", "", 404, "unknown_word", "word", ""},
		{"/v1/vectors?model=royal&word=x&k=3", "", 400, "unknown_parameter", "k", "there are model, word, expr"},
		{"/v1/analogy?model=royal&a=x&b=king&c=man", "", 404, "unknown_word", "a", ""},
		{"/v1/analogy?model=royal&a=king&b=king", "", 400, "missing_parameter", "c", "c is missing"},
		{"/v1/analogy?model=royal&a=king&b=zero&c=man", "", 422, "no_direction", "b", ""},
		{"/v1/analogy?model=royal&a=king&b=man&c=man&method=3cosad", "", 400, "invalid_value", "method", "3cosadd"},
		{"/v1/analogy?model=royal&a=king&b=man&c=man&method=", "", 400, "invalid_value", "method", "3cosadd"},
		{"/v1/similarity?model=royal&a=king", "", 400, "missing_parameter", "b", ""},
		{"/v1/similarity?model=royal&a=king&b=zero", "", 422, "no_direction", "b", ""},
		{"/v1/similarity", `{"model":"royal","word":"x","words":["king"]}`, 404, "unknown_word", "word", ""},
		{"/v1/similarity", `{"model":"royal","words":["king"]}`, 400, "missing_parameter", "word", ""},
		{"/v1/doesnt-match?model=royal&word=king&word=man", "", 400, "invalid_value", "word", "three words"},
		{"/v1/models/none", "", 404, "model_not_found", "model", ""},
		{"/v1/models?model=royal", "", 400, "unknown_parameter", "model", ""},
		{"/v1/embeddings", `{"model":"royal","input":""}`, 400, "invalid_value", "input", "input[0] is an empty string"},
		{"/v1/embeddings", `{"model":"royal","input":null}`, 400, "invalid_value", "input", "input has a null in it"},
		{"/v1/embeddings", `{"model":"royal","input":[null]}`, 400, "invalid_value", "input", "input has a null in it"},
		{"/v1/embeddings", `{"model":"royal","input":{}}`, 400, "invalid_value", "input", "input must be"},
		{"/v1/embeddings", `{"model":"royal"}`, 400, "invalid_value", "input", "input is empty"},
		{"/v1/embeddings", `{"model":"royal","input":[[1],[]]}`, 400, "invalid_value", "input", "input[1] has no tokens"},
		{"/v1/embeddings", `{"model":"royal","input":[-1]}`, 400, "invalid_token", "input", "-1 is not a token"},
		{"/v1/embeddings", `{"model":"royal","input":["a","b","c","d"]}`, 400, "too_many_inputs", "input", ""},
		{"/v1/embeddings", `{"model":"royal","input":"a","dimensions":4}`, 400, "invalid_value", "dimensions", "the model has 3 dimensions, and 4 are asked for"},
		{"/v1/embeddings", `{"model":"royal","input":"a","dimensions":-1}`, 400, "invalid_value", "dimensions", "at least 1"},
		{"/v1/embeddings", `{"model":"royal","input":"a","encoding_format":"hex"}`, 400, "invalid_value", "encoding_format", ""},
		{"/v1/embeddings", `{"input":"a"}`, 400, "missing_model", "model", ""},
	} {
		status, got := answerTo(h, test.path, test.body)
		var p struct{ Error problemError }
		if err := json.Unmarshal([]byte(got), &p); err != nil {
			t.Errorf("%.100s %.100s: %v in %s", test.path, test.body, err, got)
			continue
		}
		param := ""
		if p.Error.Param != nil {
			param = *p.Error.Param
		}
		if status != test.status || p.Error.Code != test.code || param != test.param || !strings.Contains(p.Error.Message, test.text) || p.Error.Type != "invalid_request_error" {
			t.Errorf("%.100s %.100s: %d %s", test.path, test.body, status, got)
		}
	}
}

// Names and words of all kinds are found through a URL that is encoded as Go's package url does it.
func FuzzQuery(f *testing.F) {
	h := answering(f, Limits{}, map[string]*vectors.Set{"royal": royal(f)})
	f.Add("word=king&k=2")
	f.Add("expr=king-man+woman&restrict=3&threshold=.5")
	f.Add("word=%E6%97%A5&word=c++&&=&;")
	f.Add("word=\xff&expr=" + url.QueryEscape("2*king - − \"a"))
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodGet, "/v1/neighbors", nil)
		r.URL.RawQuery, r.Host = query, "localhost"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		checkAnswer(t, w)
	})
}

// checkAnswer looks whether an answer is JSON, and no failure of the server.
func checkAnswer(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	var body struct{ Error *problemError }
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code >= 500 && w.Code != http.StatusNotImplemented || (w.Code != http.StatusOK) != (body.Error != nil) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func FuzzEmbeddings(f *testing.F) {
	h := answering(f, Limits{}, map[string]*vectors.Set{"royal": royal(f)})
	for _, seed := range []string{`{"input":"king"}`, `{"input":["a","b"],"dimensions":2}`, `{"input":[[1],[2,3]],"encoding_format":"base64"}`, `{"input":[1,"a"]}`, `{"input":"\ud800"}`, `[]`, `{"model":3}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{"/v1/embeddings", "/v1/neighbors", "/v1/similarity", "/v1/vectors"} {
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
			r.Host = "localhost"
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			checkAnswer(t, w)
		}
	})
}

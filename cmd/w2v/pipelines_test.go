package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/serve"
	"github.com/w2v-go/w2v/sweep"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// A cutting is a way to cut text: a corpus, the flags that cut it, and what texts of the same kind become.
type cutting struct {
	name     string
	file     string              // name of the corpus
	text     string              // of the corpus
	settings map[string]string   // of text and phrases, and of k-mers
	texts    map[string][]string // tokens of texts
	words    map[string]string   // what words become that are asked for, if they are in the vocabulary
	attaches bool                // try all conversions, too
}

// Files of tokenizers, one of each kind.
const (
	wordLevelJSON = `{"normalizer":{"type":"Lowercase"},"pre_tokenizer":{"type":"WhitespaceSplit"},"model":{"type":"WordLevel","vocab":{"[UNK]":0,"the":1,"cat":2,"dog":3},"unk_token":"[UNK]"}}`
	wordPieceJSON = `{"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},` +
		`"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"[UNK]":0,"un":1,"##able":2,"cafe":3,",":4,"to":5}}}`
	bpeJSON = `{"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true},"model":{"type":"BPE",` +
		`"vocab":{"a":0,"b":1,"c":2,"Ġ":3,"ab":4,"Ġc":5,"Ã":6,"©":7,"Ã©":8},"merges":["a b","Ġ c","Ã ©"]}}`
	unigramJSON = `{"normalizer":{"type":"NFKC"},"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},` +
		`"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["▁new",-1],["▁",-3],["n",-4],["e",-4],["w",-4],["er",-2],["▁york",-2]]}}`
)

func cuttings() []cutting {
	phrases := map[string]string{"phrases": "true", "phrase-passes": "2", "phrase-scoring": "npmi", "phrase-threshold": "0.6", "phrase-min-count": "3", "phrase-connectors": "of"}
	lower := maps.Clone(phrases)
	lower["lowercase"] = "true"
	var cities strings.Builder
	for i := range 24 {
		fmt.Fprintf(&cities, "x%d new york city y%d\nz%d bank of america u%d\nnew x%d\n", i, i, i, i, i)
	}
	return []cutting{
		{"white space", "c.txt", "The cat sat, here\nthe dog\n", nil, map[string][]string{"The cat": {"The", "cat"}, "the  sat,\tdog": {"the", "sat,", "dog"}}, nil, false},
		{"words of Unicode", "c.txt", "The Cat's hat; the U.S. dog!\n", map[string]string{"tokenizer": "unicode", "lowercase": "true"},
			map[string][]string{"the CAT'S hat.": {"the", "cat's", "hat"}, "U.S. (dog)": {"u.s", "dog"}}, map[string]string{"U.S.": "u.s", "Cat's": "cat's", "hat!": "hat"}, false},
		{"Turkish", "c.txt", "IŞIK İstanbul ığdır\n", map[string]string{"lowercase": "tr"}, map[string][]string{"IĞDIR Işık": {"ığdır", "ışık"}, "istanbul": {"istanbul"}}, map[string]string{"IĞDIR": "ığdır", "İSTANBUL": "istanbul"}, false},
		{"characters", "c.txt", "我爱北京 你们\n", map[string]string{"tokenizer": "characters"}, map[string][]string{"我 北京": {"我", "北", "京"}, "你们": {"你", "们"}}, nil, false},
		{"normal form, accents, digits", "c.txt", "café 1987 naïve ﬁn\n", map[string]string{"normalize": "nfkc", "strip-accents": "true", "digits": "zero"},
			map[string][]string{"Ｃ café naïve": {"c", "cafe", "naive"}, "fin 2024": {"fin", "0000"}}, map[string]string{"naïve": "naive", "ﬁn": "fin", "1234": "0000"}, false},
		{"punctuation", "c.txt", "“Rome,” in 1987 (the end).\n", map[string]string{"punctuation": "drop", "digits": "drop"}, map[string][]string{"(Rome), 12 end": {"Rome", "end"}, "the…": {"the"}}, map[string]string{"Rome!": "Rome"}, false},
		{"sentences", "c.txt", "It rains. The cat sleeps.\n", map[string]string{"sentences": "unicode", "tokenizer": "unicode"}, map[string][]string{"It sleeps. The cat rains.": {"It", "sleeps", "The", "cat", "rains"}}, nil, false},
		{"JSON lines", "c.jsonl", `{"page":{"text":"The cat sat"}}` + "\n" + `{"page":{"text":"the dog"}}` + "\n", map[string]string{"json-field": "page.text", "lowercase": "true"},
			map[string][]string{"The cat": {"the", "cat"}, `sat dog`: {"sat", "dog"}}, map[string]string{"DOG": "dog"}, false},
		{"a column", "c.csv", "id,text\n1,\"the cat, sat\"\n2,the dog\n", map[string]string{"text-column": "2", "header": "true"}, map[string][]string{"the cat, sat": {"the", "cat,", "sat"}, "dog": {"dog"}}, nil, false},
		{"lists", "c.txt", "red wine,bread\nbread,whole milk\n", map[string]string{"split": ","}, map[string][]string{"red wine, bread": {"red wine", "bread"}, "whole milk": {"whole milk"}}, nil, false},
		{"items of users", "c.csv", "user,item\nu,red wine\nv,bread\nu,whole milk\nv,red wine\n", map[string]string{"text-column": "2", "header": "true", "group-by": "user"},
			map[string][]string{"red wine": {"red wine"}, "whole milk": {"whole milk"}}, nil, false},
		{"phrases", "c.txt", cities.String(), phrases, map[string][]string{"to new york city now": {"to", "new_york_city", "now"}, "bank of america of": {"bank_of_america", "of"}, "new x1 york": {"new", "x1", "york"}},
			map[string]string{"new york city": "new_york_city", "bank of america": "bank_of_america"}, false},
		{"phrases in lower case", "c.txt", strings.ToUpper(cities.String()), lower, map[string][]string{"To New York City!": {"to", "new_york_city"}, "Bank of America": {"bank_of_america"}},
			map[string]string{"New York City": "new_york_city"}, true},
		{"k-mers", "c.fa", ">one\nACGTACGGTN\nACCA\n", map[string]string{"kmers": "3"}, map[string][]string{"acgu": {"ACG", "CGT"}, "ACNACC": {"ACC"}}, map[string]string{"acg": "ACG", "cgu": "CGT"}, false},
		{"k-mers of both strands", "c.fa", strings.Repeat(">one\nACGTACGGTN\nACCA\n", 20), map[string]string{"kmers": "3", "canonical": "true", "stride": "2", "join": "true"}, map[string][]string{"CGTAC": {"ACG", "GTA"}, "GTAnnTAC": {"GTA", "GTA"}},
			map[string]string{"tac": "GTA", "CGT": "ACG"}, true},
		{"k-mers of proteins", "c.fa", ">p\nMEKVLM\n", map[string]string{"kmers": "2", "alphabet": "protein"}, map[string][]string{"mekv": {"ME", "EK", "KV"}}, map[string]string{"ek": "EK"}, false},
		{"tokens of WordLevel", "c.txt", "the cat\nThe big dog\n", map[string]string{"tokenizer": wordLevelJSON}, map[string][]string{"The DOG": {"the", "dog"}, "a cat": {"[UNK]", "cat"}}, map[string]string{"DOG": "dog"}, false},
		{"tokens of WordPiece", "c.txt", "Unable to, able café\n", map[string]string{"tokenizer": wordPieceJSON}, map[string][]string{"unable, to": {"un", "##able", ",", "to"}, "CAFÉ": {"cafe"}}, map[string]string{"Café": "cafe"}, false},
		{"tokens of BPE", "c.txt", "abc a cab é\n", map[string]string{"tokenizer": bpeJSON}, map[string][]string{"ab cé": {"ab", "Ġc", "Ã©"}, "c": {"c"}}, map[string]string{"é": "Ã©"}, false},
		{"tokens of Unigram", "c.txt", strings.Repeat("new york newer\n", 20), map[string]string{"tokenizer": unigramJSON}, map[string][]string{"new newer york": {"▁new", "▁new", "er", "▁york"}}, map[string]string{"york": "▁york"}, true},
		{"n-grams of tokens", "c.txt", "Unable to, able café\n", map[string]string{"tokenizer": wordPieceJSON, "subwords": "fasttext", "buckets": "40"}, map[string][]string{"unable, to": {"un", "##able", ",", "to"}, "CAFÉ": {"cafe"}},
			map[string]string{"Café": "cafe"}, false},
		{"n-grams of words", "c.txt", "The cat sat\nthe dog\n", map[string]string{"lowercase": "true", "strip-accents": "true", "subwords": "fasttext", "buckets": "40"}, map[string][]string{"CÁT dogs": {"cat", "dogs"}}, map[string]string{"CÁT": "cat"}, false},
	}
}

// A trial trains a cutting's corpus.
type trial struct {
	dir      string
	settings train.Settings
	corpus   train.Corpus // with everything that is told of it
	bare     train.Corpus // with nothing told
}

func (c *cutting) trial(t *testing.T) *trial {
	t.Helper()
	r := &trial{dir: t.TempDir(), settings: train.Defaults()}
	r.write(t, c.file, c.text)
	var of kmers.Options
	set := func(name, value string) error {
		var err error
		switch name {
		case "kmers":
			of.K, err = strconv.Atoi(value)
		case "stride":
			of.Stride, err = strconv.Atoi(value)
		case "alphabet":
			of.Alphabet = kmers.Alphabet(value)
		case "canonical":
			of.Canonical = true
		case "join":
			of.Join = true
		default:
			err = r.settings.Set(name, value)
		}
		return err
	}
	file := false
	for name, value := range c.settings {
		if name == "tokenizer" && strings.HasPrefix(value, "{") {
			value, file = r.write(t, "tok.json", value), true
		}
		if err := set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{"dim": "4", "threads": "1", "epochs": "1", "min-count": "1", "sample": "0"} {
		if err := set(name, value); name == "min-count" && file {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
	}
	r.bare = train.Files(r.at(c.file))
	if r.corpus = r.bare; of.K > 0 {
		r.corpus = train.Kmers(nil, []string{r.at(c.file)}, of, nil)
	}
	return r
}

func (r *trial) at(name string) string { return filepath.Join(r.dir, name) }

func (r *trial) write(t *testing.T, name, text string) (path string) {
	t.Helper()
	if err := os.WriteFile(r.at(name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return r.at(name)
}

func (r *trial) train(t *testing.T, corpus train.Corpus, o train.Options, to string) {
	t.Helper()
	o.Output = r.at(to)
	if _, err := train.Run(t.Context(), corpus, o, train.Hooks{}); err != nil {
		t.Fatalf("%s: %v", to, err)
	}
}

// Whatever cuts the training text, every door cuts a text alike and gives it the same vector, to the bit; so do
// all models that are made of the model, with nothing told again.
func TestEveryDoorCutsAlike(t *testing.T) {
	for _, c := range cuttings() {
		t.Run(c.name, func(t *testing.T) {
			r := c.trial(t)
			r.train(t, r.corpus, train.Options{Settings: r.settings, Checkpoint: train.Checkpoint{File: r.at("c.ck")}}, "m.w2v")
			_ = os.Remove(r.at("tok.json")) // the model holds it
			want := c.cuts(t, r.at("m.w2v"))
			c.doors(t, r.at("m.w2v"))

			small := train.Defaults()
			small.Model.Dim, small.Model.Epochs, small.Model.Threads, small.Model.Sample = 4, 1, 1, 0
			if err := small.Set("min-count", "1"); err != nil {
				t.Fatal(err)
			}
			made := map[string]func(to string){
				"resumed": func(to string) {
					r.train(t, r.bare, train.Options{Checkpoint: train.Checkpoint{Resume: r.at("c.ck"), ExtendEpochs: 1, File: r.at("longer.ck")}}, to)
				},
				"initial": func(to string) {
					r.train(t, r.bare, train.Options{Settings: small, Init: train.Init{File: r.at("m.w2v")}}, to)
				},
				"updated": func(to string) {
					r.train(t, r.bare, train.Options{Init: train.Init{File: r.at("m.w2v"), UpdateVocab: true}}, to)
				},
				"checkpoint updated": func(to string) {
					r.train(t, r.bare, train.Options{Init: train.Init{UpdateVocab: true}, Checkpoint: train.Checkpoint{Resume: r.at("c.ck"), File: r.at("next.ck")}}, to)
				},
			}
			command := func(name string, more ...string) func(to string) {
				return func(to string) { ran(t, "", slices.Concat([]string{name, r.at("m.w2v"), r.at(to)}, more)...) }
			}
			if c.attaches {
				maps.Copy(made, map[string]func(to string){
					"bootstrap": func(to string) {
						o := train.BootstrapOptions{Runs: 2, Settings: r.settings, Output: r.at(to)}
						if _, err := train.Bootstrap(t.Context(), r.corpus, o, train.BootstrapHooks{}); err != nil {
							t.Fatal(err)
						}
					},
					"sweep": func(to string) {
						var pairs strings.Builder
						for word, spelling := range c.words {
							fmt.Fprintf(&pairs, "%s\t%s\t1\n%[2]s\t%[2]s\t2\n", word, spelling)
						}
						sets := []sweep.Set{{Kind: eval.TaskSimilarity, Path: r.write(t, "pairs.tsv", pairs.String())}}
						o := sweep.Config{Corpus: r.corpus, Base: r.settings, Sets: sets, Variants: []sweep.Variant{{Axes: []sweep.Axis{{Setting: "window", Values: []string{"2"}}}}}, Output: r.at("swept"), Keep: true}
						if _, err := sweep.Run(t.Context(), o, sweep.Hooks{}); err != nil {
							t.Fatal(err)
						}
						models, err := filepath.Glob(r.at("swept/models/*.w2v"))
						if err != nil || len(models) < 2 { // that of the variant, and baselines
							t.Fatal(models, err)
						}
						if err := os.Rename(models[0], r.at(to)); err != nil {
							t.Fatal(err)
						}
					},
					"float16": command("convert", "--dtype", "f16"), "reduced": command("convert", "--dim", "2"), "first": command("convert", "--first", "2"), "of words": command("convert", "--top", "100"),
					"centred": command("convert", "--center", "--normalize"), "of contexts": command("convert", "--vectors", "sum"), "quantized": command("quantize", "--method", "int8"),
					"factorized": command("factorize", "--rank", "2"),
					"checkpoint": func(to string) { ran(t, "", "convert", r.at("c.ck"), r.at(to)) },
					"aligned":    func(to string) { ran(t, "", "align", r.at("m.w2v"), r.at("m.w2v"), "-o", r.at(to)) },
				})
			}
			for name, makes := range made {
				to := name + ".w2v"
				makes(to)
				if name == "bootstrap" {
					to = "bootstrap-2.w2v"
				}
				if record := c.cuts(t, r.at(to)); !record.Equal(want) {
					t.Errorf("%s: records %v, want %v", name, record, want)
				}
			}
		})
	}
}

// cuts checks how the library cuts texts and finds words, and returns what the model records of its text.
func (c *cutting) cuts(t *testing.T, path string) (record vectors.Training) {
	t.Helper()
	m, err := query.Open(t.Context(), path, query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for text, want := range c.texts {
		found, _, err := m.Tokens(text)
		if words := spellingsOf(found); err != nil || !slices.Equal(words, want) {
			t.Errorf("%s: %q is cut into %q (%v), want %q", filepath.Base(path), text, words, err, want)
		}
	}
	for word, want := range c.words {
		if got, id := m.Spelling(word); got != want || id < 0 {
			t.Errorf("%s: the word %q is found as %q %d, want %q", filepath.Base(path), word, got, id, want)
		}
	}
	p, err := m.Pipeline()
	if err == nil {
		err = p.Describe(&record)
	}
	if err != nil || p.Lacks != "" {
		t.Fatal(path, err, p.Lacks)
	}
	return record
}

func spellingsOf(tokens []vectors.Token) (words []string) {
	for _, token := range tokens {
		words = append(words, token.Word)
	}
	return words
}

// doors asks every door for texts and words, and compares with the vectors of the expected tokens.
func (c *cutting) doors(t *testing.T, path string) {
	t.Helper()
	m, err := query.Open(t.Context(), path, query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	set := m.Set()
	pooler, err := pooling.New(set, pooling.Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts := slices.Sorted(maps.Keys(c.texts))
	var want [][]float32
	pairs := eval.Set{Task: eval.TaskSentences, Name: "pairs"}
	for _, text := range texts {
		tokens := make([]vectors.Token, len(c.texts[text]))
		for i, token := range c.texts[text] {
			tokens[i] = set.Token(token)
		}
		v := make([]float32, set.Dim())
		if pooler.Text(v, tokens) == 0 {
			t.Errorf("%q has no vector", text)
		}
		want = append(want, v)
		pairs.Sentences = append(pairs.Sentences, eval.SentencePair{A: text, B: text, Score: 1})
	}

	// The command.
	lines := strings.Split(strings.TrimSpace(ran(t, strings.Join(texts, "\n")+"\n", "sentence", path, "--json")), "\n")
	for i, line := range lines {
		var got struct {
			Tokens int
			Vector []float32
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil || got.Tokens != len(c.texts[texts[i]]) || !slices.Equal(got.Vector, want[i]) {
			t.Errorf("w2v sentence has %s, want %d tokens and %v", line, len(c.texts[texts[i]]), want[i])
		}
	}

	// The server.
	s, err := serve.New(serve.Config{Models: []serve.ModelSpec{{Name: "m", Path: path}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ask := func(path string, question, to any) {
		body, _ := json.Marshal(question)
		answer := httptest.NewRecorder()
		s.Handler().ServeHTTP(answer, httptest.NewRequest("POST", path, bytes.NewReader(body)))
		if err := json.Unmarshal(answer.Body.Bytes(), to); err != nil || answer.Code != 200 {
			t.Errorf("%s: %s", body, answer.Body)
		}
	}
	var served struct {
		Data []struct{ Embedding []float32 }
	}
	ask("/v1/embeddings", map[string]any{"input": texts}, &served)
	for i, d := range served.Data {
		unit := make([]float32, len(want[i]))
		vectors.Unit(unit, want[i])
		if !slices.Equal(d.Embedding, unit) {
			t.Errorf("the server has %v of %q, want %v", d.Embedding, texts[i], unit)
		}
	}

	// The evaluation.
	result, err := eval.Evaluate(t.Context(), set, pairs, eval.Options{Resamples: -1})
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range result.Judgements {
		var known []string
		for _, token := range c.texts[texts[i]] {
			if set.Vector(make([]float32, set.Dim()), token) {
				known = append(known, token)
			}
		}
		if !slices.Equal(j.Item.Words, append(known, known...)) {
			t.Errorf("eval cuts %q into %q, want %q", texts[i], j.Item.Words, known)
		}
	}

	// The command of fastText, which cuts text without a rule of its own at white space alone.
	if p, err := m.Pipeline(); err == nil && (!p.Plain() || p.Text.Lowercase) {
		lines := strings.Split(strings.TrimSpace(ran(t, strings.Join(texts, "\n")+"\n", "fasttext", "print-sentence-vectors", path)), "\n")
		for i, line := range lines {
			if mean := meanDirection(set, c.texts[texts[i]]); !near(strings.Fields(line), mean) {
				t.Errorf("fasttext prints %s of %q, want %v", line, texts[i], mean)
			}
		}
	}

	// Words that are asked for.
	if len(c.words) == 0 {
		return
	}
	similar := eval.Set{Task: eval.TaskSimilarity, Name: "words"}
	asked := slices.Sorted(maps.Keys(c.words))
	var vectorsOf struct{ Data []struct{ Vector []float32 } }
	ask("/v1/vectors", map[string]any{"words": asked}, &vectorsOf)
	lines = strings.Split(strings.TrimSpace(ran(t, "", append([]string{"vector", path, "--json"}, asked...)...)), "\n")
	for i, word := range asked {
		v := make([]float32, set.Dim())
		set.Vector(v, c.words[word])
		var printed struct{ Vector []float32 }
		if err := json.Unmarshal([]byte(lines[i]), &printed); err != nil || !slices.Equal(printed.Vector, v) {
			t.Errorf("w2v vector has %s of %q, want %v", lines[i], word, v)
		}
		if len(vectorsOf.Data) != len(asked) || !slices.Equal(vectorsOf.Data[i].Vector, v) {
			t.Errorf("the server has %v, of %q want %v", vectorsOf, word, v)
		}
		similar.Pairs = append(similar.Pairs, eval.Pair{A: word, B: c.words[word], Score: 1})
	}
	if r, err := eval.Evaluate(t.Context(), set, similar, eval.Options{Resamples: -1}); err != nil || r.Summary.Used != len(similar.Pairs) || len(r.Summary.Missing) > 0 {
		t.Errorf("eval of words: %+v %v", r.Summary, err)
	}
}

// meanDirection is the vector that fastText makes of a sentence.
func meanDirection(set *vectors.Set, tokens []string) []float64 {
	mean, n := make([]float64, set.Dim()), 0.0
	for _, token := range tokens {
		unit := make([]float32, set.Dim())
		if set.Vector(unit, token) && vectors.Unit(unit, unit) {
			n++
			for k, x := range unit {
				mean[k] += float64(x)
			}
		}
	}
	for k := range mean {
		mean[k] /= max(n, 1)
	}
	return mean
}

func near(printed []string, want []float64) bool {
	for k, text := range printed {
		if x, err := strconv.ParseFloat(text, 64); err != nil || math.Abs(x-want[k]) > 2e-5 {
			return false
		}
	}
	return len(printed) == len(want)
}

// Models of older versions and of other programs find the words of a text, and words, as they are written.
func TestOlderModelsCutAsBefore(t *testing.T) {
	var models []string
	for _, pattern := range []string{"native/*.w2v", "checkpoints/*/*.w2v", "fasttext/*.bin", "floret/*.floret", "finalfusion/*.fifu"} {
		files, err := filepath.Glob(filepath.Join(golden, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		models = append(models, files...)
	}
	asked := 0
	for _, path := range models {
		m, err := query.Open(t.Context(), path, query.Options{})
		if err != nil {
			continue // of a revision that is refused, or a classifier: see TestGoldenModels
		}
		asked++
		words := slices.DeleteFunc(m.Set().Words().Strings(), func(word string) bool {
			return strings.ContainsAny(word, " \t\n") || word == "" || word == "</s>"
		})
		words = words[:min(20, len(words))]
		tokens, _, err := m.Tokens(strings.Join(words, "  "))
		if got := spellingsOf(tokens); err != nil || !slices.Equal(got, words) {
			t.Errorf("%s: %q becomes %q %v", path, words, got, err)
		}
		for _, word := range words {
			if spelling, id := m.Spelling(word); spelling != word || id < 0 {
				t.Errorf("%s: %q is found as %q %d", path, word, spelling, id)
			}
		}
		if m.Lacks() != "" {
			t.Errorf("%s: lacks %q", path, m.Lacks())
		}
		m.Close()
	}
	if asked < 20 {
		t.Errorf("only %d of %d models open", asked, len(models))
	}
}

package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/demo"
)

var usualOptions = options{epochs: 5, threads: 2, pool: 50_000, importances: 500_000}

// Every variant can be trained, and every row has one place in the tables.
func TestVariantsAreWhole(t *testing.T) {
	var all []string
	for _, v := range variants(usualOptions) {
		rows, titles := v.rows()
		all = append(all, rows...)
		for i, title := range titles {
			if title == "" {
				t.Errorf("%s has no title", rows[i])
			}
		}
		if err := v.config(usualOptions, 1).Validate(); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
	}
	if slices.Sort(all); !slices.Equal(all, slices.Sorted(slices.Values(ordered))) {
		t.Errorf("rows %v\nin tables %v", all, slices.Sorted(slices.Values(ordered)))
	}
}

func TestChoose(t *testing.T) {
	all := variants(usualOptions)
	for list, want := range map[string]string{
		"hash,cbow":         "cbow hash",
		"nested32,nested":   "nested", // rows of one model
		"factorised64,dim8": "words dim8",
	} {
		chosen, err := choose(all, list)
		var names []string
		for _, v := range chosen {
			names = append(names, v.name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%s: %s, %v", list, got, err)
		}
	}
	if chosen, err := choose(all, ""); err != nil || len(chosen) != len(all) {
		t.Errorf("%d of %d, %v", len(chosen), len(all), err)
	}
	if _, err := choose(all, "cbow,cbown"); err == nil || !strings.Contains(err.Error(), `"cbown"`) {
		t.Errorf("cbown: %v", err)
	}
}

func TestParseSeeds(t *testing.T) {
	if seeds, err := parseSeeds("1, 2,30"); err != nil || !slices.Equal(seeds, []uint64{1, 2, 30}) {
		t.Errorf("%v, %v", seeds, err)
	}
	for _, list := range []string{"", "1,", "-1", "one"} {
		if seeds, err := parseSeeds(list); err == nil {
			t.Errorf("%q: %v", list, seeds)
		}
	}
}

// What stands around the markers is kept, and a file that has not both once is refused.
func TestDocument(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("Prose.\n" + beginMarker + "old\n" + endMarker + "More.\n")
	d, err := readDocument(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.replace("new\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "Prose.\n"+beginMarker+"new\n"+endMarker+"More.\n" {
		t.Errorf("%s, %v", got, err)
	}
	for _, text := range []string{
		"", "Prose.\n", beginMarker, endMarker, endMarker + beginMarker,
		beginMarker + beginMarker + endMarker, beginMarker + endMarker + endMarker,
	} {
		write(text)
		if _, err := readDocument(path); err == nil || !strings.Contains(err.Error(), "tables belong between") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A record goes on behind what is there: the later of two results counts, and half a line
// is one that was never written.
func TestRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	add := func(r *record, x result) {
		t.Helper()
		if err := r.add(x); err != nil {
			t.Fatal(err)
		}
	}
	open := func() *record {
		t.Helper()
		r, err := openRecord(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.close() }) // twice, where the test has done so
		return r
	}
	undefined := score{Known: eval.Score(math.NaN()), All: 0.25, Used: 4}
	first := result{Language: german, Row: "cbow", Seed: 1, Settings: "5 epochs", Scores: map[string]score{gur350: undefined}}
	r := open()
	add(r, first)
	second := first
	second.Tokens = 7
	add(r, second)
	other := first
	other.Settings = "1 epoch"
	add(r, other)
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(bytes.Clone(whole), whole[:20]...), 0o666); err != nil {
		t.Fatal(err)
	}
	r = open()
	if len(r.results) != 2 || r.results[first.key()].Tokens != 7 || r.results[other.key()].Tokens != 0 {
		t.Errorf("%+v", r.results)
	}
	if got := r.results[first.key()].Scores[gur350]; got.Known.Defined() || got.All != 0.25 || got.Used != 4 {
		t.Errorf("score %+v", got)
	}
	add(r, other)
	if got, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(got, whole) || bytes.Count(got, []byte("\n")) != 4 {
		t.Errorf("%s, %v", got, err)
	}
	if err := os.WriteFile(path, []byte("{}\nno JSON\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := openRecord(path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("no JSON: %v", err)
	}
}

// known is a result of English words with such scores.
func known(row string, cpu float64, scores map[string]float64) result {
	r := result{Language: english, Row: row, Tokens: 8e6, Seconds: 1, CPUSeconds: cpu, Parameters: 2e6, Input: 1e6, Nominal: 1e6, Bytes: 8e6, Scores: make(map[string]score)}
	for set, x := range scores {
		r.Scores[set] = score{eval.Score(x), 100, eval.Score(x), 100, eval.Between(x-0.1, x+0.1)}
	}
	return r
}

// finderOf finds results by language and row.
func finderOf(all ...result) finder {
	return func(language, row string) (found results) {
		for _, r := range all {
			if r.Language == language && r.Row == row {
				found = append(found, r)
			}
		}
		return found
	}
}

func TestTable(t *testing.T) {
	words := known("words", 2, map[string]float64{ws353: 0.5, questions: 0.25})
	again := known("words", 2, map[string]float64{ws353: 0.7, questions: 0.25})
	ngrams := known("ngrams", 4, map[string]float64{ws353: 0.6})
	ngrams.Nominal = 30e6
	ngrams.Scores[rareWords] = score{0.4, 973, 0.45, 2034, eval.Between(0.4, 0.5)}
	text, notes := tableOf(english, variants(usualOptions), finderOf(words, again, ngrams, result{Language: english, Row: "gensim", Failed: "gensim is not here"}))
	want := `| variant                | parameters | of input        | file | tokens/s | per CPU-second | WS353         | SimLex-999 | RW, known words | RW, all pairs | questions-words |
| ---------------------- | ---------- | --------------- | ---- | -------- | -------------- | ------------- | ---------- | --------------- | ------------- | --------------- |
| words                  | 2.00 M     | 1.00 M          | 8 MB | 8.00 M   | 4.00 M         | 0.600 ± 0.141 |            |                 |               | 0.250 ± 0.000   |
| fastText-style n-grams | 2.00 M     | 1.00 M (30.0 M) | 8 MB | 8.00 M   | 2.00 M         | 0.600         |            | 0.400           | 0.450 (2034)  |                 |
`
	if text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	if !slices.Equal(notes, []string{"gensim's CBOW, rate 0.025: gensim is not here."}) { // and nothing of what was not measured
		t.Errorf("%q", notes)
	}
}

// An interval is that of a column's own pairs.
func TestIntervals(t *testing.T) {
	words := known("words", 2, map[string]float64{rareWords: 0.4})
	ngrams := known("ngrams", 4, nil)
	ngrams.Scores[rareWords] = score{0.4, 973, 0.45, 2034, eval.Between(0.42, 0.48)}
	want := "Half of a 95 % interval, median of the rows, and how many pairs or questions are scored: RW, known words ± 0.100 (100), RW, all pairs ± 0.030 (2034)."
	if got := intervals(english, finderOf(words, ngrams)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := intervals(german, finderOf(words)); got != "" {
		t.Errorf("German: %s", got)
	}
}

func TestChecks(t *testing.T) {
	hash := known("hash", 4, map[string]float64{ws353: 0.58})
	ngrams := known("ngrams", 4, map[string]float64{ws353: 0.6})
	ngrams.Input, ngrams.Nominal = 9e6, 20e6 // hash has 1e6
	got := checks(finderOf(
		hash, ngrams,
		known("cbow", 1, map[string]float64{ws353: 0.6, questions: 0.3}),
		known("gensim", 8, map[string]float64{ws353: 0.61, questions: 0.3}),
		known("cbow-ngrams-positions", 1, map[string]float64{questions: 0.3}),
		known("nested32", 1, map[string]float64{ws353: 0.4, simlex: 0.3}),
		known("dim32", 1, map[string]float64{ws353: 0.42, simlex: 0.33}),
		result{Language: english, Row: "gensim-0.05", Failed: "no"},
	))
	want := []check{
		{"hash (en): a tenth of the input parameters of fastText's rows, words and buckets", "1.00 M of 20.0 M: 5.0 %", true},
		{"hash (en): a tenth of the input parameters of the rows that are left when equal ones are shared", "1.00 M of 9.00 M: 11.1 %", false},
		{"hash (en): within 0.03 of n-grams, WS353", "0.580 against 0.600", true},
		{"CBOW (en) at least as good as gensim, WS353", "0.600 against 0.610", false},
		{"CBOW (en) at least as good as gensim, questions-words", "0.300 against 0.300", true},
		{"CBOW (en) 8 times gensim's tokens per CPU-second", "8.00 M against 1.00 M: 8.00 ×", true},
		{"CBOW with n-grams and position weights above CBOW, questions-words", "0.300 against 0.300", false},
		{"the first 32 of 128 nested dimensions within 0.02 of dim 32, WS353", "0.400 against 0.420", true},
		{"the first 32 of 128 nested dimensions within 0.02 of dim 32, SimLex-999", "0.300 against 0.330", false},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%swant\n%s", checkTable(got), checkTable(want))
	}
}

// A run goes on where one before it ended, and makes again what it is told to.
func TestRunGoesOn(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(demo.Corpus(1000, demo.DefaultSeed)); err != nil {
		t.Fatal(err)
	}
	corpus := write("corpus.txt", text.String())
	write("eval/de/sim/gur350.tsv", demo.Similarities())
	write("eval/de/analogy/questions-de.txt", demo.Analogies())
	doc := write("doc.md", "Prose.\n"+beginMarker+endMarker)
	train := func(more ...string) (lines int, table string) {
		t.Helper()
		args := append([]string{"-de", corpus, "-eval", filepath.Join(dir, "eval"), "-doc", doc, "-results", filepath.Join(dir, "results"), "-epochs", "1", "-threads", "1"}, more...)
		if err := run(context.Background(), args); err != nil {
			t.Fatal(err)
		}
		results, err := os.ReadFile(filepath.Join(dir, "results", "results.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		made, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(results, []byte("\n")), string(made)
	}
	if lines, table := train("-only", "dim8,random,nested"); lines != 5 || !strings.Contains(table, "| nested: the first 32 ") {
		t.Errorf("%d results\n%s", lines, table)
	}
	if lines, table := train("-only", "dim8"); lines != 6 || !strings.Contains(table, "| random vectors ") {
		t.Errorf("%d results\n%s", lines, table)
	}
	if lines, table := train("-render"); lines != 6 || !strings.Contains(table, "| words, dim 8 ") || !strings.HasPrefix(table, "Prose.\n") {
		t.Errorf("%d results\n%s", lines, table)
	}
	// What other settings made is not a row of this table.
	if _, table := train("-render", "-seeds", "2"); strings.Contains(table, "| words, dim 8 ") {
		t.Errorf("another seed:\n%s", table)
	}
	// Nothing of it says where this machine has its files, or what it has not measured.
	_, table := train("-render")
	if strings.Contains(table, dir) || strings.Contains(table, filepath.Base(dir)) || strings.Contains(table, "not made") {
		t.Errorf("a path, or a row that was not measured:\n%s", table)
	}
	if !strings.Contains(table, "`variants -seeds 1 -epochs 1 -threads 1 -pool 50000 -importances 500000`\n") {
		t.Errorf("no options:\n%s", table)
	}
	left, err := filepath.Glob(filepath.Join(dir, "results", "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestOptionsErrors(t *testing.T) {
	for _, args := range [][]string{{}, {"-en", "x", "y"}, {"-en", "x", "-epochs", "0"}, {"-en", "x", "-pool", "0"}} {
		if _, err := parseOptions(args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestWithoutPaths(t *testing.T) {
	for text, want := range map[string]string{
		"gensim is not on this machine (/usr/bin/python3 -c 'import gensim': exit status 1)": "gensim is not on this machine (python3 -c 'import gensim': exit status 1)",
		"open /tmp/l6/results/gensim.bin: no space left":                                     "open gensim.bin: no space left",
		"`-en ../shared/data/en/norm.txt.gz -doc=/home/me/x.md`":                             "`-en norm.txt.gz -doc=x.md`",
		`C:\Users\me\text.txt and ~/text.txt`:                                                "text.txt and text.txt",
		"/work":                                                                              "work",
		"en/norm.txt.gz: 3 tokens/s | 1/16 | linux/amd64 | a / b":                            "en/norm.txt.gz: 3 tokens/s | 1/16 | linux/amd64 | a / b",
	} {
		if got := withoutPaths(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	d := &document{path: filepath.Join(t.TempDir(), "doc.md")}
	if err := d.replace("made in /tmp/l6/results"); err == nil || !strings.Contains(err.Error(), "/tmp/l6/results") {
		t.Errorf("a path was written: %v", err)
	}
	if err := d.replace("en/norm.txt.gz: 3 tokens/s"); err != nil {
		t.Error(err)
	}
}

// The page itself has no path of a machine, and no row that was not measured.
func TestPageHasNoPaths(t *testing.T) {
	page, err := os.ReadFile("../../docs/variants.md")
	if err != nil {
		t.Fatal(err)
	}
	_, generated, _ := strings.Cut(string(page), beginMarker)
	generated, _, _ = strings.Cut(generated, endMarker)
	if path := machinePath.FindString(generated); path != "" || strings.Contains(generated, "not made") || len(generated) < 1000 {
		t.Errorf("%q, or a row that was not measured, in\n%s", path, generated)
	}
}

package interop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/lab/product"
)

// python is Debian's, which is the one that sees Debian's gensim.
const python = "/usr/bin/python3"

// need skips the test unless the peers are there.
func need(t *testing.T, check ...string) {
	t.Helper()
	if _, err := run("", check[0], check[1:]...); err != nil {
		if _, ran := errors.AsType[*exec.ExitError](err); ran && check[0] == "fasttext" {
			return // fasttext without arguments prints its usage and fails
		}
		if os.Getenv("W2V_PEERS") == "require" {
			t.Fatalf("%v: %v", check, err)
		}
		t.Skipf("%v is not here: %v", check, err)
	}
}

func needFastText(t *testing.T) { need(t, "fasttext") }
func needGensim(t *testing.T)   { need(t, python, "-c", "import gensim") }

// w2v is the program under test, built once.
var w2v string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "w2v-interop-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	w2v = filepath.Join(dir, "w2v")
	if err := product.Build(context.Background(), w2v); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	streams = filepath.Join(dir, "streams")
	code := m.Run()
	if running != nil {
		if err := running.end(); err != nil {
			fmt.Fprintln(os.Stderr, "Python:", err)
			code = 1
		}
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// output runs a command and returns its stdout.
func output(t *testing.T, stdin, name string, args ...string) string {
	t.Helper()
	out, err := run(stdin, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v", filepath.Base(name), strings.Join(args, " "), err)
	}
	return out
}

// run runs a command and returns its stdout. The error has its stderr.
func run(stdin, name string, args ...string) (stdout string, err error) {
	if name == python && len(args) > 1 && args[0] == "-c" {
		return runScript(stdin, args[1], args[2:])
	}
	c := exec.Command(name, args...)
	c.Stdin = strings.NewReader(stdin)
	var out, errOut bytes.Buffer
	c.Stdout, c.Stderr = &out, &errOut
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, errOut.String())
	}
	return out.String(), nil
}

// corpus writes a part of the demo corpus, with some lines of other scripts, to a
// file.
func corpus(t *testing.T, dir string) string {
	t.Helper()
	var text bytes.Buffer
	if _, err := text.ReadFrom(demo.Corpus(8000, 1)); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		text.WriteString("日本語 の 文 です\nη Ελλάδα και η Ευρώπη\nnaïve café 🙂 caf\xe9\n")
	}
	path := filepath.Join(dir, "corpus.txt")
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// queries are words in and out of the vocabulary, ASCII and not.
var queries = []string{
	"the", "dog", "paris", "japan", "unhappinesses", "zzyzx", "a", "xy", "e", "日本語", "日本", "Ελλάδα", "Ελληνικά",
	"naïve", "naïvely", "café", "cafés", "🙂", "🙂🙃", "ß", "über", "Straßenbahn", "0123456789", strings.Repeat("long", 50),
}

// rows reads lines of a word and numbers.
func rows(t *testing.T, text string) map[string][]float64 {
	t.Helper()
	all := make(map[string][]float64)
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fields := strings.Fields(line)
		v := make([]float64, len(fields)-1)
		for i, f := range fields[1:] {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			v[i] = x
		}
		all[fields[0]] = v
	}
	return all
}

// sameRows wants the rows of both for each word to agree to 4 digits.
func sameRows(t *testing.T, words []string, got, want map[string][]float64) {
	t.Helper()
	for _, word := range words {
		g, w := got[word], want[word]
		if len(g) == 0 || len(g) != len(w) {
			t.Errorf("%q: %d numbers and %d", word, len(g), len(w))
			continue
		}
		var largest float64
		for i := range w {
			largest = max(largest, math.Abs(w[i]))
		}
		for i := range w {
			if math.Abs(g[i]-w[i]) > 5e-5*max(largest, 1e-3) {
				t.Errorf("%q, number %d: %v and %v", word, i, g[i], w[i])
				break
			}
		}
	}
}

// neighbors reads lines of a word and its similarity, best first.
func neighbors(t *testing.T, text string) (words []string, similarity map[string]float64) {
	t.Helper()
	similarity = make(map[string]float64)
	for word, v := range rows(t, text) {
		similarity[word] = v[0]
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words = append(words, strings.Fields(line)[0])
	}
	return words, similarity
}

// sameNeighbors wants the same words with the same similarities, but for the
// order of words whose similarities differ by rounding only. Words that are not
// UTF-8 are left out: gensim replaces their bytes or writes them as \x.., and composes
// words of the n-grams of that.
func sameNeighbors(t *testing.T, query, ours, theirs string) {
	t.Helper()
	const rounding = 1e-4 // w2v nn prints 4 decimals
	ourWords, ourSimilarity := neighbors(t, ours)
	theirWords, theirSimilarity := neighbors(t, theirs)
	if len(ourWords) != len(theirWords) {
		t.Fatalf("neighbours of %q: %q, by the peer %q", query, ourWords, theirWords)
	}
	odd := func(word string) bool {
		return !utf8.ValidString(word) || strings.Contains(word, `\x`) || strings.Contains(word, "\ufffd")
	}
	ourWords, theirWords = slices.DeleteFunc(ourWords, odd), slices.DeleteFunc(theirWords, odd)
	for i, word := range ourWords[:min(len(ourWords), len(theirWords))] {
		other := theirWords[i]
		if math.Abs(ourSimilarity[word]-theirSimilarity[other]) > rounding {
			t.Errorf("neighbour %d of %q: %s %v, by the peer %s %v",
				i+1, query, word, ourSimilarity[word], other, theirSimilarity[other])
		}
		if s, ok := theirSimilarity[word]; ok && math.Abs(s-ourSimilarity[word]) > rounding {
			t.Errorf("neighbour %q of %q: %v, by the peer %v", word, query, ourSimilarity[word], s)
		}
	}
}

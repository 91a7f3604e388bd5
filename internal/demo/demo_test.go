package demo

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"
)

var defaultCorpus = sync.OnceValue(func() []byte {
	return read(Corpus(DefaultSentences, DefaultSeed))
})

func read(r io.Reader) []byte {
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}

// counts returns how often each word occurs in the default corpus.
var counts = sync.OnceValue(func() map[string]int {
	n := make(map[string]int)
	for word := range strings.FieldsSeq(string(defaultCorpus())) {
		n[word]++
	}
	return n
})

func TestSameSeedGivesTheSameBytes(t *testing.T) {
	const want = "c4d121042a2f9128096c45898e5d58669185c1ea127c692c078eb8301132557d"
	sum := sha256.Sum256(defaultCorpus())
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("the default corpus has SHA-256 %s, want %s", got, want)
	}
}

func TestOtherSeedGivesOtherBytes(t *testing.T) {
	if bytes.Equal(read(Corpus(100, 1)), read(Corpus(100, 2))) {
		t.Error("seeds 1 and 2 give the same text")
	}
}

func TestReadSizeDoesNotMatter(t *testing.T) {
	whole := read(Corpus(2000, 7))
	if got := read(iotest.OneByteReader(Corpus(2000, 7))); !bytes.Equal(got, whole) {
		t.Error("reading byte by byte gives another text")
	}
}

func TestNumberOfSentences(t *testing.T) {
	if got := read(Corpus(0, 1)); len(got) != 0 {
		t.Errorf("no sentences give %q", got)
	}
	long, short := read(Corpus(4000, 1)), read(Corpus(1000, 1))
	if !bytes.HasPrefix(long, short[:len(short)/2]) {
		t.Error("a shorter corpus does not begin as a longer one does")
	}
	if ratio := float64(len(long)) / float64(len(short)); ratio < 3.5 || ratio > 4.5 {
		t.Errorf("four times the sentences give %.1f times the text", ratio)
	}
}

func TestLines(t *testing.T) {
	text := defaultCorpus()
	if !utf8.Valid(text) || !bytes.HasSuffix(text, []byte("\n")) {
		t.Error("the corpus is not made of UTF-8 lines")
	}
	for line := range bytes.Lines(text) {
		line := string(line[:len(line)-1])
		words := strings.Split(line, " ")
		if len(words) < minLineWords || len(words) > maxLineWords {
			t.Errorf("line has %d words: %s", len(words), line)
		}
		if slices.Contains(words, "") {
			t.Errorf("line has a space too many: %q", line)
		}
		if i := strings.IndexFunc(line, func(r rune) bool {
			return r != ' ' && r != '_' && !unicode.IsLower(r)
		}); i >= 0 {
			t.Errorf("line has something else than lower-case letters: %q", line[i:])
		}
	}
}

func TestSize(t *testing.T) {
	tokens, frequent := 0, 0
	for _, n := range counts() {
		tokens += n
		if n >= 5 {
			frequent++
		}
	}
	if tokens < 1_000_000 || tokens > 1_500_000 {
		t.Errorf("the corpus has %d tokens", tokens)
	}
	if frequent < 3500 || frequent > 4500 {
		t.Errorf("%d words occur at least 5 times", frequent)
	}
	for _, word := range []string{"são_paulo", "zürich", "málaga", "café", "naïve", "jalapeño"} {
		if counts()[word] < 5 {
			t.Errorf("%s occurs %d times", word, counts()[word])
		}
	}
}

// questions returns the four words of every analogy by its section.
func questions(t *testing.T) map[string][][]string {
	sections := make(map[string][][]string)
	var section string
	for line := range strings.Lines(Analogies()) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, ": "); ok {
			section = name
			continue
		}
		words := strings.Split(line, " ")
		if len(words) != 4 {
			t.Fatalf("question %q does not have four words", line)
		}
		sections[section] = append(sections[section], words)
	}
	return sections
}

func TestAnalogies(t *testing.T) {
	all := questions(t)
	if len(all) != len(sections) {
		t.Errorf("there are %d sections, want %d", len(all), len(sections))
	}
	for name, section := range all {
		if len(section) < 75 {
			t.Errorf("section %s has %d questions only", name, len(section))
		}
		seen := make(map[string]bool)
		for _, q := range section {
			key := strings.Join(q, " ")
			if seen[key] {
				t.Errorf("%s: %s is asked twice", name, key)
			}
			seen[key] = true
			for i, word := range q {
				if counts()[word] < 5 {
					t.Errorf("%s: %s occurs %d times", name, word, counts()[word])
				}
				if slices.Contains(q[:i], word) {
					t.Errorf("%s: %s has a word twice", name, key)
				}
			}
		}
	}
}

// The structure must be learned from how words are used. A line that holds a
// question with its answer would give it away; chance makes a few.
func TestAnalogiesAreNotPlanted(t *testing.T) {
	byFirst := make(map[string][][]string)
	for _, section := range questions(t) {
		for _, q := range section {
			byFirst[q[0]] = append(byFirst[q[0]], q[1:])
		}
	}
	lines, planted := 0, 0
	for line := range strings.Lines(string(defaultCorpus())) {
		lines++
		words := strings.Fields(line)
		if slices.ContainsFunc(words, func(word string) bool {
			return slices.ContainsFunc(byFirst[word], func(rest []string) bool {
				return slices.Contains(words, rest[0]) && slices.Contains(words, rest[1]) && slices.Contains(words, rest[2])
			})
		}) {
			planted++
		}
	}
	t.Logf("%d of %d lines hold a whole question", planted, lines)
	if planted > lines/5000 {
		t.Errorf("%d of %d lines hold a whole question", planted, lines)
	}
}

func TestSimilarities(t *testing.T) {
	pairs := 0
	seen := make(map[[2]string]bool)
	scores := make(map[float64]int)
	for line := range strings.Lines(Similarities()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			t.Fatalf("line %q does not have three fields", line)
		}
		score, err := strconv.ParseFloat(fields[2], 64)
		if err != nil || score < 0 || score > 10 {
			t.Errorf("%q has the score %v, %v", line, score, err)
		}
		for _, word := range fields[:2] {
			if counts()[word] < 5 {
				t.Errorf("%s occurs %d times", word, counts()[word])
			}
		}
		pair := [2]string{min(fields[0], fields[1]), max(fields[0], fields[1])}
		if seen[pair] || pair[0] == pair[1] {
			t.Errorf("%v is there twice", pair)
		}
		seen[pair] = true
		scores[score]++
		pairs++
	}
	if pairs < 150 {
		t.Errorf("there are %d pairs, want 150", pairs)
	}
	if len(scores) != 11 {
		t.Errorf("there are %d different scores, want 11", len(scores))
	}
}

func TestShownWordsOccur(t *testing.T) {
	words := Neighbours()
	for _, query := range Showcase() {
		words = append(words, query[:]...)
	}
	for _, word := range words {
		if counts()[word] < 5 {
			t.Errorf("%s occurs %d times", word, counts()[word])
		}
	}
}

func TestOutOfVocabularyWordsDoNotOccur(t *testing.T) {
	for _, word := range OutOfVocabulary() {
		if counts()[word] > 0 {
			t.Errorf("%s occurs %d times", word, counts()[word])
		}
	}
}

// In the tables a kind that kindRows does not know would only show as a missing
// cell in some sentence that is rarely said.
func TestRowsAreComplete(t *testing.T) {
	lex := newLexicon()
	for i, table := range lex.tables {
		for _, row := range table.rows {
			if len(row) != len(table.columns) {
				t.Errorf("%s: %s has %d cells, want %d", lex.names[i], row[0], len(row), len(table.columns))
			}
		}
	}
}

func TestSimilarityGrowsWithWhatIsShared(t *testing.T) {
	rose := concept{field: "plant", kind: "flower", attributes: []string{"red", "thorns", "garden"}}
	for _, c := range []struct {
		other concept
		want  int
	}{
		{concept{field: "metal", kind: "ore"}, 0},
		{concept{field: "metal", kind: "ore", attributes: []string{"red"}}, 1},
		{concept{field: "plant", kind: "tree"}, 2},
		{concept{field: "plant", kind: "tree", attributes: []string{"garden"}}, 3},
		{concept{field: "plant", kind: "flower"}, 5},
		{concept{field: "plant", kind: "flower", attributes: []string{"red", "garden"}}, 7},
	} {
		if got := similarity(rose, c.other); got != c.want {
			t.Errorf("similarity to %v is %d, want %d", c.other, got, c.want)
		}
	}
}

func TestSentenceFollowsItsEntities(t *testing.T) {
	lex := newLexicon()
	s := lex.compile("{country} {country.capital} (one|one) {animal.young}")
	w := &writer{lexicon: lex, dice: newDice(3), bound: make([]int, len(lex.tables)*maxCopies)}
	for range 1000 {
		for i := range w.bound {
			w.bound[i] = unbound
		}
		w.line = w.line[:0]
		if !w.bindSparse(s.sparse) {
			t.Fatal("nothing is bound yet, but the sentence does not suit")
		}
		w.appendNodes(s.nodes)
		words := strings.Fields(string(w.line))
		if len(words) != 4 {
			t.Fatalf("sentence is %q", w.line)
		}
		if !slices.ContainsFunc(lex.table("country").rows, func(row [][]string) bool {
			return row[0][0] == words[0] && row[1][0] == words[1]
		}) {
			t.Errorf("%s is not the capital of %s", words[1], words[0])
		}
	}
}

func BenchmarkCorpus(b *testing.B) {
	b.SetBytes(int64(len(defaultCorpus())))
	for b.Loop() {
		if _, err := io.Copy(io.Discard, Corpus(DefaultSentences, DefaultSeed)); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleCorpus() {
	_, err := io.Copy(os.Stdout, Corpus(4, 8))
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// sauce with tomato is my favourite breakfast
	// the machine will be repaired in the garage next sunday a pipe has been repaired in the garage
	// the smell of sweet candy came from the jar
}

func ExampleAnalogies() {
	lines := bufio.NewScanner(strings.NewReader(Analogies()))
	for range 3 {
		lines.Scan()
		fmt.Println(lines.Text())
	}
	// Output:
	// : fact-capital
	// france paris germany berlin
	// france paris ukraine kyiv
}

func setText(t *testing.T, path string) string {
	t.Helper()
	for _, s := range Sets() {
		if s.Path == path {
			return s.Text
		}
	}
	t.Fatalf("there is no set %s", path)
	return ""
}

// Every word of the sets of kinds occurs in the corpus, and in one category only.
func TestCategories(t *testing.T) {
	of := make(map[string]string)
	sizes := make(map[string]int)
	lines := strings.Split(strings.TrimSpace(setText(t, "categories.tsv")), "\n")
	for _, line := range lines[1:] {
		category, word, ok := strings.Cut(line, "\t")
		if !ok || of[word] != "" || counts()[word] < 5 {
			t.Errorf("%q: also in %q, occurs %d times", line, of[word], counts()[word])
		}
		of[word] = category
		sizes[category]++
	}
	if len(sizes) < 20 {
		t.Errorf("there are %d categories, want 20", len(sizes))
	}
	for category, n := range sizes {
		if n < fewest || n > most {
			t.Errorf("%s has %d words", category, n)
		}
	}
}

func TestOutliers(t *testing.T) {
	clusters := 0
	for line := range strings.Lines(setText(t, "outliers.jsonl")) {
		var c struct{ Words, Outliers []string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		clusters++
		all := slices.Concat(c.Words, c.Outliers)
		if len(c.Words) != clusterSize || len(c.Outliers) != clusterSize {
			t.Errorf("%d words and %d outliers: %s", len(c.Words), len(c.Outliers), line)
		}
		slices.Sort(all)
		if len(slices.Compact(all)) != 2*clusterSize {
			t.Errorf("a word is there twice: %s", line)
		}
	}
	if clusters < 8 {
		t.Errorf("there are %d clusters, want 8", clusters)
	}
}

func TestRelations(t *testing.T) {
	relations := 0
	for _, s := range Sets() {
		if !strings.HasPrefix(s.Path, "relations/") {
			continue
		}
		relations++
		lines := strings.Split(strings.TrimSpace(s.Text), "\n")
		if len(lines) < 20 {
			t.Errorf("%s has %d pairs, want 20", s.Path, len(lines))
		}
		for _, line := range lines {
			word, answers, ok := strings.Cut(line, "\t")
			if !ok || word == "" || answers == "" || strings.Contains(line, " ") || slices.Contains(strings.Split(answers, "/"), word) {
				t.Errorf("%s: %q", s.Path, line)
			}
		}
	}
	if relations < 5 {
		t.Errorf("there are %d relations, want 5", relations)
	}
}

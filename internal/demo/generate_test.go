package demo

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the sets")

// The sets are those that the tables make. After a change of a table,
// go test ./internal/demo -run TestSetsAreOfTheTables -update writes them.
func TestSetsAreOfTheTables(t *testing.T) {
	lex := newLexicon()
	made := map[string]string{
		"similarity.tsv": similarities(lex), "analogy.txt": analogies(lex), "categories.tsv": categories(lex), "outliers.jsonl": outliers(lex),
	}
	for _, r := range relations {
		made["relations/"+r.name+".txt"] = relationText(lex, r)
	}
	if len(made) != len(Sets()) {
		t.Errorf("the tables make %d sets, and there are %d", len(made), len(Sets()))
	}
	for path, text := range made {
		if *update {
			if err := os.WriteFile(filepath.Join("sets", path), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if setText(t, path) != text {
			t.Errorf("%s is not what the tables make: run this test with -update", path)
		}
	}
}

// questionsPerSection is about how many questions a section has, as far as its
// pairs allow.
const questionsPerSection = 150

// sections lists the relations that analogies ask for. Those that a word's form
// shows are named form-, those that one has to know fact-.
var sections = [...]struct{ name, table, from, to string }{
	{"fact-capital", "country", "country", "capital"},
	{"fact-nationality", "country", "country", "adjective"},
	{"fact-currency", "country", "country", "currency"},
	{"fact-gender", "pair", "male", "female"},
	{"fact-young", "animal", "animal", "young"},
	{"fact-workplace", "trade", "trade", "workplace"},
	{"form-plural", "noun", "one", "many"},
	{"form-comparative", "adjective", "adjective", "comparative"},
	{"form-superlative", "adjective", "adjective", "superlative"},
	{"form-adverb", "adjective", "adjective", "adverb"},
	{"form-negation", "adjective", "adjective", "negated"},
	{"form-third-person", "verb", "base", "third"},
	{"form-gerund", "verb", "base", "ing"},
	{"form-past", "verb", "base", "past"},
	{"form-agent", "verb", "base", "agent"},
}

func analogies(lex *lexicon) string {
	var set strings.Builder
	for _, s := range sections {
		var t *table
		switch s.table {
		case "noun":
			t = nouns(lex)
		case "pair":
			t = parseTables()["pair"]
		default:
			t = lex.table(s.table)
		}
		fmt.Fprintf(&set, ": %s\n", s.name)
		pairs := relation(t, t.column(s.from), t.column(s.to))
		perPair := max(1, questionsPerSection/len(pairs))
		perPair = min(perPair, len(pairs)-1)
		for i, pair := range pairs {
			for k := range perPair {
				other := pairs[(i+1+k*(len(pairs)-1)/perPair)%len(pairs)]
				fmt.Fprintln(&set, pair[0], pair[1], other[0], other[1])
			}
		}
	}
	return set.String()
}

// relation returns the pairs of words in two columns. It leaves out the rows
// that share their word with another one, for there a question would have more
// than one answer.
func relation(t *table, from, to int) [][2]string {
	var pairs [][2]string
	for _, row := range t.rows {
		if len(row[from]) == 0 || len(row[to]) == 0 || row[from][0] == row[to][0] {
			continue
		}
		holders := 0
		for _, other := range t.rows {
			if len(other[to]) > 0 && (other[from][0] == row[from][0] || other[to][0] == row[to][0]) {
				holders++
			}
		}
		if holders == 1 {
			pairs = append(pairs, [2]string{row[from][0], row[to][0]})
		}
	}
	return pairs
}

// nouns has a row for every noun with a plural.
func nouns(lex *lexicon) *table {
	all := &table{columns: []string{"one", "many"}}
	for _, name := range [...]string{"animal", "food", "trade", "thing", "part"} {
		t := lex.table(name)
		many := t.column("plural")
		for _, row := range t.rows {
			all.rows = append(all.rows, [][]string{row[0], row[many]})
		}
	}
	return all
}

// A concept is a word with what the tables say of it.
type concept struct {
	word       string
	field      string // the table
	kind       string
	attributes []string
}

// fields names for each kind of concept the column of its kind and those that
// hold attributes.
var fields = [...]struct {
	table, kind string
	attributes  []string
}{
	{"country", "continent", []string{"language", "neighbour", "food", "sight"}},
	{"animal", "kind", []string{"sound", "eat", "home", "body"}},
	{"food", "kind", []string{"taste", "colour", "dish", "source"}},
	{"trade", "kind", []string{"tool", "product"}},
	{"thing", "kind", []string{"material", "place", "user"}},
	{"part", "kind", []string{"near", "ill"}},
	{"month", "season", []string{"weather", "event"}},
}

// similarity is a score from 0 to 10. Words of one field start at 2, those of
// one kind at 5, and up to five attributes in common add a point each; words of
// different fields may reach 2 by their attributes.
func similarity(a, b concept) int {
	shared := 0
	for _, attribute := range a.attributes {
		if slices.Contains(b.attributes, attribute) {
			shared++
		}
	}
	switch {
	case a.field != b.field:
		return min(shared, 2)
	case a.kind != b.kind:
		return 2 + min(shared, 3)
	default:
		return 5 + min(shared, 5)
	}
}

const pairsPerScore = 30 // how many pairs of each score the similarity set takes

func similarities(lex *lexicon) string {
	all := concepts(lex)
	var byScore [11][]string
	for i, a := range all {
		for _, b := range all[i+1:] {
			score := similarity(a, b)
			byScore[score] = append(byScore[score], fmt.Sprintf("%s\t%s\t%d\n", a.word, b.word, score))
		}
	}
	var set strings.Builder
	set.WriteString("# word\tword\tsimilarity from 0 to 10, by kind and shared attributes\n")
	for _, pairs := range slices.Backward(byScore[:]) {
		n := min(len(pairs), pairsPerScore)
		for k := range n {
			// The middle of the k-th of n equal parts: neighbours in the list
			// have a word in common.
			set.WriteString(pairs[(2*k+1)*len(pairs)/(2*n)])
		}
	}
	return set.String()
}

func concepts(lex *lexicon) []concept {
	var all []concept
	for _, f := range fields {
		t := lex.table(f.table)
		for _, row := range t.rows {
			c := concept{word: row[0][0], field: f.table, kind: row[t.column(f.kind)][0]}
			for _, name := range f.attributes {
				c.attributes = append(c.attributes, row[t.column(name)]...)
			}
			all = append(all, c)
		}
	}
	return all
}

// A kindOfWords is a category and its words, in the order of the tables.
type kindOfWords struct {
	name, field string
	words       []string
}

// fewest is how many words a kind needs to be one of a set, and most how many of them are taken.
const (
	fewest = 5
	most   = 15
)

// kinds returns the kinds of animals, foods, trades and things, without words of several kinds.
func kinds(lex *lexicon) []kindOfWords {
	var all []kindOfWords
	seen := make(map[string]int)
	for _, c := range concepts(lex) {
		switch c.field {
		case "animal", "food", "trade", "thing":
		default:
			continue
		}
		seen[c.word]++
		i := slices.IndexFunc(all, func(k kindOfWords) bool { return k.name == c.kind })
		if i < 0 {
			i = len(all)
			all = append(all, kindOfWords{name: c.kind, field: c.field})
		}
		all[i].words = append(all[i].words, c.word)
	}
	for i := range all {
		all[i].words = slices.DeleteFunc(all[i].words, func(word string) bool { return seen[word] > 1 })
		all[i].words = all[i].words[:min(len(all[i].words), most)]
	}
	return slices.DeleteFunc(all, func(k kindOfWords) bool { return len(k.words) < fewest })
}

// categories has lines of a kind and a word, divided by a tab.
func categories(lex *lexicon) string {
	var set strings.Builder
	set.WriteString("category\tword\n")
	for _, k := range kinds(lex) {
		for _, word := range k.words {
			fmt.Fprintf(&set, "%s\t%s\n", k.name, word)
		}
	}
	return set.String()
}

const clusterSize = 8 // how many words a cluster has, and how many outliers

// outliers has a line of JSON for each kind: some of its words, and as many outliers. The first
// half of the outliers are other kinds of the same field (other animals), the rest is of others.
func outliers(lex *lexicon) string {
	var set strings.Builder
	encoder := json.NewEncoder(&set)
	all := kinds(lex)
	for at, k := range all {
		if len(k.words) < clusterSize {
			continue
		}
		var near, far []string
		for i := 1; i < len(all); i++ {
			other := all[(at+i)%len(all)]
			word := other.words[at%len(other.words)] // not always the first
			if other.field == k.field {
				near = append(near, word)
			} else {
				far = append(far, word)
			}
		}
		near = near[:min(len(near), clusterSize/2)]
		err := encoder.Encode(struct {
			Category string   `json:"category"`
			Words    []string `json:"words"`
			Outliers []string `json:"outliers"`
		}{k.name, k.words[:clusterSize], append(near, far[:clusterSize-len(near)]...)})
		if err != nil {
			panic(err) // strings are always JSON
		}
	}
	return set.String()
}

// relations lists relations between words, most of which have several right answers.
var relations = [...]struct{ name, table, from, to string }{
	{"animal-home", "animal", "animal", "home"},
	{"animal-young", "animal", "animal", "young"},
	{"adjective-opposite", "adjective", "adjective", "opposite"},
	{"country-capital", "country", "country", "capital"},
	{"food-colour", "food", "food", "colour"},
	{"trade-tool", "trade", "trade", "tool"},
	{"trade-workplace", "trade", "trade", "workplace"},
}

// relationText has lines of a word and the words that are right answers, with slashes between
// them. Answers of several words are left out.
func relationText(lex *lexicon, r struct{ name, table, from, to string }) string {
	t := lex.table(r.table)
	from, to := t.column(r.from), t.column(r.to)
	var set strings.Builder
	for _, row := range t.rows {
		answers := slices.DeleteFunc(slices.Clone(row[to]), func(word string) bool {
			return strings.Contains(word, " ") || word == row[from][0]
		})
		if len(answers) > 0 {
			fmt.Fprintf(&set, "%s\t%s\n", row[from][0], strings.Join(answers, "/"))
		}
	}
	return set.String()
}

func (l *lexicon) table(name string) *table { return l.tables[l.index(name)] }

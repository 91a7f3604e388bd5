package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Set is an evaluation set as a file: its path and its text.
type Set struct {
	Path string // files of one folder are one set
	Text string
}

// Sets returns evaluation sets that are made of the tables: similarity, analogies, categories,
// outliers and relations. They are the same in every run.
func Sets() []Set {
	lex := newLexicon()
	sets := []Set{
		{"similarity.tsv", Similarities()},
		{"analogy.txt", Analogies()},
		{"categories.tsv", categories(lex)},
		{"outliers.jsonl", outliers(lex)},
	}
	for _, r := range relations {
		sets = append(sets, Set{"relations/" + r.name + ".txt", relationText(lex, r)})
	}
	return sets
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

// clusterSize is how many words a cluster has, and how many outliers.
const clusterSize = 8

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

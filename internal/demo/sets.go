package demo

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
)

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

// Analogies returns questions "a b c d", where a is to b as c is to d, in
// sections that begin with a line ": name".
func Analogies() string {
	lex := newLexicon()
	var set strings.Builder
	for _, s := range sections {
		var t *table
		switch s.table {
		case "noun":
			t = nouns(lex)
		case "pair":
			t = lex.pairs
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

// Similarities returns lines of two words and the similarity of what they mean,
// from 0 to 10, divided by tabs. Lines that begin with # are comments.
func Similarities() string {
	all := concepts(newLexicon())
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

//go:embed tables.txt
var tablesText string

// A section is a part of a data file: what stands in brackets before it, and its lines.
type section struct {
	name  string
	lines []string
}

// parseSections reads sections, which begin with a line "[name]". Lines that begin with # are comments.
func parseSections(text string) []section {
	var all []section
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			all = append(all, section{name: strings.Trim(line, "[]")})
		default:
			last := &all[len(all)-1]
			last.lines = append(last.lines, line)
		}
	}
	return all
}

// A table holds the facts of one subject: a row for every entity, and in every
// cell the words to choose from.
type table struct {
	columns []string
	rows    [][][]string

	sums // of the rows' weights
}

// parseTables reads all tables. They are part of the program, so a mistake in one is a bug.
func parseTables() map[string]*table {
	tables := make(map[string]*table)
	for _, s := range parseSections(tablesText) {
		t := new(table)
		for _, line := range s.lines {
			var row [][]string
			for cell := range strings.SplitSeq(line, "|") {
				var words []string
				for word := range strings.SplitSeq(cell, ",") {
					if word = strings.TrimSpace(word); word != "" {
						words = append(words, word)
					}
				}
				row = append(row, words)
			}
			if t.columns == nil {
				for _, cell := range row {
					t.columns = append(t.columns, cell[0])
				}
				continue
			}
			if len(row) != len(t.columns) {
				panic(fmt.Sprintf("demo: row %q has %d cells, want %d", line, len(row), len(t.columns)))
			}
			t.rows = append(t.rows, row)
		}
		tables[s.name] = t
	}
	return tables
}

func (t *table) column(name string) int { return mustIndex(t.columns, name) }

func mustIndex(names []string, name string) int {
	i := slices.Index(names, name)
	if i < 0 {
		panic(fmt.Sprintf("demo: no %q among %q", name, names))
	}
	return i
}

// sums are running sums of weights, by which their indices are drawn. The weights are integers, since
// floating point may differ between machines.
type sums []uint64

func (s *sums) add(weight uint64) {
	if n := len(*s); n > 0 {
		weight += (*s)[n-1]
	}
	*s = append(*s, weight)
}

func (s sums) draw(d *dice) int {
	at := d.below(s[len(s)-1])
	return sort.Search(len(s), func(i int) bool { return s[i] > at })
}

// dice draws numbers. It reduces them itself: PCG is specified to the bit, but
// the methods of rand.Rand may change between releases of Go.
type dice struct{ source *rand.PCG }

func newDice(seed uint64) *dice { return &dice{rand.NewPCG(seed, 0x77_32_76)} }

func (d *dice) below(n uint64) uint64 {
	high, _ := bits.Mul64(d.source.Uint64(), n)
	return high
}

type lexicon struct {
	names         []string
	tables        []*table
	pairs, phrase *table
}

func newLexicon() *lexicon {
	facts := parseTables()
	lex := &lexicon{pairs: facts["pair"], phrase: facts["phrase"]}
	add := func(name string, t *table) {
		offset := 2 + len(t.rows)/6
		if name == "country" {
			offset = 7
		}
		// The frequency of a row falls with its rank, as that of words does; the smaller the offset, the steeper.
		for rank := range t.rows {
			t.add(1 << 32 / uint64(rank+offset))
		}
		lex.names = append(lex.names, name)
		lex.tables = append(lex.tables, t)
	}
	add("country", facts["country"])
	add("person", persons(facts["pair"], facts["sex"]))
	add("name", givenNames(facts["sex"]))
	add("verb", verbs(facts["transitive"], facts["intransitive"]))
	add("adjective", facts["adjective"])
	for _, name := range []string{"animal", "food", "trade", "thing"} {
		add(name, withKinds(facts[name], facts["kind"]))
	}
	for _, name := range []string{"part", "material", "month", "day", "number", "weather"} {
		add(name, facts[name])
	}
	return lex
}

func (l *lexicon) index(name string) int { return mustIndex(l.names, name) }

func (l *lexicon) table(name string) *table { return l.tables[l.index(name)] }

// persons has a row for either side of every pair, with what goes with its sex.
func persons(pairs, sexes *table) *table {
	joined := &table{columns: append([]string{"person", "mate", "persons", "mates"}, pairs.columns[4:]...)}
	joined.columns = append(joined.columns, sexes.columns...)
	for _, pair := range pairs.rows {
		male := append(slices.Clone(pair), sexes.rows[0]...)
		female := append([][]string{pair[1], pair[0], pair[3], pair[2]}, pair[4:]...)
		joined.rows = append(joined.rows, male, append(female, sexes.rows[1]...))
	}
	return joined
}

// givenNames has a row for every given name.
func givenNames(sexes *table) *table {
	column := sexes.column("name")
	all := &table{columns: append([]string{"given"}, sexes.columns...)}
	for i := range sexes.rows[0][column] {
		for _, sex := range sexes.rows {
			all.rows = append(all.rows, append([][]string{sex[column][i : i+1]}, sex...))
		}
	}
	return all
}

// verbs joins the two kinds in one table, one intransitive verb after every two
// transitive ones, because a row's place decides its frequency. What follows the
// verb is in "what" for both; "object" is empty for intransitive verbs.
func verbs(transitive, intransitive *table) *table {
	object := transitive.column("object")
	joined := &table{columns: append(slices.Clone(intransitive.columns), "object")}
	for i, row := range transitive.rows {
		joined.rows = append(joined.rows, append(slices.Clone(row), row[object]))
		if i%2 == 1 && i/2 < len(intransitive.rows) {
			joined.rows = append(joined.rows, append(slices.Clone(intransitive.rows[i/2]), nil))
		}
	}
	return joined
}

// withKinds adds to each row what goes for its kind.
func withKinds(t, kinds *table) *table {
	of := t.column("kind")
	t.columns = append(t.columns, kinds.columns[1:]...)
	for i, row := range t.rows {
		for _, kind := range kinds.rows {
			if kind[0][0] == row[of][0] {
				t.rows[i] = append(row, kind[1:]...)
			}
		}
	}
	return t
}

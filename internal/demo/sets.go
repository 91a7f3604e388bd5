package demo

import (
	"embed"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
)

// A Set is an evaluation set as a file: its path and its text.
type Set struct {
	Path string // files of one folder are one set
	Text string
}

// Sets returns evaluation sets of the tables: similarity, analogies, categories, outliers and relations.
func Sets() []Set {
	var sets []Set
	for _, path := range []string{
		"similarity.tsv", "analogy.txt", "categories.tsv", "outliers.jsonl",
		"relations/animal-home.txt", "relations/animal-young.txt", "relations/adjective-opposite.txt", "relations/country-capital.txt",
		"relations/food-colour.txt", "relations/trade-tool.txt", "relations/trade-workplace.txt",
	} {
		text, err := setFiles.ReadFile("sets/" + path)
		if err != nil {
			panic(err) // the files are part of the program
		}
		sets = append(sets, Set{path, string(text)})
	}
	return sets
}

// The test of this package makes the sets of the tables.
//
//go:embed sets
var setFiles embed.FS

// Analogies returns questions "a b c d", a is to b as c is to d, in sections that begin with a line ": name".
func Analogies() string { return Sets()[1].Text }

// Similarities returns lines of two words and the similarity of what they mean, from 0 to 10, with tabs between.
func Similarities() string { return Sets()[0].Text }

//go:embed tables.txt
var tablesText string

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

// A table has a row for every entity of a subject, and in every cell the words to choose from.
type table struct {
	columns []string
	rows    [][][]string

	sums // of the rows' weights
}

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

// Weights are integers, since floating point may differ between machines.
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

// PCG is specified to the bit, but the methods of rand.Rand may change between releases of Go.
type dice struct{ source *rand.PCG }

func newDice(seed uint64) *dice { return &dice{rand.NewPCG(seed, 0x77_32_76)} }

func (d *dice) below(n uint64) uint64 {
	high, _ := bits.Mul64(d.source.Uint64(), n)
	return high
}

type lexicon struct {
	names  []string
	tables []*table
	phrase *table
}

func newLexicon() *lexicon {
	facts := parseTables()
	lex := &lexicon{phrase: facts["phrase"]}
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

// verbs has an intransitive verb after every two transitive ones, because a row's place decides its frequency. What
// follows a verb is in "what"; "object" is empty for intransitive ones.
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

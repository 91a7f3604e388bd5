package demo

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
)

// A table holds the facts of one subject: a row for every entity, and in every
// cell the words to choose from.
type table struct {
	columns []string
	rows    [][][]string

	// reach holds the running sum of the rows' weights.
	reach []uint64
}

// parseTable reads rows of cells divided by "|" with words divided by commas.
// The first row names the columns. The tables are part of the program, so a
// mistake in one is a bug.
func parseTable(text string) *table {
	t := new(table)
	for line := range strings.Lines(strings.TrimSpace(text)) {
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
	return t
}

func (t *table) column(name string) int {
	i := slices.Index(t.columns, name)
	if i < 0 {
		panic(fmt.Sprintf("demo: no column %q among %q", name, t.columns))
	}
	return i
}

// weigh makes the frequency of a row fall with its rank, as that of words does;
// the smaller the offset, the steeper. The weights are integers, since floating
// point may differ between machines.
func (t *table) weigh(offset int) {
	var sum uint64
	for rank := range t.rows {
		sum += 1 << 32 / uint64(rank+offset)
		t.reach = append(t.reach, sum)
	}
}

func (t *table) draw(d *dice) int {
	at := d.below(t.reach[len(t.reach)-1])
	return sort.Search(len(t.reach), func(i int) bool { return t.reach[i] > at })
}

// dice draws numbers. It reduces them itself: PCG is specified to the bit, but
// the methods of rand.Rand may change between releases of Go.
type dice struct{ source *rand.PCG }

func newDice(seed uint64) *dice {
	return &dice{rand.NewPCG(seed, 0x77_32_76)}
}

func (d *dice) below(n uint64) uint64 {
	high, _ := bits.Mul64(d.source.Uint64(), n)
	return high
}

// A lexicon is the set of all tables.
type lexicon struct {
	names  []string
	tables []*table
}

func newLexicon() *lexicon {
	lex := new(lexicon)
	add := func(name string, t *table) {
		offset := 2 + len(t.rows)/6
		if name == "country" {
			offset = 7
		}
		t.weigh(offset)
		lex.names = append(lex.names, name)
		lex.tables = append(lex.tables, t)
	}
	add("country", parseTable(countryRows))
	add("person", persons())
	add("name", names())
	add("verb", verbs())
	add("adjective", parseTable(adjectiveRows))
	add("animal", withKinds(parseTable(animalRows)))
	add("food", withKinds(parseTable(foodRows)))
	add("trade", withKinds(parseTable(tradeRows)))
	add("thing", withKinds(parseTable(thingRows)))
	add("part", parseTable(bodyRows))
	add("material", parseTable(materialRows))
	add("month", parseTable(monthRows))
	add("day", parseTable(dayRows))
	add("number", parseTable(numberRows))
	add("weather", parseTable(weatherRows))
	return lex
}

func (l *lexicon) index(name string) int {
	i := slices.Index(l.names, name)
	if i < 0 {
		panic(fmt.Sprintf("demo: no table %q", name))
	}
	return i
}

func (l *lexicon) table(name string) *table {
	return l.tables[l.index(name)]
}

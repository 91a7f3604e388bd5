package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/lab/figures"
)

// results are those of a row, one a seed.
type results []result

// A finder finds the results of a row.
type finder func(language, row string) results

// A column is a number of each row.
type column struct {
	title string
	cell  func(results) string
	set   string // whose interval is that of the column; empty for none
	known bool   // not of composed words
}

// columns are those of a language's table.
func columns(language string) []column {
	all := []column{
		{title: "parameters", cell: func(r results) string { return millions(r[0].Parameters) }},
		{title: "of input", cell: inputCell},
		{title: "file", cell: fileCell},
		{title: "tokens/s", cell: speedCell(func(r result) float64 { return r.Seconds })},
		{title: "per CPU-second", cell: speedCell(func(r result) float64 { return r.CPUSeconds })},
	}
	if language == german {
		return append(all, knownColumn(gur350, "GUR350, known words"), allColumn(gur350, "GUR350, all pairs"), knownColumn(questionsInDE, questionsInDE))
	}
	return append(all, knownColumn(ws353, ws353), knownColumn(simlex, simlex),
		knownColumn(rareWords, "RW, known words"), allColumn(rareWords, "RW, all pairs"), knownColumn(questions, questions))
}

// knownColumn is the score over what has words of the vocabulary alone.
func knownColumn(set, title string) column {
	return column{title: title, set: set, known: true, cell: func(r results) string { return scoreText(r.known(set)) }}
}

// allColumn is the score over all that have vectors, and how many these are. Where no word
// is composed there is nothing new to say.
func allColumn(set, title string) column {
	return column{title: title, set: set, cell: func(r results) string {
		s := r[0].Scores[set]
		if s.Used == s.KnownUsed {
			return ""
		}
		return fmt.Sprintf("%s (%d)", scoreText(r.all(set)), s.Used)
	}}
}

// known and all are the scores of a set, one a seed.
func (r results) known(set string) []float64 {
	return r.scores(set, func(s score) eval.Score { return s.Known })
}

func (r results) all(set string) []float64 {
	return r.scores(set, func(s score) eval.Score { return s.All })
}

func (r results) scores(set string, of func(score) eval.Score) []float64 {
	var scores []float64
	for _, x := range r {
		if s, ok := x.Scores[set]; ok && of(s).Defined() {
			scores = append(scores, float64(of(s)))
		}
	}
	return scores
}

func scoreText(scores []float64) string {
	if len(scores) == 0 {
		return ""
	}
	return figures.MeanAndDeviation(scores)
}

func millions(n uint64) string { return figures.Millions(float64(n)) }

// inputCell has in brackets what would be there without rows that are shared.
func inputCell(r results) string {
	text := millions(r[0].Input)
	if r[0].Nominal != r[0].Input {
		text += " (" + millions(r[0].Nominal) + ")"
	}
	return text
}

// fileCell is the size of a native file, of what has one.
func fileCell(r results) string {
	if r[0].Bytes == 0 {
		return ""
	}
	return figures.Megabytes(float64(r[0].Bytes))
}

// speedCell is tokens by a time.
func speedCell(time func(result) float64) func(results) string {
	return func(r results) string {
		if r[0].Tokens == 0 {
			return ""
		}
		return figures.Millions(r.speed(time))
	}
}

// speed is the median of the seeds' tokens by a time, NaN if nothing was trained.
func (r results) speed(time func(result) float64) float64 {
	var each []float64
	for _, x := range r {
		if x.Tokens > 0 && time(x) > 0 {
			each = append(each, x.Tokens/time(x))
		}
	}
	return figures.Median(each)
}

// ordered are the rows of the tables, in an order for readers: like beside like.
var ordered = []string{
	"words", "ngrams", "floret", "hash", "hash-small", "hash-appended",
	"cbow", "cbow-positions", "cbow-ngrams", "cbow-ngrams-positions", "cbow-word-ngrams", "cbow-hs", "gensim", "gensim-0.05",
	"hs", "directional", "directional-ngrams", "structured", "tied", "rank64", "rank32", "factorised64", "factorised32",
	"nested32", "nested64", "nested", "dim32", "dim64", "dim128", "dim8", "random",
}

// tableOf is the table of a language, and notes on its rows: what could not be made, and why.
// Of a row that was not measured nothing is said.
func tableOf(language string, all []variant, find finder) (text string, notes []string) {
	titles := make(map[string]string)
	for _, v := range all {
		rows, names := v.rows()
		for i, row := range rows {
			titles[row] = names[i]
		}
	}
	head := []string{"variant"}
	columns := columns(language)
	for _, c := range columns {
		head = append(head, c.title)
	}
	t := figures.Table{head}
	for _, row := range ordered {
		r := find(language, row)
		switch {
		case len(r) == 0:
			continue
		case r[0].Failed != "":
			notes = append(notes, titles[row]+": "+r[0].Failed+".")
			continue
		case r[0].Note != "":
			notes = append(notes, titles[row]+": "+r[0].Note+".")
		}
		cells := []string{titles[row]}
		for _, c := range columns {
			cells = append(cells, c.cell(r))
		}
		t = append(t, cells)
	}
	return t.Markdown(), notes
}

// intervals says how wide the 95 % intervals of a language's scores are, and how many pairs
// and questions those of known words have.
func intervals(language string, find finder) string {
	var parts []string
	for _, c := range columns(language) {
		if c.set == "" {
			continue
		}
		var widths, used []float64
		for _, row := range ordered {
			for _, r := range find(language, row) {
				s, ok := r.Scores[c.set]
				composed := s.Used != s.KnownUsed
				if !ok || !s.CI95.Known || composed == c.known {
					continue
				}
				widths = append(widths, (s.CI95.High-s.CI95.Low)/2)
				used = append(used, float64(s.Used))
			}
		}
		if len(widths) > 0 {
			parts = append(parts, fmt.Sprintf("%s ± %.3f (%.0f)", c.title, figures.Median(widths), figures.Median(used)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Half of a 95 % interval, median of the rows, and how many pairs or questions are scored: " + strings.Join(parts, ", ") + "."
}

// distinct returns what results say, each once, in order.
func distinct(all results, of func(result) string) []string {
	var each []string
	for _, r := range all {
		if text := of(r); text != "" && !slices.Contains(each, text) {
			each = append(each, text)
		}
	}
	return each
}

// mean is that of scores, NaN if there are none.
func mean(scores []float64) float64 {
	if len(scores) == 0 {
		return math.NaN()
	}
	m, _ := figures.MeanDeviation(scores)
	return m
}

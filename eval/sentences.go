package eval

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A SentencePair is two sentences and a score of how similar people judged them to be.
type SentencePair struct {
	A, B  string
	Score float64 // larger means more similar, on the set's own scale
}

// readSentences reads sentences in columns between tabs, or commas as in CSV: those that a header names;
// genre, file, year, id, score and two sentences, as in the STS benchmark; or a score before or behind two
// sentences. Or it reads JSON, an object a pair. Pairs with an empty score, as in SemEval, are counted and
// left out.
func readSentences(t *text, set *Set) error {
	if t.json() {
		const want = `{"sentence1": "…", "sentence2": "…", "score": 4.5}`
		return eachJSON(t, want, func(object map[string]any) error {
			var columns []string
			for _, keys := range [][]string{sentenceScores, firstSentences, secondSentences} {
				if i := slices.IndexFunc(keys, func(key string) bool { _, ok := object[key]; return ok }); i >= 0 {
					value := object[keys[i]]
					if value == nil {
						value = ""
					}
					columns = append(columns, fmt.Sprint(value))
				}
			}
			if len(columns) != 3 {
				return fmt.Errorf("want %s", want)
			}
			return set.addSentences(sentenceLayout{score: 0, a: 1, b: 2}, columns)
		})
	}
	var lines []numbered
	for number, line := range linesOf(t.raw) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, numbered{number, strings.TrimRight(line, "\r")})
		}
	}
	var layout sentenceLayout
	add := func(i int, columns []string, err error) error {
		if err == nil && i == 0 {
			if layout = sentenceLayoutOf(columns); layout.header {
				return nil
			}
		}
		if err == nil {
			err = set.addSentences(layout, columns)
		}
		return at(lines[i].number, err)
	}
	split := splitCSV
	switch {
	case len(lines) == 0:
		return nil
	case strings.Contains(lines[0].text, "\t"):
		split = splitter("\t")
	case strings.Count(lines[0].text, `"`)%2 == 1:
		return readSentenceCSV(lines, add) // a value continues on the next line
	}
	for i, l := range lines {
		columns, err := split(l.text)
		if err := add(i, columns, err); err != nil {
			return err
		}
	}
	return nil
}

func readSentenceCSV(lines []numbered, add func(i int, columns []string, err error) error) error {
	var text strings.Builder
	for _, l := range lines {
		fmt.Fprintln(&text, l.text)
	}
	reader := csv.NewReader(strings.NewReader(text.String()))
	reader.LazyQuotes, reader.FieldsPerRecord = true, -1
	for {
		columns, err := reader.Read()
		if err == io.EOF {
			return nil
		}
		line := 1
		if err == nil {
			line, _ = reader.FieldPos(0)
		}
		if err := add(line-1, columns, err); err != nil {
			return err
		}
	}
}

type sentenceLayout struct {
	score, a, b int
	header      bool
}

var (
	firstSentences  = []string{"sentence1", "sentence_1", "sentence_A", "sent_1", "sent1", "s1", "text1", "sentence_a"}
	secondSentences = []string{"sentence2", "sentence_2", "sentence_B", "sent_2", "sent2", "s2", "text2", "sentence_b"}
	sentenceScores  = []string{"score", "relatedness_score", "similarity_score", "similarity", "sim", "relatedness", "gold", "label"}
)

func sentenceHeader(columns []string) (sentenceLayout, bool) {
	columns = trimmed(slices.Clone(columns))
	l := sentenceLayout{
		score: columnNamed(columns, sentenceScores...), a: columnNamed(columns, firstSentences...), b: columnNamed(columns, secondSentences...), header: true,
	}
	return l, l.score >= 0 && l.a >= 0 && l.b >= 0
}

func sentenceLayoutOf(columns []string) sentenceLayout {
	l, ok := sentenceHeader(columns)
	judged := func(i int) bool {
		if i >= len(columns) {
			return false
		}
		text := strings.TrimSpace(columns[i])
		return text == "" || isNumber(text)
	}
	switch {
	case ok:
		return l
	case len(columns) >= 7 && judged(4) && !judged(5) && !judged(6):
		return sentenceLayout{score: 4, a: 5, b: 6}
	case judged(0):
		return sentenceLayout{score: 0, a: 1, b: 2}
	}
	return sentenceLayout{score: 2, a: 0, b: 1}
}

func (s *Set) addSentences(l sentenceLayout, columns []string) error {
	if len(columns) <= max(l.score, l.a, l.b) {
		return fmt.Errorf("want two sentences and a score in %d columns separated by tabs or commas, not %q", max(l.score, l.a, l.b)+1, excerpt(strings.Join(columns, " | ")))
	}
	p := SentencePair{A: strings.TrimSpace(columns[l.a]), B: strings.TrimSpace(columns[l.b])}
	score := strings.TrimSpace(columns[l.score])
	if score == "" {
		s.Unjudged++
		return nil
	}
	var ok bool
	if p.Score, ok = parseScore(score); !ok {
		return fmt.Errorf("want a score in column %d, not %q", l.score+1, excerpt(score))
	}
	if p.A == "" || p.B == "" {
		return fmt.Errorf("want sentences in columns %d and %d, and one is empty", l.a+1, l.b+1)
	}
	s.Sentences = append(s.Sentences, p)
	return nil
}

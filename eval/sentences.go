package eval

import (
	"encoding/csv"
	"errors"
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

// readSentences reads a sentence similarity set. Columns
// are separated by tabs, or by commas as in CSV. There are these layouts:
//
//   - a header names the columns: sentence1 and sentence2 (or sentence_A and sentence_B, …), and
//     score (or relatedness_score, …), as in SICK and in GLUE's copy of the STS benchmark;
//   - the STS benchmark: genre, file, year, id, score, and the two sentences;
//   - a score and the two sentences; or the two sentences and a score;
//   - JSON, one object a pair: {"sentence1": "…", "sentence2": "…", "score": 4.5}.
//
// Further columns and blank lines are skipped. Pairs with an empty score, as in SemEval, are
// counted and left out.
func readSentences(raw []byte, name string) (Set, error) {
	set := Set{Name: name, Task: TaskSentences}
	var lines []numbered
	for number, line := range linesOf(raw) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, numbered{number, strings.TrimRight(line, "\r")})
		}
	}
	var err error
	switch {
	case len(lines) > 0 && isJSON(strings.TrimSpace(lines[0].text)):
		err = set.readSentenceJSON(lines)
	default:
		err = set.readSentenceTable(lines)
	}
	if err == nil && len(set.Sentences) == 0 {
		err = &ParseError{Set: name, Err: errors.New("no pairs: want two sentences and a score in columns separated by tabs or commas")}
	}
	return set, err
}

// sentenceLayout holds the columns of the sentences and the score.
type sentenceLayout struct {
	score, a, b int
	header      bool
}

var (
	firstSentences  = []string{"sentence1", "sentence_1", "sentence_A", "sent_1", "sent1", "s1", "text1", "sentence_a"}
	secondSentences = []string{"sentence2", "sentence_2", "sentence_B", "sent_2", "sent2", "s2", "text2", "sentence_b"}
	sentenceScores  = []string{"score", "relatedness_score", "similarity_score", "similarity", "sim", "relatedness", "gold", "label"}
)

// sentenceHeader reports whether columns are a header, and returns the header's layout.
func sentenceHeader(columns []string) (sentenceLayout, bool) {
	columns = trimmed(slices.Clone(columns))
	l := sentenceLayout{
		score: columnNamed(columns, sentenceScores...), a: columnNamed(columns, firstSentences...), b: columnNamed(columns, secondSentences...), header: true,
	}
	return l, l.score >= 0 && l.a >= 0 && l.b >= 0
}

// sentenceLayoutOf finds the layout of a table by the columns of one line.
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

func (s *Set) readSentenceTable(lines []numbered) error {
	if len(lines) == 0 {
		return nil
	}
	split := func(line string) ([]string, error) { return strings.Split(line, "\t"), nil }
	if !strings.Contains(lines[0].text, "\t") {
		if strings.Count(lines[0].text, `"`)%2 == 1 {
			return s.readSentenceCSV(lines) // a value continues on the next line
		}
		split = splitCSV
	}
	var layout sentenceLayout
	for i, l := range lines {
		columns, err := split(l.text)
		if err == nil && i == 0 {
			if layout = sentenceLayoutOf(columns); layout.header {
				continue
			}
		}
		if err == nil {
			err = s.addSentences(layout, columns)
		}
		if err != nil {
			return &ParseError{Set: s.Name, Line: l.number, Err: err}
		}
	}
	return nil
}

// readSentenceCSV reads values that may contain line breaks.
func (s *Set) readSentenceCSV(lines []numbered) error {
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l.text)
		text.WriteByte('\n')
	}
	reader := csv.NewReader(strings.NewReader(text.String()))
	reader.LazyQuotes, reader.FieldsPerRecord = true, -1
	var layout sentenceLayout
	for first := true; ; first = false {
		columns, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line := lines[0].number
		if err == nil {
			at, _ := reader.FieldPos(0)
			line = lines[min(at, len(lines))-1].number
			if first {
				if layout = sentenceLayoutOf(columns); layout.header {
					continue
				}
			}
			err = s.addSentences(layout, columns)
		}
		if err != nil {
			return &ParseError{Set: s.Name, Line: line, Err: err}
		}
	}
}

// addSentences adds the pair that a line holds.
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

func (s *Set) readSentenceJSON(lines []numbered) error {
	const want = `{"sentence1": "…", "sentence2": "…", "score": 4.5}`
	objects, at, err := jsonValues[map[string]any](lines, s.Name, want)
	for i, object := range objects {
		var columns []string
		for _, keys := range [][]string{sentenceScores, firstSentences, secondSentences} {
			for _, key := range keys {
				if value, ok := object[key]; ok {
					if value == nil {
						value = ""
					}
					columns = append(columns, fmt.Sprint(value))
					break
				}
			}
		}
		if err := s.addSentences(sentenceLayout{score: 0, a: 1, b: 2}, columns); len(columns) != 3 || err != nil {
			if len(columns) != 3 {
				err = fmt.Errorf("want %s", want)
			}
			return &ParseError{Set: s.Name, Line: at[i], Err: err}
		}
	}
	return err
}

package eval

import "strings"

// sniffPairs recognises pairs of words with a number. Lists of sentences and of vectors, which
// may have the same columns, are none.
func sniffPairs(t *text) bool {
	layout, lines := pairLayout{score: -1}, t.full
	if len(lines) > 0 {
		if header, ok := readHeader(lines[0]); ok {
			layout, lines = header, lines[1:]
		}
	}
	fits := (&text{full: lines}).most(func(line string) bool {
		p, ok := layout.read(line)
		return ok && !isNumber(p.A) && !isNumber(p.B) && wordsIn(p.A) < 4 && wordsIn(p.B) < 4 && sentences(line) == 0
	})
	return fits && !sniffSentences(t)
}

// sniffQuestions recognises lines of four words. Two words with a number and one more column are
// none.
func sniffQuestions(t *text) bool {
	questions := 0
	fits := t.most(func(line string) bool {
		if strings.HasPrefix(line, ":") {
			return true
		}
		f := strings.Fields(line)
		if len(f) != 4 || isNumber(f[1]) != isNumber(f[3]) || isNumber(f[0]) != isNumber(f[2]) {
			return false
		}
		questions++
		return true
	})
	return fits && questions > 0 && !sniffCategories(t) && !sniffBias(t)
}

func isNumber(word string) bool {
	_, ok := parseScore(word)
	return ok
}

func wordsIn(column string) int { return len(strings.Fields(column)) }

// sentences returns how many columns of a line with tabs are longer than names are.
func sentences(line string) int {
	n := 0
	for column := range strings.SplitSeq(line, "\t") {
		if wordsIn(column) > 5 && strings.Contains(line, "\t") {
			n++
		}
	}
	return n
}

package eval

import (
	"slices"
	"strconv"
	"strings"
)

// sniffOutliers recognises clusters of words with outliers: as text, JSON or CSV.
func sniffOutliers(t *text) bool {
	switch {
	case len(t.full) == 0:
		return false
	case isJSON(t.full[0]):
		return hasKey(t, "outliers") && hasKey(t, "words")
	case isOutlierHeader(t.full[0]):
		return true
	}
	words, blank := 0, 0
	lines := t.lines
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for _, line := range lines {
		switch {
		case line == "":
			blank++
		case wordsIn(line) == 1 && !isNumber(line) && !strings.HasSuffix(line, ":") && line[0] != ':':
			words++
		}
	}
	return blank > 0 && 5*blank < len(t.full)*2 && 5*words >= 4*len(t.full)
}

// sniffBias recognises tests of associations, and lists that tests are formed of.
func sniffBias(t *text) bool {
	if len(t.full) == 0 {
		return false
	}
	if !isJSON(t.full[0]) {
		roles := 0
		fits := t.most(func(line string) bool {
			head, _, ok := strings.Cut(line, ":")
			role, _, _ := strings.Cut(head, " ")
			if ok && len(role) == 1 && strings.Contains("XYAB", role) {
				roles++
				return true
			}
			return ok && head == ""
		})
		return fits && roles > 0
	}
	if hasKey(t, "targ1") || hasKey(t, "x") && hasKey(t, "y") && hasKey(t, "a") && hasKey(t, "b") || hasKey(t, "X") && hasKey(t, "Y") && hasKey(t, "A") && hasKey(t, "B") {
		return true
	}
	return slices.ContainsFunc(weatTests[:], func(names [4]string) bool {
		return !slices.ContainsFunc(names[:], func(name string) bool { return !hasKey(t, name) })
	})
}

// hasKey reports whether JSON seems to have a key.
func hasKey(t *text, key string) bool {
	quoted := `"` + key + `"`
	for _, line := range t.full {
		if _, rest, ok := strings.Cut(line, quoted); ok && (strings.HasPrefix(strings.TrimSpace(rest), ":") || strings.TrimSpace(rest) == "") {
			return true
		}
	}
	return false
}

// sniffSentences recognises pairs of sentences with a number.
func sniffSentences(t *text) bool {
	if len(t.full) == 0 {
		return false
	}
	if isJSON(t.full[0]) {
		return slices.ContainsFunc(firstSentences, func(key string) bool { return hasKey(t, key) }) &&
			slices.ContainsFunc(secondSentences, func(key string) bool { return hasKey(t, key) })
	}
	split := splitter(t.full[0])
	columns, err := split(t.full[0])
	if err != nil {
		return false
	}
	if _, header := sentenceHeader(columns); header {
		return true
	}
	n, long := 0, 0
	fits := t.most(func(line string) bool {
		columns, err := split(line)
		if err != nil {
			return false
		}
		if len(columns) == 2 && wordsIn(columns[0]) > 1 && wordsIn(columns[1]) > 1 {
			return true // a pair without a score, which has lost a tab here
		}
		n++
		layout := sentenceLayoutOf(columns)
		if len(columns) <= max(layout.a, layout.b, layout.score) || !isNumber(strings.TrimSpace(columns[layout.score])) {
			return false
		}
		if wordsIn(columns[layout.a]) >= 3 && wordsIn(columns[layout.b]) >= 3 {
			long++
		}
		return true
	})
	return fits && n > 0 && 2*long >= n
}

// sniffCategories recognises words with their categories, and lists of words, which are one category
// of a set that is a folder. Pairs with numbers, questions, and relations, in which a word has its
// answer beside it, are none.
func sniffCategories(t *text) bool {
	if len(t.full) < 2 || isJSON(t.full[0]) || isOutlierHeader(t.full[0]) || sniffOutliers(t) || sniffPairs(t) {
		return false
	}
	// A line without a word has lost its tab here: it does not say what the columns are.
	table := slices.ContainsFunc(t.full, func(line string) bool { return strings.Contains(line, "\t") })
	split := splitter(t.full[0])
	if table {
		split = splitter("\t")
	}
	var rows []row
	for i, line := range t.full {
		if columns, err := split(line); err == nil && !(table && len(columns) == 1) {
			rows = append(rows, row{i + 1, trimmed(columns)})
		}
	}
	if len(rows) == 0 {
		return false
	}
	layout := categoryLayoutOf(rows)
	if layout.header {
		rows = rows[1:]
	}
	var members []Member
	var columns [][]string
	words := make(map[string]bool)
	for _, row := range rows {
		m, err := layout.member(row.columns, "a list")
		if err != nil || m.Word == "" {
			continue
		}
		if strings.Contains(m.Category, "/") {
			return false // several answers of a relation
		}
		if wordsIn(m.Word) > 3 || wordsIn(m.Category) > 8 || isNumber(m.Word) || strings.ContainsAny(m.Word, ":/") {
			continue
		}
		members, columns = append(members, m), append(columns, row.columns)
		words[m.Word] = true
	}
	switch {
	case len(members) == 0 || 5*len(members) < 4*len(rows):
		return false
	case layout.named || isBLESS(rows) || layout.category < 0:
		return true
	case 5*len(words) < 4*len(members):
		return false
	}
	return nested(columns, layout) && (grouped(members) || tagged(members))
}

// nested reports whether all columns but that of the words are levels of categories: each has one
// entry for a category.
func nested(rows [][]string, l categoryLayout) bool {
	of := make(map[[2]string]string)
	for _, columns := range rows {
		for c, entry := range columns {
			if c == l.word || c == l.category {
				continue
			}
			key := [2]string{columns[l.category], strconv.Itoa(c)}
			if known, ok := of[key]; ok && known != entry || isNumber(entry) {
				return false
			}
			of[key] = entry
		}
	}
	return true
}

// grouped reports whether the categories look like groups of words: of five and more words each, or
// of two and more that mostly follow one another. The answers of a relation do not.
func grouped(members []Member) bool {
	categories, together, slashes := make(map[string]bool), 0, 0
	for i, m := range members {
		categories[m.Category] = true
		if i > 0 && m.Category == members[i-1].Category {
			together++
		}
		if strings.Contains(m.Category, "/") {
			slashes++ // between several answers
		}
	}
	n, all := len(members), len(categories)
	return 10*slashes < n && (5*all <= n || 3*all <= 2*n && 10*together >= 7*(n-all))
}

// tagged reports whether all words have the tag of a part of speech.
func tagged(members []Member) bool {
	return !slices.ContainsFunc(members, func(m Member) bool { return untagged(m.Word) == m.Word })
}

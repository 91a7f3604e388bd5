package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/plaintext"
)

// maxSet is the largest size of an evaluation set, in bytes. Real sets are much smaller.
const maxSet = 256 << 20

// ErrLayout reports that a file has no known layout of an evaluation set.
var ErrLayout = errors.New("the file has no layout of an evaluation set")

// ErrAmbiguous reports that a file could be a set of several tasks.
var ErrAmbiguous = errors.New("the file could be a set of several tasks")

// ReadSet reads a set of a task. If task is empty, it recognises the task by the content of r. Errors and results
// call the set by name. docs/evaluation.md lists the layouts. The error wraps ErrLayout if no layout
// fits, and ErrAmbiguous if layouts of several tasks fit. Other errors are of type *ParseError.
func ReadSet(r io.Reader, name string, task Task) (Set, error) {
	raw, err := readAll(r, name)
	if err != nil {
		return Set{}, err
	}
	return parse(raw, name, task, false)
}

// readAll reads a set. It fails if the set or a line is too long.
func readAll(r io.Reader, name string) ([]byte, error) {
	scanner := bufio.NewScanner(io.LimitReader(r, maxSet+1))
	scanner.Buffer(nil, maxLine)
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		n := bytes.IndexByte(data, '\n') + 1
		if n == 0 && atEOF {
			n = len(data)
		}
		if n == 0 {
			return 0, nil, nil
		}
		return n, data[:n], nil
	})
	var raw []byte
	lines := 0
	for scanner.Scan() {
		raw = append(raw, scanner.Bytes()...)
		lines++
	}
	switch err := scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &ParseError{Set: name, Line: lines + 1, Err: fmt.Errorf("line of more than %d bytes: %w", maxLine, ErrLayout)}
	case err != nil:
		return nil, &ParseError{Set: name, Err: err}
	case len(raw) > maxSet:
		return nil, &ParseError{Set: name, Err: fmt.Errorf("more than %d MB: is this an evaluation set?", maxSet>>20)}
	}
	return raw, nil
}

// parse reads a set of a task, or of any task if want is empty. If strict is false and the task's
// layout does not fit, the error comes from the task's reader.
func parse(raw []byte, name string, want Task, strict bool) (Set, error) {
	all := tasks()
	if want != "" {
		t, err := taskOf(want)
		if err != nil {
			return Set{}, err
		}
		all = []task{t}
	}
	if err := plaintext.Check(raw[:min(len(raw), maxLine)]); err != nil {
		return Set{}, &ParseError{Set: name, Err: err}
	}
	content := newText(raw)
	fit := slices.DeleteFunc(slices.Clone(all), func(t task) bool { return content.binary() || !t.sniff(content) })
	switch {
	case len(fit) == 1:
		return fit[0].read(raw, name)
	case len(fit) > 1:
		var names []Task
		for _, t := range fit {
			names = append(names, t.name)
		}
		return Set{}, &ParseError{Set: name, Err: fmt.Errorf("%w: %s", ErrAmbiguous, listed(names))}
	case want != "" && !strict:
		return all[0].read(raw, name)
	case len(content.full) == 0:
		return Set{}, &ParseError{Set: name, Err: fmt.Errorf("%w: it has no lines but blank ones and comments", ErrLayout)}
	}
	forms := make([]string, len(all))
	for i, t := range all {
		forms[i] = fmt.Sprintf("%s (%s)", t.name, t.form)
	}
	return Set{}, &ParseError{Set: name, Err: fmt.Errorf("%w: layouts are %s", ErrLayout, strings.Join(forms, ", "))}
}

func listed(tasks []Task) string {
	names := make([]string, len(tasks))
	for i, t := range tasks {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// A text is the content of a file whose layout is to be recognised.
type text struct {
	raw   []byte
	lines []string // without white space around them and without comments; blank lines are ""
	full  []string // the lines that are not blank
}

func newText(raw []byte) *text {
	t := &text{raw: bytes.TrimPrefix(raw, []byte("\ufeff"))}
	for line := range bytes.Lines(t.raw) {
		decoded := strings.TrimSpace(decode(line))
		switch {
		case decoded == "":
			t.lines = append(t.lines, "")
		case decoded[0] != '#':
			t.lines = append(t.lines, decoded)
			t.full = append(t.full, decoded)
		}
	}
	return t
}

// binary reports whether the content is not text.
func (t *text) binary() bool { return bytes.IndexByte(t.raw, 0) >= 0 }

// most reports whether at least four fifths of the non-blank lines fit. So a file with a few wrong
// lines is recognised, and its reader names the wrong line.
func (t *text) most(fits func(line string) bool) bool {
	n := 0
	for _, line := range t.full {
		if fits(line) {
			n++
		}
	}
	return n > 0 && 5*n >= 4*len(t.full)
}

// sniffPairs recognises pairs of words with a number. It rejects lists of sentences and of vectors,
// which may have the same columns.
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

// sniffQuestions recognises lines of four words. It rejects two words with a number and one more
// column.
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

// sentences returns how many tab-separated columns of a line are too long to be names.
func sentences(line string) int {
	n := 0
	for column := range strings.SplitSeq(line, "\t") {
		if wordsIn(column) > 5 && strings.Contains(line, "\t") {
			n++
		}
	}
	return n
}

// sniffOutliers recognises clusters of words with outliers, as text, JSON or CSV.
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

// sniffBias recognises tests of associations, and word lists that form tests.
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
			return true // a pair without a score: the trailing tab was trimmed
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

// sniffCategories recognises words with their categories, and plain lists of words: a category
// each, in a set that is a folder. It rejects pairs with numbers, questions, and relations, in
// which each word stands beside its answer.
func sniffCategories(t *text) bool {
	if len(t.full) < 2 || isJSON(t.full[0]) || isOutlierHeader(t.full[0]) || sniffOutliers(t) || sniffPairs(t) {
		return false
	}
	// A line without a word has lost its leading tab here, so its columns are unknown.
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

// nested reports whether all columns except the word column are levels of categories: each category
// has one entry in each of these columns.
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

// grouped reports whether the categories look like groups of words: groups of five or more, or of
// two or more that mostly stand together. Answers of a relation do not.
func grouped(members []Member) bool {
	categories, together, slashes := make(map[string]bool), 0, 0
	for i, m := range members {
		categories[m.Category] = true
		if i > 0 && m.Category == members[i-1].Category {
			together++
		}
		if strings.Contains(m.Category, "/") {
			slashes++ // separate several answers
		}
	}
	n, all := len(members), len(categories)
	return 10*slashes < n && (5*all <= n || 3*all <= 2*n && 10*together >= 7*(n-all))
}

// tagged reports whether all words have a part-of-speech tag.
func tagged(members []Member) bool {
	return !slices.ContainsFunc(members, func(m Member) bool { return untagged(m.Word) == m.Word })
}

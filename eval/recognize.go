package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/plaintext"
)

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

func readAll(r io.Reader, name string) ([]byte, error) {
	in := bufio.NewReader(io.LimitReader(r, maxSet+1))
	var raw []byte
	start, number := 0, 1 // of the line
	for {
		part, err := in.ReadSlice('\n')
		raw = append(raw, part...)
		switch {
		case err != nil && len(raw)-start >= maxLine:
			return nil, &ParseError{Name: name, Line: number, Err: fmt.Errorf("line of more than %d bytes: %w", maxLine, ErrLayout)}
		case err != nil && err != io.EOF && err != bufio.ErrBufferFull:
			return nil, &ParseError{Name: name, Err: err}
		case len(raw) > maxSet:
			return nil, &ParseError{Name: name, Err: fmt.Errorf("more than %d MB: is this an evaluation set?", maxSet>>20)}
		case err == io.EOF:
			return raw, nil
		case err == nil:
			start, number = len(raw), number+1
		}
	}
}

// parse reads a set of a task, or of any task if want is empty. If strict is false and the task's
// layout does not fit, the error comes from the task's reader.
func parse(raw []byte, name string, want Task, strict bool) (Set, error) {
	fail := func(err error) (Set, error) { return Set{}, &ParseError{Name: name, Err: err} }
	all := tasks()
	if want != "" {
		t, err := taskOf(want)
		if err != nil {
			return Set{}, err
		}
		all = []task{t}
	}
	if err := plaintext.Check(raw[:min(len(raw), maxLine)]); err != nil {
		return fail(err)
	}
	content := newText(raw, name)
	binary := bytes.IndexByte(raw, 0) >= 0
	labelled := !binary && fastTextLines(content) // whatever follows the labels
	fit := slices.DeleteFunc(slices.Clone(all), func(t task) bool {
		return binary || labelled && t.name != TaskClustering || !t.sniff(content)
	})
	switch {
	case len(fit) == 1:
		return fit[0].parse(content)
	case len(fit) > 1:
		return fail(fmt.Errorf("%w: %s", ErrAmbiguous, listed(fit, func(t task) string { return string(t.name) })))
	case want != "" && !strict:
		return all[0].parse(content)
	case len(content.full) == 0:
		return fail(fmt.Errorf("%w: it has no lines but blank ones and comments", ErrLayout))
	}
	return fail(fmt.Errorf("%w: layouts are %s", ErrLayout, listed(all, func(t task) string { return fmt.Sprintf("%s (%s)", t.name, t.form) })))
}

func (t task) parse(content *text) (Set, error) {
	set := Set{Name: content.name, Task: t.name}
	err := t.read(content, &set)
	if err == nil && len(set.Words()) == 0 {
		err = t.none
	}
	if err != nil {
		e, ok := err.(*ParseError)
		if !ok {
			e = &ParseError{Err: err}
		}
		e.Name = content.name
		return Set{}, e
	}
	return set, nil
}

func listed(tasks []task, text func(task) string) string {
	var texts []string
	for _, t := range tasks {
		texts = append(texts, text(t))
	}
	return strings.Join(texts, ", ")
}

// sniffPairs recognises pairs of words with a number. It rejects lists of sentences and of vectors,
// which may have the same columns.
func sniffPairs(t *text) bool {
	layout, lines := pairLayout{score: -1}, t.full
	if len(lines) > 0 {
		if header, ok := readHeader(lines[0].text); ok {
			layout, lines = header, lines[1:]
		}
	}
	fits := (&text{full: lines}).most(func(line string) bool {
		p, ok := layout.read(line)
		return ok && !isNumber(p.A) && !isNumber(p.B) && wordsIn(p.A) < 4 && wordsIn(p.B) < 4 && !hasSentence(line)
	})
	return fits && !sniffSentences(t)
}

// sniffQuestions recognises lines of four words. It rejects two words with a number and one more
// column.
func sniffQuestions(t *text) bool {
	questions := 0
	fits := t.most(func(line string) bool {
		if line[0] == ':' {
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

func hasSentence(line string) bool {
	columns := strings.Split(line, "\t")
	return len(columns) > 1 && slices.ContainsFunc(columns, func(column string) bool { return wordsIn(column) > 5 })
}

func sniffOutliers(t *text) bool {
	switch {
	case len(t.full) == 0:
		return false
	case t.json():
		return t.hasKeys("outliers", "words")
	case isOutlierHeader(t.full[0].text):
		return true
	}
	words, blank := 0, len(t.lines)-len(t.full)
	for _, l := range t.full {
		if line := l.text; wordsIn(line) == 1 && !isNumber(line) && !strings.HasSuffix(line, ":") && line[0] != ':' {
			words++
		}
	}
	return blank > 0 && 5*blank < len(t.full)*2 && 5*words >= 4*len(t.full)
}

func sniffBias(t *text) bool {
	if t.json() {
		return t.hasKeys("targ1") || t.hasKeys("x", "y", "a", "b") || t.hasKeys("X", "Y", "A", "B") ||
			slices.ContainsFunc(weatTests[:], func(names [4]string) bool { return t.hasKeys(names[:]...) })
	}
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

func sniffSentences(t *text) bool {
	if len(t.full) == 0 {
		return false
	}
	hasKey := func(key string) bool { return t.hasKeys(key) }
	if t.json() {
		return slices.ContainsFunc(firstSentences, hasKey) && slices.ContainsFunc(secondSentences, hasKey)
	}
	split := splitter(t.full[0].text)
	columns, err := split(t.full[0].text)
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
	if len(t.full) < 2 || t.json() || isOutlierHeader(t.full[0].text) || sniffOutliers(t) || sniffPairs(t) {
		return false
	}
	// A line without a word has lost its leading tab here, so its columns are unknown.
	table := slices.ContainsFunc(t.full, func(line numbered) bool { return strings.Contains(line.text, "\t") })
	split := splitter(t.full[0].text)
	if table {
		split = splitter("\t")
	}
	var rows []row
	for _, line := range t.full {
		if columns, err := split(line.text); err == nil && !(table && len(columns) == 1) {
			rows = append(rows, row{line.number, trimmed(columns)})
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
		switch {
		case err != nil || m.Word == "":
			continue
		case strings.Contains(m.Category, "/"):
			return false // several answers of a relation
		case wordsIn(m.Word) > 3 || wordsIn(m.Category) > 8 || isNumber(m.Word) || strings.ContainsAny(m.Word, ":/"):
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
	type level struct {
		category string
		column   int
	}
	of := make(map[level]string)
	for _, columns := range rows {
		for c, entry := range columns {
			if c == l.word || c == l.category {
				continue
			}
			key := level{columns[l.category], c}
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
	categories, together := make(map[string]bool), 0
	for i, m := range members {
		categories[m.Category] = true
		if i > 0 && m.Category == members[i-1].Category {
			together++
		}
	}
	n, all := len(members), len(categories)
	return 5*all <= n || 3*all <= 2*n && 10*together >= 7*(n-all)
}

func tagged(members []Member) bool {
	return !slices.ContainsFunc(members, func(m Member) bool { return untagged(m.Word) == m.Word })
}

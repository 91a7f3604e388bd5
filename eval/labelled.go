package eval

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/w2v-go/w2v/internal/plaintext"
)

// A LabelledText is a text and its label.
type LabelledText struct{ Label, Text string }

// The parts of a classification set are files whose names differ in these words.
const (
	trainPart = "train"
	testPart  = "test"
)

// labelPrefix is before the labels of lines of fastText.
const labelPrefix = "__label__"

var errNoTraining = errors.New("a classification set has two files of labelled texts: NAME.test.EXT and, beside it, NAME.train.EXT")

// readLabelled reads texts with labels: lines of fastText, which begin with __label__ and the label; or columns between tabs
// or commas, which a header names or of which the first has the labels; or JSON, an object a text.
func readLabelled(t *text, set *Set) error {
	add := func(label, text string) error {
		switch label, text = strings.TrimSpace(label), strings.TrimSpace(text); {
		case label == "":
			return errors.New("want a label before the text")
		case text == "":
			return fmt.Errorf("want a text after the label %q", excerpt(label))
		default:
			set.Texts = append(set.Texts, LabelledText{label, text})
			return nil
		}
	}
	switch {
	case t.json():
		return eachJSON(t, `{"text": "…", "label": "…"}`, func(object map[string]any) error {
			text, isText := object[keyOf(object, textNames)].(string)
			label := object[keyOf(object, labelNames)]
			if !isText || label == nil {
				return errors.New(`want {"text": "…", "label": "…"}`)
			}
			return add(fmt.Sprint(label), text)
		})
	case fastTextLines(t):
		return t.eachLine(func(line string) error {
			first, rest := cutBlank(line)
			label, ok := strings.CutPrefix(first, labelPrefix)
			if !ok {
				return fmt.Errorf("want %sLABEL before the text, not %q", labelPrefix, excerpt(first))
			}
			if next, _ := cutBlank(rest); strings.HasPrefix(next, labelPrefix) {
				return fmt.Errorf("want one label, not %q too", excerpt(next))
			}
			return add(label, rest)
		})
	}
	layout, header := labelledHeader(t)
	return t.eachLine(func(line string) error {
		if header {
			header = false
			return nil
		}
		columns, err := splitter(t.full[0].text)(line)
		if err == nil && len(columns) <= max(layout.text, layout.label) {
			err = fmt.Errorf("want a label and a text in columns separated by tabs or commas, not %q", excerpt(line))
		}
		if err != nil {
			return err
		}
		return add(columns[layout.label], columns[layout.text])
	})
}

func cutBlank(line string) (first, rest string) {
	if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}

func fastTextLines(t *text) bool {
	return t.most(func(line string) bool { return strings.HasPrefix(line, labelPrefix) })
}

var (
	textNames  = []string{"text", "sentence", "content"}
	labelNames = []string{"label", "label_text", "labels", "class", "category"}
)

func keyOf(object map[string]any, names []string) string {
	for _, name := range names {
		if _, ok := object[name]; ok {
			return name
		}
	}
	return ""
}

type labelledLayout struct{ label, text int }

func labelledHeader(t *text) (l labelledLayout, header bool) {
	if len(t.full) == 0 {
		return l, false
	}
	if columns, err := splitter(t.full[0].text)(t.full[0].text); err == nil && len(columns) > 1 {
		columns = trimmed(columns)
		l = labelledLayout{columnNamed(columns, labelNames...), columnNamed(columns, textNames...)}
		if l.label >= 0 && l.text >= 0 {
			return l, true
		}
	}
	return labelledLayout{label: 0, text: 1}, false
}

// sniffLabelled recognises texts with labels: lines of fastText, JSON, columns with such a header, or a column of few labels
// before one of texts.
func sniffLabelled(t *text) bool {
	switch {
	case len(t.full) == 0:
		return false
	case t.json():
		return slices.ContainsFunc(textNames, func(k string) bool { return t.hasKeys(k) }) && slices.ContainsFunc(labelNames, func(k string) bool { return t.hasKeys(k) })
	case fastTextLines(t):
		return true
	}
	layout, header := labelledHeader(t)
	if header {
		return true
	}
	split := splitter(t.full[0].text)
	labels, n, long := make(map[string]bool), 0, 0
	fits := t.most(func(line string) bool {
		columns, err := split(line)
		if err != nil || len(columns) != 2 || wordsIn(columns[layout.label]) > 3 {
			return false
		}
		labels[columns[layout.label]] = true
		n++
		if wordsIn(columns[layout.text]) > 3 {
			long++
		}
		return true
	})
	return fits && n > 0 && 2*long >= n && 5*len(labels) <= n
}

// partOf returns the part of a classification set that a file may be, such as test, and the file of another part beside it;
// "" if there is none.
func partOf(path, part, other string) (beside string, ok bool) {
	name := filepath.Base(path)
	for _, form := range []string{".%s.", "%s.", "-%s.", "_%s."} {
		from, to := fmt.Sprintf(form, part), fmt.Sprintf(form, other)
		if at := strings.LastIndex(name, from); at > 0 || at == 0 && form == "%s." {
			beside = filepath.Join(filepath.Dir(path), name[:at]+to+name[at+len(from):])
			if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
				return beside, true
			}
		}
	}
	return "", false
}

// partsOf returns the files of a classification set that has a file as one of its parts.
func (r *setReader) partsOf(path string) (test, train string, ok bool) {
	if r.opt.Task != "" && r.opt.Task != TaskClassification || path == "-" {
		return "", "", false
	}
	test = path
	if train, ok = partOf(path, testPart, trainPart); !ok {
		train = path
		test, ok = partOf(path, trainPart, testPart)
	}
	if !ok {
		return "", "", false
	}
	raw, err := r.content(path)
	return test, train, err == nil && plaintext.Check(raw[:min(len(raw), maxLine)]) == nil && sniffLabelled(newText(raw, path))
}

// classification reads a set of two files.
func (r *setReader) classification(test, train string) (s SetFile, err error) {
	for _, path := range []string{train, test} {
		raw, err := r.content(path)
		if err != nil {
			return s, err
		}
		part, err := parse(raw, path, TaskClustering, false)
		if err != nil {
			return s, err
		}
		s.Files = append(s.Files, newFile(path, raw))
		s.Set.Training, s.Set.Texts = s.Set.Texts, part.Texts
	}
	slices.Reverse(s.Files) // the set is called by its test file
	s.Set.Task, s.Set.Name = TaskClassification, test
	return s, nil
}

package eval

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Question is an analogy of four words: the first is to the second as the third is to the
// fourth. The fourth word is the answer.
type Question [4]string

// A QuestionSection is a named part of a QuestionSet.
type QuestionSection struct {
	Name      string
	Questions []Question
}

// A QuestionSet is an analogy set such as Google's questions-words.
type QuestionSet struct {
	Name     string
	Sections []QuestionSection
}

// UnnamedSection is the name of the section for questions before the first section line.
const UnnamedSection = "questions"

// ReadQuestions reads an analogy set in the form of questions-words.txt. A question is a line of
// four words. A line of a colon and a name starts a section, or continues the section of that
// name: in files of the MSR set, every question is preceded by its section. Blank lines and
// lines that start with # are skipped. Errors and results call the set by name.
//
// All errors are of type *ParseError and have the line's number. A set without questions is an
// error.
func ReadQuestions(r io.Reader, name string) (QuestionSet, error) {
	set := QuestionSet{Name: name}
	sections := make(map[string]int)
	current, total := -1, 0
	enter := func(title string) {
		var ok bool
		if current, ok = sections[title]; !ok {
			current = len(set.Sections)
			sections[title] = current
			set.Sections = append(set.Sections, QuestionSection{Name: title})
		}
	}
	err := eachLine(r, name, func(line string) error {
		if title, ok := strings.CutPrefix(line, ":"); ok {
			title = strings.TrimSpace(title)
			if title == "" {
				return errors.New("want the name of a section after the colon")
			}
			enter(title)
			return nil
		}
		words := strings.Fields(line)
		if len(words) != 4 {
			return fmt.Errorf("want four words or a colon and the name of a section, not %q", excerpt(line))
		}
		if current < 0 {
			enter(UnnamedSection)
		}
		part := &set.Sections[current]
		part.Questions = append(part.Questions, Question(words))
		total++
		return checkWords(words...)
	})
	if err == nil && total == 0 {
		err = &ParseError{Set: name, Err: errors.New("no questions: want lines of four words")}
	}
	return set, err
}

// Words returns the words of all questions, with repetitions.
func (q QuestionSet) Words() []string {
	var words []string
	for _, section := range q.Sections {
		for _, question := range section.Questions {
			words = append(words, question[:]...)
		}
	}
	return words
}

// everyWord returns the words of all questions, and the answers that some of them stand for.
func (q QuestionSet) everyWord() []string {
	words := q.Words()
	for _, word := range words {
		if parts := alternatives(word); len(parts) > 1 {
			words = append(words, parts...)
		}
	}
	return words
}

// alternatives returns the parts of a word that slashes separate.
func alternatives(word string) []string {
	var parts []string
	for part := range strings.SplitSeq(word, "/") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

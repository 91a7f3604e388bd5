package eval

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Question is an analogy: the first word is to the second as the third is to
// the fourth, which is the answer.
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

// UnnamedSection is the name of the section of questions that stand before any
// section line.
const UnnamedSection = "questions"

// ReadQuestions reads an analogy set in the form of questions-words.txt: four
// words a line, and lines of a colon and a name that start a section. A name
// that was used before continues that section, as in files of the MSR set that
// name the section of every single question. Blank lines and lines that start
// with # are passed over. name is what errors and results call the set.
//
// An error is a *ParseError with the line's number. A set without questions is
// one too.
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

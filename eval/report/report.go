// Package report writes what package eval found in the forms that people cite and share: a
// Markdown table, CSV, and a page of HTML. The page is one file. It asks for nothing from
// elsewhere, runs no script, and draws its charts as SVG.
//
// An [Evaluation] is one model on many sets, a [Comparison] the differences of models,
// [Runs] are models that differ by chance alone.
package report

import (
	"io"

	"github.com/w2v-go/w2v/eval"
)

// A Document can be written in every form.
type Document interface {
	// CSV writes the numbers with a header of stable names, as RFC 4180 describes. A value that
	// does not exist is an empty field.
	CSV(w io.Writer) error
	// Markdown writes tables in GitHub's dialect.
	Markdown(w io.Writer) error
	// HTML writes a page that needs no other file.
	HTML(w io.Writer) error
}

// A Fact is a line of what readers need to know in order to repeat an evaluation: a checksum, a
// rule, a setting.
type Fact struct {
	Name, Value string
}

// An Evaluation is one model on many sets.
type Evaluation struct {
	Model    string // the model's name
	Checksum string // SHA-256 of the model, for CSV; Facts have it for the other forms
	Facts    []Fact // what holds for all sets, in the order of the report
	Entries  []Entry
	// ListMissing lists the words without vectors in Markdown too. HTML always has them.
	ListMissing bool
}

// An Entry is one set of an Evaluation.
type Entry struct {
	Summary        eval.Summary
	Checksum       string           // SHA-256 of the set; empty if it is not known
	Facts          []Fact           // what holds for this set
	Bands, ByWords []eval.Band      // the set's score by the frequency of words, and by what is known of them
	Scores         []Scored         // the set's score by other conventions
	Details        []Detail         // tables of this set's task
	Notes          []string         // sentences about this set; see eval.Noted
	Judgements     []eval.Judgement // for a scatter; see eval.Judged
}

// A Scored is the set's score by another convention, for example with missing pairs counted as
// zero.
type Scored struct {
	Key      string // its name in CSV
	Name     string
	Score    eval.Score
	Interval eval.Interval
	Used     int
}

func (e Evaluation) title() string {
	if e.Model == "" {
		return "Evaluation"
	}
	return "Evaluation of " + e.Model
}

// facts returns all that holds for the set alone.
func (e Entry) facts() []Fact {
	if e.Checksum == "" {
		return e.Facts
	}
	return append([]Fact{{"set", "SHA-256 " + e.Checksum}}, e.Facts...)
}

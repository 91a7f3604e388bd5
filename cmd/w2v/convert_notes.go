package main

import (
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
)

// notes says for a person what came of the flags.
func (f *convertFlags) notes(r *convert.Result, outFormat format.Format) []string {
	notes := f.list.notes(r.Words, r.Words.Fewer)
	notes = append(notes, postNotes(r)...)
	return append(notes, f.skip.notes(r.Skipped, outFormat)...)
}

// losses says what is left out, and why.
func losses(r *convert.Result, outFormat format.Format) (notes []string) {
	if text := r.ByOption.String(); text != "" {
		notes = append(notes, "the vectors that are asked for come without "+text)
	}
	if text := r.ByFormat.String(); text != "" {
		notes = append(notes, fmt.Sprintf("the format %s leaves out %s", outFormat, text))
	}
	return notes
}

// notes says what came of the list, and that so many rows are missing for a row a line.
func (l *wordList) notes(done convert.Selected, fewer int) (notes []string) {
	what := map[string]string{missingZero: "; rows of zeros stand for them", missingRandom: "; random rows stand for them"}[l.missing]
	if n := len(done.Missing); n > 0 {
		notes = append(notes, fmt.Sprintf("%s no vector%s: %s", wording.Count(n, "of the words in "+l.file+" has", "of the words in "+l.file+" have"), what, some(done.Missing)+l.inLowerCase(done)))
	}
	what = "has one row"
	if l.missing != missingSkip {
		what = "has a row for each of them"
	}
	if n := len(done.Repeated); n > 0 {
		notes = append(notes, fmt.Sprintf("%s in several lines, and each %s: %s", wording.Count(n, "of the words in "+l.file+" stands", "of the words in "+l.file+" stand"), what, some(done.Repeated)))
	}
	if fewer > 0 {
		notes = append(notes, fmt.Sprintf("there %s, %s fewer than lines in %s, so line i does not have row i: --missing zero or random gives every line its row",
			wording.Are(l.lines-fewer, "row", "rows"), wording.Thousands(fewer), l.file))
	}
	return notes
}

// explained is an error about the model at path in the words of the command line.
func (l *wordList) explained(path string, err error) error {
	e, ok := errors.AsType[*convert.MissingError](err)
	switch {
	case !ok:
		return err
	case e.All:
		return fmt.Errorf("%s: none of the words in %s is in the vocabulary%s", path, l.file, l.inLowerCase(e.Selected))
	}
	return fmt.Errorf("%s: %s no vector: %s; --missing skip leaves them out, zero and random give them rows",
		path, wording.Count(len(e.Missing), "of the words in "+l.file+" has", "of the words in "+l.file+" have"), some(e.Missing))
}

// inLowerCase says how many of the missing words a lower-case model has in lower case.
func (l *wordList) inLowerCase(done convert.Selected) string {
	if done.LowerCase == 0 {
		return ""
	}
	return fmt.Sprintf("; the model is in lower case and has %d of them so: write %s in lower case", done.LowerCase, l.file)
}

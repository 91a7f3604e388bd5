package train

import (
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/setting"
)

// inputSettings say where in the input the text is. They are about the files of one corpus, and
// not about how its text becomes words.
func inputSettings() setting.Table[Settings] {
	return setting.Table[Settings]{
		{
			Name: "text-column", Group: GroupText, Help: "read the text from column `N` of a TSV or CSV table, counted from 1; 0 means that all is text",
			At:       func(s *Settings) any { return &s.Text.TextColumn },
			Bounds:   &setting.Bounds{Least: 0, Most: unlimited},
			OmitZero: true,
		},
		{
			Name: "header", Group: GroupText, Help: "skip the first row of each file",
			At:       func(s *Settings) any { return &s.Text.Header },
			Needs:    &setting.Need[Settings]{Setting: textColumn, Values: "N", Met: func(s *Settings) bool { return s.Text.TextColumn > 0 }},
			OmitZero: true,
		},
		{
			Name: "json-field", Group: GroupText, Help: "read the text, or an array of tokens, from field `NAME` of JSON lines; a.b is field b in field a",
			At:       func(s *Settings) any { return &s.Text.JSONField },
			OmitZero: true,
		},
		{
			Name: "split", Group: GroupText, Help: "the text, or without a column or field each line, is a list of tokens with `SEPARATOR` between them, such as a comma; \\t is a tab",
			At:       func(s *Settings) any { return &s.Text.Split },
			OmitZero: true,
			Record:   func(s *Settings) any { return s.Text.Split },
		},
		{
			Name: groupBy, Group: GroupText, Help: "make a sentence of the tokens of all rows with the same value in `COLUMN`, such as a user: its number, its name with a header, or a field of JSON lines",
			At:       func(s *Settings) any { return &s.Text.GroupBy },
			OmitZero: true,
			Record:   func(s *Settings) any { return s.Text.GroupBy },
		},
	}
}

const (
	textColumn = "text-column"
	groupBy    = "group-by"
)

// isOfInput reports whether a setting is about the files of a corpus.
func isOfInput(name string) bool {
	return slices.ContainsFunc(inputSettings(), func(row setting.Setting[Settings]) bool { return row.Name == name })
}

// validateInput reports settings of the input that make no sense together.
func (s *Settings) validateInput() error {
	switch {
	case s.Text.TextColumn > 0 && s.Text.JSONField != "":
		return optionErrorf("%v and %v both say where the text is: only one of them is possible", name(textColumn), name("json-field"))
	case s.Text.Header && s.Text.TextColumn == 0:
		return optionErrorf("%v needs %v", name("header"), name(textColumn).to("N"))
	case s.Text.GroupBy != "" && s.Text.TextColumn == 0 && s.Text.JSONField == "":
		return optionErrorf("%v needs %v or %v, which say where the tokens of a row are", name(groupBy), name(textColumn).to("N"), name("json-field").to("NAME"))
	}
	for _, lists := range []struct{ setting, value string }{{"split", s.Text.Split}, {groupBy, s.Text.GroupBy}} {
		for _, cuts := range []struct {
			setting string
			used    bool
		}{{"tokenizer", s.Text.Tokenizer != corpus.Whitespace || s.Text.File != nil}, {"sentences", s.Text.Sentences != corpus.Lines}} {
			if lists.value != "" && cuts.used {
				return optionErrorf("%v takes tokens as they are, and %v would cut them: only one of them is possible", name(lists.setting), name(cuts.setting))
			}
		}
	}
	if n, err := strconv.Atoi(s.Text.GroupBy); s.Text.GroupBy != "" && s.Text.TextColumn > 0 && !s.Text.Header && (err != nil || n < 1) {
		return optionErrorf("%v is no number of a column, and without %v columns have no names", name(groupBy).to(s.Text.GroupBy), name("header"))
	}
	return nil
}

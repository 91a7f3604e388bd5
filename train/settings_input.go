package train

import (
	"slices"

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
	}
}

const textColumn = "text-column"

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
	}
	return nil
}

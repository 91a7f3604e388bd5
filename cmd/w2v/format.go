package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

// formatChoices are the formats that a flag can name.
func formatChoices() []choice { return choicesOf(vectors.Formats(), nil) }

// extensions lists the extensions of files for help texts.
func extensions() string {
	var all []string
	for _, f := range vectors.Formats() {
		if can, err := vectors.Describe(f); err == nil {
			for _, e := range can.Extensions {
				if !slices.Contains(all, e) {
					all = append(all, e)
				}
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// outputFormat returns the format that was named, or else that of the extension.
func outputFormat(path, name string, subwords bool) (vectors.Format, error) {
	if name == "" {
		return vectors.FormatOf(path, subwords)
	}
	return vectors.ParseFormat(name)
}

// thousands writes n with a comma before every three digits.
func thousands(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// checkTarget tells whether a model can be written to path, in the format that is
// named or else that of the extension.
func checkTarget(path, name string) error {
	format, err := outputFormat(path, name, false) // with subwords it is no other kind of target
	if err != nil {
		format = vectors.FormatW2V // it is said later, when the format is needed
	}
	return vectors.CheckTarget(path, format)
}

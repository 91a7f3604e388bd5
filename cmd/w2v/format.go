package main

import (
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors/format"
)

// formatChoices are the formats that a flag can name.
func formatChoices() []choice { return choicesOf(format.All(), nil) }

// extensions lists the extensions of files for help texts.
func extensions() string {
	var all []string
	for _, f := range format.All() {
		if can, err := format.Describe(f); err == nil {
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
func outputFormat(path, name string, subwords bool) (format.Format, error) {
	if name == "" {
		return format.ForPath(path, subwords)
	}
	return format.Parse(name)
}

// checkTarget tells whether a model can be written to path, in the format that is
// named or else that of the extension.
func checkTarget(path, name string) error {
	outFormat, err := outputFormat(path, name, false) // with subwords it is no other kind of target
	if err != nil {
		outFormat = format.W2V // it is said later, when the format is needed
	}
	return format.CheckTarget(path, outFormat)
}

package main

import (
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

// formatNames lists the formats for help texts.
func formatNames() string {
	var names []string
	for _, f := range vectors.Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// outputFormat returns the format that was named, or else that of the extension.
func outputFormat(path, name string, subwords bool) (vectors.Format, error) {
	if name == "" {
		return vectors.FormatOf(path, subwords)
	}
	return vectors.ParseFormat(name)
}

// lossOf says what of a set a format cannot hold.
func lossOf(s *vectors.Set, f vectors.Format) string {
	var lost []string
	switch f {
	case vectors.FormatW2V:
	case vectors.FormatFastText:
		if t := s.Training; t.NSExponent != 0 || t.LearningRate != 0 || t.Seed != 0 {
			lost = append(lost, "the learning rate, the seed and the exponent of the noise distribution")
		}
	default:
		if s.Subword != nil {
			lost = append(lost, "n-grams, and words that are not in the vocabulary with them")
		}
		if s.Output.Rows > 0 {
			lost = append(lost, "context vectors")
		}
		if s.Counts != nil {
			lost = append(lost, "counts")
		}
		if s.Training != (vectors.Training{}) {
			lost = append(lost, "how the vectors were trained")
		}
	}
	if len(lost) == 0 {
		return ""
	}
	return fmt.Sprintf("the format %s leaves out %s", f, strings.Join(lost, "; "))
}

// thousands writes n with a comma before every three digits.
func thousands(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

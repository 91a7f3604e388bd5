package wordbreak

import "github.com/clipperhouse/uax29/v2/words"

// Split returns the words of a text.
func Split(text string) []string {
	var found []string
	for segments := words.FromString(text); segments.Next(); {
		if word := Word([]byte(segments.Value())); word != nil {
			found = append(found, string(word))
		}
	}
	return found
}

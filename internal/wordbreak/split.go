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

// InPlaceOf returns tokens, but in place of those that are neither known nor one word, the words in
// them: of "end.", if that is not known, "end".
func InPlaceOf(tokens []string, known func(token string) bool) []string {
	var all []string
	for _, token := range tokens {
		if known(token) || IsWord(token) {
			all = append(all, token)
			continue
		}
		all = append(all, Split(token)...)
	}
	return all
}

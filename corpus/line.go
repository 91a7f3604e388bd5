package corpus

import (
	"strings"
	"unicode/utf8"
)

// Tokens returns the tokens of a line of text, those that it has in a corpus that is read
// with these options, and what is left out of them. It panics with what Validate reports of
// an option that means nothing.
func (o Options) Tokens(line string) (tokens []string, left TooLong) {
	if err := o.Validate(); err != nil {
		panic(err)
	}
	r := newReaderOf(len(line)+utf8.UTFMax, "", strings.NewReader(line), o)
	for {
		token, err := r.Next()
		if err != nil {
			return tokens, r.counted.tooLong // the end: a string has no other error
		}
		if len(token) > 0 {
			tokens = append(tokens, string(token))
		}
	}
}

package wordbreak

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// quotedExpressions has a quoted expression a line. TestExpressions makes them, and says how.
//
//go:embed expressions.txt
var quotedExpressions string

// Expressions returns regular expressions that find the words of a text in several steps. The first
// one is applied to the text, the second one to each match of the first, and so on. The matches of
// the last one are the words. The text must be valid UTF-8.
//
// Oniguruma and JavaScript (flags g and u) find the same words.
func Expressions() (all []string) {
	for line := range strings.Lines(quotedExpressions) {
		expression, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			panic(fmt.Errorf("wordbreak: expressions.txt: %w", err)) // it is a part of the program
		}
		all = append(all, expression)
	}
	return all
}

// SameExpressions reports whether these are Expressions, perhaps of another version of Unicode.
func SameExpressions(expressions []string) bool {
	withoutCharacters := func(e string) string { return characters.ReplaceAllLiteralString(e, "[]") }
	return slices.EqualFunc(expressions, Expressions(), func(e, own string) bool { return withoutCharacters(e) == withoutCharacters(own) })
}

var characters = regexp.MustCompile(`\[[^\]]*\]`)

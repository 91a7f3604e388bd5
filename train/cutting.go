package train

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/setting"
)

// cutting is how text is cut, as one setting: the name of a tokenizer, or the path of a
// tokenizer.json.
type cutting struct{ options *corpus.Options }

// Set takes a name or a path. A file is read later.
func (c *cutting) Set(text string) error {
	if file, ok := corpus.TokenizerFileNamed(text); ok {
		c.options.File, c.options.Tokenizer = file, corpus.Whitespace
		return nil
	}
	if strings.HasSuffix(text, ".json") {
		c.options.File, c.options.Tokenizer = corpus.NewTokenizerFile(text), corpus.Whitespace
		return nil
	}
	var t corpus.Tokenizer
	if t.UnmarshalText([]byte(text)) != nil {
		var names []string
		for _, known := range corpus.Tokenizers() {
			names = append(names, known.String())
		}
		return fmt.Errorf("is not %s, nor the path of a tokenizer.json", setting.Or(names))
	}
	c.options.File, c.options.Tokenizer = nil, t
	return nil
}

// String returns the name of the tokenizer or of the file.
func (c *cutting) String() string {
	if c.options.File != nil {
		return c.options.File.String()
	}
	return c.options.Tokenizer.String()
}

// Type is how a flag's help calls the value.
func (c *cutting) Type() string { return "name" }

// MarshalText returns String.
func (c *cutting) MarshalText() ([]byte, error) {
	if c.options.File == nil {
		return c.options.Tokenizer.MarshalText()
	}
	return []byte(c.String()), nil
}

// UnmarshalText is Set.
func (c *cutting) UnmarshalText(text []byte) error { return c.Set(string(text)) }

// Copy takes the tokenizer of another.
func (c *cutting) Copy(from any) {
	o := from.(*cutting).options
	c.options.File, c.options.Tokenizer = o.File, o.Tokenizer
}

// lowercase is whether text becomes lower case, and by the rules of which language, as one setting: true,
// false or a language.
type lowercase struct{ options *corpus.Options }

// Set takes true, false or a language.
func (l *lowercase) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		l.options.Lowercase, l.options.Language = on, ""
		return nil
	}
	if known := corpus.Languages(); !slices.Contains(known, text) {
		return fmt.Errorf("is not true, false, %s: other languages have no rules of their own", setting.Or(known))
	}
	l.options.Lowercase, l.options.Language = true, text
	return nil
}

// String returns true, false or the language.
func (l *lowercase) String() string {
	if l.options.Language != "" {
		return l.options.Language
	}
	return strconv.FormatBool(l.options.Lowercase)
}

// Type is how a flag's help calls the value.
func (l *lowercase) Type() string { return "bool" }

// MarshalJSON returns true or false, as before there were languages, or the language.
func (l *lowercase) MarshalJSON() ([]byte, error) {
	if l.options.Language != "" {
		return json.Marshal(l.options.Language)
	}
	return json.Marshal(l.options.Lowercase)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (l *lowercase) UnmarshalJSON(text []byte) error { return l.Set(strings.Trim(string(text), `"`)) }

// Copy takes the lower case of another.
func (l *lowercase) Copy(from any) {
	o := from.(*lowercase).options
	l.options.Lowercase, l.options.Language = o.Lowercase, o.Language
}

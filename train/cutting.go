package train

import (
	"fmt"
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

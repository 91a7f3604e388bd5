package corpus

import (
	"context"
	"strings"
)

// Tokens cuts a line of text into tokens, as a corpus with these options does. It also
// reports tokens that it left out because they are too long. It panics if Validate returns an
// error, or if Options.File cannot be read: TokenizerFile.Tokens tells.
func (o Options) Tokens(line string) (tokens []string, left TooLong) {
	if err := o.ready(); err != nil {
		panic(err)
	}
	var r *Reader
	if o.Split != "" {
		sentences := [][]string{o.listed(record{text: []byte(line)}).tokens}
		r = Shard{input: input{sentences: sentences}, options: o}.openSentences(context.Background())
		r.counted = new(counted)
	} else {
		r = newReader(bufferFor(int64(len(line))), "", strings.NewReader(line), o)
	}
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

package corpus

import (
	"context"
	"io"
	"strings"
)

// Tokens cuts a line of text into tokens, as a corpus with these options does. It also
// reports tokens that it left out because they are too long. An error says that Options.File cannot
// cut the line. It panics if Validate returns an error, or if Options.File cannot be read:
// TokenizerFile.Tokens tells.
func (o Options) Tokens(line string) (tokens []string, left TooLong, err error) {
	if err := o.ready(); err != nil {
		panic(err)
	}
	var r *Reader
	if o.Split != "" {
		sentences := [][]string{o.listed(record{text: []byte(line)}).tokens}
		r = Shard{input: input{sentences: sentences}, options: o}.openSentences(context.Background())
		r.counted = new(counted)
	} else {
		r = newReader(bufferFor(int64(len(line))), "tokenizer.json", strings.NewReader(line), o) // it alone has errors
	}
	for {
		token, err := r.Next()
		if err == io.EOF { //nolint:errorlint // readers return io.EOF itself
			return tokens, r.counted.tooLong, nil
		}
		if err != nil {
			return nil, r.counted.tooLong, err
		}
		if len(token) > 0 {
			tokens = append(tokens, string(token))
		}
	}
}

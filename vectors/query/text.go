package query

import (
	"fmt"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/vectors"
)

// Tokens cuts a text as the training text of the set was cut, and finds each token. If the training text was
// cut at white space, a token that is neither in the vocabulary nor one word is replaced by the words in it:
// "end." by "end". left describes tokens that are too long. The error says that the text cannot be cut; it
// wraps pipeline.ErrNoTokenizer if the file of the set lacks its tokenizer.json.
func (f *Finder) Tokens(text string) (tokens []vectors.Token, left corpus.TooLong, err error) {
	p, err := f.pipeline()
	if err != nil {
		return nil, left, err
	}
	split := !p.Cuts()
	var before []func() corpus.Stage
	if split && p.Phrases != nil { // phrases are joined of the words in tokens
		before = append(before, func() corpus.Stage { return wordsOf{f.words} })
		split = false
	}
	cut, left, err := p.Cut(text, before...)
	tokens = make([]vectors.Token, 0, len(cut))
	for _, token := range cut {
		found := f.Token(token)
		if !split || found.ID >= 0 || wordbreak.IsWord(token) {
			tokens = append(tokens, found)
			continue
		}
		for _, word := range wordbreak.Split(token) {
			tokens = append(tokens, f.Token(word))
		}
	}
	return tokens, left, err
}

// Token finds a token that the text was cut into, as Tokens does.
func (f *Finder) Token(token string) vectors.Token {
	spelling, id := f.words.Find(token)
	return vectors.Token{Word: spelling, ID: id}
}

// Pipeline returns how the training text of the set was cut. The error is that of pipeline.Of.
func (f *Finder) Pipeline() (*pipeline.Pipeline, error) { return f.pipeline() }

// Lacks says what cut the training text and is not known, so that Tokens cuts texts otherwise; it is empty if
// everything is known, or if Tokens returns an error.
func (f *Finder) Lacks() string {
	p, err := f.pipeline()
	if err != nil {
		return ""
	}
	return p.Lacks
}

// wordsOf is a stage that puts out the words in a token in place of the token.
type wordsOf struct{ words *vectors.Lookup }

func (w wordsOf) Token(out *corpus.Staged, token []byte) {
	if _, id := w.words.Find(string(token)); id >= 0 || wordbreak.IsWord(string(token)) {
		out.Add(token)
		return
	}
	for _, word := range wordbreak.Split(string(token)) {
		out.Add([]byte(word))
	}
}

func (w wordsOf) End(*corpus.Staged) {}

// WithTokenizer gives a set the tokenizer.json that cut its training text, from a file, unless path is empty.
// It is an error if the set says that the text was cut otherwise, or by another tokenizer.json.
func WithTokenizer(set *vectors.Set, path string) (*vectors.Set, error) {
	if path == "" {
		return set, nil
	}
	t := set.Training()
	was, ok := corpus.TokenizerFileNamed(t.Text("tokenizer"))
	if !ok && (t.Text("tokenizer") != "" || t.Int("kmers") > 0) {
		return nil, fmt.Errorf("%s: no tokenizer.json cut the training text of these vectors", path)
	}
	file := corpus.NewTokenizerFile(path)
	text, err := file.Text()
	if err != nil {
		return nil, err
	}
	if !ok { // a format that does not say how text was cut
		t.Set("tokenizer", file.String())
	} else if file.String() != was.String() {
		return nil, fmt.Errorf("%s is %s, and the training text was cut by another one, %s", path, file, was)
	}
	t.Attach(vectors.AttachedTokenizer, text)
	return set.WithTraining(t), nil
}

package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/vectors"
)

// A Completion lists the words of a vocabulary that begin with a text.
type Completion struct {
	Start  int      // where the text begins in the line
	Words  []string // some of the words, the most frequent first, or without counts the first of the vocabulary
	Common string   // longest common beginning of all words, at least the text
	Total  int      // number of all words that begin with the text
}

// Complete returns words that complete the end of a line: the text after the last white space or, if no word
// begins with that, after a quotation mark, after the "*" of a factor or after the ":" of an analogy. If case
// is ignored, Complete also tries the text in lower case. Words has at most this many words. An empty text
// has no completions. It is an error if the file behind the set cannot be read. Complete scans the whole
// vocabulary.
func (f *Finder) Complete(line string, most int) (c Completion, err error) {
	c.Start = len(line)
	err = f.set.Guard(func() error { // counts may lie in the file
		c = f.complete(line, most)
		return nil
	})
	return c, err
}

func (f *Finder) complete(line string, most int) Completion {
	for start := strings.LastIndexAny(line, white) + 1; start < len(line); {
		typed := line[start:]
		texts := []string{typed}
		if lower := f.words.Lower(typed); lower != typed && f.IgnoresCase() {
			texts = append(texts, lower)
		}
		for _, text := range texts {
			if c := f.beginning(text, most); c.Total > 0 {
				c.Start = start
				return c
			}
		}
		next := strings.IndexAny(typed, `*:"`)
		if next < 0 {
			break
		}
		start += next + 1
	}
	return Completion{Start: len(line)}
}

func (f *Finder) beginning(text string, most int) (c Completion) {
	counts, words := f.set.Counts(), f.set.Words()
	first := func(a, b int) int {
		if a < len(counts) && b < len(counts) && counts[a] != counts[b] {
			return cmp.Compare(counts[b], counts[a])
		}
		return cmp.Compare(a, b)
	}
	var best []int
	for id, word := range words.All() {
		if !strings.HasPrefix(word, text) {
			continue
		}
		if c.Total++; c.Total == 1 {
			c.Common = word
		}
		c.Common = common(c.Common, word)
		if at, _ := slices.BinarySearchFunc(best, id, first); at < most {
			best = slices.Insert(best, at, id)
			best = best[:min(len(best), most)]
		}
	}
	for _, id := range best {
		c.Words = append(c.Words, words.At(id))
	}
	return c
}

// common returns the common beginning of two words, in whole code points.
func common(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && a[n]&0xc0 == 0x80 {
		n--
	}
	return a[:n]
}

// Parse parses an expression like vectors.ParseExpression: a text that is a word of the vocabulary is that
// word. Words keep the spelling of the text. The error is a *vectors.ExpressionError.
func (f *Finder) Parse(text string) (vectors.Expression, error) {
	return vectors.ParseExpression(text, f.known)
}

// ParseCompact is Parse that also accepts expressions without white space, such as in a URL:
// "king-man+woman", if the pieces between + and - are words of the vocabulary, with or without a factor. A
// piece may contain these signs, as in "well-known": ParseCompact takes the way to read the text with the
// longest first piece. There may be up to 16 signs.
func (f *Finder) ParseCompact(text string) (vectors.Expression, error) {
	e, err := f.Parse(text)
	if err == nil && !slices.ContainsFunc(e, func(t vectors.Term) bool { return !f.known(t.Word) }) {
		return e, nil
	}
	if compact := f.compact(text); compact != nil {
		return compact, nil
	}
	return e, err
}

// maxCompact and maxSigns are the largest length in bytes and number of signs of a compact expression, which
// limits the time to try all ways to read it. Longer expressions need white space around their signs.
const maxCompact, maxSigns = 4 << 10, 16

const white = " \t\r\n\v\f"

type sign struct {
	at, after int // where the sign begins, and where the text after it begins
	weight    float64
}

// signsOf returns the operators of a text; nil if there are too many.
func signsOf(text string) (signs []sign) {
	for i, r := range text {
		weight := 1.0
		switch r {
		case '-', '−':
			weight = -1
		case '+':
		default:
			continue
		}
		if len(signs) == maxSigns {
			return nil
		}
		signs = append(signs, sign{i, i + len(string(r)), weight})
	}
	return signs
}

// compact parses a text without white space around its signs; nil if there is no way to read it.
func (f *Finder) compact(text string) vectors.Expression {
	text = strings.Trim(text, white)
	signs := signsOf(text)
	if len(signs) == 0 || len(text) > maxCompact {
		return nil
	}
	if signs[0].at > 0 {
		signs = slices.Insert(signs, 0, sign{weight: 1}) // an implied + before the first word
	}
	ends := append(signs[1:len(signs):len(signs)], sign{at: len(text)})
	hopeless := make([]bool, len(signs)) // signs after which the rest cannot be parsed
	var terms vectors.Expression
	var read func(s int) bool
	read = func(s int) bool {
		for end := len(ends) - 1; end >= s && !hopeless[s]; end-- {
			term, ok := f.term(text[signs[s].after:ends[end].at])
			if !ok {
				continue
			}
			term.Weight *= signs[s].weight
			terms = append(terms, term)
			if end == len(ends)-1 || read(end+1) {
				return true
			}
			terms = terms[:len(terms)-1]
		}
		hopeless[s] = true
		return false
	}
	if !read(0) {
		return nil
	}
	return terms
}

func (f *Finder) term(piece string) (vectors.Term, bool) {
	if piece != strings.Trim(piece, white) {
		return vectors.Term{}, false
	}
	e, err := f.Parse(piece)
	if err != nil || len(e) != 1 || !f.known(e[0].Word) {
		return vectors.Term{}, false
	}
	return e[0], true
}

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

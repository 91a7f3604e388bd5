package static

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// tokenizer.json configures the tokenizers library. Source: github.com/huggingface/tokenizers,
// tokenizers/src/tokenizer/serialization.rs.
//
// We write a WordLevel model: the text is split as for training, and each piece is a word of the vocabulary
// or else the unknown word. Words that splitting would cut, such as words with spaces, or that lower-casing
// would change, are added tokens. The library finds these before it splits.

const (
	// unicodeTokenizer and whitespaceTokenizer are Training's names of tokenizers.
	unicodeTokenizer    = "unicode"
	whitespaceTokenizer = "whitespace"
	// betweenSeparators matches a token of the whitespace tokenizer: the text between fastText's separators.
	// Other white space is part of tokens.
	betweenSeparators = `[^\x00\t-\r ]+`
	paddingWord       = "[PAD]"
	// longestSequence is more tokens than any text that is read at once.
	longestSequence = 1_000_000
)

// firstUnicodeWord is the expression that w2v wrote for the unicode tokenizer until November 2026. It cuts a
// few characters differently.
const firstUnicodeWord = "[" + ideographs + hiragana + "]\\p{M}*|[" + katakana + "]+" +
	"|(?:(?![" + ideographs + hiragana + katakana + "])[\\p{L}\\p{N}]|(?<=[\\p{L}\\p{M}\\p{N}_])[\\p{M}_]|_(?=[\\p{L}\\p{N}])" +
	"|(?<=[\\p{L}\\p{M}])[.:\u00b7'\u2019](?=\\p{L})|(?<=\\p{N})[.,;'\u2019](?=\\p{N}))+" +
	"|\\p{So}[\\p{M}\\p{Sk}]*(?:\u200d\\p{So}[\\p{M}\\p{Sk}]*)*"

// Ranges of characters, because engines name scripts differently.
const (
	ideographs = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
	hiragana   = "\u3041-\u309f"
	katakana   = "\u30a0-\u30ff"
)

// readTokenizer reads the n words of p from a tokenizer.json, and how text was cut into them. Words are
// numbered from 0.
func readTokenizer(in *source.Input, p *vectors.Parts, n int) {
	text := in.Rest("a tokenizer", longestConfig+int64(n)*longestToken)
	if !utf8.Valid(text) {
		at, size := 0, 0
		for r := rune(0); r != utf8.RuneError || size > 1; at += size {
			r, size = utf8.DecodeRune(text[at:])
		}
		in.FailAt(int64(at-size), "expected JSON in UTF-8")
	}
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte{'{'}) {
		in.FailAt(0, "expected a JSON object, found %.1q", bytes.TrimSpace(text))
	}
	var t tokenizerFile
	if err := json.Unmarshal(text, &t); err != nil {
		at := int64(0)
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			at, err = e.Offset, fmt.Errorf("%s cannot be a JSON %s", strings.ToLower(e.Field), e.Value)
		}
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = e.Offset - 1
			if e.Error() == "unexpected end of JSON input" {
				at, err = e.Offset, source.Cut("the rest of the JSON")
			}
		}
		in.FailAt(at, "%w", err)
	}
	var err error
	p.Words, err = t.words(n)
	in.CheckAt(0, err)
	t.describe(p)
}

func (t *tokenizerFile) describe(p *vectors.Parts) {
	p.Training.Set("lowercase", t.Normalizer.lowercases())
	if t.Normalizer.turkish() {
		p.Training.Set("lowercase_language", "tr") // the rules of Azerbaijani are the same
	}
	var steps []string
	for _, step := range t.Splitter.PreTokenizers {
		steps = append(steps, step.Pattern.Regex)
	}
	switch expression := t.Splitter.Pattern.Regex; {
	case t.Splitter.Type == "WhitespaceSplit", t.Splitter.Type == "Split" && expression == betweenSeparators:
		p.Training.Set("tokenizer", whitespaceTokenizer)
	case t.Splitter.Type == "Split" && expression == firstUnicodeWord,
		t.Splitter.Type == "Sequence" && wordbreak.SameExpressions(steps):
		p.Training.Set("tokenizer", unicodeTokenizer)
	}
	if kind := t.Model.Type; kind != "WordLevel" {
		p.Origin.Unread = append(p.Origin.Unread, fmt.Sprintf("how its tokenizer (%s) cuts words into pieces: each piece is a word here", kind))
	}
	for _, a := range t.Added {
		if a.Special && a.ID == p.Specials && a.Content != unknownWord {
			p.Specials++
		}
	}
}

const longestToken = 1 << 10

type tokenizerFile struct {
	Added      []addedToken  `json:"added_tokens"`
	Normalizer tokenizerStep `json:"normalizer"`
	Splitter   tokenizerStep `json:"pre_tokenizer"`
	Model      struct {
		Type  string
		Vocab vocabulary
	}
}

type tokenizerStep struct {
	Type          string
	Lowercase     bool
	Pattern       struct{ Regex string }
	Content       string // replacement text
	Normalizers   []tokenizerStep
	PreTokenizers []tokenizerStep
}

func (n tokenizerStep) lowercases() bool {
	return n.Type == "Lowercase" || n.Lowercase || slices.ContainsFunc(n.Normalizers, tokenizerStep.lowercases)
}

// turkish reports whether a normalizer maps I to a dotless i, as normalizerOf writes it.
func (n tokenizerStep) turkish() bool {
	return n.Type == "Replace" && n.Content == "\u0131" || slices.ContainsFunc(n.Normalizers, tokenizerStep.turkish)
}

type vocabulary []token

type token struct {
	text string
	id   int
}

// UnmarshalJSON reads tokens and their numbers, or the list of tokens and scores of a Unigram model, one by one,
// because there may be many.
func (v *vocabulary) UnmarshalJSON(text []byte) error {
	if *v != nil {
		return errors.New("expected one vocabulary, found another")
	}
	*v = vocabulary{}
	d := json.NewDecoder(bytes.NewReader(text))
	open, _ := d.Token() // no errors: the text is valid
	if open != json.Delim('{') && open != json.Delim('[') {
		return fmt.Errorf("expected tokens and their numbers, found %.40s", text)
	}
	for d.More() {
		if open == json.Delim('[') {
			var value any
			_ = d.Decode(&value)
			pair, _ := value.([]any)
			name, ok := "", len(pair) == 2
			if ok {
				name, ok = pair[0].(string)
			}
			if !ok {
				return fmt.Errorf("token %d: expected a token and its score, found %v", len(*v), value)
			}
			*v = append(*v, token{name, len(*v)})
			continue
		}
		key, _ := d.Token()
		name, _ := key.(string)
		var id *int
		if err := d.Decode(&id); err != nil {
			return fmt.Errorf("token %.40q: %s", name, err) // its offset would be that in the text
		}
		if id == nil {
			return fmt.Errorf("token %.40q: expected a number, found null", name)
		}
		*v = append(*v, token{name, *id})
	}
	return nil
}

func (t *tokenizerFile) words(n int) (words vectors.Words, err error) {
	if kind := t.Model.Type; !slices.Contains([]string{"", "WordLevel", "WordPiece", "BPE", "Unigram"}, kind) {
		return words, fmt.Errorf("expected a model of type WordLevel, WordPiece, BPE or Unigram, found %.40q", kind)
	}
	tokens := t.Model.Vocab
	if tokens == nil {
		return words, errors.New("expected a model with a vocabulary, found none")
	}
	for _, a := range t.Added {
		tokens = append(tokens, token{a.Content, a.ID})
	}
	slices.SortFunc(tokens, func(a, b token) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.text, b.text)) })
	tokens = slices.Compact(tokens) // an added token may also be in the vocabulary
	var list vectors.WordsBuilder
	list.Grow(int64(len(tokens)))
	for i, token := range tokens {
		switch {
		case token.id < 0 || token.id >= n:
			return words, fmt.Errorf("token %.40q has the number %d, but there are %d rows", token.text, token.id, n)
		case token.id > i:
			return words, fmt.Errorf("no token has the number %d, that of a row", i)
		case token.id < i:
			return words, fmt.Errorf("the tokens %.40q and %.40q both have the number %d", tokens[i-1].text, token.text, token.id)
		}
		list.Add(token.text)
	}
	if len(tokens) < n {
		return words, fmt.Errorf("expected %d tokens, as there are rows, found %d", n, len(tokens))
	}
	return list.Words(), nil
}

func checkTokenizerWord(word string) error {
	switch {
	case word == "":
		return errors.New("is empty, which no text has as a token")
	case !utf8.ValidString(word):
		return errors.New("is not valid UTF-8, which JSON cannot hold")
	}
	return nil
}

// normalizerOf returns a normalizer that lower-cases text as for training: each letter by itself. JavaScript
// uses another sigma at the end of words, and both engines turn the Turkish \u0130 into two characters, hence
// the replacements. It returns nil for no normalizer.
func normalizerOf(t vectors.Training) any {
	if !t.Bool("lowercase") {
		return nil
	}
	replace := func(from, to string) any {
		return map[string]any{"type": "Replace", "pattern": map[string]any{"String": from}, "content": to}
	}
	steps := []any{replace("\u03a3", "\u03c3"), replace("\u0130", "i")}
	if language := t.Text("lowercase_language"); language == "tr" || language == "az" {
		steps = append(steps, replace("I\u0307", "i"), replace("I", "\u0131"))
	}
	return map[string]any{"type": "Sequence", "normalizers": append(steps, map[string]any{"type": "Lowercase"})}
}

// misread returns notes on where the normalizer lower-cases differently from a language's rules: it supports
// only Azerbaijani and Turkish.
func misread(s *vectors.Set) []string {
	language := s.Training().Text("lowercase_language")
	if language == "" || language == "tr" || language == "az" {
		return nil
	}
	return []string{fmt.Sprintf("the tokenizer in the file turns text into lower case letter by letter, and not by the rules of the language %s as the words are: a few words are not found from capitals, unless text is in lower case before", language)}
}

func splitterOf(t vectors.Training) any {
	matches := func(expression string) any {
		return map[string]any{"type": "Split", "pattern": map[string]any{"Regex": expression}, "behavior": "Removed", "invert": true}
	}
	if t.Text("tokenizer") != unicodeTokenizer {
		return matches(betweenSeparators)
	}
	var steps []any
	for _, e := range wordbreak.Expressions() {
		steps = append(steps, matches(e))
	}
	return map[string]any{"type": "Sequence", "pretokenizers": steps}
}

// tokenizerConfig returns what programs need besides tokenizer.json. JavaScript takes the unknown token only
// from here.
func tokenizerConfig(s *vectors.Set) any {
	config := map[string]any{
		"tokenizer_class":              "PreTrainedTokenizerFast",
		"unk_token":                    unknownWord,
		"model_max_length":             longestSequence,
		"clean_up_tokenization_spaces": false, // tokens are joined by spaces
	}
	for id := range s.SharedParts().Specials {
		if s.Words().At(id) == paddingWord {
			config["pad_token"] = paddingWord
		}
	}
	return config
}

type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"` // only without a letter or digit next to it
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"` // matched in lower-cased text, after lower-casing the token
	Special    bool   `json:"special"`
}

// checkCutting reports a set whose text was cut in a way that a tokenizer.json of words cannot express.
func checkCutting(t vectors.Training) error {
	if name := t.Text("tokenizer"); name != "" && name != unicodeTokenizer && name != whitespaceTokenizer {
		return fmt.Errorf("the text was cut by %q, and the tokenizer.json of this format would cut it otherwise: write the format torch, whose rows are in the order of the words", name)
	}
	for _, name := range []string{"normalize", "digits", "punctuation"} {
		if value := t.Text(name); value != "" {
			return fmt.Errorf("the text was read with %s %s, and the tokenizer.json of this format would cut it otherwise: write the format torch", name, value)
		}
	}
	for _, name := range []string{"split", "group_by"} {
		if value := t.Text(name); value != "" {
			return fmt.Errorf("words are items of a list (%s %q), which may have blanks, and the tokenizer.json of this format would cut text at them: write the format torch, whose rows are in the order of the words", name, value)
		}
	}
	if t.Bool("strip_accents") {
		return errors.New("accents were removed from the text, and the tokenizer.json of this format would keep them: write the format torch")
	}
	return nil
}

func writeTokenizer(w *bufio.Writer, s *vectors.Set) error {
	if err := checkCutting(s.Training()); err != nil {
		return err
	}
	specials := s.SharedParts().Specials
	unicodeTokens := s.Training().Text("tokenizer") == unicodeTokenizer
	added := []addedToken{} // not null
	unknown, _ := s.ID(unknownWord)
	rule := tokenizerRule{lowercase: s.Training().Bool("lowercase"), unicode: unicodeTokens, specials: []string{unknownWord}}
	for id := range specials {
		if id != unknown {
			rule.specials = append(rule.specials, s.Words().At(id))
		}
	}
	for id, word := range s.Words().All() {
		if id < specials || id == unknown {
			added = append(added, addedToken{ID: id, Content: word, Special: true})
		} else if cut, raw := rule.cuts(word); cut {
			added = append(added, addedToken{ID: id, Content: word, SingleWord: true, Normalized: !raw})
		}
	}
	var head bytes.Buffer
	e := json.NewEncoder(&head)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Version       string       `json:"version"`
		Truncation    any          `json:"truncation"`
		Padding       any          `json:"padding"`
		Added         []addedToken `json:"added_tokens"`
		Normalizer    any          `json:"normalizer"`
		PreTokenizer  any          `json:"pre_tokenizer"`
		PostProcessor any          `json:"post_processor"`
		Decoder       any          `json:"decoder"`
	}{Version: "1.0", Added: added, Normalizer: normalizerOf(s.Training()), PreTokenizer: splitterOf(s.Training())})
	if err != nil {
		return err
	}
	// The vocabulary follows word by word.
	w.Write(bytes.TrimRight(head.Bytes(), "}\n"))
	w.WriteString(`,"model":{"type":"WordLevel","vocab":{`)
	for id, word := range s.Words().All() {
		head.Reset()
		if id > 0 {
			head.WriteByte(',')
		}
		if err := e.Encode(word); err != nil {
			return err
		}
		head.Truncate(head.Len() - 1) // the newline
		fmt.Fprintf(&head, ":%d", id)
		if _, err := w.Write(head.Bytes()); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "},\"unk_token\":%q}}\n", unknownWord)
	return err
}

// A tokenizerRule is what a written tokenizer.json does to text before it looks up words.
type tokenizerRule struct {
	lowercase bool     // text is lower-cased
	unicode   bool     // text is cut by wordbreak.Expressions and not at white space
	specials  []string // cut out of the text first, at any position
}

// cuts reports whether the tokenizer changes or cuts a text that is just the word, so that the word needs an
// added token. raw reports whether that token must be matched in the text before normalization, because
// normalization changes the word.
func (r *tokenizerRule) cuts(word string) (added, raw bool) {
	for _, special := range r.specials {
		// The leftmost and longest token wins, and tokens in the raw text come first.
		if strings.Contains(word, special) {
			return true, true
		}
	}
	if r.lowercase && strings.ContainsFunc(word, func(c rune) bool { return wordbreak.Lower(c) != c }) {
		return true, true
	}
	if r.unicode {
		return !wordbreak.IsWord(word), false
	}
	return strings.ContainsAny(word, "\x00\t\n\v\f\r "), false
}

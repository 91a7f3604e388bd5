package static

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
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

// Names of Training's facts about texts.
const (
	factTokenizer  = "tokenizer"
	factPooling    = "pooling"
	factNorm       = "text_norm"       // vectors of texts have length 1
	factUnknown    = "unknown"         // what becomes of the token of unknown words
	factLimit      = "text_limit"      // tokens of a text that count
	factCharacters = "text_characters" // code points of a text that are read
	factTokens     = "text_tokens"     // tokens that a text is cut into, before those of unknown words are left out
	unknownDrops   = "drop"
	unknownCounts  = "row"
	fileMark       = "tokenizer.json sha256:" // before the checksum, as the fact tokenizer
)

var keptFacts = []string{
	"lowercase", "lowercase_language", factTokenizer, "normalize", "strip_accents", "digits", "punctuation", factPooling, factNorm, factUnknown, factLimit,
}

// readTokenizer reads the n words of p from a tokenizer.json, and what its owner makes of a text. Words are
// numbered from 0.
func readTokenizer(in *source.Input, p *vectors.Parts, n int, of *owner) {
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
	tokens, err := t.tokens(n)
	in.CheckAt(0, err)
	var list vectors.WordsBuilder
	list.Grow(int64(n))
	var lengths []int
	for id, token := range tokens {
		if token == "" {
			token = fmt.Sprintf(noToken+"%d>", id)
		} else {
			lengths = append(lengths, utf8.RuneCountInString(token))
		}
		list.Add(token)
	}
	if of.exact && len(lengths) < n {
		in.FailAt(0, "expected %d tokens, as there are rows, found %d", n, len(lengths))
	}
	p.Words = list.Words()
	of.own = t.own(&p.Training)
	if !of.own || slices.ContainsFunc(t.Added, func(a addedToken) bool { return !a.Special }) { // added tokens need the file
		p.Training = vectors.Training{}
		if len(text) > vectors.MaxAttached {
			in.FailAt(0, "expected at most %d bytes, found %d", vectors.MaxAttached, len(text))
		}
		p.Training.Set(factTokenizer, fmt.Sprintf("%s%x", fileMark, sha256.Sum256(text)))
		p.Training.Attach(vectors.AttachedTokenizer, bytes.Clone(text))
	}
	t.describe(p, *of, lengths)
}

// noToken begins the word of a row whose id no token has. Training has the same words.
const noToken = "<no-token-"

// describe sets what the owner makes of a text. lengths are those of the tokens.
func (t *tokenizerFile) describe(p *vectors.Parts, of owner, lengths []int) {
	facts := &p.Training
	facts.Set(factPooling, "mean")
	facts.Set(factNorm, of.normalizes)
	facts.Set(factUnknown, unknownCounts)
	if of.drops && t.unknown() != "" {
		facts.Set(factUnknown, unknownDrops)
	}
	characters, tokens := 0, 0
	if n := len(lengths); n > 0 { // of a model that reads a number of tokens
		slices.Sort(lengths)
		characters = of.limit * ((lengths[(n-1)/2] + lengths[n/2]) / 2)
	}
	if cut := t.Truncation; cut != nil && cut.Direction == "Left" {
		p.Origin.Unread = append(p.Origin.Unread, fmt.Sprintf("that its tokenizer takes the last %d tokens of a text", cut.MaxLength))
	} else if cut != nil && of.drops {
		tokens = cut.MaxLength
	} else if cut != nil {
		of.limit = cut.MaxLength
	}
	facts.Set(factLimit, of.limit)
	facts.Set(factCharacters, characters)
	facts.Set(factTokens, tokens)
	if t.Padding != nil && t.Padding.Strategy != "BatchLongest" && of.drops {
		p.Origin.Unread = append(p.Origin.Unread, "that its tokenizer makes all texts equally long with tokens of padding")
	}
	for _, a := range t.Added {
		if a.Special && a.ID == p.Specials && a.Content != unknownWord {
			p.Specials++
		}
	}
}

const longestToken = 1 << 10

type tokenizerFile struct {
	Truncation *truncation
	Padding    *struct{ Strategy any }
	Added      []addedToken    `json:"added_tokens"`
	Normalizer json.RawMessage `json:"normalizer"`
	Splitter   json.RawMessage `json:"pre_tokenizer"`
	Model      struct {
		Type    string
		Unknown *string `json:"unk_token"`
		Vocab   vocabulary
	}
}

type truncation struct {
	Direction string `json:"direction"`
	MaxLength int    `json:"max_length"`
	Strategy  string `json:"strategy"`
	Stride    int    `json:"stride"`
}

func truncationTo(limit int) *truncation {
	if limit == 0 {
		return nil
	}
	return &truncation{Direction: "Right", MaxLength: limit, Strategy: "LongestFirst"}
}

// unknown returns the token of unknown words, if model2vec knows it: it does not ask Unigram models.
func (t *tokenizerFile) unknown() string {
	if t.Model.Unknown == nil || t.Model.Type == "Unigram" {
		return ""
	}
	return *t.Model.Unknown
}

// own reports whether w2v wrote the file for words that it cuts as the facts say, which own sets.
func (t *tokenizerFile) own(facts *vectors.Training) bool {
	if t.Model.Type != "WordLevel" || t.unknown() != unknownWord {
		return false
	}
	var splitter struct{ PreTokenizers []json.RawMessage }
	_ = json.Unmarshal(t.Splitter, &splitter) // has no steps if it is something else
	steps := splitter.PreTokenizers
	if steps == nil {
		steps = []json.RawMessage{t.Splitter}
	}
	var cuts []string // expressions of words
	for _, step := range steps {
		var s struct{ Pattern struct{ Regex string } }
		_ = json.Unmarshal(step, &s)
		if !same(step, words(s.Pattern.Regex)) {
			break
		}
		cuts = append(cuts, s.Pattern.Regex)
	}
	name := whitespaceTokenizer
	if wordbreak.SameExpressions(cuts) {
		name = unicodeTokenizer
	} else if !slices.Equal(cuts, []string{betweenSeparators}) {
		return false
	}
	edits, _ := json.Marshal(append([]json.RawMessage{}, steps[len(cuts):]...)) // valid
	for c := range combinations(vectors.NewTraining(factTokenizer, name), usualFacts) {
		if same(edits, editsOf(c)) && same(t.Normalizer, normalizerOf(c)) {
			*facts = c
			return true
		}
	}
	return false
}

// usualFacts are the facts besides the tokenizer that a tokenizer.json expresses, with their values.
var usualFacts = []usualFact{
	{"normalize", []any{"", "nfc", "nfkc"}}, {"strip_accents", []any{false, true}}, {"lowercase", []any{false, true}}, {"lowercase_language", []any{"", "tr"}},
	{"digits", []any{"", "zero", "drop"}}, {"punctuation", []any{"", "drop"}},
}

type usualFact struct {
	name   string
	values []any
}

func combinations(of vectors.Training, facts []usualFact) iter.Seq[vectors.Training] {
	return func(yield func(vectors.Training) bool) {
		if len(facts) == 0 {
			yield(of)
			return
		}
		for _, value := range facts[0].values {
			one := of
			one.Set(facts[0].name, value)
			for all := range combinations(one, facts[1:]) {
				if !yield(all) {
					return
				}
			}
		}
	}
}

// same reports whether a text in JSON says the same as a value.
func same(text json.RawMessage, value any) bool {
	var is, want any
	_ = json.Unmarshal(text, &is) // valid, or absent, which is null
	encoded, _ := json.Marshal(value)
	_ = json.Unmarshal(encoded, &want)
	return reflect.DeepEqual(is, want)
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

// tokens returns the tokens by their ids, at most n; empty for an id without a token.
func (t *tokenizerFile) tokens(n int) ([]string, error) {
	if kind := t.Model.Type; !slices.Contains([]string{"", "WordLevel", "WordPiece", "BPE", "Unigram"}, kind) {
		return nil, fmt.Errorf("expected a model of type WordLevel, WordPiece, BPE or Unigram, found %.40q", kind)
	}
	if t.Model.Vocab == nil {
		return nil, errors.New("expected a model with a vocabulary, found none")
	}
	all, added := slices.Clone(t.Model.Vocab), map[string]bool{}
	for _, a := range t.Added {
		added[a.Content] = true
	}
	for _, v := range t.Model.Vocab {
		delete(added, v.text) // an added token that is also in the vocabulary has the id that it has there
	}
	for _, a := range t.Added {
		if added[a.Content] {
			all = append(all, token{a.Content, a.ID})
		}
	}
	var tokens []string
	for _, v := range all {
		if v.id < 0 || v.id >= n {
			return nil, fmt.Errorf("token %.40q has the number %d, but there are %d rows", v.text, v.id, n)
		}
		for v.id >= len(tokens) {
			tokens = append(tokens, make([]string, min(v.id+1, n)-len(tokens))...)
		}
		if was := tokens[v.id]; was != "" && was != v.text {
			return nil, fmt.Errorf("the tokens %.40q and %.40q both have the number %d", min(was, v.text), max(was, v.text), v.id)
		}
		tokens[v.id] = v.text
	}
	return append(tokens, make([]string, n-len(tokens))...), nil
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

func replace(kind, from, to string) any {
	return map[string]any{"type": "Replace", "pattern": map[string]any{kind: from}, "content": to}
}

// formatCharacters are invisible characters that every normal form removes.
const formatCharacters = "[\u00ad\u061c\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]"

// normalizerOf returns a normalizer that changes text as for training. Lower-casing changes each letter by
// itself. JavaScript uses another sigma at the end of words, and both engines turn the Turkish \u0130 into two
// characters, hence the replacements. It returns nil for no normalizer.
func normalizerOf(t vectors.Training) any {
	var steps []any
	add := func(kinds ...string) {
		for _, kind := range kinds {
			steps = append(steps, map[string]any{"type": kind})
		}
	}
	form := t.Text("normalize")
	if form != "" {
		steps = append(steps, replace("Regex", formatCharacters, ""))
	}
	switch {
	case t.Bool("strip_accents"):
		add(map[bool]string{false: "NFD", true: "NFKD"}[form == "nfkc"])
		steps = append(steps, replace("Regex", `\p{Mn}`, ""))
		add("NFC")
	case form != "":
		add(strings.ToUpper(form))
	}
	if t.Bool("lowercase") {
		steps = append(steps, replace("String", "\u03a3", "\u03c3"), replace("String", "\u0130", "i"))
		if language := t.Text("lowercase_language"); language == "tr" || language == "az" {
			steps = append(steps, replace("String", "I\u0307", "i"), replace("String", "I", "\u0131"))
		}
		add("Lowercase")
	}
	if t.Text("digits") == "zero" {
		steps = append(steps, replace("Regex", `\p{Nd}`, "0"))
	}
	if steps == nil {
		return nil
	}
	return map[string]any{"type": "Sequence", "normalizers": steps}
}

func split(expression string, invert bool) any {
	return map[string]any{"type": "Split", "pattern": map[string]any{"Regex": expression}, "behavior": "Removed", "invert": invert}
}

// words returns the step that keeps what an expression matches.
func words(expression string) any { return split(expression, true) }

// editsOf returns the steps after the text is cut.
func editsOf(t vectors.Training) []any {
	steps := []any{} // not null
	if t.Text("punctuation") == "drop" {
		const marks = `[\p{P}\p{Sm}\p{Sc}\p{Sk}]+`
		steps = append(steps, split("^"+marks+"|"+marks+"$", false))
	}
	if t.Text("digits") == "drop" {
		steps = append(steps, split(`^[^\p{L}]*\p{N}[^\p{L}]*$`, false))
	}
	return steps
}

// splitterOf returns a pre-tokenizer that cuts text as for training.
func splitterOf(t vectors.Training) any {
	var steps []any
	if t.Text(factTokenizer) == unicodeTokenizer {
		for _, e := range wordbreak.Expressions() {
			steps = append(steps, words(e))
		}
	} else {
		steps = append(steps, words(betweenSeparators))
	}
	if steps = append(steps, editsOf(t)...); len(steps) == 1 {
		return steps[0]
	}
	return map[string]any{"type": "Sequence", "pretokenizers": steps}
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
	otherwise := func(what string, args ...any) error {
		return fmt.Errorf(what+", and the tokenizer.json of this format would cut it otherwise: write the format torch, whose rows are in the order of the words", args...)
	}
	name := cmp.Or(t.Text(factTokenizer), whitespaceTokenizer)
	switch {
	case strings.HasPrefix(name, fileMark):
		return fmt.Errorf("the text was cut by %q, which the model does not hold: write the format torch, whose rows are in the order of its tokens, or train it again", name)
	case !slices.Contains([]string{whitespaceTokenizer, unicodeTokenizer}, name):
		return otherwise("the text was cut by %q", name)
	case t.Text("punctuation") == "keep" && name == unicodeTokenizer:
		return otherwise("punctuation is a token of the tokenizer %s here", name)
	case t.Bool("phrases"):
		return otherwise("phrases were joined in the text")
	case t.Int("kmers") > 0:
		return otherwise("the text was cut into k-mers")
	}
	for _, name := range []string{"split", "group_by"} {
		if value := t.Text(name); value != "" {
			return otherwise("words are items of a list (%s %q), which may have blanks", name, value)
		}
	}
	return nil
}

func writeTokenizer(w *bufio.Writer, s *vectors.Set, limit int) error {
	specials := s.SharedParts().Specials
	unicodeTokens := s.Training().Text("tokenizer") == unicodeTokenizer
	added := []addedToken{} // not null
	unknown, _ := s.ID(unknownWord)
	rule := tokenizerRule{
		lowercase: s.Training().Bool("lowercase"), unicode: unicodeTokens, specials: []string{unknownWord},
		edits: s.Training().Text("digits") != "" || s.Training().Text("punctuation") == "drop",
	}
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
		Truncation    *truncation  `json:"truncation"`
		Padding       any          `json:"padding"`
		Added         []addedToken `json:"added_tokens"`
		Normalizer    any          `json:"normalizer"`
		PreTokenizer  any          `json:"pre_tokenizer"`
		PostProcessor any          `json:"post_processor"`
		Decoder       any          `json:"decoder"`
	}{Version: "1.0", Truncation: truncationTo(limit), Added: added, Normalizer: normalizerOf(s.Training()), PreTokenizer: splitterOf(s.Training())})
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
	edits     bool     // what is cut loses punctuation or digits, so that cutting a word may change it
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
	if r.edits {
		return false, false
	}
	if r.lowercase && strings.ContainsFunc(word, func(c rune) bool { return wordbreak.Lower(c) != c }) {
		return true, true
	}
	if r.unicode {
		return !wordbreak.IsWord(word), false
	}
	return strings.ContainsAny(word, "\x00\t\n\v\f\r "), false
}

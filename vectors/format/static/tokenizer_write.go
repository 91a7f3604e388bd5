package static

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/vectors"
)

// checkTokenizerWord says why a word cannot be in a tokenizer.json.
func checkTokenizerWord(word string) error {
	switch {
	case word == "":
		return errors.New("is empty, which no text has as a token")
	case !utf8.ValidString(word):
		return errors.New("is not valid UTF-8, which JSON cannot hold")
	}
	return nil
}

// normalizerOf returns what lower-cases text as it was for training: each letter by
// itself. JavaScript has another sigma at the end of words, and both engines make two
// characters of the Turkish \u0130, hence the replacements. null stands for nothing.
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

// misread says where the normalizer makes another lower case than the rules of a language did: it knows those
// of Azerbaijani and Turkish alone.
func misread(s *vectors.Set) []string {
	language := s.Training().Text("lowercase_language")
	if language == "" || language == "tr" || language == "az" {
		return nil
	}
	return []string{fmt.Sprintf("the tokenizer in the file turns text into lower case letter by letter, and not by the rules of the language %s as the words are: a few words are not found from capitals, unless text is in lower case before", language)}
}

// splitterOf returns what cuts text as it was for training.
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

// writeTokenizerConfig writes what programs want to know of a tokenizer besides
// tokenizer.json. JavaScript takes the token for unknown words from here alone.
func writeTokenizerConfig(w *bufio.Writer, s *vectors.Set) error {
	config := map[string]any{
		"tokenizer_class":              "PreTrainedTokenizerFast",
		"unk_token":                    unknownWord,
		"model_max_length":             longestSequence,
		"clean_up_tokenization_spaces": false, // tokens are joined by spaces and nothing else
	}
	for id := range s.SharedParts().Specials {
		if s.Words().At(id) == paddingWord {
			config["pad_token"] = paddingWord
		}
	}
	return jsonWriter(config)(w)
}

// An addedToken is an entry of added_tokens.
type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"` // with no letter or digit next to it
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"` // is looked for in the text that was lower-cased, and lower-cased itself
	Special    bool   `json:"special"`
}

// checkCutting reports a set whose text was cut in a way that no tokenizer.json of words can say.
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

// writeTokenizer writes the words as a tokenizer.json.
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
	if _, err := w.Write(bytes.TrimRight(head.Bytes(), "}\n")); err != nil {
		return err
	}
	if _, err := w.WriteString(`,"model":{"type":"WordLevel","vocab":{`); err != nil {
		return err
	}
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

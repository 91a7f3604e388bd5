package train

import (
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
	"github.com/w2v-go/w2v/vocab"
)

// completeText completes and checks the settings of text. With a tokenizer.json no token is dropped
// because it is rare, unless that is asked for.
func (s *Settings) completeText() error {
	if s.Text.File == nil {
		return nil
	}
	if err := s.Text.Validate(); err != nil {
		return optionErrorf("%v: %s", name("tokenizer").to("FILE"), strings.TrimPrefix(err.Error(), "corpus: "))
	}
	if _, known := corpus.TokenizerFileNamed(s.Value("tokenizer")); known && !s.Given("tokenizer") && s.named.taken["tokenizer"] {
		return optionErrorf("the run cut text with a tokenizer.json, whose path is not kept: give it again with %v (%s)", name("tokenizer").to("FILE"), s.Value("tokenizer"))
	}
	if s.Model.Subword != nil || s.named.kind != "" && s.named.kind != plainWords {
		return optionErrorf("%v cuts words into n-grams, and a tokenizer.json has cut them already: leave one of them out", name(subwordsName))
	}
	if !s.Given("min-count") {
		s.MinCount = 1
		s.named.taken = with(s.named.taken, "min-count", true)
	}
	return nil
}

// fileRows returns the words of the rows that a model has with a tokenizer.json: its tokens in their
// order. An id of no token, or of one that is too long for a word, has a word that no text is cut into.
func fileRows(file *corpus.TokenizerFile) ([]string, error) {
	tokens, err := file.Tokens()
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(tokens))
	for _, token := range tokens {
		known[token] = true
	}
	rows := slices.Clone(tokens)
	for id, token := range rows {
		if len(token) > corpus.MaxToken { // which is left out of text
			token = ""
		}
		for token == "" || token != tokens[id] && known[token] {
			token = fmt.Sprintf("%s<no token %d>", token, id)
			token = strings.ReplaceAll(token, " ", "-")
		}
		rows[id] = token
	}
	return rows, nil
}

// checkRows checks that the rows of a tokenizer.json can be written, and that they have all tokens of
// the corpus.
func (r *run) checkRows(v *vocab.Vocab) error {
	file := r.settings.Text.File
	if file == nil {
		return nil
	}
	rows, err := fileRows(file)
	if err != nil {
		return err
	}
	has := make(map[string]bool, len(rows))
	for _, row := range rows {
		has[row] = true
	}
	for _, token := range v.Tokens() {
		if !has[token] {
			return optionErrorf("the corpus has the token %.40q, which %v does not have", token, name("tokenizer").to(file.String()))
		}
	}
	if r.options.Output == "" && r.options.Writer == nil {
		return nil
	}
	if r.options.SkipUnwritable {
		return optionErrorf("%v would leave rows out, and those of a tokenizer.json have to keep their places", name("skip-unwritable"))
	}
	if err := format.CheckWords(rows, r.format); err != nil {
		return errorf("%s%v: rows of a tokenizer.json cannot be left out, and the native format holds all", prefix(r.options.Output), err)
	}
	return nil
}

// shownRows is how many unseen rows a remark names.
const shownRows = 8

// RemarkUnseenRows says that rows of a tokenizer.json were not trained.
const RemarkUnseenRows = "unseen-rows"

// inFileOrder returns a model with the rows of a tokenizer.json, in their order, and which of these
// the corpus has no token of. Their numbers are random, and as large as those of the others.
func (r *run) inFileOrder(set *vectors.Set) (*vectors.Set, []string, error) {
	file := r.settings.Text.File
	if file == nil {
		return set, nil, nil
	}
	rows, err := fileRows(file)
	if err != nil {
		return set, nil, err
	}
	for _, m := range set.Matrices() {
		r.tell(messagef("the model is written without its matrix %q, whose rows are not in the order of the tokenizer.json", m.Name))
	}
	selected, unseen := transform.SelectRows(set, rows, transform.RowOptions{Random: true, Seed: r.settings.Model.Seed})
	if len(unseen) > 0 {
		var some []string
		for _, row := range unseen[:min(len(unseen), shownRows)] {
			some = append(some, fmt.Sprintf("%q", row))
		}
		more := ""
		if len(unseen) > shownRows {
			more = " …"
		}
		r.remark(remarkf(RemarkUnseenRows, "%s of %s rows of the tokenizer.json are not in the corpus, and stay random: %s%s",
			wording.Thousands(len(unseen)), wording.Thousands(len(rows)), strings.Join(some, ", "), more))
	}
	return selected, unseen, nil
}

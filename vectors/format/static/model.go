package static

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/coded"
	"github.com/w2v-go/w2v/vectors/pooling"
)

// A model is what a folder holds: a tokenizer.json, and rows in the order of its ids.
type model struct {
	set       *vectors.Set
	tokenizer func(w *bufio.Writer) error
	unknown   string                // token of unknown words, if there is one
	mapping   []safetensors.Section // rows by ids, if some ids have no token: model2vec counts tokens
}

// modelOf returns the model of a set with numbers of type d. Its tokenizer takes limit tokens of a text; 0
// means all.
func modelOf(s *vectors.Set, d vectors.DType, limit int) (m model, err error) {
	if s, err = pooled(s.Exact(d)); err != nil { // rounded once, at the end
		return m, err
	}
	text := attachedTo(s)
	if text == nil {
		m.set, m.unknown = withUnknown(s), unknownWord
		m.tokenizer = func(w *bufio.Writer) error { return writeTokenizer(w, m.set, limit) }
		return m, checkCutting(s.Training())
	}
	var t tokenizerFile
	if err := json.Unmarshal(text, &t); err != nil {
		return m, fmt.Errorf("the model's tokenizer.json: %w", err)
	}
	const gaps = 1 << 16 // and as many ids without a token as there are tokens
	tokens, err := t.tokens(2*(len(t.Model.Vocab)+len(t.Added)) + gaps)
	if err != nil {
		return m, fmt.Errorf("the model's tokenizer.json: %w", err)
	}
	for len(tokens) > 0 && tokens[len(tokens)-1] == "" {
		tokens = tokens[:len(tokens)-1]
	}
	rows, err := rowsOf(s, tokens, t.unknown())
	if err != nil {
		return m, err
	}
	m.set, m.unknown = s, t.unknown()
	if len(rows) != s.Len() || !slices.IsSorted(rows) {
		p := s.SharedParts()
		m.set = codec.Unchecked(vectors.Parts{
			Words: vectors.NewWords(tokens...), Input: vectors.Stored(len(rows), s.Dim(), codec.Rows{Of: m.set.Rows(), IDs: rows}),
			Training: p.Training, Source: p.Source,
		})
	}
	if slices.Contains(tokens, "") {
		ids := make([]int64, len(tokens))
		for id := range ids {
			ids[id] = int64(id)
		}
		m.mapping = []safetensors.Section{safetensors.List(model2VecMapping, "I64", ids)}
	}
	text = replaced(replaced(text, "padding", nil), "truncation", truncationTo(limit))
	m.tokenizer = func(w *bufio.Writer) error {
		_, err := w.Write(text)
		return err
	}
	return m, nil
}

// pooled returns a set of which the mean of a text's rows is the vector that w2v gives the text: rows are
// multiplied by the weights of their words, and lose the common component.
func pooled(s *vectors.Set) (*vectors.Set, error) {
	t := s.Training()
	for _, name := range []string{factNorm, factUnknown, factLimit} { // of a text of one word
		t.Set(name, nil)
	}
	p, err := pooling.New(s.WithTraining(t), pooling.Options{})
	if err != nil || p.Method() == pooling.Mean {
		return s, err
	}
	parts := s.SharedParts()
	return codec.Unchecked(vectors.Parts{
		Words: parts.Words, Training: parts.Training, Specials: parts.Specials, Source: parts.Source,
		Input: vectors.Stored(s.Len(), s.Dim(), coded.Func(func(dst []float32, id int) {
			p.Text(dst, []vectors.Token{{Word: s.Words().At(id), ID: id}})
		})),
	}), nil
}

// attachedTo returns the tokenizer.json that cut the text of a set; nil if the set does not hold one.
func attachedTo(s *vectors.Set) []byte {
	if t := s.Training(); strings.HasPrefix(t.Text(factTokenizer), fileMark) {
		return t.Attached(vectors.AttachedTokenizer)
	}
	return nil
}

// rowsOf returns the rows of tokens, of the whole vocabulary of a tokenizer.json. Rows that the set does not
// have are zeros: those of no token, of tokens that are too long for a word, and that of unknown words.
func rowsOf(s *vectors.Set, tokens []string, unknown string) ([]uint32, error) {
	rows, used := make([]uint32, len(tokens)), make([]bool, s.Len())
	for id, token := range tokens {
		at, ok := s.ID(token)
		switch {
		case ok:
			rows[id], used[at] = uint32(at), true
		case token == "" || token == unknown || len(token) > source.MaxWord:
			rows[id] = math.MaxUint32
		default:
			return nil, fmt.Errorf("the set has no row for the token %.40q of its tokenizer.json, which cuts text into it: write a format without a tokenizer", token)
		}
	}
	for id, word := range s.Words().All() {
		if !used[id] && !strings.HasPrefix(word, noToken) {
			return nil, fmt.Errorf("word %d, %.40q, is no token of the set's tokenizer.json, which cuts no text into it: leave it out, or write a format without a tokenizer", id, word)
		}
	}
	return rows, nil
}

// replaced returns a JSON object with another value of a member, unless it has the same value.
func replaced(text []byte, member string, value any) []byte {
	encoded, _ := json.Marshal(value)
	d := json.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token() // no errors: the text was read before
	begin := d.InputOffset()
	for d.More() {
		name, _ := d.Token()
		var is json.RawMessage
		if d.Decode(&is) != nil || name != member {
			continue
		}
		if same(is, value) {
			return text
		}
		end := int(d.InputOffset())
		return slices.Concat(text[:end-len(is)], encoded, text[end:])
	}
	if string(encoded) == "null" {
		return text
	}
	return slices.Concat(text[:begin], fmt.Appendf(nil, "%q:%s,", member, encoded), text[begin:])
}

// config returns what programs need besides tokenizer.json. JavaScript takes the unknown token only from here.
func (m model) config() any {
	config := map[string]any{
		"tokenizer_class":              "PreTrainedTokenizerFast",
		"model_max_length":             longestSequence,
		"clean_up_tokenization_spaces": false, // tokens are joined by spaces
	}
	if m.unknown != "" {
		config["unk_token"] = m.unknown
	}
	for id := range m.set.SharedParts().Specials {
		if m.set.Words().At(id) == paddingWord {
			config["pad_token"] = paddingWord
		}
	}
	return config
}

// misread returns notes on what the owners of the formats make of a text otherwise than w2v.
func misread(s *vectors.Set, drops bool) (notes []string) {
	t := s.Training()
	if p, err := pooling.New(s, pooling.Options{}); err == nil && p.Method() != pooling.Mean {
		notes = append(notes, fmt.Sprintf("words are multiplied by their weights in the pooling %s, because the owner of the format takes the mean: texts have the vectors that w2v gives them", p.Method()))
	}
	if language := t.Text("lowercase_language"); language != "" && language != "tr" && language != "az" {
		notes = append(notes, fmt.Sprintf("the tokenizer in the file turns text into lower case letter by letter, and not by the rules of the language %s as the words are: a few words are not found from capitals, unless text is in lower case before", language))
	}
	if n := t.Int(factLimit); drops && n > model2VecLimit {
		notes = append(notes, fmt.Sprintf("model2vec takes the first %d tokens of a text, unless it is told another number, and w2v %d", model2VecLimit, n))
	}
	var file tokenizerFile
	if text := attachedTo(s); text != nil && json.Unmarshal(text, &file) == nil {
		unknown, dropped := file.unknown(), t.Text(factUnknown) == unknownDrops
		switch {
		case unknown == "" || dropped == drops:
		case drops:
			notes = append(notes, fmt.Sprintf("model2vec leaves the token %.40q out of a text, and w2v takes its row", unknown))
		default:
			notes = append(notes, fmt.Sprintf("sentence-transformers takes the row of the token %.40q, which w2v leaves out of a text", unknown))
		}
	}
	return notes
}

// unknownWord stands for words outside the vocabulary. A WordLevel model must have it. Its row is zeros and
// comes last, so that other words keep their numbers. If the vocabulary has the word, its row is used.
// Reading drops an added row.
const unknownWord = "[UNK]"

func withUnknown(s *vectors.Set) *vectors.Set {
	if _, ok := s.ID(unknownWord); ok {
		return s
	}
	p := s.SharedParts()
	var words vectors.WordsBuilder
	words.Grow(int64(s.Len() + 1))
	for _, word := range s.Words().All() {
		words.Add(word)
	}
	words.Add(unknownWord)
	return codec.Unchecked(vectors.Parts{
		Words: words.Words(), Input: vectors.Stored(s.Len()+1, s.Dim(), codec.Rows{Of: s.Rows()}),
		Training: p.Training, Specials: p.Specials, Source: p.Source,
	})
}

// withoutUnknown undoes withUnknown: it drops an unknown word that comes last and whose vector is zeros.
func withoutUnknown(s *vectors.Set) *vectors.Set {
	last := s.Len() - 1
	if last < 0 || s.Words().At(last) != unknownWord {
		return s
	}
	vector := make([]float32, s.Dim())
	if s.WordVector(vector, last); slices.ContainsFunc(vector, func(x float32) bool { return x != 0 }) {
		return s
	}
	p, table := s.SharedParts(), s.Words().Table()
	p.Words = vectors.WordsOf(vectors.WordTable{Text: table.Text[:table.Offsets[last]], Offsets: table.Offsets[:last+1]})
	if p.WordRows != nil {
		p.WordRows = p.WordRows[:last]
	} else {
		p.Input.Rows--
	}
	return codec.Unchecked(p)
}

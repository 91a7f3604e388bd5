package serve

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
	"github.com/w2v-go/w2v/vectors/transform"
)

const maxTokens = 300_000 // the largest number of tokens in all inputs of a request together

type embeddingInput struct {
	texts []string
	ids   [][]int // nil if there are texts
}

// UnmarshalJSON reads a string, an array of strings, an array of ids, or an array of such arrays.
// The first characters decide, so that a long input is read only once.
func (in *embeddingInput) UnmarshalJSON(text []byte) error {
	first, rest := firstByte(text)
	second, _ := firstByte(rest)
	var texts []*string
	var lists [][]*int
	var err error
	switch {
	case first == '"':
		texts = []*string{new("")}
		err = json.Unmarshal(text, texts[0])
	case first == '[' && (second == '"' || second == ']'):
		err = json.Unmarshal(text, &texts)
	case first == '[' && second == '[':
		err = json.Unmarshal(text, &lists)
	case first == '[' && (second == '-' || '0' <= second && second <= '9'):
		lists = make([][]*int, 1)
		err = json.Unmarshal(text, &lists[0])
	case first == 'n' || second == 'n':
		return errNullInput
	default:
		err = errInputKind
	}
	if err != nil {
		return errInputKind
	}
	if in.texts, err = values(texts); err != nil {
		return err
	}
	for _, list := range lists {
		ids, err := values(list)
		if err != nil {
			return err
		}
		in.ids = append(in.ids, ids)
	}
	return nil
}

func values[T any](list []*T) (all []T, err error) {
	for _, v := range list {
		if v == nil {
			return nil, errNullInput
		}
		all = append(all, *v)
	}
	return all, nil
}

func firstByte(text []byte) (first byte, rest []byte) {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return 0, nil
	}
	return text[0], text[1:]
}

var (
	errInputKind = &problem{
		Status: http.StatusBadRequest, Param: "input", Code: "invalid_value",
		Message: "input must be a string, an array of strings, an array of token ids, or an array of such arrays",
	}
	errNullInput = &problem{Status: http.StatusBadRequest, Param: "input", Code: "invalid_value", Message: "input has a null in it"}
)

func (in embeddingInput) check(most int) *problem {
	n := len(in.texts) + len(in.ids)
	if n == 0 {
		return badRequest("input", "invalid_value", "input is empty")
	}
	if wrong := checkCount("input", n, most); wrong != nil {
		return wrong
	}
	if i := slices.Index(in.texts, ""); i >= 0 {
		return badRequest("input", "invalid_value", "input[%d] is an empty string", i)
	}
	if i := slices.IndexFunc(in.ids, func(ids []int) bool { return len(ids) == 0 }); i >= 0 {
		return badRequest("input", "invalid_value", "input[%d] has no tokens", i)
	}
	return nil
}

func (in *embeddingInput) tokens(e *encoder) (all [][]vectors.Token, total int, err error) {
	for i := range len(in.texts) + len(in.ids) {
		tokens, err := in.one(e, i)
		if err != nil {
			return nil, 0, err
		}
		all = append(all, tokens)
		if total += len(tokens); total > maxTokens {
			return nil, 0, badRequest("input", "too_many_tokens", "the inputs up to input[%d] have %d tokens, and a request can have %d", i, total, maxTokens)
		}
	}
	return all, total, nil
}

func (in *embeddingInput) one(e *encoder, i int) ([]vectors.Token, error) {
	if in.ids != nil {
		tokens, err := e.tokens(in.ids[i])
		if err != nil {
			return nil, badRequest("input", "invalid_token", "input[%d]: %v", i, err)
		}
		return tokens, nil
	}
	tokens, err := e.cut(in.texts[i])
	if wrong, ok := errors.AsType[*textError](err); ok {
		return nil, badRequest("input", "invalid_value", "input[%d] cannot be cut into tokens: %v", i, wrong)
	}
	if err != nil {
		return nil, &problem{Status: http.StatusNotImplemented, Code: "no_tokenizer", Param: "input", Message: "this model cannot cut a text: " + err.Error()}
	}
	return tokens, nil
}

type encoding string

func (encoding) choices() []string { return []string{"float", "base64"} }

type embeddingsQuestion struct {
	Model      string         `json:"model" help:"It can be left out if the server has only one."`
	Input      embeddingInput `json:"input" required:"checked" max:"Inputs" help:"Texts, or token ids, which are positions in the model's vocabulary."`
	Encoding   encoding       `json:"encoding_format" default:"float"`
	Dimensions *int           `json:"dimensions" min:"1" help:"Numbers of each vector, no more than the model has. The first ones of a model that was trained for that size, and else the first principal axes."`
	User       string         `json:"user" help:"Is ignored."`
}

type embeddingsAnswer struct {
	Object string      `json:"object" const:"list"`
	Data   []embedding `json:"data"`
	Model  string      `json:"model" help:"Name of the model."`
	Usage  usage       `json:"usage"` // tokens of all inputs
}

type usage struct {
	PromptTokens int `json:"prompt_tokens" min:"0"`
	TotalTokens  int `json:"total_tokens" min:"0"`
}

type embedding struct {
	Object    string   `json:"object" const:"embedding"`
	Index     int      `json:"index" min:"0" help:"Position of the input."`
	Embedding embedded `json:"embedding" help:"Of length 1; all zeros if no token of the input has a vector."`
	Known     int      `json:"known_tokens" min:"0" help:"How many tokens of the input have a part in the vector."`
}

type embedded struct {
	numbers query.Vector
	base64  string
}

func (s *Server) postEmbeddings(r *http.Request, q *embeddingsQuestion) (any, error) {
	m, err := s.use(r, q.Model)
	if err != nil {
		return nil, err
	}
	e, err := s.textsOf(m)
	if err != nil {
		return nil, err
	}
	size := m.Set.Dim()
	if q.Dimensions != nil {
		size = *q.Dimensions
		if err := e.checkSize(size); err != nil {
			return nil, badRequest("dimensions", "invalid_value", "%v", err)
		}
	}
	data := make([]embedding, len(q.Input.texts)+len(q.Input.ids))
	if err := s.hold(r, "input", len(data), size); err != nil {
		return nil, err
	}
	var total int
	err = m.Read(func() error {
		tokens, n, err := q.Input.tokens(e)
		if err != nil {
			return err
		}
		total = n
		for i := range data {
			v := make(query.Vector, size)
			known, err := e.encode(v, tokens[i])
			if err != nil {
				return err
			}
			data[i] = embedding{Index: i, Embedding: embedded{numbers: v}, Known: known}
			if q.Encoding == "base64" {
				bytes, _ := binary.Append(make([]byte, 0, 4*size), binary.LittleEndian, []float32(v)) // of fixed size
				data[i].Embedding = embedded{base64: base64.StdEncoding.EncodeToString(bytes)}
			}
		}
		return nil
	})
	return embeddingsAnswer{"list", data, m.Name, usage{total, total}}, err
}

// send encodes by hand: most of the answer is numbers, and package json would scan each of them twice.
func (a embeddingsAnswer) send(w http.ResponseWriter) {
	model, _ := json.Marshal(a.Model) // strings can be encoded
	const number, around = 12, 100    // bytes: of a number, as it is most often, and of what is around a vector
	size := around
	for _, e := range a.Data {
		size += around + number*len(e.Embedding.numbers) + len(e.Embedding.base64)
	}
	b := append(make([]byte, 0, size), `{"object":"list","data":[`...)
	for i, e := range a.Data {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"object":"embedding","index":%d,"embedding":`, e.Index)
		if v := e.Embedding; v.numbers != nil {
			b = v.numbers.AppendJSON(b)
		} else {
			b = append(append(append(b, '"'), v.base64...), '"')
		}
		b = fmt.Appendf(b, `,"known_tokens":%d}`, e.Known)
	}
	b = fmt.Appendf(b, `],"model":%s,"usage":{"prompt_tokens":%d,"total_tokens":%d}}`+"\n", model, a.Usage.PromptTokens, a.Usage.TotalTokens)
	sendJSON(w, http.StatusOK, b)
}

type encoder struct {
	set    *vectors.Set
	words  *query.Finder
	pooler *pooling.Pooler
	cannot error // why texts cannot be cut
	nested []int // sizes of prefixes that were trained as vectors, without the full size
	// the principal axes of the set, one per row, which shorten vectors while keeping most of the cosines
	axes func() ([]float32, error)
}

// A missing tokenizer.json is only an error of cut: tokens still have vectors.
func newEncoder(words *query.Finder, method, tokenizer string, rule vectors.Case) (*encoder, error) {
	set, err := query.WithTokenizer(words.Set(), tokenizer)
	if err != nil {
		return nil, err
	}
	if tokenizer != "" {
		if words, err = query.New(set, rule); err != nil {
			return nil, err
		}
	}
	pooler, err := pooling.New(set, pooling.Options{Method: pooling.Method(method)})
	if err != nil {
		return nil, err
	}
	e := &encoder{set: set, words: words, pooler: pooler, axes: sync.OnceValues(func() ([]float32, error) { return axesOf(set) })}
	if _, e.cannot = words.Pipeline(); errors.Is(e.cannot, pipeline.ErrNoTokenizer) {
		e.cannot = fmt.Errorf("%w: ask with ids of tokens, or start the server with that file", e.cannot)
	}
	for size := range strings.SplitSeq(set.Training().Text("nested"), ",") {
		if n, err := strconv.Atoi(size); err == nil && n > 0 && n < set.Dim() {
			e.nested = append(e.nested, n)
		}
	}
	return e, nil
}

// cut cuts a text into tokens: see query.Finder.Tokens. The error says what the model needs; a *textError says
// why this text cannot be cut.
func (e *encoder) cut(text string) (tokens []vectors.Token, err error) {
	if e.cannot != nil {
		return nil, e.cannot
	}
	if tokens, _, err = e.words.Tokens(text); err != nil {
		return nil, &textError{err}
	}
	return tokens, nil
}

type textError struct{ error }

func (e *encoder) tokens(ids []int) ([]vectors.Token, error) {
	tokens := make([]vectors.Token, len(ids))
	for i, id := range ids {
		if id < 0 || id >= e.set.Len() {
			return nil, fmt.Errorf("%d is not a token: tokens are positions in the model's vocabulary, from 0 to %d, and not those of a tokenizer of another model", id, e.set.Len()-1)
		}
		tokens[i] = vectors.Token{Word: e.set.Words().At(id), ID: id}
	}
	return tokens, nil
}

// encode writes the vector of a text, scaled to length 1, and returns the number of tokens with a vector. It is all
// zeros if no token has one, or if vectors cancel out.
func (e *encoder) encode(dst []float32, tokens []vectors.Token) (used int, err error) {
	v := make([]float32, e.set.Dim())
	used = e.pooler.Text(v, tokens)
	if n := len(dst); n < len(v) && !slices.Contains(e.nested, n) {
		axes, err := e.axes()
		if err != nil {
			return 0, err
		}
		turned := make([]float32, n)
		for i := range turned {
			var sum float64
			for k, x := range axes[i*len(v) : (i+1)*len(v)] {
				sum += float64(x) * float64(v[k])
			}
			turned[i] = float32(sum)
		}
		v = turned
	}
	if !vectors.Unit(dst, v[:len(dst)]) {
		clear(dst)
	}
	return used, nil
}

func (e *encoder) checkSize(n int) error {
	switch d := e.set.Dim(); {
	case n > d:
		return fmt.Errorf("the model has %d dimensions, and %d are asked for", d, n)
	case n != d && !slices.Contains(e.nested, n) && d > maxAxes:
		return fmt.Errorf("the model has %d dimensions, and with more than %d it has no others than these: leave dimensions out", d, maxAxes)
	}
	return nil
}

const (
	maxAxes   = 2048   // for more dimensions no axes are computed, which take 4 bytes for each pair of dimensions
	axesWords = 50_000 // more words take longer and hardly change the axes
)

func axesOf(set *vectors.Set) ([]float32, error) {
	// Many requests may wait for the axes, so no request's context ends the computation.
	found, err := transform.PrincipalAxes(context.Background(), transform.Top(set, axesWords), transform.Computation{})
	if err != nil {
		return nil, err
	}
	d := set.Dim()
	axes := make([]float32, d*d)
	for i := range d {
		for k := range d {
			axes[i*d+k] = float32(found.Rotation[k*d+i])
		}
	}
	return axes, nil
}

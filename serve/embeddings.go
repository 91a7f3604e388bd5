package serve

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// maxTokens is how many tokens the inputs of a request have together, at most.
const maxTokens = 300_000

// An embeddingInput is what embeddings are made of: texts, or ids of tokens.
type embeddingInput struct {
	texts []string
	ids   [][]int // if there are no texts
}

// UnmarshalJSON reads a string, an array of strings, an array of ids, or an array of such arrays. Which of
// them it is shows in the first characters, and the input is read once: it may be long.
func (in *embeddingInput) UnmarshalJSON(text []byte) error {
	first, rest := firstByte(text)
	second, _ := firstByte(rest)
	var texts []*string
	var lists [][]*int
	var err error
	switch {
	case first == '"':
		texts = make([]*string, 1)
		err = json.Unmarshal(text, &texts[0])
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
	for _, text := range texts {
		if text == nil {
			return errNullInput
		}
		in.texts = append(in.texts, *text)
	}
	for _, list := range lists {
		tokens := make([]int, len(list))
		for i, id := range list {
			if id == nil {
				return errNullInput
			}
			tokens[i] = *id
		}
		in.ids = append(in.ids, tokens)
	}
	return nil
}

// firstByte returns the first byte of JSON that is no white space, or 0, and what is behind it.
func firstByte(text []byte) (first byte, rest []byte) {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return 0, nil
	}
	return text[0], text[1:]
}

var errInputKind = badRequest("input", "invalid_value", "input must be a string, an array of strings, an array of token ids, or an array of such arrays")

var errNullInput = badRequest("input", "invalid_value", "input has a null in it")

// check looks whether there is input, and not too much.
func (in *embeddingInput) check(limits Limits) *problem {
	n := len(in.texts) + len(in.ids)
	if n == 0 {
		return badRequest("input", "invalid_value", "input is empty")
	}
	if wrong := checkCount("input", n, limits.Inputs); wrong != nil {
		return wrong
	}
	for i, text := range in.texts {
		if text == "" {
			return badRequest("input", "invalid_value", "input[%d] is an empty string", i)
		}
	}
	for i, ids := range in.ids {
		if len(ids) == 0 {
			return badRequest("input", "invalid_value", "input[%d] has no tokens", i)
		}
	}
	return nil
}

// tokens returns the tokens of each input, and how many there are.
func (in *embeddingInput) tokens(e *encoder) (all [][]vectors.Token, total int, err error) {
	add := func(i int, tokens []vectors.Token) error {
		all = append(all, tokens)
		if total += len(tokens); total > maxTokens {
			return badRequest("input", "too_many_tokens", "the inputs up to input[%d] have %d tokens, and a request can have %d", i, total, maxTokens)
		}
		return nil
	}
	for i, text := range in.texts {
		tokens, err := e.cut(text)
		if wrong, ok := errors.AsType[*textError](err); ok {
			return nil, 0, badRequest("input", "invalid_value", "input[%d] cannot be cut into tokens: %v", i, wrong)
		}
		if err != nil {
			return nil, 0, &problem{Status: http.StatusNotImplemented, Code: "no_tokenizer", Param: "input", Message: "this model cannot cut a text: " + err.Error()}
		}
		if err := add(i, tokens); err != nil {
			return nil, 0, err
		}
	}
	for i, ids := range in.ids {
		tokens, err := e.tokens(ids)
		if err != nil {
			return nil, 0, badRequest("input", "invalid_token", "input[%d]: %v", i, err)
		}
		if err := add(i, tokens); err != nil {
			return nil, 0, err
		}
	}
	return all, total, nil
}

// An embedding is the vector of an input.
type embedding struct {
	Index     int
	Embedding any // numbers, a query.Vector, or their bytes in base64, a string
	Known     int // tokens of the input that have a vector: if none has, the embedding is zeros
}

// An embeddingsRequest is the body of POST /v1/embeddings.
type embeddingsRequest struct {
	model      string
	input      embeddingInput
	encoding   string
	dimensions *int
}

// readEmbeddings reads the body of a request for embeddings.
func (s *Server) readEmbeddings(r *http.Request) (q embeddingsRequest, err error) {
	q.encoding = "float"
	var user string
	if err := readJSON(r, map[string]any{"model": &q.model, "input": &q.input, "encoding_format": &q.encoding, "dimensions": &q.dimensions, "user": &user}); err != nil {
		return q, err
	}
	if q.encoding != "float" && q.encoding != "base64" {
		return q, badRequest("encoding_format", "invalid_value", "encoding_format must be float or base64, is %.40q", q.encoding)
	}
	if wrong := q.input.check(s.config.Limits); wrong != nil {
		return q, wrong
	}
	return q, nil
}

// postEmbeddings answers POST /v1/embeddings, as OpenAI's API does it.
func (s *Server) postEmbeddings(w http.ResponseWriter, r *http.Request) error {
	q, err := s.readEmbeddings(r)
	if err != nil {
		return err
	}
	m, err := s.use(r, q.model)
	if err != nil {
		return err
	}
	e, err := s.textsOf(m)
	if err != nil {
		return err
	}
	size := m.Set.Dim()
	if q.dimensions != nil {
		size = *q.dimensions
		if err := e.checkSize(size); err != nil {
			return badRequest("dimensions", "invalid_value", "%v", err)
		}
	}
	inputs := len(q.input.texts) + len(q.input.ids)
	release, err := s.numbers.hold("input", inputs, size)
	if err != nil {
		return err
	}
	defer release()
	data := make([]embedding, inputs)
	total, err := encode(m, e, q, size, data)
	if err != nil {
		return err
	}
	return embeddingsList{data, m.Name, total}.write(w, &s.buffers)
}

// encode makes the vectors of the inputs, and returns how many tokens these have.
func encode(m *models.Model, e *encoder, q embeddingsRequest, size int, data []embedding) (total int, err error) {
	err = m.Read(func() error {
		var tokens [][]vectors.Token
		if tokens, total, err = q.input.tokens(e); err != nil {
			return err
		}
		for i := range data {
			v := make(query.Vector, size)
			known, err := e.encode(v, tokens[i])
			if err != nil {
				return err
			}
			data[i] = embedding{Index: i, Embedding: v, Known: known}
			if q.encoding == "base64" {
				data[i].Embedding = littleEndian(v)
			}
		}
		return nil
	})
	return total, err
}

// littleEndian returns the bytes of numbers in base64.
func littleEndian(v []float32) string {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// An embeddingsList is the response to POST /v1/embeddings.
type embeddingsList struct {
	data   []embedding
	model  string
	tokens int // of all inputs
}

// write sends the list, which it writes to a buffer of the pool first. It is written by hand: numbers
// are most of it, and package json would look through each of them twice.
func (l embeddingsList) write(w http.ResponseWriter, buffers *sync.Pool) error {
	model, err := json.Marshal(l.model)
	if err != nil {
		return err
	}
	const number, around = 12, 100 // bytes: of a number, as it is most often, and of what is around a vector
	size := around
	for _, e := range l.data {
		switch v := e.Embedding.(type) {
		case query.Vector:
			size += around + number*len(v)
		case string:
			size += around + len(v)
		}
	}
	const kept = 1 << 20 // a larger buffer is rarely needed again
	buffer, _ := buffers.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	b := append(slices.Grow((*buffer)[:0], size), `{"object":"list","data":[`...)
	for i, e := range l.data {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"object":"embedding","index":`...)
		b = strconv.AppendInt(b, int64(e.Index), 10)
		b = append(b, `,"embedding":`...)
		switch v := e.Embedding.(type) {
		case query.Vector:
			b = v.AppendJSON(b)
		case string: // base64
			b = append(append(append(b, '"'), v...), '"')
		}
		b = append(b, `,"known_tokens":`...)
		b = strconv.AppendInt(b, int64(e.Known), 10)
		b = append(b, '}')
	}
	b = append(append(b, `],"model":`...), model...)
	b = append(b, `,"usage":{"prompt_tokens":`...)
	b = strconv.AppendInt(b, int64(l.tokens), 10)
	b = append(b, `,"total_tokens":`...)
	b = strconv.AppendInt(b, int64(l.tokens), 10)
	b = append(b, "}}\n"...)
	sendJSON(w, http.StatusOK, b)
	if cap(b) <= kept {
		*buffer = b
		buffers.Put(buffer)
	}
	return nil
}

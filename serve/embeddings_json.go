package serve

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/w2v-go/w2v/vectors/query"
)

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

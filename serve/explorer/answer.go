package explorer

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"strconv"
	"time"
)

// An answer is what a client is sent: JSON of a value, or bytes.
type answer struct {
	status int // 0 for 200
	value  any // unless there is a body

	contentType string
	body        []byte
	tag         string // of what the body is made; a browser that has it need not be sent it again
}

const binaryType = "application/octet-stream"

// tagged returns an answer of bytes. Versions are of what it is made of.
func tagged(contentType string, body []byte, versions ...string) answer {
	h := fnv.New128a()
	for _, v := range versions {
		_, _ = h.Write([]byte(strconv.Quote(v))) // cannot fail
	}
	return answer{contentType: contentType, body: body, tag: strconv.FormatUint(binary.BigEndian.Uint64(h.Sum(nil)), 36)}
}

func (a answer) send(w http.ResponseWriter, r *http.Request) error {
	if a.contentType == "" {
		text, err := json.Marshal(a.value)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if a.status != 0 {
			w.WriteHeader(a.status)
		}
		_, _ = w.Write(text) // if the client is gone, there is nobody to tell
		return nil
	}
	w.Header().Set("Content-Type", a.contentType)
	w.Header().Set("Cache-Control", "no-store")
	if a.tag != "" {
		w.Header().Set("Cache-Control", "private, no-cache")
		w.Header().Set("ETag", "W/"+strconv.Quote(a.tag)) // compression makes other bytes of the same body
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body))
	return nil
}

// littleEndian returns numbers as the bytes that a typed array of the browser reads.
func littleEndian[T float32 | float64 | uint16](numbers []T) []byte {
	b, _ := binary.Append(make([]byte, 0, max(0, binary.Size(numbers))), binary.LittleEndian, numbers) // of fixed size
	return b
}

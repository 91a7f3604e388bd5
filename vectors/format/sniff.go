package format

import (
	"fmt"
	"io"

	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/foreign"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// sniff finds the format of a file that begins with head.
func sniff(head []byte) (codec.Codec, error) {
	if len(head) == 0 {
		return codec.Codec{}, &Error{Err: fmt.Errorf("expected a model, but the file is empty: %w", io.ErrUnexpectedEOF)}
	}
	if err := foreign.Binary(head); err != nil {
		return codec.Codec{}, err
	}
	for _, c := range codecs() {
		if c.Sniff != nil && c.Sniff(head) {
			return c, nil
		}
	}
	if err := foreign.Text(head); err != nil {
		return codec.Codec{}, err
	}
	return codec.Codec{}, foreign.NotAModel(head)
}

// An Error says where a file is not what its format wants, in one line: "path: line 3: …" or
// "path: byte 16: …". It has the fields
//
//	Path   string // the file; empty for a stream without a name
//	Line   int64  // the line, from 1, of a text; 0 for a binary file
//	Offset int64  // the byte, from 0, of a binary file, after decompression
//	Err    error  // what was expected and what was there
//
// and unwraps to Err, which for a file that is too short is an io.ErrUnexpectedEOF.
type Error = source.Error

package vectors

import (
	"fmt"
	"io"
)

// byteOrderMark is what some editors begin a text in UTF-8 with.
var byteOrderMark = []byte("\ufeff")

// sniff finds the format of a file that begins with head.
func sniff(head []byte) (codec, error) {
	if len(head) == 0 {
		return codec{}, &FormatError{Err: fmt.Errorf("expected a model, but the file is empty: %w", io.ErrUnexpectedEOF)}
	}
	if err := foreignError(head, foreignBinaries()); err != nil {
		return codec{}, err
	}
	for _, c := range codecs() {
		if !c.folder && c.sniff(head) {
			return c, nil
		}
	}
	if err := foreignError(head, foreignTexts()); err != nil {
		return codec{}, err
	}
	return codec{}, notAModel(head)
}

// isText tells whether head has no control characters but those of text.
func isText(head []byte) bool {
	for _, c := range head {
		if c < ' ' && (c < '\t' || c > '\r') || c == 0x7f {
			return false
		}
	}
	return true
}

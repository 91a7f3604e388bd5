package vectors

import (
	"errors"
	"fmt"
	"io"
)

// foreign are the first bytes of files that people take for models, and what to
// do with them.
var foreign = []struct{ magic, advice string }{
	{"PK\x03\x04", "this is a zip archive: unpack it first; of PyTorch or numpy, save a safetensors or .npy file"},
	{"\x80\x02", "this is a Python pickle: save gensim vectors with save_word2vec_format"},
	{"\x80\x03", "this is a Python pickle: save gensim vectors with save_word2vec_format"},
	{"\x80\x04", "this is a Python pickle: save gensim vectors with save_word2vec_format"},
	{"\x80\x05", "this is a Python pickle: save gensim vectors with save_word2vec_format"},
	{"\xfd7zXZ\x00", "this is compressed with xz: unpack it first"},
}

// byteOrderMark is what some editors begin a text in UTF-8 with.
var byteOrderMark = []byte("\ufeff")

// sniff finds the format of a file that begins with head.
func sniff(head []byte) (codec, error) {
	if len(head) == 0 {
		return codec{}, &FormatError{Err: fmt.Errorf("expected a model, but the file is empty: %w", io.ErrUnexpectedEOF)}
	}
	for _, c := range codecs() {
		if !c.folder && c.sniff(head) {
			return c, nil
		}
	}
	for _, f := range foreign {
		if len(head) >= len(f.magic) && string(head[:len(f.magic)]) == f.magic {
			return codec{}, &FormatError{Err: errors.New(f.advice)}
		}
	}
	const shown = 40
	found := string(head[:min(len(head), shown)])
	if isText(head) {
		return codec{}, &FormatError{Line: 1, Err: fmt.Errorf(
			"not a model: expected a line \"words dimensions\", or a word and its numbers, found %q", found)}
	}
	return codec{}, &FormatError{Err: fmt.Errorf(
		"not a model: expected a w2v, fastText or word2vec file, found %q", found)}
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

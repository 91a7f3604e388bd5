package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/internal/plaintext"
)

// Word returns the bytes up to delim, which it passes over. They are valid
// until the next read.
func (in *Input) Word(delim byte) ([]byte, error) {
	start := in.offset
	in.long = in.long[:0]
	for {
		part, err := in.r.ReadSlice(delim)
		in.offset += int64(len(part))
		length := len(in.long) + len(part)
		if err == nil {
			length-- // without delim
		}
		if length > MaxWord {
			return nil, in.FailAt(start, "expected a word of at most %d bytes that ends with a byte %#02x", MaxWord, delim)
		}
		switch {
		case err == nil:
			w := part
			if len(in.long) > 0 {
				in.long = append(in.long, part...)
				w = in.long
			}
			return w[:len(w)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			in.long = append(in.long, part...)
		case err == io.EOF: //nolint:errorlint // a decompressor's own is wrapped and no plain end
			return nil, &Error{Offset: in.offset, Err: Cut(fmt.Sprintf("a word that ends with a byte %#02x", delim))}
		default:
			return nil, &Error{Offset: in.offset, Err: err}
		}
	}
}

// Text returns the next line without its newline; the last one may lack it. It
// is valid until the next read. The error at the end is io.EOF. A byte order mark at the beginning does
// not count. Text that is not in UTF-8, or whose lines end otherwise, is an error.
func (in *Input) Text(longest int) ([]byte, error) {
	if in.Line > 0 {
		return in.line(longest)
	}
	head, _ := in.Head()
	if err := plaintext.Check(head); err != nil {
		in.Line++
		return nil, in.FailLine("%w", err)
	}
	line, err := in.line(longest)
	return bytes.TrimPrefix(line, []byte("\ufeff")), err
}

// line is Text of any encoding.
func (in *Input) line(longest int) ([]byte, error) {
	in.Line++
	in.long = in.long[:0]
	for {
		part, err := in.r.ReadSlice('\n')
		in.offset += int64(len(part))
		switch {
		case err == nil, err == io.EOF: //nolint:errorlint // a decompressor's own is wrapped and no plain end
			line := part
			if len(in.long) > 0 {
				in.long = append(in.long, part...)
				line = in.long
			}
			if len(line) == 0 {
				return nil, io.EOF
			}
			if len(line)-1 > longest {
				return nil, in.FailLine("expected a line of at most %d bytes, found more", longest)
			}
			if err == nil {
				line = line[:len(line)-1]
			}
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
			in.long = append(in.long, part...)
			if len(in.long) > longest {
				return nil, in.FailLine("expected a line of at most %d bytes, found more", longest)
			}
		default:
			return nil, in.FailLine("%w", err)
		}
	}
}

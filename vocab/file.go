package vocab

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/absent"
	"github.com/w2v-go/w2v/internal/plaintext"
)

// Read reads a vocabulary from lines of a token, a space and its count, as word2vec.c and
// gensim write them. The lines may be in any order. The options' MinCount and MaxVocab leave
// tokens out. A malformed line, or a token of more than corpus.MaxToken bytes, is an error that
// names the line.
func Read(r io.Reader, o Options) (*Vocab, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if absent.Is(r) {
		return nil, errors.New("vocabulary: there is no reader of it: it is nil")
	}
	buf := bufio.NewReaderSize(plaintext.NewReader(r), longestLine)
	seen := newTable(0, newSecret())
	for line := 1; ; line++ {
		text, err := buf.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("line %d: expected a token of at most %d bytes and its count, found a line of more than %d that begins with %.20q", line, corpus.MaxToken, longestLine, text)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if line == 1 { // which some editors begin with a byte order mark
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if text = bytes.Trim(text, " \t\r\n"); len(text) > 0 {
			token, count, lineErr := parseLine(text)
			if lineErr != nil {
				return nil, fmt.Errorf("line %d: %w", line, lineErr)
			}
			before := seen.len()
			if _, err := seen.add(token, count); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			if seen.len() == before {
				return nil, fmt.Errorf("line %d: token %.40q stands there a second time", line, token)
			}
		}
		if err != nil {
			break
		}
	}
	v, _, err := newVocab(seen, seen.frequent(o.MinCount, o.MaxVocab))
	if err == nil && v.Len() == 0 {
		err = fmt.Errorf("no token with a count of %d or more", o.MinCount)
	}
	return v, err
}

// longestLine is the length of the longest line: a token, its count, and white space around
// them.
const longestLine = corpus.MaxToken + 1<<10

func parseLine(text []byte) (token []byte, count uint64, err error) {
	cut := bytes.LastIndexAny(text, " \t")
	if cut < 0 {
		return nil, 0, fmt.Errorf("expected a token and its count, found %.40q", text)
	}
	token = bytes.TrimRight(text[:cut], " \t")
	if len(token) > corpus.MaxToken {
		return nil, 0, fmt.Errorf("token %.20q… has %d bytes, at most %d are possible", token, len(token), corpus.MaxToken)
	}
	if bytes.IndexByte(token, 0) >= 0 {
		return nil, 0, fmt.Errorf("token %.40q contains a zero byte, which separates tokens", token)
	}
	count, err = strconv.ParseUint(string(text[cut+1:]), 10, 64)
	if err != nil || count == 0 {
		return nil, 0, fmt.Errorf("expected the count of token %.40q, a whole number above 0, found %.40q", token, text[cut+1:])
	}
	return token, count, nil
}

// WriteTo writes a line with a token, a space and its count for every token, in the order of
// ids. Read reads it. WriteTo returns an error if Read could not read a token back, for example
// one that contains a newline.
func (v *Vocab) WriteTo(w io.Writer) (int64, error) {
	switch {
	case v == nil:
		return 0, errors.New("vocabulary: there is none to write: it is nil")
	case absent.Is(w):
		return 0, errors.New("vocabulary: there is no writer for it: it is nil")
	}
	buf := bufio.NewWriter(w)
	var written int64
	var line []byte
	for id, count := range v.counts {
		var err error
		if line, err = appendLine(line[:0], v.tokens.token(uint32(id)), count); err != nil {
			return written - int64(buf.Buffered()), err
		}
		n, err := buf.Write(line)
		written += int64(n)
		if err != nil {
			return written - int64(buf.Buffered()), err
		}
	}
	err := buf.Flush()
	return written - int64(buf.Buffered()), err
}

// WriteCounts counts a corpus as Each does, and writes what Vocab.WriteTo writes.
func WriteCounts(ctx context.Context, src *corpus.Source, o Options, w io.Writer) error {
	if absent.Is(w) {
		return errors.New("vocabulary: there is no writer for it: it is nil")
	}
	buf := bufio.NewWriter(w)
	var line []byte
	err := Each(ctx, src, o, func(token []byte, count uint64) (err error) {
		if line, err = appendLine(line[:0], token, count); err != nil {
			return err
		}
		_, err = buf.Write(line)
		return err
	})
	if err != nil {
		return err
	}
	return buf.Flush()
}

// appendLine appends the line of a token. It is an error if Read could not read it back.
func appendLine(line, token []byte, count uint64) ([]byte, error) {
	if !readable(token) {
		return line, fmt.Errorf("vocabulary: token %.40q cannot be written: a line holds no newline, no zero byte, and no white space around a token", token)
	}
	line = append(line, token...)
	line = append(line, ' ')
	line = strconv.AppendUint(line, count, 10)
	return append(line, '\n'), nil
}

// readable tells whether Read reads a token again that stands in a line.
func readable(token []byte) bool {
	return bytes.IndexByte(token, '\n') < 0 && bytes.IndexByte(token, 0) < 0 && len(bytes.Trim(token, " \t\r")) == len(token)
}

package corpus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/tokenizerfile"
)

// A TokenizerFile is a tokenizer.json of Hugging Face's tokenizers library, with a model of byte-pair
// encoding, WordPiece, Unigram or WordLevel. Lines become the tokens that the library would produce, without
// the special tokens of a post-processor. A line of more than 1 MiB becomes several sentences, cut before
// white space. Tokens of more than MaxToken bytes are left out and counted, as in all text.
//
// The file is read at first use.
type TokenizerFile struct {
	path string
	sum  string                                   // SHA-256 of the text
	text []byte                                   // of the file
	read func() (*tokenizerfile.Tokenizer, error) // sets text and sum
	cuts bool                                     // into pieces: see Source.Pieces
}

// NewTokenizerFile returns the tokenizer in a file.
func NewTokenizerFile(path string) *TokenizerFile {
	f := &TokenizerFile{path: path}
	f.read = sync.OnceValues(func() (*tokenizerfile.Tokenizer, error) {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, named(path, err)
		}
		return f.parse(text)
	})
	return f
}

// ReadTokenizer returns the tokenizer whose file has this text, which must not be changed afterwards. Errors
// refer to the file by path.
func ReadTokenizer(path string, text []byte) *TokenizerFile {
	f := &TokenizerFile{path: path}
	f.read = sync.OnceValues(func() (*tokenizerfile.Tokenizer, error) { return f.parse(text) })
	return f
}

func (f *TokenizerFile) parse(text []byte) (*tokenizerfile.Tokenizer, error) {
	t, err := tokenizerfile.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	f.text, f.sum = text, fmt.Sprintf("%x", sha256.Sum256(text))
	return t, nil
}

// Text returns the text of the file, which must not be changed. It returns an error if the file cannot be
// read or uses an unsupported feature.
func (f *TokenizerFile) Text() ([]byte, error) {
	_, err := f.tokenizer()
	return f.text, err
}

// fileMark precedes the checksum in the name of a file.
const fileMark = "tokenizer.json sha256:"

// TokenizerFileNamed returns the file with a name that String returned. Its path is unknown, so it can be
// compared but not read.
func TokenizerFileNamed(name string) (*TokenizerFile, bool) {
	sum, ok := strings.CutPrefix(name, fileMark)
	return &TokenizerFile{sum: sum}, ok
}

// String returns "tokenizer.json sha256:…" with the SHA-256 of the file's text, as models record it. If the
// file cannot be read, String returns its path.
func (f *TokenizerFile) String() string {
	if f.read != nil {
		if _, err := f.read(); err != nil {
			return f.path
		}
	}
	return fileMark + f.sum
}

// Path returns the path of the file; it is empty if only the name is known.
func (f *TokenizerFile) Path() string { return f.path }

// MarshalText returns String, so that options in JSON identify the file.
func (f *TokenizerFile) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Tokens returns the tokens of the file by id. Unused ids have empty tokens. It returns an error if the file
// cannot be read or uses an unsupported feature.
func (f *TokenizerFile) Tokens() ([]string, error) {
	t, err := f.tokenizer()
	if err != nil {
		return nil, err
	}
	return t.Tokens(), nil
}

// Unknown returns the token of text that has no other token; empty if there is none, or if the file cannot be
// read.
func (f *TokenizerFile) Unknown() string {
	t, err := f.tokenizer()
	if err != nil || t.Unknown() < 0 {
		return ""
	}
	return t.Tokens()[t.Unknown()]
}

// CutsApart reports whether what stands between spaces, tabs and ends of lines is cut without regard for what else stands in a
// text, unless it begins with a mark or a format character. It returns false if that is not sure.
func (f *TokenizerFile) CutsApart() bool {
	t, err := f.tokenizer()
	return err == nil && t.CutsApart()
}

func (f *TokenizerFile) tokenizer() (*tokenizerfile.Tokenizer, error) {
	if f.read == nil {
		return nil, fmt.Errorf("corpus: the path of %v is not known, and is needed to cut text", f)
	}
	return f.read()
}

func (o Options) ready() error {
	if err := o.Validate(); err != nil || o.File == nil {
		return err
	}
	_, err := o.File.tokenizer()
	return err
}

// A fileReader cuts the lines of a text with a tokenizer file.
type fileReader struct {
	ctx     context.Context
	tokens  []string // tokens by id
	pieces  bool     // sentences are of pieces
	encoder *tokenizerfile.Encoder
	window
	ids      []uint32
	sentence []string
}

// longestLine is the maximum number of bytes of a line that are held before its end is found.
const longestLine = 1 << 20

func newFileReader(ctx context.Context, size int, name string, src io.Reader, o Options, closers ...io.Closer) *Reader {
	t, err := o.File.tokenizer()
	from := newTokenReader(Options{}, nil)
	if err != nil {
		from.next = func() ([]string, error) { return nil, err }
	} else {
		lines := &fileReader{ctx: ctx, window: newWindow(src, size), tokens: t.Tokens(), pieces: o.File.cuts, encoder: t.NewEncoder()}
		from.next, from.stop = lines.next, sync.OnceFunc(lines.encoder.Release)
		closers = append(closers, from)
	}
	return &Reader{name: name, from: from, closers: closers, counted: new(counted)}
}

// next returns the tokens of the next line, or of a part of a long line.
func (f *fileReader) next() ([]string, error) {
	for {
		text := f.text()
		if at := bytes.IndexByte(text, '\n'); at >= 0 {
			f.pos += at + 1
			return f.cut(bytes.TrimSuffix(text[:at], []byte("\r")))
		}
		if f.err != nil {
			f.pos = f.end
			if len(text) == 0 || !errors.Is(f.err, io.EOF) {
				return nil, f.err
			}
			return f.cut(bytes.TrimSuffix(text, []byte("\r")))
		}
		if len(text) > longestLine {
			// A space between letters begins a token, so no token crosses this position.
			at := lastSpace(text, func(before, after rune) bool { return unicode.IsLetter(before) && unicode.IsLetter(after) })
			if at == 0 {
				at = completeRunes(text[:len(text)/2])
			}
			f.pos += at
			return f.cut(text[:at])
		}
		f.fill()
	}
}

func (f *fileReader) cut(text []byte) ([]string, error) {
	text = bytes.TrimLeft(text, byteOrderMark) // joined files may contain byte order marks
	var err error
	if f.pieces {
		f.sentence, err = f.encoder.AppendPieces(f.ctx, f.sentence[:0], string(text))
		f.sentence = inParts(f.sentence)
		return f.sentence, err
	}
	if f.ids, err = f.encoder.Append(f.ctx, f.ids[:0], string(text)); err != nil {
		return nil, err
	}
	f.sentence = f.sentence[:0]
	for _, id := range f.ids {
		f.sentence = append(f.sentence, f.tokens[id])
	}
	return f.sentence, nil
}

// line returns the tokens of a line, as a fileReader does. It returns false if tokens are too long, and for errors.
func (f *TokenizerFile) line(text string) (tokens []string, ok bool) {
	t, err := f.tokenizer()
	if err != nil {
		return nil, false
	}
	e := t.NewEncoder()
	defer e.Release()
	reader := fileReader{ctx: context.Background(), tokens: t.Tokens(), pieces: f.cuts, encoder: e}
	tokens, err = reader.cut(bytes.TrimSuffix([]byte(text), []byte("\r")))
	return tokens, err == nil && !slices.ContainsFunc(tokens, func(token string) bool { return len(token) > MaxToken })
}

// Pieces returns the corpus with its text normalized and cut into pieces as a tokenizer file does before its
// model cuts these pieces into tokens. The pieces are those of the text: characters do not stand for bytes yet.
// Special tokens are no pieces. The tokens of lists are pieces as they are. A piece of more than LongestPiece
// bytes is several.
func (s *Source) Pieces(of *TokenizerFile) *Source {
	pieces := *s
	file := *of
	file.cuts = true
	pieces.options.File = &file
	if pieces.err == nil {
		pieces.err = pieces.options.ready()
	}
	return &pieces
}

// LongestPiece is the maximum length of a piece of Source.Pieces in bytes.
const LongestPiece = 1 << 10

// inParts cuts long pieces between characters.
func inParts(pieces []string) []string {
	if !slices.ContainsFunc(pieces, func(piece string) bool { return len(piece) > LongestPiece }) {
		return pieces
	}
	var parts []string
	for _, piece := range pieces {
		for len(piece) > LongestPiece {
			n := LongestPiece
			for !utf8.RuneStart(piece[n]) {
				n--
			}
			parts, piece = append(parts, piece[:n]), piece[n:]
		}
		parts = append(parts, piece)
	}
	return parts
}

// Tokens cuts a line of text into tokens, as a corpus with these options does, and changes them by stages, as
// Source.Through does. It also reports tokens that it left out because they are too long. It returns an error
// if Options.File cannot cut the line. It panics if Validate returns an error, or if Options.File cannot be
// read: check that with TokenizerFile.Tokens.
func (o Options) Tokens(line string, through ...func() Stage) (tokens []string, left TooLong, err error) {
	if err := o.ready(); err != nil {
		panic(err)
	}
	if o.File != nil && o.Sentences == Lines && len(through) == 0 && len(line) <= longestLine && strings.IndexByte(line, '\n') < 0 {
		if tokens, ok := o.File.line(line); ok {
			return tokens, left, nil
		}
	}
	var r *Reader
	if o.Split != "" {
		sentences := [][]string{o.listed(record{text: []byte(line)}).tokens}
		r = Shard{input: input{sentences: sentences}, options: o}.openSentences(context.Background())
		r.counted = new(counted)
	} else {
		r = newReader(context.Background(), bufferFor(int64(len(line))), "tokenizer.json", strings.NewReader(line), o) // only this reader returns errors
	}
	r = r.through(through)
	defer r.Close() // nothing that it closes returns an error
	for {
		token, err := r.Next()
		if err == io.EOF { //nolint:errorlint // readers return io.EOF itself
			return tokens, r.counted.tooLong, nil
		}
		if err != nil {
			return nil, r.counted.tooLong, err
		}
		if len(token) > 0 {
			tokens = append(tokens, string(token))
		}
	}
}

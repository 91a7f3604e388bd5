package corpus

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// portions reads so many bytes at a time, and says EOF with the last of them.
type portions struct {
	text []byte
	size int
}

func (p *portions) Read(b []byte) (int, error) {
	n := copy(b, p.text[:min(p.size, len(p.text))])
	if p.text = p.text[n:]; len(p.text) == 0 {
		return n, io.EOF
	}
	return n, nil
}

// tokens returns what a reader with a buffer of so many bytes makes of a text that comes
// in portions; "" is the end of a sentence.
func tokens(t *testing.T, text []byte, buffer, portion int) []string {
	t.Helper()
	r := &Reader{src: &portions{text, portion}, counted: new(counted), buf: make([]byte, buffer+blockSize)}
	var all []string
	for {
		token, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(token))
	}
	if token, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Fatalf("%q, %v behind the end", token, err)
	}
	return all
}

// plainTokens is what tokens should return.
func plainTokens(text []byte) []string {
	var all []string
	for line := range bytes.Lines(text) {
		for _, token := range bytes.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \n\r\t\v\f\x00", r) }) {
			all = append(all, string(token))
		}
		if bytes.HasSuffix(line, []byte("\n")) {
			all = append(all, "")
		}
	}
	return all
}

// Tokens of every length stand at every offset to the ends of buffers and blocks.
func TestTokensAtEdges(t *testing.T) {
	const letters = "aé\xff\u00a0\x01\x1f!\x7f\x80"
	separators := []string{" ", "\n", "\r\n", "\t", "\v", "\f", "\x00", "  ", "\n\n", " \n ", " \x00\r"}
	var b bytes.Buffer
	for length := 1; length <= 40; length++ {
		for i := range length {
			b.WriteByte(letters[(length+i)%len(letters)])
		}
		b.WriteString(separators[length%len(separators)])
	}
	for name, text := range map[string][]byte{
		"final newline":    append(b.Bytes(), '\n'),
		"no final newline": append(b.Bytes(), "end"...),
		"long token":       append(b.Bytes(), strings.Repeat("long", 200)+"\nend"...),
		"separators":       []byte(strings.Repeat("\n \x00\r", 100)),
		"no separators":    bytes.Repeat([]byte("\x01~"), 200),
		"nothing":          nil,
	} {
		want := plainTokens(text)
		for size := 1; size <= 3*blockSize; size++ {
			if got := tokens(t, text, size, len(text)); !slices.Equal(got, want) {
				t.Fatalf("%s, buffer of %d: %q, want %q", name, size, got, want)
			}
			if got := tokens(t, text, bufferSize, size); !slices.Equal(got, want) {
				t.Fatalf("%s, portions of %d: %q, want %q", name, size, got, want)
			}
		}
	}
}

func TestLowBytes(t *testing.T) {
	for c := range 256 {
		for at := range blockSize {
			for _, other := range []byte{0, ' ', ' ' + 1, 0x7f, 0x80, 0xff} {
				block := [blockSize]byte(bytes.Repeat([]byte{other}, blockSize))
				block[at] = byte(c)
				var want uint64
				for i, b := range block {
					if b <= ' ' {
						want |= 1 << i
					}
				}
				if got := lowBytes(&block); got != want {
					t.Fatalf("byte %#x at %d among %#x: %#x, want %#x", c, at, other, got, want)
				}
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("a b\r\nc\x00\xffd\v\n\n\x01e"), uint8(1), uint8(3))
	f.Add(bytes.Repeat([]byte("word\u00a0 "), 50), uint8(63), uint8(255))
	f.Fuzz(func(t *testing.T, text []byte, buffer, portion uint8) {
		got := tokens(t, text, 1+int(buffer), 1+int(portion))
		if want := plainTokens(text); !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

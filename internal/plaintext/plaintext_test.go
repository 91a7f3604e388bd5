package plaintext_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/internal/plaintext"
)

func TestNewReader(t *testing.T) {
	long := strings.Repeat("word ", 1<<15)
	for name, test := range map[string]struct{ text, want string }{
		"nothing":                        {"", ""},
		"newlines":                       {"a\nb\n", ""},
		"carriage returns with newlines": {"a\r\nb\r\n", ""},
		"both":                           {"a\rb\nc\n", ""},
		"no end":                         {"a b", ""},
		"a carriage return at the end":   {"a b\r", ""},
		"half of an end at the end of what is examined": {long[:1<<16-1] + "\r\nb", ""},
		"long":                             {long, ""},
		"zeros between words":              {"a\x00b\x00c", ""},
		"old Macs":                         {"a\rb\r", `the text has carriage returns alone at the ends of lines, as old Macs wrote them: convert it first, as tr '\r' '\n' does`},
		"long text of old Macs":            {strings.Repeat("a b c\r", 1<<15), "carriage returns alone"},
		"UTF-16":                           {"\xff\xfea\x00\n\x00", "the text is in UTF-16, and text is read in UTF-8: convert it first, as iconv -f UTF-16 -t UTF-8 does"},
		"UTF-16, the upper bytes first":    {"\xfe\xff\x00a\x00\n", "UTF-16"},
		"UTF-16 without a byte order mark": {strings.ReplaceAll(long[:100], "", "\x00")[1:], "UTF-16LE"},
		"UTF-32":                           {"\xff\xfe\x00\x00a\x00\x00\x00", "UTF-32"},
		"UTF-16 of old Macs, which have both faults": {"\xff\xfea\x00\r\x00b\x00", "UTF-16"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(test.text), iotest.OneByteReader(strings.NewReader(test.text)), iotest.DataErrReader(strings.NewReader(test.text))} {
				got, err := io.ReadAll(plaintext.NewReader(r))
				if test.want == "" {
					if err != nil || string(got) != test.text {
						t.Errorf("got %.40q, %v", got, err)
					}
					continue
				}
				if e, ok := errors.AsType[*plaintext.Error](err); !ok || !strings.Contains(e.Error(), test.want) || len(got) > 0 {
					t.Errorf("got %.40q, %v, want %s", got, err, test.want)
				}
			}
		})
	}
}

// Errors of reading come where they are, and the first line is not waited behind.
func TestNewReaderPassesOn(t *testing.T) {
	failure := errors.New("no disk")
	got, err := io.ReadAll(plaintext.NewReader(io.MultiReader(strings.NewReader("a\rb"), iotest.ErrReader(failure))))
	if string(got) != "a\rb" || !errors.Is(err, failure) {
		t.Errorf("got %q, %v", got, err)
	}
	from, to := io.Pipe()
	go func() { _, _ = to.Write([]byte("one\n")) }()
	line := make([]byte, 10)
	if n, err := plaintext.NewReader(from).Read(line); string(line[:n]) != "one\n" || err != nil {
		t.Errorf("got %q, %v", line[:n], err)
	}
}

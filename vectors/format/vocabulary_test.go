package format

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// What is unusual about the words of a file is said, and what makes no sense is refused.
func TestUnusualWords(t *testing.T) {
	big := "2 4\n"
	for _, word := range []string{"a", "b"} {
		big += word + " "
		for _, x := range []float32{0.25, -0.1, 0.3, 0.07} {
			big += string(binary.BigEndian.AppendUint32(nil, math.Float32bits(x)))
		}
		big += "\n"
	}
	const table = "expected words and their numbers, but every line has numbers alone"
	for _, c := range []struct{ name, file, words, want string }{ // the words, and the notes; or the error
		{"nothing unusual", "2 1\na 1\nb 2\n", "a b", ""},
		{"listed twice", "4 1\na 1\nb 2\na 3\nb 4\n", "a b", `2 words are listed more than once, and their first vectors are taken, first word 2, "a"`},
		{"control characters", "2 1\na\x01 1\nb 2\n", "a\x01 b", `a word is empty or blank, or has a control character or a byte order mark: word 0, "a\x01"`},
		{"a blank word", "2 1\na 1\n  2\n", "a  ", `a word is empty or blank, or has a control character or a byte order mark: word 1, " "`},
		{"a table", "0.5 1 2\n0.25 3 4\n", "", table},
		{"a table of ones", "1 1 2\n1 3 4\n", "", table},
		{"a table with tabs", "-1.5\t1\t2\n2e3\t3\t4\n", "", table},
		{"nodes of a graph", "2 1\n1 0.5\n2 0.5\n", "1 2", ""},
		{"nodes, or a table", "1 0.5 1\n2 0.5 1\n", "1 2", "all 2 words are numbers, as the first column of a table without words would be, first word 0"},
		{"a year among words", "1984 0.5\na 0.5\n", "1984 a", ""},
		{"a header of too few, or prices", "2 1\na 0.5 1\nb 0.5 2\n", "a 0.5 b 0.5", "most words end in a number after a space: if that belongs to their vectors, rows have more than 1 numbers"},
		{"a first row of too few", "a 1\nb 0.5 2\nc 0.5 2\n", "", "expected rows of 1 numbers, as the first one has, but most rows have more"},
		{"perhaps too few", "2 1\na 5 1\nb 6 2\n", "a 5 b 6", "most words end in a number after a space"},
		{"a header of too many", "2 3\na 0.5 1\nb 0.5 2\n", "", "line 2: expected a word and 3 numbers, found 3 fields"},
		{"hexadecimal", "2 1\na 0x1p-3\nb 1\n", "", `found "0x1p-3" for number 1`},
		{"old Macs", "2 1\ra 1\rb 2\r", "", "carriage returns alone"},
		{"UTF-16", "\xff\xfea\x00 \x001\x00\n\x00", "", "text in UTF-16"},
		{"commas", "a,1,2\nb,3,4\n", "", "this is a table with commas"},
		{"big-endian", big, "", "expected little-endian numbers, found big-endian ones"},
		{"big-endian fastText", "\x2f\x4f\x16\xba\x00\x00\x00\x0c", "", "a model of fastText that a big-endian machine wrote"},
	} {
		s, err := Read(strings.NewReader(c.file))
		if err != nil {
			if c.words != "" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if got := strings.Join(s.Words().Strings(), " "); c.words == "" || got != c.words {
			t.Errorf("%s: words %q, want %q", c.name, got, c.words)
		}
		if got := strings.Join(s.Notes(), "; "); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: notes %q, want %q", c.name, got, c.want)
		}
	}
}

// A word that was listed twice is no neighbour of itself, and later conversions work, from every format
// that can hold it. Words beside a matrix may begin with a byte order mark.
func TestRepeatedWords(t *testing.T) {
	four := file(float32(1), float32(2), float32(3))
	for format, files := range map[Format]map[string]string{
		Npy:       {"m": npyMatrix("<f4", "(3, 1)", four), "m.vocab.txt": "\ufeffa\na\nb\n"},
		Torch:     {"m": matrixFile("weight", "F32", "[3,1]", four), "m.vocab.txt": "\ufeffa\na\nb\n"},
		Projector: {"vectors.tsv": "\ufeff1\n2\n3\n", "metadata.tsv": "\ufeffword\tcount\na\t3\na\t2\nb\t1\n"},
		Word2Vec:  {"m": "3 1\na " + four[:4] + "\na " + four[4:8] + "\nb " + four[8:] + "\n"},
	} {
		bytes := map[string][]byte{}
		for name, text := range files {
			bytes[name] = []byte(text)
		}
		path := putFiles(t, t.TempDir(), format, bytes)
		for name, open := range map[string]func(string) (*vectors.Set, error){
			"Open": Open, "OpenStream": func(path string) (*vectors.Set, error) { return OpenStream(path, nil) },
		} {
			s, err := open(path)
			if err != nil {
				t.Errorf("%s, %s: %v", format, name, err)
				continue
			}
			if got := vectorsOf(s, "a", "b"); s.Len() != 2 || got != "[1] [3]" || len(s.Notes()) != 1 {
				t.Errorf("%s, %s: words %q, %s, notes %q", format, name, s.Words(), got, s.Notes())
			}
			if s.Input().Rows != 2 {
				t.Errorf("%s, %s: %d rows for 2 words", format, name, s.Input().Rows)
			}
			if format == Projector && s.Counts()[1] != 1 {
				t.Errorf("counts %d", s.Counts())
			}
			for _, to := range []Format{FastText, Finalfusion, Model2Vec, W2V} {
				if len(filesOf(t, s, to)) == 0 {
					t.Errorf("%s to %s: nothing", format, to)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

package corpus_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/corpus"
)

// read returns every sentence of every shard, tokens joined by "|".
func read(t testing.TB, src *corpus.Source, shards int) []string {
	t.Helper()
	parts, err := src.Shards(shards)
	if err != nil {
		t.Fatal(err)
	}
	var sentences []string
	for _, part := range parts {
		r, err := part.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var tokens []string
		end := func() {
			if len(tokens) > 0 {
				sentences = append(sentences, strings.Join(tokens, "|"))
			}
			tokens = nil
		}
		for {
			token, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(token) == 0 {
				end()
				continue
			}
			tokens = append(tokens, string(token))
		}
		end()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return sentences
}

func TestTokens(t *testing.T) {
	for _, test := range []struct {
		name    string
		text    string
		options corpus.Options
		want    []string
	}{
		{name: "empty", text: ""},
		{name: "only separators", text: " \n\t\n\r\v\f\x00"},
		{name: "every separator", text: "a b\tc\rd\ve\ff\x00g\nh", want: []string{"a|b|c|d|e|f|g", "h"}},
		{name: "Windows line ends", text: "a b\r\nc\r\n", want: []string{"a|b", "c"}},
		{name: "no final newline", text: "a b", want: []string{"a|b"}},
		{name: "empty lines", text: "\n\na\n\n\nb\n\n", want: []string{"a", "b"}},
		{name: "no-break space and other Unicode space are not separators", text: "a\u00a0b\u2003c\u0085d", want: []string{"a\u00a0b\u2003c\u0085d"}},
		{name: "bytes that are not UTF-8", text: "caf\xe9 \xff\xfe\n\x80", want: []string{"caf\xe9|\xff\xfe", "\x80"}},
		{name: "case is kept", text: "Straße ÉCOLE", want: []string{"Straße|ÉCOLE"}},
		{
			name: "lower case", text: "Straße ÉCOLE ΣΑΣ Ⱥ caf\xc9 \xff\xfeX 日本",
			options: corpus.Options{Lowercase: true},
			want:    []string{"straße|école|σασ|ⱥ|caf\xc9|\xff\xfex|日本"},
		},
		{
			name: "Unicode words", text: "Don't stop, e.g. at 3.14 naïve (co-op)!\r\nIt's 日本; \xff 🙂 — …\n",
			options: corpus.Options{Tokenizer: corpus.Unicode},
			want:    []string{"Don't|stop|e.g|at|3.14|naïve|co|op", "It's|日|本|\xff|🙂"},
		},
		{ // a pictograph that is a letter, and whose lower case is only that
			name: "Unicode words of the text in lower case", text: ".\u200dⓂ \u3000 \u200d🙂 \U00010d50A",
			options: corpus.Options{Tokenizer: corpus.Unicode, Lowercase: true},
			want:    []string{"ⓜ|\u200d🙂|\U00010d70a"},
		},
		{
			name: "Unicode words in lower case", text: "ÉCOLE's, Über\nZwei",
			options: corpus.Options{Tokenizer: corpus.Unicode, Lowercase: true},
			want:    []string{"école's|über", "zwei"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"at once":        strings.NewReader(test.text),
				"byte by byte":   iotest.OneByteReader(strings.NewReader(test.text)),
				"data with EOF":  iotest.DataErrReader(strings.NewReader(test.text)),
				"half at a time": iotest.HalfReader(strings.NewReader(test.text)),
			} {
				if got := read(t, corpus.Stream("text", r, test.options), 1); !reflect.DeepEqual(got, test.want) {
					t.Errorf("%s: %q, want %q", how, got, test.want)
				}
			}
		})
	}
}

func TestReadErrorNamesTheInput(t *testing.T) {
	broken := errors.New("the disk is gone")
	src := corpus.Stream("tape", io.MultiReader(strings.NewReader("some words "), iotest.ErrReader(broken)), corpus.Options{})
	shards, err := src.Shards(1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := shards[0].Open(context.Background())
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "tape: ") {
		t.Errorf("error %v", err)
	}
}

// lines returns n lines, the k-th of k%7 words, and one very long one.
func lines(n int) (text string, want []string) {
	var b strings.Builder
	for i := range n {
		var words []string
		for j := range i % 7 {
			words = append(words, fmt.Sprintf("w%d.%d", i, j))
		}
		if i == n/3 {
			words = strings.Fields(strings.Repeat("long ", 100000))
		}
		b.WriteString(strings.Join(words, " ") + "\n")
		if len(words) > 0 {
			want = append(want, strings.Join(words, "|"))
		}
	}
	return b.String(), want
}

func TestShardsAreTheWholeInOrder(t *testing.T) {
	text, want := lines(60000)
	path := filepath.Join(t.TempDir(), "text")
	for name, text := range map[string]string{"final newline": text, "none": strings.TrimSuffix(text, "\n")} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 3, 8, 1000} {
			shards, err := src.Shards(n)
			if err != nil {
				t.Fatal(err)
			}
			if n > 1 && len(shards) < 2 {
				t.Errorf("%d shards asked for, %d made", n, len(shards))
			}
			if got := read(t, src, n); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d shards: %d sentences, want %d", name, n, len(got), len(want))
			}
		}
	}
}

// zipped is text compressed by gzip.
func zipped(text string) []byte {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return buf.Bytes()
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one := write("one.txt", "first file")
	write("many/b.txt", "b\n")
	write("many/a.gz", "plain, whatever its name\n")
	write("many/deep/c", string(append(zipped("from gzip\n"), zipped("second member")...)))
	write("many/deep/d", "BZh91AY&SYx\x13\xc0\x82\x00\x00\x01\xc1\x00\x00\x10\x02\x01\xa0\x00!\x9ah3M\x0c\xbc]\xc9\x14\xe1BA\xe0O\x02\x08") // bzip2's "one\n"
	write("many/.hidden", "not read")
	write("many/.git/config", "not read either")
	write("empty", "")
	odd := write("[odd].txt", "odd name")

	for _, test := range []struct {
		name  string
		names []string
		want  []string
	}{
		{"a file", []string{one}, []string{"first|file"}},
		{"a file twice", []string{one, one}, []string{"first|file", "first|file"}},
		{"a directory", []string{filepath.Join(dir, "many")}, []string{"plain,|whatever|its|name", "b", "from|gzip", "second|member", "one"}},
		{"a glob", []string{filepath.Join(dir, "o*.txt")}, []string{"first|file"}},
		{"a glob with a directory", []string{filepath.Join(dir, "m*")}, []string{"plain,|whatever|its|name", "b", "from|gzip", "second|member", "one"}},
		{"a file named like a glob", []string{odd}, []string{"odd|name"}},
		{"a glob without hidden files", []string{filepath.Join(dir, "many", "*")}, []string{"plain,|whatever|its|name", "b", "from|gzip", "second|member", "one"}},
		{"a glob of hidden files", []string{filepath.Join(dir, "many", ".h*")}, []string{"not|read"}},
		{"a glob below hidden folders", []string{filepath.Join(dir, "many", ".git", "c*")}, []string{"not|read|either"}},
		{"stdin between files", []string{one, "-", odd}, []string{"first|file", "standard|input", "odd|name"}},
		{"an empty file", []string{filepath.Join(dir, "empty")}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			src, err := corpus.Files(test.names, strings.NewReader("standard input"), corpus.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, src, 4); !reflect.DeepEqual(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}

	for want, names := range map[string][]string{
		"no such file or directory": {filepath.Join(dir, "missing")},
		"no file matches":           {filepath.Join(dir, "missing*")},
		"hidden: no file matches":   {filepath.Join(dir, "many", "*hidden")},
		"named twice":               {"-", "-"},
	} {
		if _, err := corpus.Files(names, strings.NewReader(""), corpus.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", names, err, want)
		}
	}
}

func ExampleFiles() {
	src, err := corpus.Files([]string{"-"}, strings.NewReader("The cat\nsleeps\n"), corpus.Options{Lowercase: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	shards, _ := src.Shards(1)
	r, _ := shards[0].Open(context.Background())
	defer r.Close()
	for {
		token, err := r.Next()
		if err != nil {
			break
		}
		fmt.Printf("%q ", token)
	}
	// Output: "the" "cat" "" "sleeps" ""
}

func FuzzTokens(f *testing.F) {
	f.Add([]byte("a b\nc"), uint8(0))
	f.Add([]byte("Don't\xff stop\r\n日本"), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, mode uint8) {
		options := corpus.Options{Lowercase: mode&1 != 0, Tokenizer: corpus.Tokenizer(mode >> 1 & 1)}
		if shards, err := corpus.Stream("text", bytes.NewReader(text), options).Shards(1); err != nil {
			t.Fatal(err)
		} else if r, err := shards[0].Open(t.Context()); err != nil {
			return // no text
		} else if r.Close() != nil || len(text) > 1 && (text[0] == 0x1f || text[0] == 0x28 || text[1] == 0x2a || text[0] == 'B') {
			return // may be taken for compressed
		}
		whole := read(t, corpus.Stream("text", bytes.NewReader(text), options), 1)
		bytewise := read(t, corpus.Stream("text", iotest.OneByteReader(bytes.NewReader(text)), options), 1)
		if !reflect.DeepEqual(whole, bytewise) {
			t.Fatalf("%q at once, %q byte by byte", whole, bytewise)
		}
		if line := string(text); !strings.ContainsAny(line, "\n\ufeff") {
			cut, _, _ := options.Tokens(line)
			if tokens := strings.Join(cut, "|"); tokens != strings.Join(whole, "") {
				t.Fatalf("%q as a line, %q in a corpus", tokens, whole)
			}
		}
		if options != (corpus.Options{}) {
			return
		}
		separators := func(r rune) bool { return strings.ContainsRune(" \n\t\r\v\f\x00", r) }
		var want []string
		for _, line := range strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
			if tokens := strings.FieldsFunc(line, separators); len(tokens) > 0 {
				want = append(want, strings.Join(tokens, "|"))
			}
		}
		if !reflect.DeepEqual(whole, want) {
			t.Fatalf("%q, want %q", whole, want)
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	text, _ := lines(60000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		read := 0
		shards, _ := corpus.Stream("text", strings.NewReader(text), corpus.Options{}).Shards(1)
		r, _ := shards[0].Open(context.Background())
		for {
			if _, err := r.Next(); err != nil {
				break
			}
			read++
		}
	}
}

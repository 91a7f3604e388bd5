package corpus_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/corpus"
)

// Text is in a field of JSON lines or a column of a table.
func TestRecords(t *testing.T) {
	column := func(n corpus.Column) corpus.Options { return corpus.Options{TextColumn: n} }
	field := func(name string) corpus.Options { return corpus.Options{JSONField: name} }
	for _, test := range []struct {
		name    string
		text    string
		options corpus.Options
		want    []string
	}{
		{"TSV", "1\tthe cat\n2\ta dog\textra\n", column("2"), []string{"the|cat", "a|dog"}},
		{"first column", "the cat\t1\n\na dog\n \t\nend\t", column("1"), []string{"the|cat", "a|dog", "end"}},
		{"TSV without quoting", "1\t\"the\n2\tcat\"\r\n", column("2"), []string{"\"the", "cat\""}},
		{"TSV with a header", "id\ttext\n1\tthe cat\n", corpus.Options{TextColumn: "2", Header: true}, []string{"the|cat"}},
		{"CSV", "1,the cat\n2,\"a dog, \"\"Rex\"\"\"\n", column("2"), []string{"the|cat", "a|dog,|\"Rex\""}},
		{"CSV with newlines", "1,\"the cat\nsat\n\"\n\n2,down\n", column("2"), []string{"the|cat", "sat", "down"}},
		{"CSV with a header", "id,\"the\ntext\"\n1,the cat\n", corpus.Options{TextColumn: "2", Header: true}, []string{"the|cat"}},
		{"semicolons", "1;the, cat\n2;dogs\n", column("2"), []string{"2"}}, // no: commas come first
		{"semicolons alone", "1;the cat\n2;\"dogs; too\"\n", column("2"), []string{"the|cat", "dogs;|too"}},
		{"an empty column", "1,\n2,x\n", column("2"), []string{"x"}},
		{"a byte order mark", "\ufeffa\tb\n", column("1"), []string{"a"}},
		{"joined files with byte order marks", "\ufeffa\tb\n\ufeffc\td\n\ufeff\n", column("1"), []string{"a", "c"}},
		{"joined CSV with byte order marks", "\ufeffa,b\n\ufeffc,d\n", column("1"), []string{"a", "c"}},
		{"joined JSON with byte order marks", "\ufeff\"a\"\n\ufeff\"b\"\n", field("."), []string{"a", "b"}},
		{"tokenized", "x\tÉcole, Don't!\n", corpus.Options{TextColumn: "2", Tokenizer: corpus.Unicode, Lowercase: true}, []string{"école|don't"}},

		{"JSON", `{"text": "the cat", "id": 1}` + "\n" + ` { "id":{"text":"no"},"text":"a dog"}` + "\r\n\n", field("text"), []string{"the|cat", "a|dog"}},
		{"nested", `{"a":{"x":[{"b":1}],"b":{"c":"the cat"}}}`, field("a.b.c"), []string{"the|cat"}},
		{"the line itself", "\"the cat\"\n[\"a b\",\"c\"]\n", field("."), []string{"the|cat", "a b|c"}},
		{"escapes", `{"te\u0078t":"caf\u00e9 \ud83d\ude42 \ud83d \"q\" \\ \/ x\ty\nz\\"}`, field("text"), []string{"café|🙂|\ufffd|\"q\"|\\|/|x|y", `z\`}},
		{"strings with brackets and quotes", `{"a":"}]\"\\","b":["{"],"text":"ok"}`, field("text"), []string{"ok"}},
		{"the last of equal names", `{"text":"one","text":"two"}`, field("text"), []string{"two"}},
		{"null and nothing", `{"text":null}` + "\n" + `{"text":""}` + "\n" + `{"text":[]}` + "\n" + `{"text":"x"}`, field("text"), []string{"x"}},
		{"tokens", `{"t":["New York","is"," big"]}` + "\n" + `{"t":[101, -2.5e3,102]}`, field("t"), []string{"New York|is| big", "101|-2.5e3|102"}},
		{"texts and tokens in turn", `{"t":["a b"]}` + "\n" + `{"t":"c d"}` + "\n" + `{"t":["e"]}` + "\n" + `{"t":["f"]}` + "\n" + `{"t":"g"}`, field("t"), []string{"a b", "c|d", "e", "f", "g"}},
		{"tokens in lower case", `["New York",""]` + "\n" + `"ÉCOLE A"`, corpus.Options{JSONField: ".", Lowercase: true}, []string{"new york", "école|a"}},
		{"bytes that are not UTF-8", "{\"t\":\"caf\xe9\"}", field("t"), []string{"caf\xe9"}},
		{"nothing", "", field("t"), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if test.name == "semicolons" {
				if err := drainAll(t, corpus.Stream("text", strings.NewReader(test.text), test.options)); err == nil || err.Error() != "text: line 2 (byte 11): the row has 1 column, and the text is column 2" {
					t.Errorf("error %v", err)
				}
				return
			}
			if got := read(t, corpus.Stream("text", strings.NewReader(test.text), test.options), 1); !reflect.DeepEqual(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			if got := read(t, corpus.Stream("text", iotest.OneByteReader(strings.NewReader(test.text)), test.options), 1); !reflect.DeepEqual(got, want) {
				t.Errorf("byte by byte: %q, want %q", got, want)
			}
			path := filepath.Join(t.TempDir(), "text")
			if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			src, err := corpus.Files([]string{path}, nil, test.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, src, 1); !reflect.DeepEqual(got, want) {
				t.Errorf("file: %q, want %q", got, want)
			}
		})
	}
}

// drainAll reads a corpus and returns the first error.
func drainAll(t *testing.T, src *corpus.Source) error {
	t.Helper()
	shards, err := src.Shards(3)
	for _, shard := range shards {
		if err == nil {
			err = drain(t.Context(), shard)
		}
	}
	return err
}

// The name of a table, or else its first line, says what separates columns.
func TestSeparatorOfColumns(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ name, text, want string }{
		{"a.csv", "a\tb,c d\n", "c|d"},
		{"a.CSV", "a\tb;c d\n", "c|d"},
		{"a.tsv", "a,b\tc d\n", "c|d"},
		{"a.tab.xz", "a,b\tc d\n", "c|d"},
		{"a.csv.gz", "a\tb,c d\n", "c|d"},
		{"a.txt", "a,b\tc d\n", "c|d"},
		{"b.txt", "a b,c d\n", "c|d"},
		{"csv", "a,b\tc d\n", "c|d"},
	} {
		for _, content := range [][]byte{[]byte(test.text), zipped(test.text)} {
			path := filepath.Join(dir, test.name)
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
			src, err := corpus.Files([]string{path}, nil, corpus.Options{TextColumn: "2"})
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, src, 1); !reflect.DeepEqual(got, []string{test.want}) {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
		}
	}
}

// What is wrong in a line is said with the file, the line and the byte, in whichever shard it is.
func TestPlacesOfBadRecords(t *testing.T) {
	json, tsv := corpus.Options{JSONField: "a.b"}, corpus.Options{TextColumn: "3"}
	goodJSON := strings.Repeat(`{"a":{"b":"the cat"}}`+"\n", 20_000)
	goodTSV := strings.Repeat("1\t2\tthe cat\n", 30_000)
	for _, test := range []struct {
		name      string
		good, bad string
		options   corpus.Options
		want      string // behind the line and the byte
		at        int    // byte in the line
	}{
		{"no JSON", goodJSON, "the cat\n", json, "the line is not one JSON value: invalid character 'h' in literal true (expecting 'r')", 1},
		{"cut JSON", goodJSON, `{"a":{"b":"the`, json, "the line is not one JSON value: unexpected end of JSON input", 13},
		{"two values", goodJSON, `{"a":{"b":"x"}} {}` + "\n", json, "the line is not one JSON value: invalid character '{' after top-level value", 16},
		{"no field", goodJSON, `{"a":{"c":1}}` + "\n", json, `there is no field "a.b"`, 0},
		{"no object", goodJSON, `{"a":["b"]}` + "\n", json, `there is no field "a.b": "a" is an array and no object`, 0},
		{"not even one", goodJSON, `[1]` + "\n", json, `there is no field "a.b": the line is an array and no object`, 0},
		{"a number", goodJSON, `{"a":{"b":7}}` + "\n", json, `"a.b" is a number, and must be a text or an array of tokens`, 0},
		{"true", goodJSON, `{"a":{"b":true}}` + "\n", json, `"a.b" is true, and must be a text or an array of tokens`, 0},
		{"nested arrays", goodJSON, `{"a":{"b":["x",["y"]]}}` + "\n", json, `element 2 of "a.b" is an array, and must be a text or a number`, 0},
		{"no column", goodTSV, "1\t2\n", tsv, "the row has 2 columns, and the text is column 3", 0},
		{"one column", goodTSV, "1\n", tsv, "the row has 1 column, and the text is column 3", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := test.good + test.bad
			path := filepath.Join(t.TempDir(), "bad")
			place := fmt.Sprintf(": line %d (byte %d): %s", strings.Count(test.good, "\n")+1, len(test.good)+test.at, test.want)
			for _, content := range [][]byte{[]byte(text), zipped(text)} {
				if err := os.WriteFile(path, content, 0o666); err != nil {
					t.Fatal(err)
				}
				src, err := corpus.Files([]string{path}, nil, test.options)
				if err != nil {
					t.Fatal(err)
				}
				if err := drainAll(t, src); err == nil || err.Error() != path+place {
					t.Errorf("error %v\nwant  %s", err, path+place)
				}
			}
			if err := drainAll(t, corpus.Stream("pipe", strings.NewReader(text), test.options)); err == nil || err.Error() != "pipe"+place {
				t.Errorf("error %v\nwant  %s", err, "pipe"+place)
			}
		})
	}
}

// So is what is wrong in a row of CSV.
func TestPlacesOfBadRows(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a,b\nc,\"d\ne\"\nf\n", "line 4 (byte 12): the row has 1 column, and the text is column 2"},
		{"a,b\nc,d\"e\n", "line 2 (byte 4): the row is not CSV: a quotation mark stands within a field that does not begin with one"},
		{"a,b\nc,\"d\ne\n", "line 2 (byte 4): the row is not CSV: a field that begins with a quotation mark has one too many, or lacks the one at its end"},
		{"a,b\nc,\"d\"x\n", "line 2 (byte 4): the row is not CSV: a field that begins with a quotation mark has one too many, or lacks the one at its end"},
	} {
		err := drainAll(t, corpus.Stream("table", strings.NewReader(test.text), corpus.Options{TextColumn: "2"}))
		if err == nil || !strings.HasPrefix(err.Error(), "table: "+test.want) {
			t.Errorf("error %v\nwant  table: %s", err, test.want)
		}
	}
}

// A broken member of a gzip file is said with the line that cannot be read.
func TestPlaceOfBrokenCompression(t *testing.T) {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	_, _ = z.Write([]byte(strings.Repeat("{\"t\":\"x\"}\n", 10)))
	_ = z.Close()
	whole := append(buf.Bytes(), buf.Bytes()...)
	for _, test := range []struct {
		in      []byte
		options corpus.Options
		want    string
	}{
		{whole[:len(whole)-9], corpus.Options{}, "a.gz: line 21: the gzip data is cut short after 200 bytes of its content: unexpected EOF"},
		{whole[:len(whole)-9], corpus.Options{JSONField: "t"}, "a.gz: line 21: the gzip data is cut short after 200 bytes of its content: unexpected EOF"},
		{append(whole[:len(whole)/2:len(whole)/2], "garbage, more"...), corpus.Options{}, "a.gz: line 11: the gzip data is corrupt after 100 bytes of its content: gzip: invalid header"},
	} {
		if err := drainAll(t, corpus.Stream("a.gz", bytes.NewReader(test.in), test.options)); err == nil || err.Error() != test.want {
			t.Errorf("error %v\nwant  %s", err, test.want)
		}
	}
}

// A line that is too long to be one is not read into memory.
func TestLongRecords(t *testing.T) {
	for _, test := range []struct {
		name, begin string
		options     corpus.Options
		want        string
	}{
		{"JSON", `"`, corpus.Options{JSONField: "."}, "zeros: line 1 (byte 0): the line has more than 64 MB, and no text is read from so long a line"},
		{"TSV", "a\tb\n\t", corpus.Options{TextColumn: "1"}, "zeros: line 2 (byte 4): the line has more than 64 MB"},
		{"CSV", "a,b\nc,\"", corpus.Options{TextColumn: "1"}, "zeros: line 2 (byte 4): the row has more than 64 MB, and no text is read from so long a row: look for a quotation mark that is never closed"},
	} {
		err := drainAll(t, corpus.Stream("zeros", &endless{begin: []byte(test.begin)}, test.options))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v\nwant %s", test.name, err, test.want)
		}
	}
}

func TestLongRows(t *testing.T) {
	for _, test := range []struct {
		name, begin string
		fields      corpus.Fields
		want        string
	}{
		{"a.tsv", "a\tb\n\t", corpus.Fields{TextColumn: "1", Unlabelled: true}, "a.tsv: line 2: the row has more than 64 MB"},
		{"a.jsonl", `{"a":"`, corpus.Fields{TextField: "a", Unlabelled: true}, "a.jsonl: line 1: the row has more than 64 MB"},
	} {
		rows := corpus.Stream(test.name, &endless{begin: []byte(test.begin)}, corpus.Options{}).Rows(t.Context(), test.fields)
		var err error
		for _, err = range rows.All() {
			if err != nil {
				break
			}
		}
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v\nwant %s", test.name, err, test.want)
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
}

// endless is a text that has no end.
type endless struct{ begin []byte }

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.begin)
	e.begin = e.begin[n:]
	for i := range p[n:] {
		p[n+i] = 'x'
	}
	return len(p), nil
}

// Shards of lines are the whole, whatever their number, and only the first begins with a header.
func TestShardsOfRecords(t *testing.T) {
	text, want := lines(30_000)
	var tsv, jsonl strings.Builder
	tsv.WriteString("number\ttext\n")
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(&tsv, "%d\t%s\n", i, line)
		fmt.Fprintf(&jsonl, "{\"text\":%q}\n", line)
	}
	for name, test := range map[string]struct {
		text    string
		options corpus.Options
	}{
		"a.tsv":   {tsv.String(), corpus.Options{TextColumn: "2", Header: true}},
		"a.jsonl": {jsonl.String(), corpus.Options{JSONField: "text"}},
		"a.csv":   {strings.ReplaceAll(tsv.String(), "\t", ","), corpus.Options{TextColumn: "2", Header: true}},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		src, err := corpus.Files([]string{path}, nil, test.options)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 3, 8} {
			if got := read(t, src, n); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d shards: %d sentences, want %d", name, n, len(got), len(want))
			}
		}
	}
}

// A token that is left out stands in a line of the file, not of its text.
func TestLineOfLongTokenInRecords(t *testing.T) {
	long := strings.Repeat("x", corpus.MaxToken+1)
	for _, test := range []struct {
		text    string
		options corpus.Options
		line    uint64
	}{
		{"a,\"b\nc\n\"\n\nd,e\nf,\"g\n" + long + "\"\n", corpus.Options{TextColumn: "2"}, 7},
		{"{\"t\":\"a\\nb\\nc\"}\n\n{\"t\":\"d\"}\n{\"t\":\"" + long + "\"}\n", corpus.Options{JSONField: "t"}, 4},
		{"[\"a\"]\n\n\"b\"\n[\"c\",\"" + long + "\"]\n[\"d\"]\n", corpus.Options{JSONField: "."}, 4},
	} {
		src := corpus.Stream("text", strings.NewReader(test.text), test.options)
		shards, err := src.Shards(1)
		if err != nil {
			t.Fatal(err)
		}
		if err := drain(t.Context(), shards[0]); err != nil && err.Error() != "EOF" {
			t.Fatal(err)
		}
		if left := corpus.TooLongIn(shards); left.Tokens != 1 || left.Line != test.line {
			t.Errorf("%q: %+v, want line %d", test.text[:10], left, test.line)
		}
	}
}

func TestOptionsOfRecords(t *testing.T) {
	for _, test := range []struct {
		options corpus.Options
		want    string
	}{
		{corpus.Options{TextColumn: "1", JSONField: "a"}, "corpus: TextColumn and JSONField both say where the text is: only one of them is possible"},
		{corpus.Options{Header: true}, "corpus: Header needs TextColumn: only tables have one"},
	} {
		if err := test.options.Validate(); err == nil || err.Error() != test.want {
			t.Errorf("%+v: %v, want %s", test.options, err, test.want)
		}
	}
	if _, err := corpus.Sentences("lists", [][]string{{"a"}}, corpus.Options{JSONField: "t"}).Shards(1); err == nil {
		t.Error("sentences of tokens have fields")
	}
}

// Whatever the text is, its records are the same however they come, or it is refused.
func FuzzRecords(f *testing.F) {
	f.Add([]byte(`{"a":{"b":"x \ud83d\ude42"}}`+"\n"+`{"a":{"b":["y",1]}}`), uint8(0))
	f.Add([]byte(`"a\n\"b\\"`), uint8(1))
	f.Add([]byte("a\tb\nc\td"), uint8(2))
	f.Add([]byte("a,\"b\nc\"\n"), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, mode uint8) {
		options := []corpus.Options{{JSONField: "a.b"}, {JSONField: "."}, {TextColumn: "2"}, {TextColumn: "1", Header: true}}[mode%4]
		var all [2]string
		for i := range all {
			in := strings.NewReader(string(text))
			src := corpus.Stream("text", in, options)
			if i == 1 {
				src = corpus.Stream("text", iotest.OneByteReader(in), options)
			}
			shards, err := src.Shards(1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := shards[0].Open(t.Context())
			for err == nil {
				var token []byte
				token, err = r.Next()
				all[i] += string(token) + "|"
			}
			all[i] += err.Error()
		}
		if all[0] != all[1] {
			t.Errorf("%q at once, %q byte by byte", all[0], all[1])
		}
	})
}

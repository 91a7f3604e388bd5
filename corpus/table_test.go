package corpus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/parquet"
)

// parquetOf writes a Parquet file with a column of texts in row groups of a size.
func parquetOf(t *testing.T, texts []string, group int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "texts.parquet")
	var out bytes.Buffer
	w, err := parquet.NewWriter(&out, nil, []parquet.Field{{Name: "text"}, {Name: "user"}})
	for rows := range slices.Chunk(texts, group) {
		text, user := parquet.Values{Texts: rows}, parquet.Values{Texts: []string{"u0", "u1", "u2"}}
		for i := range rows {
			text.Rows, user.Rows = append(text.Rows, int32(i)), append(user.Rows, int32(i%3))
		}
		err = errors.Join(err, w.Group([]parquet.Values{text, user}))
	}
	if err := errors.Join(err, w.Close(), os.WriteFile(path, out.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// linesOf writes the same as lines of JSON.
func linesOf(t *testing.T, texts []string, group int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "texts.jsonl")
	var out bytes.Buffer
	for rows := range slices.Chunk(texts, group) {
		for i, text := range rows {
			line, err := json.Marshal(map[string]any{"text": text, "user": fmt.Sprintf("u%d", i%3)})
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
		}
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// allTokens returns the tokens of a corpus, an empty one at the end of each sentence.
func allTokens(t *testing.T, path string, o corpus.Options, shards, part, parts int) (all []string) {
	t.Helper()
	src, err := corpus.Files([]string{path}, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	if parts > 1 {
		src = src.Part(part, parts)
	}
	divided, err := src.Shards(shards)
	if err != nil {
		t.Fatal(err)
	}
	for _, shard := range divided {
		for token, err := range shard.Tokens(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(token))
		}
	}
	return all
}

// The tokens of a Parquet file are those of lines of JSON with the same text, however it is divided.
func TestParquetIsReadAsJSONLines(t *testing.T) {
	var texts []string
	for i := range 5000 {
		texts = append(texts, fmt.Sprintf("Row %d of the table,\nand a second line\tof it: é %d ", i, i%97))
	}
	texts[17], texts[18] = "", "\n\n x"
	table, lines := parquetOf(t, texts, 1999), linesOf(t, texts, 1999)
	for _, o := range []corpus.Options{
		{}, {Tokenizer: corpus.Unicode, Lowercase: true}, {Split: ","}, {GroupBy: "user"}, {Sentences: corpus.UnicodeSentences},
	} {
		inTable, inLines := o, o
		inTable.TextColumn, inLines.JSONField = "text", "text"
		want := allTokens(t, lines, inLines, 1, 0, 1)
		if len(want) < 5000 {
			t.Fatalf("%d tokens", len(want))
		}
		for _, shards := range []int{1, 3, 8} {
			if got := allTokens(t, table, inTable, shards, 0, 1); !slices.Equal(got, want) {
				t.Errorf("%+v: %d shards: %d tokens, want %d", o, shards, len(got), len(want))
			}
		}
		if o.GroupBy == "" {
			var parts []string
			for i := range 3 {
				parts = append(parts, allTokens(t, table, inTable, 2, i, 3)...)
			}
			if !slices.Equal(parts, want) {
				t.Errorf("%+v: parts: %d tokens, want %d", o, len(parts), len(want))
			}
		}
	}
	column, err := corpus.Files([]string{table}, nil, corpus.Options{TextColumn: "text"})
	if err != nil {
		t.Fatal(err)
	}
	if sample := column.Sample(); len(sample.Lines) < 100 || sample.Lines[0] != "Row 0 of the table," {
		t.Errorf("the sample has %d lines: %.100q", len(sample.Lines), sample.Lines)
	}
}

// Lists of tokens, numbers, nested fields and nulls, in files of other programs.
func TestColumnsOfParquet(t *testing.T) {
	for _, test := range []struct {
		options corpus.Options
		want    string // of rows 0 to 8
	}{
		{corpus.Options{TextColumn: "tokens"}, "|a1 b1 sea|a2 b2 sea|a3 b3 sea|||a6 b2 sea|a7 b3 sea|"},
		{corpus.Options{TextColumn: "items", Split: " "}, "0 0|1 2|2 4|3 6|4 8|5 10|6 12|7 14|"},
		{corpus.Options{TextColumn: "meta.deep.text"}, "deep 0|deep 1|deep 2|deep 3|deep 4|deep 5|deep 6|deep 7|"},
		{corpus.Options{TextColumn: "2"}, "the river 0 runs past mill 0|the river 1 runs past mill 1|the river 2 runs past mill 2||the river 4 runs past mill 4|the river 5 runs past mill 0|the river 6 runs past mill 1|the river 7 runs past mill 2|"},
		{corpus.Options{TextColumn: "id", Split: ","}, "0|1|2|3|4|5|6|7|"},
	} {
		for _, name := range []string{"duckdb-v1.parquet", "parquet-go-v2.parquet"} {
			text := ""
			for _, token := range allTokens(t, filepath.Join("..", "testdata", "parquet", name), test.options, 1, 0, 1) {
				if token == "" {
					text = strings.TrimSuffix(text, " ") + "|"
				} else {
					text += token + " "
				}
			}
			if rows := strings.SplitAfter(text, "|"); strings.Join(rows[:8], "") != test.want {
				t.Errorf("%s: %v: %q", name, test.options.TextColumn, rows[:8])
			}
		}
	}
}

// A block has few rows if their labels are long, which a table may store once.
func TestLongLabelsOfParquet(t *testing.T) {
	const rows = 400
	for _, test := range []struct {
		text, label int // bytes
		want        string
		most        uint64 // bytes of a block
	}{
		{2, 1 << 19, "", 4 << 20},
		{1 << 19, 1, "", 8 << 20},
		{2, 2 << 20, `: row 1: column "label" has more than 1 MB, and labels are short`, 8 << 20},
		{17 << 20, 2, `: row 1: column "text" has a text of more than 16 MB`, 120 << 20},
	} {
		path := filepath.Join(t.TempDir(), "labels.parquet")
		var out bytes.Buffer
		w, err := parquet.NewWriter(&out, nil, []parquet.Field{{Name: "text"}, {Name: "label"}})
		same := make([]int32, rows)
		texts := parquet.Values{Texts: []string{strings.Repeat("a", test.text)}, Rows: same}
		labels := parquet.Values{Texts: []string{strings.Repeat("l", test.label)}, Rows: same}
		if err := errors.Join(err, w.Group([]parquet.Values{texts, labels}), w.Close(), os.WriteFile(path, out.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all := src.Rows(t.Context(), corpus.Fields{TextColumn: "text", LabelColumn: "label"})
		n := 0
		for more := true; more; {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			b, err := all.Next()
			if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > test.most {
				t.Fatalf("%+v: %d MB for a block", test, (after.TotalAlloc-before.TotalAlloc)>>20)
			}
			if err == nil {
				for range b.Rows() {
					n++
				}
			}
			if more = err == nil; !more && !errors.Is(err, io.EOF) && (test.want == "" || err.Error() != path+test.want) {
				t.Errorf("%+v: %v", test, err)
			}
		}
		if want := either(test.want == "", rows, 0); n != want {
			t.Errorf("%+v: %d rows, want %d", test, n, want)
		}
		if err := all.Close(); err != nil {
			t.Error(err)
		}
	}
}

func either[T any](which bool, a, b T) T {
	if which {
		return a
	}
	return b
}

func TestParquetThatIsRefused(t *testing.T) {
	table := filepath.Join("..", "testdata", "parquet", "duckdb-v1.parquet")
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	const names = `id, body, tokens, meta.kind, meta.deep.text, good, items, price`
	for _, test := range []struct {
		options corpus.Options
		want    string
	}{
		{corpus.Options{}, `is a Parquet table, whose columns are ` + names + `: name the column of the text`},
		{corpus.Options{JSONField: "body"}, `is a Parquet table, whose columns are ` + names + `: name the column of the text`},
		{corpus.Options{TextColumn: "text"}, `no column is called "text": the table has ` + names},
		{corpus.Options{TextColumn: "meta"}, `column "meta" is a struct, and one of its fields is needed: meta.kind, meta.deep.text`},
		{corpus.Options{TextColumn: "id"}, `column id has numbers, and must have texts or lists of tokens`},
		{corpus.Options{TextColumn: "body", GroupBy: "user"}, `no column is called "user": the table has ` + names},
		{corpus.Options{TextColumn: "body", GroupBy: "tokens"}, `column tokens has lists, and rows are grouped by texts and numbers`},
	} {
		src, err := corpus.Files([]string{table}, nil, test.options)
		if err == nil {
			_, err = src.Shards(1)
		}
		if err == nil || err.Error() != table+": "+test.want {
			t.Errorf("%+v: %v", test.options, err)
		}
	}
	body := corpus.Options{TextColumn: "body"}
	err = drainAll(t, corpus.Stream("a pipe", bytes.NewReader(data), body))
	if err == nil || err.Error() != "a pipe: is a Parquet table: it is read from a file, not from a stream or within a compressed file" {
		t.Errorf("a stream: %v", err)
	}
	damaged := filepath.Join(t.TempDir(), "damaged.parquet")
	copy(data[bytes.Index(data, []byte("the river"))-40:], make([]byte, 60))
	if err := os.WriteFile(damaged, data, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := corpus.Files([]string{damaged}, nil, body)
	if err == nil {
		err = drainAll(t, src)
	}
	if err == nil || !strings.HasPrefix(err.Error(), damaged+`: row 1: column "body", row group 1: `) || strings.Contains(err.Error(), "\n") {
		t.Errorf("a damaged file: %v", err)
	}
	short := filepath.Join(t.TempDir(), "short.parquet")
	if err := os.WriteFile(short, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Files([]string{short}, nil, body); err == nil || err.Error() != short+": the Parquet table is damaged or not complete: its metadata is missing at the end" {
		t.Errorf("a short file: %v", err)
	}
}

// Columns of TSV and CSV have names too, if there is a header.
func TestColumnsByName(t *testing.T) {
	for _, test := range []struct{ name, text, column, want string }{
		{"a.tsv", "id\tthe text\n1\tthe cat\n2\ta dog\n", "the text", "the|cat||a|dog|"},
		{"a.csv", "\"the, text\",id\n\"the cat, it\",1\n", "the, text", "the|cat,|it|"},
		{"a.csv", "id;text\n1;the cat\n", "text", "the|cat|"},
	} {
		path := filepath.Join(t.TempDir(), test.name)
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := allTokens(t, path, corpus.Options{TextColumn: corpus.Column(test.column), Header: true}, 1, 0, 1)
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: %q", test.text, got)
		}
		src, err := corpus.Files([]string{path}, nil, corpus.Options{TextColumn: "nowhere", Header: true})
		if err == nil {
			err = drainAll(t, src)
		}
		if err == nil || !strings.Contains(err.Error(), `no column is called "nowhere": the header has `) {
			t.Errorf("%s: %v", test.text, err)
		}
		src, err = corpus.Files([]string{path}, nil, corpus.Options{TextColumn: corpus.Column(test.column)})
		if err == nil {
			err = drainAll(t, src)
		}
		if err == nil || !strings.Contains(err.Error(), "is a name, and without a header, columns have none but in Parquet") {
			t.Errorf("%s: %v", test.text, err)
		}
	}
}

func TestColumnInJSON(t *testing.T) {
	for text, want := range map[string]corpus.Column{`0`: "", `3`: "3", `"text"`: "text", `"007"`: "007"} {
		var c corpus.Column
		if err := json.Unmarshal([]byte(text), &c); err != nil || c != want {
			t.Errorf("%s: %q, %v", text, c, err)
		}
		if back, err := json.Marshal(c); err != nil || string(back) != text {
			t.Errorf("%q: %s, %v", c, back, err)
		}
	}
	for _, text := range []string{`-1`, `1.5`, `true`, `{}`} {
		var c corpus.Column
		if err := json.Unmarshal([]byte(text), &c); err == nil {
			t.Errorf("%s: %q", text, c)
		}
	}
}

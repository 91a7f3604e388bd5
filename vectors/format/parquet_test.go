package format

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/parquet"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// A table of DuckDB, with columns of other names, doubles and several row groups, is read whole and row by row.
func TestGoldenParquet(t *testing.T) {
	path := golden("parquet/duckdb-words.parquet")
	for name, open := range map[string]func(string) (*vectors.Set, error){
		"whole":    Open,
		"streamed": func(path string) (*vectors.Set, error) { return OpenStream(path, nil) },
	} {
		s, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []int{0, 4999, 7, 2048} { // back and forth
			i := float32(id)
			want := []float32{i / 4, float32(id%7) - 3, float32(id%11) / 8}
			if got := trial.WordVector(s, id); !slices.Equal(got, want) || s.Len() != 5000 || Format(s.Format()) != Parquet {
				t.Errorf("%s: word %d of %d has %v, want %v", name, id, s.Len(), got, want)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Vectors of several row groups are the same after writing and reading.
func TestParquetRoundTrip(t *testing.T) {
	s := trial.Plain(42_000, 100) // 16.8 MB
	first := encode(t, s, Parquet)
	got, err := Read(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, got, trial.Unchecked(vectors.Parts{Words: s.Words(), Input: s.Input()}))
	if table, err := parquet.Open(bytes.NewReader(first), int64(len(first))); err != nil || table.Groups() != 2 {
		t.Errorf("%v, or not two row groups", err)
	}
}

// Tables that are no vectors are refused in one line, and say where.
func TestParquetThatIsNoSet(t *testing.T) {
	words := parquet.Field{Name: "word", Distinct: true}
	lists := parquet.Field{Name: "vector", Lists: parquet.Float32}
	texts := parquet.Values{Texts: []string{"a", "b"}, Rows: []int32{0, 1}}
	rows := parquet.Values{Lists: make([]byte, 16), Size: 8, Rows: []int32{0, 1}}
	null := func(v parquet.Values) parquet.Values { v.Rows = []int32{0, -1}; return v }
	for want, table := range map[string]struct {
		fields []parquet.Field
		values []parquet.Values
	}{
		"no column has lists of fractions": {[]parquet.Field{words}, []parquet.Values{texts}},
		"no column has texts":              {[]parquet.Field{lists}, []parquet.Values{rows}},
		`2 columns have texts, one a row, and none of them is called "word"`: {[]parquet.Field{{Name: "x"}, {Name: "y"}, lists}, []parquet.Values{texts, texts, rows}},
		"row 2: the word is null":                                                    {[]parquet.Field{words, lists}, []parquet.Values{null(texts), rows}},
		"row 2: expected 2 numbers, as the first row has, found 0":                   {[]parquet.Field{words, lists}, []parquet.Values{texts, null(rows)}},
		`row 1: the word "a" has no vector`:                                          {[]parquet.Field{words, lists}, []parquet.Values{texts, {Lists: nil, Size: 8, Rows: []int32{-1, -1}}}},
		"row 3: expected 2 numbers, as the first row has, found 1":                   {[]parquet.Field{words, lists}, []parquet.Values{texts, rows, texts, {Lists: make([]byte, 8), Size: 4, Rows: []int32{0, 1}}}},
		"the Parquet table is damaged or not complete: its metadata is missing at t": {},
	} {
		path := filepath.Join(t.TempDir(), "m.parquet")
		var file bytes.Buffer
		if table.fields == nil {
			file.Write(encode(t, trial.Plain(3, 2), Parquet)[:100])
		} else {
			w, err := parquet.NewWriter(&file, nil, table.fields)
			for values := range slices.Chunk(table.values, len(table.fields)) {
				if err == nil {
					err = w.Group(values)
				}
			}
			if err != nil || w.Close() != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Columns that a set cannot hold are named.
func TestParquetColumnsUnread(t *testing.T) {
	var file bytes.Buffer
	texts := parquet.Values{Texts: []string{"a", "b"}, Rows: []int32{0, 1}}
	w, err := parquet.NewWriter(&file, nil, []parquet.Field{{Name: "language"}, {Name: "word"}, {Name: "vector", Lists: parquet.Float32}})
	if err != nil || w.Group([]parquet.Values{texts, texts, {Lists: make([]byte, 16), Size: 8, Rows: []int32{0, 1}}}) != nil || w.Close() != nil {
		t.Fatal(err)
	}
	s, err := Read(&file)
	if err != nil || !slices.Equal(s.Unread(), []string{`the column "language"`}) {
		t.Errorf("%v, unread %q", err, s.Unread())
	}
}

func FuzzReadParquet(f *testing.F) {
	f.Add(encode(f, trial.Plain(3, 2), Parquet))
	f.Add(readGolden(f, "parquet/duckdb-words.parquet"))
	f.Add(readGolden(f, "parquet/duckdb-vectors.parquet"))
	f.Fuzz(func(t *testing.T, file []byte) {
		const fixed, factor = 200 << 20, 1000 // a page may be 64 MB: see internal/parquet
		before := allocated()
		s, err := Read(bytes.NewReader(file))
		if n := allocated() - before; n > uint64(fixed+factor*len(file)) {
			t.Fatalf("%d bytes allocated for an input of %d", n, len(file))
		}
		if err != nil || s.Format() != codec.Parquet {
			return
		}
		var once bytes.Buffer
		if Encode(&once, s, Parquet) != nil {
			return
		}
		again, err := Read(&once)
		if err != nil {
			t.Fatalf("reading what was written: %v", err)
		}
		trial.SameSet(t, again, s)
	})
}

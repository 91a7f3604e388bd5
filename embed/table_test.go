package embed_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/embed"
	"github.com/w2v-go/w2v/internal/parquet"
)

// table opens a Parquet file.
func table(t testing.TB, path string) *parquet.File {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.Open(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// columnOf returns a column as text: nulls are "-", and lists in brackets.
func columnOf(t testing.TB, f *parquet.File, name string) (all []string) {
	t.Helper()
	c, err := f.Column(name)
	if err != nil {
		t.Fatal(err)
	}
	for rows := c.Read(0, f.Rows()); ; {
		cell, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		text, at := string(cell.Text), 0
		if c.List {
			var items []string
			for _, end := range cell.Ends {
				items, at = append(items, text[at:end]), end
			}
			text = fmt.Sprint(items)
		}
		if cell.Null {
			text = "-"
		}
		all = append(all, text)
	}
}

// A table has ids, texts and vectors, which are null without a word, and is read back.
func TestWriteTable(t *testing.T) {
	f := model(t, 1)
	text := "a,the cat\n,\"mat,\nmat\"\nb,!\nc,\xff cat\n"
	fields := corpus.Fields{TextColumn: "2", LabelColumn: "1"}
	in := write(t, "a.csv", text)
	for _, code := range embed.Codes() {
		out := filepath.Join(t.TempDir(), "out.parquet")
		r, err := embed.Write(context.Background(), f, []string{in}, out, embed.Options{Fields: fields, Code: code, As: "v"})
		if err != nil || r.Rows != 4 {
			t.Fatalf("%s: %+v, %v", code, r, err)
		}
		of := table(t, out)
		columns := "id, text, v"
		if code == embed.Int8 {
			columns = "id, text, v, scale"
		}
		ids, texts := columnOf(t, of, "id"), columnOf(t, of, "text")
		if of.List() != columns || !slices.Equal(ids, []string{"a", "-", "b", "c"}) || !slices.Equal(texts, []string{"the cat", "mat,\nmat", "!", "\ufffd cat"}) {
			t.Errorf("%s: %s, ids %q, texts %q", code, of.List(), ids, texts)
		}
		var want []string
		for i, text := range []string{"the cat", "mat,\nmat", "!", "\xff cat"} {
			v := expected(t, f, text)
			if i == 2 && v != nil {
				t.Fatal("a text without words has a vector")
			}
			switch {
			case v == nil:
				want = append(want, "-")
			case code == embed.UBinary:
				want = append(want, strings.ReplaceAll(bitsJSON(v), ",", " "))
			case code == embed.Int8:
				_, codes := int8Of(v)
				want = append(want, fmt.Sprint(codes))
			}
		}
		if code == embed.UBinary || code == embed.Int8 {
			if got := columnOf(t, of, "v"); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", code, got, want)
			}
			continue
		}
		vectors, err := of.Vectors("v")
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"the cat", "mat,\nmat", "!", "\xff cat"} {
			v := expected(t, f, text)
			got, err := vectors.Next()
			if code == embed.F16 {
				v = halves(v)
			}
			if err != nil || !slices.Equal(got, v) {
				t.Errorf("%s: %q has %v, %v, want %v", code, text, got, err, v)
			}
		}
	}
}

// Options that a table cannot have are refused before anything is written.
func TestTableNames(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.parquet")
	_, err := embed.Write(context.Background(), model(t, 1), []string{write(t, "a.jsonl", `{"a":"mat"}`)}, out, embed.Options{As: "text", Fields: corpus.Fields{TextField: "a"}})
	if err == nil || !strings.HasSuffix(err.Error(), `out.parquet: the table has a column "text" already`) {
		t.Error(err)
	}
	if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A table without rows has its columns.
func TestEmptyTable(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.parquet")
	if r, err := embed.Write(context.Background(), model(t, 1), []string{write(t, "a.txt", "")}, out, embed.Options{}); err != nil || r.Rows != 0 {
		t.Fatalf("%+v %v", r, err)
	}
	if f := table(t, out); f.Rows() != 0 || f.List() != "text, vector" {
		t.Errorf("%d rows of %s", f.Rows(), f.List())
	}
}

// What a state says of row groups is looked at.
func TestDamagedGroups(t *testing.T) {
	f := model(t, 1)
	text := manyTexts(30000)
	out := filepath.Join(t.TempDir(), "out.parquet")
	embed.WithGroups(100000, func() {
		early := interrupted(t, f, text, out)
		state := early.Path + ".json"
		was, err := os.ReadFile(state)
		if err != nil {
			t.Fatal(err)
		}
		wrong := strings.Replace(string(was), `"groups":["`, `"groups":["AAAA","`, 1)
		if err := os.WriteFile(state, []byte(wrong), 0o600); err != nil || wrong == string(was) {
			t.Fatal(err)
		}
		_, err = embed.Write(context.Background(), f, []string{write(t, "texts.txt", text)}, out, embed.Options{})
		if err == nil || !strings.Contains(err.Error(), "what it says of row groups is damaged") {
			t.Error(err)
		}
	})
}

// Names and vectors of a table are read, and what is wrong has its row.
func TestReadTable(t *testing.T) {
	f := model(t, 1)
	out := filepath.Join(t.TempDir(), "out.parquet")
	_, err := embed.Write(context.Background(), f, []string{write(t, "a.tsv", "1\tthe cat\n2\t!\n\tmat\n")}, out, embed.Options{Fields: corpus.Fields{TextColumn: "2", LabelColumn: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	read := func(ctx context.Context, path, names, vectors string) (all string) {
		for e, err := range embed.ReadTable(ctx, path, names, vectors) {
			if err != nil {
				return all + strings.ReplaceAll(err.Error(), out, "out")
			}
			all += fmt.Sprint(e.Name, len(e.Vector), " ")
		}
		return all
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, test := range []struct {
		ctx                          context.Context
		path, names, vectors, expect string
	}{
		{t.Context(), out, "text", "vector", "the cat10 !0 mat10 "},
		{t.Context(), out, "id", "vector", "110 20 out: row 3: has no name"},
		{t.Context(), out, "name", "vector", `out: no column is called "name": the table has id, text, vector`},
		{t.Context(), out, "vector", "vector", `out: column "vector" has fractions, and no texts`},
		{t.Context(), out, "text", "text", `out: column "text" has no fractions of 16, 32 or 64 bits, which vectors have`},
		{stopped, out, "text", "vector", "out: context canceled"},
	} {
		if got := read(test.ctx, test.path, test.names, test.vectors); got != test.expect {
			t.Errorf("%s and %s: %s\nwant %s", test.names, test.vectors, got, test.expect)
		}
	}
	if got := read(t.Context(), "none.parquet", "a", "b"); !strings.Contains(got, "none.parquet") {
		t.Error(got)
	}
}

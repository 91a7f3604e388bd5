package corpus

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

type labelled struct {
	Text   string
	Labels []string
}

func TestFields(t *testing.T) {
	for _, test := range []struct {
		name   string // of the file
		fields Fields
		text   string
		want   []labelled
		err    string
	}{
		{"x.txt", Fields{}, "__label__a some text\nno label\n\ntext __label__b, more __label__\txx__label__ __label__c", []labelled{
			{" some text", []string{"__label__a"}}, {"no label", nil},
			{"text  more \txx__label__ ", []string{"__label__b,", "__label__", "__label__c"}},
		}, ""},
		{"x.txt", Fields{Prefix: "#"}, "#x#y a #b\r\n", []labelled{{" a \r", []string{"#x#y", "#b"}}}, ""},
		{"x.tsv", Fields{TextColumn: "2", LabelColumn: "1"}, "a b\tthe text\r\n\tno label\n", []labelled{{"the text", []string{"a b"}}, {"no label", nil}}, ""},
		{"x.csv", Fields{TextColumn: "title,body", LabelColumn: "class", Header: true, LabelSplit: "|"}, "class,title,body\n\"a|b, c\",T,\"two\nlines\"\n", []labelled{{"T two\nlines", []string{"a", "b, c"}}}, ""},
		{"x.csv", Fields{TextColumn: `"title, long", 5" disk,"a ""b"""`, LabelColumn: "class", Header: true}, "class,\"title, long\",\"5\"\" disk\",\"a \"\"b\"\"\"\nx,T,U,V\n", []labelled{{"T U V", []string{"x"}}}, ""},
		{"x.csv", Fields{TextColumn: "title, long", LabelColumn: "1", Header: true}, "class,\"title, long\"\nx,T\n", nil, `x.csv: line 1: no column is called "title": the header has "class, title, long"`},
		{"x.jsonl", Fields{TextField: `"a,b.c"`, LabelField: "y"}, `{"a,b":{"c":"text"},"y":"l"}`, []labelled{{"text", []string{"l"}}}, ""},
		{"x.csv", Fields{TextColumn: "1", LabelColumn: "3"}, "a,b\n", nil, "x.csv: line 1: the row has 2 columns, and the label is column 3"},
		{"x.csv", Fields{TextColumn: "text", LabelColumn: "2", Header: true}, "a,b\nc,d\n", nil, `x.csv: line 1: no column is called "text": the header has "a, b"`},
		{"x.tsv", Fields{TextColumn: "text", LabelColumn: "1"}, "a\tb\n", nil, `x.tsv: line 1: column "text" is not a number from 1, and the first row is not said to be a header with names`},
		{"x.jsonl", Fields{TextField: "doc.text", LabelField: "y"}, `{"doc":{"text":"a \"b\""},"y":"l"}` + "\n" + `{"doc":{"text":null},"y":[1,"two",null,true]}` + "\n", []labelled{
			{`a "b"`, []string{"l"}}, {"", []string{"1", "two", "true"}},
		}, ""},
		{"x.jsonl", Fields{TextField: "title, body", LabelField: "y,z", Prefix: "#"}, `{"title":"\ud83d\u00e9","body":["x","y"],"y":"l","z":2}` + "\n \n", []labelled{{"\ufffdé x y", []string{"#l", "#2"}}}, ""},
		{"x.csv", Fields{TextColumn: "2", LabelColumn: "1", Prefix: "__label__"}, "a;\"x\r\n\"\"y\"\"\"\r\n\nb;z", []labelled{{"x\n\"y\"", []string{"__label__a"}}, {"z", []string{"__label__b"}}}, ""},
		{"x.csv", Fields{TextColumn: "2", LabelColumn: "1"}, "a,b\n\"x\ny\",b\nc,5\" d\n", nil, "x.csv: line 4: the row is not CSV: a quotation mark stands within a field that does not begin with one"},
		{"x.csv", Fields{TextColumn: "2", LabelColumn: "1"}, "a,b\nc,\"d\ne\n", nil, "x.csv: line 2: the row is not CSV: a field that begins with a quotation mark has one too many, or lacks the one at its end (it goes on for 1 line)"},
		{"x.jsonl", Fields{TextField: "text", LabelField: "y"}, "{}\n", nil, `x.jsonl: line 1: there is no field "text"`},
		{"x.jsonl", Fields{TextField: "text", LabelField: "y"}, `{"text":"a","y":{}}`, nil, `x.jsonl: line 1: "y" has an object, and a label must be a text, a number, true or false`},
		{"x.jsonl", Fields{TextField: "text", LabelField: "y"}, `{"text":3,"y":"a"}`, nil, `x.jsonl: line 1: "text" is a number, and must be a text`},
		{"x.jsonl", Fields{TextField: "text", LabelField: "y"}, `{"text":`, nil, `x.jsonl: line 1: the line is not one JSON value: unexpected end of JSON input`},
	} {
		file := filepath.Join(t.TempDir(), test.name)
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := Files([]string{file}, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := src.Rows(context.Background(), test.fields)
		var got []labelled
		var failed error
		for row, err := range rows.All() {
			if err != nil {
				failed = err
				break
			}
			if !row.Blank {
				got = append(got, labelled{string(row.Text), row.Labels})
			}
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
		if test.err == "" && (failed != nil || !reflect.DeepEqual(got, test.want)) {
			t.Errorf("%s %+v: %q, %v, want %q", test.name, test.fields, got, failed, test.want)
		}
		if test.err != "" && (failed == nil || !strings.HasSuffix(failed.Error(), test.err)) {
			t.Errorf("%s %+v: error %v, want %s", test.name, test.fields, failed, test.err)
		}
	}
}

func TestFieldsThatDoNotFit(t *testing.T) {
	for want, fields := range map[string]Fields{
		"not in both": {TextColumn: "1", LabelColumn: "2", TextField: "a", LabelField: "b"},
		"the column of the text and that of the labels must both be given":     {TextColumn: "1"},
		"the JSON field of the text and that of the labels must both be given": {LabelField: "y"},
		"a header is one of a table":                                           {Header: true},
		"labels are split in a column or a JSON field":                         {LabelSplit: ","},
		`the prefix of labels "a b" has a blank`:                               {Prefix: "a b"},
	} {
		if err := fields.Validate(true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Rows come back as they were, however a stream is cut, and in whatever blocks they are parsed.
func TestRowsAreCutWhole(t *testing.T) {
	text := strings.Repeat("a,\"x\n\"\"y\"\"\",1\n\nb,plain,2\r\n", 9000)
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(text), "halves": iotest.HalfReader(strings.NewReader(text)), "bytes": iotest.OneByteReader(strings.NewReader(text[:len(text)/100]))} {
		want := text
		if name == "bytes" {
			want = text[:len(text)/100]
		}
		src := Stream("x.csv", r, Options{})
		rows := src.Rows(t.Context(), Fields{TextColumn: "2", LabelColumn: "1"})
		var out []byte
		lines := uint64(1)
		for row, err := range rows.All() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if row.Blank {
				out = append(append(out, row.Raw...), '\n')
				continue
			}
			if row.Line != lines {
				t.Fatalf("%s: a row on line %d, want %d", name, row.Line, lines)
			}
			lines += map[string]uint64{"a": 3, "b": 1}[row.Labels[0]]
			if want := map[string]string{"a": "x\n\"y\"", "b": "plain"}[row.Labels[0]]; string(row.Text) != want {
				t.Fatalf("%s: %q", name, row.Text)
			}
			var err error
			if out, err = row.Append(out, []Added{{Name: "n", Text: "l,m"}}); err != nil {
				t.Fatal(err)
			}
		}
		want = strings.ReplaceAll(strings.ReplaceAll(want, ",1\n", ",1,\"l,m\"\n"), ",2\r\n", ",2,\"l,m\"\n")
		if string(out) != want {
			t.Errorf("%s: %d bytes, want %d", name, len(out), len(want))
		}
	}
}

// What is written is one table: inputs with other columns are refused.
func TestHeadsThatDiffer(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"0.tsv": "", "1.tsv": "text\ta\nx\t1\n", "2.tsv": "text\ta\r\ny\t2\n", "3.tsv": "a\ttext\n1\tx\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := Files([]string{folder}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := src.Rows(t.Context(), Fields{TextColumn: "text", Header: true})
	head, err := rows.Head([]Added{{Name: "label"}})
	if string(head) != "text\ta\tlabel\n" || err != nil {
		t.Errorf("%q, %v", head, err)
	}
	n, failed := 0, error(nil)
	for _, err := range rows.All() {
		if failed = err; err == nil {
			n++
		}
	}
	if n != 2 || failed == nil || !strings.HasSuffix(failed.Error(), "1.tsv, and what is written would be one table: take them one by one") {
		t.Errorf("%d rows, %v", n, failed)
	}
}

// Whatever is read, rows are parsed or refused, and a row with more columns or fields is one again.
func FuzzRows(f *testing.F) {
	f.Add("__label__a text __label__b\n\n__label__", 0)
	f.Add("a\tb\r\nc\td\te\n", 1)
	f.Add("a,\"b\nc\"\n\n\"d\"\"\",e\r\n", 2)
	f.Add(`{"t":"\u00e9","l":["a",1,null]}`+"\n\ufeff{\"t\":[\"x\"],\"l\":true } \n", 3)
	f.Fuzz(func(t *testing.T, text string, kind int) {
		if kind < 0 || kind > 3 {
			return
		}
		of := []Fields{{}, {TextColumn: "1", LabelColumn: "2", LabelSplit: "|"}, {TextColumn: "1", LabelColumn: "2"}, {TextField: "t", LabelField: "l"}}[kind]
		name := []string{"x.txt", "x.tsv", "x.csv", "x.jsonl"}[kind]
		read := func(text string, more string) (out []byte, all []labelled, err error) {
			rows := (&Source{inputs: []input{streamed(name, strings.NewReader(text))}}).Rows(context.Background(), of)
			for row, err := range rows.All() {
				if err != nil {
					return out, all, err
				}
				if row.Blank {
					continue
				}
				all = append(all, labelled{strings.ReplaceAll(string(row.Text), byteOrderMark, ""), row.Labels})
				if out, err = row.Append(out, []Added{{Name: more, Text: "m", JSON: []byte("1")}}); err != nil {
					return out, all, err
				}
			}
			return out, all, nil
		}
		out, all, err := read(text, "m")
		if err != nil || kind == 0 {
			return
		}
		again, same, err := read(string(out), "n")
		if err != nil || !reflect.DeepEqual(all, same) || len(again) <= len(out) && len(all) > 0 {
			t.Errorf("%q became %q: %q, %q, %v", text, out, all, same, err)
		}
	})
}

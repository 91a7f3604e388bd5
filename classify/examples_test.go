package classify

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func readFile(name string) ([]byte, error)     { return os.ReadFile(name) }
func writeFile(name string, data []byte) error { return os.WriteFile(name, data, 0o600) }

func TestFields(t *testing.T) {
	for _, test := range []struct {
		name   string // of the file
		fields Fields
		text   string
		want   []Example
		err    string
	}{
		{"x.txt", Fields{}, "__label__a some text\nno label\n\ntext __label__b, more __label__\txx__label__ __label__c", []Example{
			{" some text", []string{"__label__a"}}, {"no label", nil},
			{"text  more \txx__label__ ", []string{"__label__b,", "__label__", "__label__c"}},
		}, ""},
		{"x.txt", Fields{Prefix: "#"}, "#x#y a #b\r\n", []Example{{" a \r", []string{"#x#y", "#b"}}}, ""},
		{"x.tsv", Fields{TextColumn: "2", LabelColumn: "1"}, "a b\tthe text\r\n\tno label\n", []Example{{"the text", []string{"a b"}}, {"no label", nil}}, ""},
		{"x.csv", Fields{TextColumn: "title,body", LabelColumn: "class", Header: true, LabelSplit: "|"}, "class,title,body\n\"a|b, c\",T,\"two\nlines\"\n", []Example{{"T two\nlines", []string{"a", "b, c"}}}, ""},
		{"x.csv", Fields{TextColumn: "1", LabelColumn: "3"}, "a,b\n", nil, "x.csv: line 1: there is no column 3: the row has 2"},
		{"x.csv", Fields{TextColumn: "text", LabelColumn: "2", Header: true}, "a,b\nc,d\n", nil, `x.csv: line 1: no column is called "text": the header has "a, b"`},
		{"x.tsv", Fields{TextColumn: "text", LabelColumn: "1"}, "a\tb\n", nil, `x.tsv: line 1: column "text" is not a number from 1, and there is no header with names`},
		{"x.jsonl", Fields{TextField: "doc.text", LabelField: "y"}, `{"doc":{"text":"a \"b\""},"y":"l"}` + "\n" + `{"doc":{"text":null},"y":[1,"two",null,true]}` + "\n", []Example{
			{`a "b"`, []string{"l"}}, {"", []string{"1", "two", "true"}},
		}, ""},
		{"x.jsonl", Fields{TextField: "text", LabelField: "y"}, "{}\n", nil, `x.jsonl: line 1: there is no field "text"`},
		{"x.jsonl", Fields{TextField: "text", LabelField: "y"}, `{"text":"a","y":{}}`, nil, `x.jsonl: line 1: a label in the field "y" is not a text, a number, true or false`},
		{"x.jsonl", Fields{TextField: "text", LabelField: "y"}, `{"text":3,"y":"a"}`, nil, `x.jsonl: line 1: the field "text" is not a text`},
		{"x.jsonl", Fields{TextField: "text", LabelField: "y"}, `{"text":`, nil, `x.jsonl: line 1: the line is not one JSON value`},
	} {
		file := filepath.Join(t.TempDir(), test.name)
		if err := writeFile(file, []byte(test.text)); err != nil {
			t.Fatal(err)
		}
		var got []Example
		var failed error
		for e, err := range Files(nil, file).read(context.Background(), test.fields) {
			if err != nil {
				failed = err
				break
			}
			got = append(got, e)
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
		"labels in columns and JSON fields have no prefix":                     {TextField: "a", LabelField: "b", Prefix: "#"},
		`the prefix of labels "a b" has a blank`:                               {Prefix: "a b"},
	} {
		if err := fields.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func FuzzExamples(f *testing.F) {
	f.Add("__label__a text __label__b\n")
	f.Add("__label__")
	f.Add(`{"t":"x","l":["a",1]}`)
	f.Fuzz(func(t *testing.T, line string) {
		e, err := Fields{}.ofLine(line)
		if err != nil {
			t.Fatal(err)
		}
		words := 0
		for range appendFields(nil, e.Text) {
			words++
		}
		if all := len(appendFields(nil, line)); words+len(e.Labels) != all {
			t.Errorf("%q has %d tokens, and %d words and %d labels", line, all, words, len(e.Labels))
		}
		_, _ = Fields{TextField: "t", LabelField: "l.m"}.ofJSON(line)
	})
}

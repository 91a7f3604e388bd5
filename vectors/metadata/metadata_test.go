package metadata_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors/metadata"
)

func ExampleRead() {
	table, err := metadata.Read(strings.NewReader("word\tcountry\tpopulation\nparis\tFrance\t2.1\nrome\tItaly\t2.8\nlyon\tFrance\t0.5\n"), "cities.tsv")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range table.Fields([]string{"lyon", "rome", "house"}) {
		text, _ := json.Marshal(f)
		fmt.Println(string(text))
	}
	// Output:
	// {"name":"country","kind":"category","categories":["France","Italy"],"known":2,"values":[0,1,-1]}
	// {"name":"population","kind":"number","known":2,"values":[0.5,2.8,null]}
}

func TestRead(t *testing.T) {
	for _, test := range []struct {
		name, file, want string // want: JSON of the fields of the words "a" and "b", or an error
	}{
		{"rows may end early", "w\tx\ty\na\t1\nb\t2\t3\n", `[{"name":"x","kind":"number","known":2,"values":[1,2]},{"name":"y","kind":"number","known":1,"values":[null,3]}]`},
		{"one text makes categories", "w\tx\na\t1\nb\tone\n", `[{"name":"x","kind":"category","categories":["1","one"],"known":2,"values":[0,1]}]`},
		{"the most frequent category is first", "w\tx\nb\tzoo\na\tzoo\nc\tant\n", `[{"name":"x","kind":"category","categories":["zoo"],"known":2,"values":[0,0]}]`},
		{"numbers that are not finite are none", "w\tx\na\tNaN\nb\t-Inf\nc\t1\n", `[{"name":"x","kind":"number","known":2,"values":[null,null]}]`},
		{"a column without values", "w\tx\na\t\nb\n", `[{"name":"x","kind":"category","known":0,"values":[-1,-1]}]`},
		{"carriage returns, a byte order mark, an empty line", "\ufeffw\tx\r\n\r\na\t1\r\nb\t2", `[{"name":"x","kind":"number","known":2,"values":[1,2]}]`},
		{"the first of two rows of a word counts", "w\tx\na\t1\na\t2\n", `[{"name":"x","kind":"number","known":1,"values":[1,null]}]`},
		{"a field without name", "w\t\na\t1\n", `[{"name":"column 2","kind":"number","known":1,"values":[1,null]}]`},
		{"empty", "", "f.tsv: the file is empty: it has to have a header and a row for each word"},
		{"only words", "w\na\n", "f.tsv: the header has one column: it has to have the word and at least one field, separated by tabs; tables of CSV and JSON lines are not read"},
		{"two names alike", "w\tx\tx\n", `f.tsv: two fields have the name "x"`},
		{"a row that is too long", "w\tx\na\t1\t2\n", "f.tsv, line 2: 3 columns, and the header has 2"},
		{"no text", "w\tx\na\t\xff\n", "f.tsv, line 2: the text is not UTF-8"},
		{"a line without end", "w\tx\n" + strings.Repeat("a", 1<<20+1), "f.tsv, line 2: longer than 1048576 bytes: the file has columns that are separated by tabs, and a row for each word"},
		{"too many fields", "w" + strings.Repeat("\tx", 257), "f.tsv: 257 fields, and there may be 256"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if table, err := metadata.Read(strings.NewReader(test.file), "f.tsv"); err != nil {
				got = err.Error()
			} else if text, err := json.Marshal(table.Fields([]string{"a", "b"})); err != nil {
				t.Fatal(err)
			} else {
				got = string(text)
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// A hundred categories can be told apart on a map, if at all. The rarest are one.
func TestRareCategoriesAreMerged(t *testing.T) {
	var file strings.Builder
	var words []string
	file.WriteString("word\tx\n")
	for c := range 130 {
		for n := range 131 - c {
			words = append(words, fmt.Sprint(c, "-", n))
			fmt.Fprintf(&file, "%s\tc%03d\n", words[len(words)-1], c)
		}
	}
	table, err := metadata.Read(strings.NewReader(file.String()), "f.tsv")
	if err != nil {
		t.Fatal(err)
	}
	f := table.Fields(words)[0]
	if len(f.Categories) != 100 || f.Merged != 31 || f.Categories[98] != "c098" || f.Categories[99] != "other (31 categories)" {
		t.Errorf("%d categories, %d merged, the last ones %q", len(f.Categories), f.Merged, f.Categories[98:])
	}
	if last := f.Of[len(words)-1]; last != 99 || f.Known != len(words) {
		t.Errorf("the rarest category is number %d, %d values of %d are known", last, f.Known, len(words))
	}
}

func FuzzRead(f *testing.F) {
	f.Add("w\tx\ty\na\t1\nb\t2\t3\n")
	f.Add("\ufeffw\t\r\na\tNaN\r\n")
	f.Fuzz(func(t *testing.T, file string) {
		table, err := metadata.Read(strings.NewReader(file), "f")
		if err != nil {
			return
		}
		for i, field := range table.Fields([]string{"a", "", "b"}) {
			if field.Column != table.Columns()[i] || len(field.Of)+len(field.Numbers) != 3 || field.Known > 3 {
				t.Errorf("%+v", field)
			}
			for _, c := range field.Of {
				if c >= len(field.Categories) {
					t.Errorf("category %d of %d", c, len(field.Categories))
				}
			}
			if _, err := json.Marshal(field); err != nil {
				t.Error(err)
			}
		}
	})
}

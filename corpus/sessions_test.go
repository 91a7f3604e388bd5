package corpus

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sentencesOf returns the sentences of a corpus, with bars between tokens.
func sentencesOf(t *testing.T, s *Source) (all []string, err error) {
	t.Helper()
	shards, err := s.Shards(3)
	if err != nil {
		return nil, err
	}
	for _, shard := range shards {
		r, err := shard.Open(t.Context())
		if err != nil {
			return nil, err
		}
		var sentence []string
		for {
			token, err := r.Next()
			if len(token) == 0 && len(sentence) > 0 {
				all = append(all, strings.Join(sentence, "|"))
				sentence = nil
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, errors.Join(err, r.Close())
			}
			if len(token) > 0 {
				sentence = append(sentence, string(token))
			}
		}
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func TestSessions(t *testing.T) {
	want := []string{"whole milk|bread|rye", "bread|eggs"}
	for _, c := range []struct {
		name, text string
		o          Options
	}{
		{"a.tsv", "b\t1\tbread\na\t2\tWhole  milk\na\t3\tbread\nb\t4\teggs\na \t5\t rye \n", Options{TextColumn: "3", GroupBy: "1"}},
		{"a.csv", "item,user\nbread,b\nwhole  milk,a\nbread,a\n\"eggs\",b\nrye,a\n,a\n", Options{TextColumn: "1", Header: true, GroupBy: "user"}},
		{"a.tab", "user\titem\nb\tbread\na\twhole  milk, bread\nb\teggs\na\t,rye,\n", Options{TextColumn: "2", Header: true, GroupBy: "user", Split: ","}},
		{"a.jsonl", `{"u":{"id":2},"i":"bread"}
{"u":{"id":1},"i":["whole  milk","bread"]}
{"u":{"id":2},"i":"eggs"}
{"u":{"id":1},"i":null}
{"u":{"id":1},"i":"rye"}
`, Options{JSONField: "i", GroupBy: "u.id"}},
		{"a.txt", "whole  milk; bread ;rye;\n\n;bread;;eggs\n", Options{Split: ";"}},
		{"a.csv", "x,\"whole  milk;bread;rye\"\ny,bread;eggs\n", Options{TextColumn: "2", Split: ";"}},
		{"a.jsonl", `"whole  milk\tbread\trye"
["bread","eggs"]
`, Options{JSONField: ".", Split: `\t`}},
	} {
		c.o.Lowercase = true
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Files([]string{path}, nil, c.o)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Source{file, Stream(c.name, strings.NewReader(c.text), c.o)} {
			got, err := sentencesOf(t, s)
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], "  ", " ")
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %+v: %q, %v; want %q", c.name, c.o, got, err, want)
			}
		}
	}
}

// A session is of several files, in their order, and each is in one part of the corpus as a whole.
func TestSessionsOfFilesAndParts(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	want := map[string][]string{}
	var paths []string
	for f := range 3 {
		var text strings.Builder
		text.WriteString("user\titem\n")
		for i := range 500 {
			user, item := fmt.Sprintf("u%d", random.IntN(40)), fmt.Sprintf("i%d-%d", f, i)
			fmt.Fprintf(&text, "%s\t%s\n", user, item)
			want[user] = append(want[user], item)
		}
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("%d.tsv", f)))
		if err := os.WriteFile(paths[f], []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	empty := filepath.Join(dir, "empty.tsv")
	if err := os.WriteFile(empty, []byte("user\titem\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Files(append(paths, empty), nil, Options{TextColumn: "2", Header: true, GroupBy: "user"})
	if err != nil {
		t.Fatal(err)
	}
	var sessions []string
	for _, items := range want {
		sessions = append(sessions, strings.Join(items, "|"))
	}
	slices.Sort(sessions)
	for _, n := range []int{1, 2, 5} {
		var got []string
		for i := range n {
			some, err := sentencesOf(t, s.Part(i, n))
			if err != nil {
				t.Fatal(err)
			}
			if n == 2 && len(some) < 5 {
				t.Errorf("part %d of 2 has %d of %d sessions", i, len(some), len(want))
			}
			got = append(got, some...)
		}
		if slices.Sort(got); !slices.Equal(got, sessions) {
			t.Errorf("%d parts: %d sessions, want %d", n, len(got), len(sessions))
		}
	}
	shards, err := s.Shards(4)
	if err != nil || len(shards) != 1 {
		t.Fatalf("%d shards, %v", len(shards), err)
	}
	r, err := shards[0].Open(t.Context())
	for err == nil {
		_, err = r.Next()
	}
	if got := s.Empty(s.Filled(shards)); got != (Empty{1, 4, empty}) {
		t.Errorf("without text: %+v", got)
	}
	if l := s.Layout(); l.Kind != LayoutText {
		t.Errorf("the sessions look like %+v", l)
	}
}

func TestSessionsFail(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"a\tb\n", Options{GroupBy: "1"}, "corpus: GroupBy needs TextColumn or JSONField, which say what the tokens of a row are"},
		{"a\tb\n", Options{GroupBy: "user", TextColumn: "1"}, `corpus: GroupBy is "user", and must be the number of a column: without a header, columns have no names`},
		{"a\tb\n", Options{GroupBy: "1", TextColumn: "2", Tokenizer: Unicode}, "corpus: Split and GroupBy take tokens as they are: no tokenizer cuts them, and no boundary of sentences"},
		{"a\tb\n", Options{Split: ",", Sentences: UnicodeSentences}, "corpus: Split and GroupBy take tokens as they are: no tokenizer cuts them, and no boundary of sentences"},
		{"a\tb\n", Options{GroupBy: "c", TextColumn: "2", Header: true}, `x: line 1 (byte 0): no column is called "c": the header has "a, b"`},
		{"a,b\n", Options{GroupBy: "c", TextColumn: "2", Header: true}, `x: line 1 (byte 0): no column is called "c": the header has "a, b"`},
		{"a\tb\nc\n", Options{GroupBy: "2", TextColumn: "1"}, "x: line 2 (byte 4): the row has 1 column, and rows are grouped by column 2"},
		{"a,b\nc\n", Options{GroupBy: "2", TextColumn: "1"}, "x: line 2 (byte 4): the row has 1 column, and rows are grouped by column 2"},
		{"a\tb\n \tc\n", Options{GroupBy: "1", TextColumn: "2"}, "x: line 2 (byte 4): the row has nothing in column 1, by which rows are grouped"},
		{"a,b\n,c\n", Options{GroupBy: "1", TextColumn: "2"}, "x: line 2 (byte 4): the row has nothing in column 1, by which rows are grouped"},
		{"{\"i\":1}\n", Options{GroupBy: "u", JSONField: "i"}, `x: line 1 (byte 0): there is no field "u"`},
		{"{\"i\":1,\"u\":null}\n", Options{GroupBy: "u", JSONField: "i"}, `x: line 1 (byte 0): there is nothing in "u", by which lines are grouped`},
		{"{\"i\":1,\"u\":[1]}\n", Options{GroupBy: "u", JSONField: "i"}, `x: line 1 (byte 0): "u" is an array, and lines are grouped by texts and numbers`},
	} {
		if got, err := sentencesOf(t, Stream("x", strings.NewReader(c.text), c.o)); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %q, %v, want %s", c.o, got, err, c.want)
		}
	}
	if _, err := Sentences("x", [][]string{{"a"}}, Options{Split: ","}).Shards(1); err == nil {
		t.Error("sentences of tokens are not split")
	}
}

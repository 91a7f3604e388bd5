package corpus_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/w2v-go/w2v/corpus"
)

// tokensOf reads all shards of a corpus: its tokens, and "" where a sentence ends.
func tokensOf(t *testing.T, src *corpus.Source, workers int) ([]string, corpus.TooLong, error) {
	t.Helper()
	shards, err := src.Shards(workers)
	if err != nil {
		return nil, corpus.TooLong{}, err
	}
	var tokens []string
	for _, shard := range shards {
		r, err := shard.Open(t.Context())
		if err != nil {
			return nil, corpus.TooLong{}, err
		}
		for {
			token, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return tokens, corpus.TooLong{}, errors.Join(err, r.Close())
			}
			tokens = append(tokens, string(token))
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return tokens, corpus.TooLongIn(shards), nil
}

func each(sentences [][]string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for _, s := range sentences {
			if !yield(s, nil) {
				return
			}
		}
	}
}

// Sentences in memory are the tokens of the same sentences in a text, whoever reads them.
func TestSentencesAreLikeText(t *testing.T) {
	var sentences [][]string
	var text strings.Builder
	for i := range 5000 {
		var s []string
		for k := range i % 7 {
			s = append(s, fmt.Sprintf("Ä%dB", (i*k)%300))
		}
		if i == 4000 {
			s = append(s, strings.Repeat("X", corpus.MaxToken+1), "Y")
		}
		sentences = append(sentences, s)
		text.WriteString(strings.Join(s, " ") + "\n")
	}
	for _, options := range []corpus.Options{{}, {Lowercase: true}} {
		stream := corpus.Stream("memory", strings.NewReader(text.String()), options)
		want, wantLeft, err := tokensOf(t, stream, 1)
		if err != nil {
			t.Fatal(err)
		}
		for name, src := range map[string]*corpus.Source{
			"sentences": corpus.Sentences("memory", sentences, options),
			"iterator":  corpus.Seq("memory", each(sentences), options),
		} {
			got, left, err := tokensOf(t, src, 3)
			if err != nil || !slices.Equal(got, want) || left != wantLeft {
				t.Errorf("%s, %+v: %d tokens, %v, %v; want %d, %v", name, options, len(got), left, err, len(want), wantLeft)
			}
			if got, want := src.Sample().Lines, stream.Sample().Lines; !slices.Equal(got, want) {
				t.Errorf("%s: a sample of %d lines, want %d", name, len(got), len(want))
			}
		}
	}
}

func TestSentencesAreTakenAsTheyAre(t *testing.T) {
	src := corpus.Sentences("memory", [][]string{{"New York", "", "a\nb"}, nil, {"c"}}, corpus.Options{Tokenizer: corpus.Unicode})
	got, _, err := tokensOf(t, src, 1)
	if want := []string{"New York", "a\nb", "", "", "c", ""}; err != nil || !slices.Equal(got, want) {
		t.Errorf("tokens %q, %v; want %q", got, err, want)
	}
}

func TestIteratorsFail(t *testing.T) {
	broken := errors.New("the database is gone")
	for _, test := range []struct {
		name string
		seq  iter.Seq2[[]string, error]
		want string
	}{
		{"an error", func(yield func([]string, error) bool) { _ = yield([]string{"a"}, nil) && yield(nil, broken) }, "rows: the database is gone"},
		{"a panic", func(func([]string, error) bool) { panic("no rows") }, "rows: its iterator panicked: no rows"},
	} {
		_, _, err := tokensOf(t, corpus.Seq("rows", test.seq, corpus.Options{}), 2)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
}

func TestFS(t *testing.T) {
	fsys := fstest.MapFS{
		"a.txt":       {Data: []byte("one two\n")},
		"b/c.txt":     {Data: []byte("three\n")},
		"b/.hidden":   {Data: []byte("hidden\n")},
		"b/.git/HEAD": {Data: []byte("hidden\n")},
		"b/d.txt":     {Data: []byte("four")},
	}
	for _, test := range []struct {
		names []string
		want  string
		err   string
	}{
		{[]string{"."}, "one two  three  four", ""},
		{[]string{"b", "a.txt"}, "three  four one two ", ""},
		{[]string{"b/*.txt"}, "three  four", ""},
		{[]string{"*.gz"}, "", "*.gz: no file matches"},
		{[]string{"none"}, "", "none: file does not exist"},
	} {
		src, err := corpus.FS(fsys, test.names, corpus.Options{})
		var got []string
		if err == nil {
			got, _, err = tokensOf(t, src, 2)
		}
		said := ""
		if err != nil {
			said = err.Error()
		}
		if strings.Join(got, " ") != test.want || said != test.err {
			t.Errorf("%v: %q, %q; want %q, %q", test.names, strings.Join(got, " "), said, test.want, test.err)
		}
	}
}

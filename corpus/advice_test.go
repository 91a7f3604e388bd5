package corpus_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// An advice is given if it makes sentences of the text at hand, and only then.
func TestAdvice(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	sku := func() string { return fmt.Sprintf("sku-%03d-%d", rng.IntN(20), rng.IntN(9)) }
	list := func(between string, n int) string {
		var all []string
		for range n {
			all = append(all, sku())
		}
		return strings.Join(all, between)
	}
	user := func() string { return fmt.Sprintf("u%d", rng.IntN(9)) }
	const prose = "it is, as they say, a long way to the town"
	for _, c := range []struct {
		name  string
		lines func(i int) string
		read  corpus.Options // how the text is read now
		want  corpus.Options
		tabs  bool
		marks bool
	}{
		{name: "a.txt", lines: func(int) string { return "['" + list("', '", 2+rng.IntN(4)) + "']" }, want: corpus.Options{Split: ","}, marks: true},
		{name: "a.txt", lines: func(int) string { return "['" + list("','", 2+rng.IntN(4)) + "']" }, want: corpus.Options{Split: ","}, marks: true},
		{name: "a.txt", lines: func(int) string { return "{" + list("; ", 2+rng.IntN(4)) + "}" }, want: corpus.Options{Split: ";"}, marks: true},
		{name: "a.txt", lines: func(i int) string { return fmt.Sprintf("(once %d, or twice %d, it was so)", i, i*i) }},
		{name: "a.txt", lines: func(int) string { return list(" ", 5) }},
		{name: "a.txt", lines: func(int) string { return sku() }},
		{name: "a.txt", lines: func(int) string { return list(", ", 2+rng.IntN(4)) }, want: corpus.Options{Split: ","}},
		{name: "a.txt", lines: func(i int) string {
			return fmt.Sprintf("p-%d, p-%d", i, 50+i) + strings.Repeat(fmt.Sprintf(", p-%d", 200+i), i%2)
		}, want: corpus.Options{Split: ","}},
		{name: "a.txt", lines: func(i int) string { return fmt.Sprintf("once %d, or twice %d, it was so", i, i*i) }},
		{name: "a.txt", lines: func(i int) string { return fmt.Sprint("row-", i, ",", i) }},
		{name: "a.txt", lines: func(int) string { return list(",", 5) }, want: corpus.Options{Split: ","}},
		{name: "a.txt", lines: func(int) string { return list(";", 2+rng.IntN(5)) }, want: corpus.Options{Split: ";"}},
		{name: "a.txt", lines: func(int) string { return list("\t", 4) }, want: corpus.Options{Split: `\t`}},
		{name: "a.txt", lines: func(int) string { return list("|", 4) }, want: corpus.Options{Split: "|"}},
		{name: "a.csv", lines: func(int) string { return `"` + list(",", 5) + `"` }, want: corpus.Options{TextColumn: "1", Split: ","}},
		{name: "a.csv", lines: func(i int) string { return fmt.Sprintf(`%d,"%s"`, i, list(", ", 5)) }, want: corpus.Options{TextColumn: "2", Split: ","}},
		{name: "a.csv", lines: func(i int) string { return fmt.Sprintf(`%d,"%s",%d`, i, prose, i%5) }, want: corpus.Options{TextColumn: "2"}},
		{name: "a.tsv", lines: func(i int) string { return user() + "\t" + fmt.Sprint(1e9+i) + "\t" + sku() }, want: corpus.Options{TextColumn: "3", GroupBy: "1"}},
		{name: "a.tsv", lines: func(i int) string { return "u1\tp1\t" + fmt.Sprint(1600000000+i) }},
		{name: "a.csv", lines: func(i int) string {
			if i == 0 {
				return "time,user_id,item"
			}
			return fmt.Sprintf("%d,%s,%s", i, user(), sku())
		}, want: corpus.Options{TextColumn: "3", Header: true, GroupBy: "user_id"}},
		{name: "a.txt", lines: func(i int) string { return fmt.Sprintf("%d|%s|%s", i, user(), sku()) }, want: corpus.Options{TextColumn: "3", GroupBy: "2"}, tabs: true},
		{name: "a.json", lines: func(i int) string { return fmt.Sprintf(`{"id":%d,"page":{"body":%q},"n":"x"}`, i, prose) }, want: corpus.Options{JSONField: "page.body"}},
		{name: "a.json", lines: func(i int) string {
			return fmt.Sprintf(`{"basket":["%s"],"n":"x"}`, strings.ReplaceAll(list(",", 3), ",", `","`))
		}, want: corpus.Options{JSONField: "basket"}},
		{name: "a.json", lines: func(i int) string { return fmt.Sprintf(`{"t":%d,"user":%q,"sku":%q}`, i, user(), sku()) }, want: corpus.Options{JSONField: "sku", GroupBy: "user"}},
		{name: "a.json", lines: func(i int) string { return fmt.Sprintf(`{"id":%d}`, i) }},
		{name: "a.txt", lines: func(int) string { return "我们喜欢音乐和书我们喜欢音乐和书" }, want: corpus.Options{Tokenizer: corpus.Unicode}},
		{name: "a.csv", lines: func(i int) string { return fmt.Sprintf(`%d,"%s"`, i, list(",", 5)) }, read: corpus.Options{TextColumn: "2"}, want: corpus.Options{TextColumn: "2", Split: ","}},
		{name: "a.csv", lines: func(i int) string { return fmt.Sprintf(`%d,"%s"`, i, list(";", 5)) }, read: corpus.Options{TextColumn: "2", Split: ","}},
	} {
		text := lined(100, c.lines)
		src := corpus.Stream(c.name, strings.NewReader(text), c.read)
		for shards, err := src.Shards(1); err == nil && len(shards) > 0; shards = shards[1:] {
			r, err := shards[0].Open(t.Context())
			for err == nil {
				_, err = r.Next()
			}
		}
		sample := src.Sample()
		got := sample.Advice(c.read, sample.Layout(c.read))
		want := c.want
		if want == (corpus.Options{}) {
			want = c.read
		}
		if got.Options != want || (got.Tokens > 0) != (want != c.read) || got.Tabs != c.tabs || (got.Without != "") != c.marks {
			t.Errorf("%.60q: %+v, want %+v", text, got, want)
		}
	}
}

// A tokenizer takes punctuation off words if it leaves the words whole.
func TestKeeps(t *testing.T) {
	unicode, drop := corpus.Options{Tokenizer: corpus.Unicode}, corpus.Options{Punctuation: corpus.DropPunctuation}
	for _, c := range []struct {
		text          string
		unicode, drop bool
	}{
		{"Well, the cat (and the dog's owner) sat. \"Quite so,\" he said.", true, true},
		{"sku-001-12, sku-002-3, sku-001-7;", false, true},
		{"https://a.b/c?d=1 http://x.y/z", false, true},
		{"a.b@c.de, d@e.fr", false, true},
		{"#go #rust #c", true, true}, // without the sign
		{"C++ f(x) a[i] x=1;", false, true},
		{"", false, false},
	} {
		s := corpus.Sample{Lines: strings.Split(c.text, "\n")}
		if u, d := s.Keeps(corpus.Options{}, unicode), s.Keeps(corpus.Options{}, drop); u != c.unicode || d != c.drop {
			t.Errorf("%q: %t and %t, want %t and %t", c.text, u, d, c.unicode, c.drop)
		}
	}
}

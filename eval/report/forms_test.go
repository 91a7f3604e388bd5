package report

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"
)

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCSV(t *testing.T) {
	want := strings.Join([]string{
		"model,set,task,kind,part,metric,score,low,high,items,used,composed,missing,model_sha256,set_sha256",
		"rivers.w2v,pairs,similarity,set,,spearman,0.5,-0.2,0.87654,5,4,1,1,0a1b,9f8e",
		"rivers.w2v,pairs,similarity,convention,zero,spearman,0.4,,,5,5,,,0a1b,9f8e",
		"rivers.w2v,pairs,similarity,band,1-1000,spearman,,,,1,,,,0a1b,9f8e",
		"rivers.w2v,pairs,similarity,band,1001-5000,spearman,-0.5,,,2,,,,0a1b,9f8e",
		"rivers.w2v,pairs,similarity,words,composed,spearman,0.25,,,1,,,,0a1b,9f8e",
		"rivers.w2v,questions,analogy,set,,accuracy,0.6666666666666666,0.4,0.9,1500,1200,0,0,0a1b,",
		"rivers.w2v,questions,analogy,part,mouths of rivers,accuracy,1,0.8,1,700,600,,,0a1b,",
		"rivers.w2v,questions,analogy,part,a|b,accuracy,0.25,,,800,600,,,0a1b,",
		"rivers.w2v,questions,analogy,part,mean rank,mrr,0.7,,,1500,1200,,,0a1b,",
		"rivers.w2v,nothing,similarity,set,,spearman,,,,3,0,0,2,0a1b,", "",
	}, "\r\n")
	if got := written(t, sampleEvaluation().CSV); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Names with commas, quotes and lines come back as they were.
func TestCSVReadsBack(t *testing.T) {
	e := sampleEvaluation()
	e.Model = "a,b \"c\"\nd; =1+1"
	rows, err := csv.NewReader(strings.NewReader(written(t, e.CSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[1:] {
		if row[0] != e.Model || len(row) != len(rows[0]) {
			t.Errorf("row %d is %q", i+1, row)
		}
	}
}

func TestMarkdown(t *testing.T) {
	want := `## Evaluation of rivers.w2v

| set | task | metric | score | 95 % interval | items | used | composed | missing words |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| pairs | similarity | spearman | 0.500 | −0.200 … 0.877 | 5 | 4 | 1 | 1 |
| questions | analogy | accuracy | 0.667 | 0.400 … 0.900 | 1,500 | 1,200 | 0 | 0 |
| nothing | similarity | spearman | – | – | 3 | 0 | 0 | 2 |

### pairs

| convention | score | 95 % interval | used |
| --- | ---: | ---: | ---: |
| missing pairs counted as zero | 0.400 | – | 5 |

| rank of the rarest word | items | score |
| --- | ---: | ---: |
| 1-1000 | 1 | – |
| 1001-5000 | 2 | −0.500 |

| items whose words are | items | score |
| --- | ---: | ---: |
| composed | 1 | 0.250 |

Words without vectors: &lt;script&gt;alert("x")&lt;/script&gt;\|\*a\*&amp;amp;\` + "`" + `

- set: SHA-256 9f8e

### questions

no &lt;b&gt;answers&lt;/b&gt;

| part | metric | score | 95 % interval | items | used |
| --- | --- | ---: | ---: | ---: | ---: |
| mouths of rivers | accuracy | 1.000 | 0.800 … 1.000 | 700 | 600 |
| a\|b | accuracy | 0.250 | – | 800 | 600 |
| mean rank | mrr | 0.700 | – | 1,500 | 1,200 |

- method: 3cosadd

### nothing

Words without vectors: x, y

### Rules

- model: SHA-256 0a1b
- case: as written, then in lower case
- restriction: all words
`
	if got := written(t, sampleEvaluation().Markdown); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	e := sampleEvaluation()
	e.ListMissing = false
	if got := written(t, e.Markdown); strings.Contains(got, "script") || strings.Contains(got, "### nothing") {
		t.Errorf("missing words are listed, and nobody asked for them:\n%s", got)
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"a|b": `a\|b`, "_a_": `\_a\_`, "a\nb\t": "a b ", "[x](http://y)": `\[x\](http://y)`, `\`: `\\`, "<b>&": "&lt;b&gt;&amp;", "$x$": `\$x\$`, "naïve 日本": "naïve 日本",
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %q, want %q", in, got, want)
		}
	}
}

type full struct{ after int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWritersThatFail(t *testing.T) {
	e := sampleEvaluation()
	for name, write := range map[string]func(io.Writer) error{"CSV": e.CSV, "Markdown": e.Markdown, "HTML": e.HTML} {
		if err := write(&full{after: 10}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v, want %v", name, err, errFull)
		}
	}
}

// A report of nothing is a report.
func TestEmptyEvaluation(t *testing.T) {
	var e Evaluation
	if got := written(t, e.CSV); strings.Count(got, "\n") != 1 {
		t.Errorf("CSV: %q", got)
	}
	if got := written(t, e.Markdown); got != "## Evaluation\n\nThere are no sets.\n" {
		t.Errorf("Markdown: %q", got)
	}
	parse(t, written(t, e.HTML))
}

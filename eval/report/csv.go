package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/w2v-go/w2v/eval"
)

// header has the columns of an evaluation. New columns are added at the end.
var header = []string{
	"model", "set", "task", "kind", "part", "metric", "score", "low", "high", "items", "used", "composed", "missing", "model_sha256", "set_sha256",
}

// CSV writes a row for each set, whose kind is "set", followed by rows of its parts, of its
// conventions, of its bands by frequency, and of its items by what the vocabulary knows of their
// words: their kinds are "part", "convention", "band" and "words". Low and high are the ends of the
// 95 % interval; missing is the number of words without vectors.
func (e Evaluation) CSV(w io.Writer) error {
	rows := [][]string{header}
	for _, entry := range e.Entries {
		s := entry.Summary
		add := func(kind, part, metric string, score eval.Score, interval eval.Interval, items, used, composed, missing string) {
			low, high := ends(interval)
			rows = append(rows, []string{
				e.Model, s.Set, string(s.Task), kind, part, metric, plain(float64(score)), low, high, items, used, composed, missing, e.Checksum, entry.Checksum,
			})
		}
		add("set", "", s.Metric, s.Score, s.Interval, strconv.Itoa(s.Items), strconv.Itoa(s.Used), strconv.Itoa(s.Composed), strconv.Itoa(len(s.Missing)))
		for _, p := range s.Parts {
			add("part", p.Name, p.Metric, p.Score, p.Interval, strconv.Itoa(p.Items), strconv.Itoa(p.Used), "", "")
		}
		for _, c := range entry.Scores {
			add("convention", c.Key, s.Metric, c.Score, c.Interval, strconv.Itoa(s.Items), strconv.Itoa(c.Used), "", "")
		}
		for _, b := range entry.Bands {
			add("band", b.Name, s.Metric, b.Score, eval.Interval{}, strconv.Itoa(b.Items), "", "", "")
		}
		for _, b := range entry.ByWords {
			add("words", b.Name, s.Metric, b.Score, eval.Interval{}, strconv.Itoa(b.Items), "", "", "")
		}
	}
	return writeCSV(w, rows)
}

// writeCSV ends lines with CR LF, as RFC 4180 does.
func writeCSV(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	return out.WriteAll(rows)
}

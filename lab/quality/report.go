package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/frontier"
	"github.com/w2v-go/w2v/lab/machine"
)

// A report is everything that is known, and where it was measured.
type report struct {
	Machine  machine.Machine `json:"machine"`
	Command  []string        `json:"command"`
	Programs []string        `json:"programs"`
	Contests []*contest      `json:"contests"`
}

// save writes the report as JSON.
func (r report) save(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		return e.Encode(r)
	})
}

// markdown writes all tables, the summary first.
func (r report) markdown() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s; %s.\n`%s`\n\n", r.Machine.When, r.Machine, strings.Join(r.Programs, "; "), strings.Join(r.Command, " "))
	fmt.Fprintf(&text, "Similarity: Spearman's correlation. Analogies: answers that are right among the %d most frequent words. ", battery.Restrict)
	text.WriteString("± is a standard error from the noise of seeds. **Bold**: w2v is worse by more than two standard errors.\n")
	text.WriteString("\n### Summary\n\n" + r.summary().Markdown())
	for _, c := range r.Contests {
		if len(c.rows(true)) == 0 && len(c.rows(false)) == 0 {
			continue
		}
		fmt.Fprintf(&text, "\n### %s, %s, dim %d\n\n%d tokens.\n\n%s", c.Text, c.Kind, c.Dim, c.Tokens, c.scores().Markdown())
		if t := c.differences(); len(t) > 1 {
			text.WriteString("\n" + t.Markdown() + "\n" + c.times().Markdown())
		}
	}
	return text.String()
}

// summary has a row for each contest and peer.
func (r report) summary() figures.Table {
	t := figures.Table{{"text", "kind", "dim", "program", "peer", "mean, difference", "worse sets", "time to the peer's mean: × less"}}
	for _, c := range r.Contests {
		for _, ours := range c.rows(true) {
			for _, theirs := range c.rows(false) {
				var worse []string
				for _, set := range c.Sets {
					if c.compare(ours, theirs, set).worse() {
						worse = append(worse, set)
					}
				}
				t = append(t, []string{
					c.Text, c.Kind, strconv.Itoa(c.Dim), ours.Program, theirs.Program,
					c.compare(ours, theirs, meanColumn).String(), strings.Join(worse, ", "),
					c.reach(ours, theirs).Ratio(theirs.seconds()),
				})
			}
		}
	}
	return t
}

// String writes the difference with its error, in bold if it is worse.
func (d difference) String() string {
	if math.IsNaN(d.Value) {
		return ""
	}
	text := fmt.Sprintf("%+.3f", d.Value)
	if !math.IsNaN(d.Error) {
		text += fmt.Sprintf(" ± %.3f", d.Error)
	}
	if d.worse() {
		return "**" + text + "**"
	}
	return text
}

// scores is the table of all scores, means over seeds.
func (c *contest) scores() figures.Table {
	head := append(append([]string{"program", "epochs", "seeds"}, c.columns()...), "CPU time of training", "peak memory")
	t := figures.Table{head}
	for _, r := range append(c.rows(true), c.rows(false)...) {
		cells := []string{r.Program, strconv.Itoa(r.Runs[0].Epochs), strconv.Itoa(len(r.Runs))}
		for _, column := range c.columns() {
			mean, _ := figures.MeanDeviation(scoresOf(r.Runs, column))
			cells = append(cells, number(mean))
		}
		t = append(t, append(cells, figures.Seconds(r.seconds()), figures.Megabytes(r.Runs[0].PeakBytes)))
	}
	noise := []string{"deviation of a seed", "", ""}
	for _, column := range c.columns() {
		noise = append(noise, number(c.seedDeviation(column)))
	}
	return append(t, append(noise, "", ""))
}

// number writes a score, and nothing if there is none.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf("%.3f", x)
}

// differences is the table of w2v less its peers, set by set.
func (c *contest) differences() figures.Table {
	t := figures.Table{append([]string{"difference"}, c.columns()...)}
	for _, ours := range c.rows(true) {
		for _, theirs := range c.rows(false) {
			cells := []string{ours.Program + " − " + theirs.Program}
			for _, column := range c.columns() {
				cells = append(cells, c.compare(ours, theirs, column).String())
			}
			t = append(t, cells)
		}
	}
	return t
}

// times is the table of when w2v reaches the means of its peers.
func (c *contest) times() figures.Table {
	t := figures.Table{{"program", "peer", "its mean", "its CPU time", "w2v reaches that in", "epochs", "× less"}}
	for _, ours := range c.rows(true) {
		for _, theirs := range c.rows(false) {
			at, seconds := c.reach(ours, theirs), theirs.seconds()
			t = append(t, []string{
				ours.Program, theirs.Program, number(theirs.mean()), figures.Seconds(seconds), at.Time(), at.Passes(), at.Ratio(seconds),
			})
		}
	}
	return t
}

// mean is the mean over sets and seeds.
func (r *row) mean() float64 {
	mean, _ := figures.MeanDeviation(scoresOf(r.Runs, meanColumn))
	return mean
}

// reach says when w2v reaches a peer's mean.
func (c *contest) reach(ours, theirs *row) frontier.Crossing {
	return frontier.Reach(ours.points(), theirs.mean())
}

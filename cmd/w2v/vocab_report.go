package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vocab"
)

// printReport prints the report on a corpus.
func printReport(w io.Writer, r vocab.Report, asJSON bool) error {
	if asJSON {
		return printJSON(w, r)
	}
	fmt.Fprintf(w, "%s, %s distinct; the most frequent is seen %s\n",
		wording.Count(r.Tokens, "token", "tokens"), wording.Thousands(r.Types), wording.Count(r.Most, "time", "times"))
	if r.Zipf != 0 {
		fmt.Fprintf(w, "Zipf slope %.2f (near -1 for words of natural language)\n", r.Zipf)
	}
	t := &cellTable{w: w, flags: tabwriter.AlignRight}
	fmt.Fprintln(t, "\nmost frequent\ttokens\tshare\t")
	for _, c := range r.Coverage {
		fmt.Fprintf(t, "%d\t%d\t%s\t\n", c.Top, c.Tokens, percent(c.Share))
	}
	fmt.Fprintln(t, "\n--min-count\tdrops tokens\tshare\tdrops distinct\tshare\tleaves\t")
	for _, d := range r.Drops {
		fmt.Fprintf(t, "%d\t%d\t%s\t%d\t%s\t%d\t\n", d.MinCount, d.Tokens, percent(d.TokenShare), d.Types, percent(d.TypeShare), d.Left)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nsuggested")
	for _, s := range r.Suggestions {
		fmt.Fprintf(w, "  --%s %s: %s\n", s.Setting, s.Value, s.Reason)
	}
	return nil
}

// percent is a share for people.
func percent(share float64) string { return fmt.Sprintf("%.2f %%", 100*share) }

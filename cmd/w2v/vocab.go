package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vocab"
)

func newVocab(s streams) *cobra.Command {
	settings := train.Defaults()
	settings.MinCount = 1 // all words
	var asJSON, report bool
	c := &cobra.Command{
		Use:   "vocab [flags] CORPUS...",
		Short: "Count the tokens of a corpus",
		Long: `Count the tokens of a corpus. Print a line with each token and its count, by falling
count, and by bytes where counts are equal. train --vocab reads this output.

With --report, print what one needs to know to choose settings instead: what share of
the text the most frequent tokens are, what each --min-count would drop, how counts
fall with ranks (Zipf), and suggestions with their reasons.

` + corpusHelp,
		Example: `  w2v vocab corpus.txt | head
  w2v vocab --report corpus.txt
  w2v vocab reviews.csv.gz --text-column 2 --header | head
  zcat *.gz | w2v vocab --lowercase --min-count 10 - > counts.txt`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := settings.Complete(); err != nil {
				return misuse(asFlags(err))
			}
			if report && (c.Flags().Changed("min-count") || c.Flags().Changed("max-vocab")) {
				return misuse(errors.New("--report is about all tokens: leave out --min-count and --max-vocab"))
			}
			src, err := corpus.Files(args, s.in, settings.Text)
			if err != nil {
				return err
			}
			ctx, stop := untilSignal(c.Context(), s.err)
			defer stop()
			collectEarly()
			if src, _, err = settings.JoinPhrases(ctx, src, nil); err != nil {
				return asFlags(lessMemory(err))
			}
			options := vocab.Options{
				MinCount: settings.MinCount,
				MaxVocab: settings.MaxVocab,
				Threads:  settings.Model.Threads,
				TooLong:  func(left corpus.TooLong) { s.note(left.String()) },
				Empty:    func(empty corpus.Empty) { s.note(empty.String()) },
				Memory:   settings.Phrases.Memory,
			}
			if report {
				r, err := vocab.Describe(ctx, src, options)
				if err != nil {
					return lessMemory(err)
				}
				return s.print(asJSON, r, func(w io.Writer) { printReport(w, r) })
			}
			if !asJSON {
				return lessMemory(vocab.WriteCounts(ctx, src, options, s.out))
			}
			for of, err := range vocab.Each(ctx, src, options) {
				if err == nil {
					err = printJSON(s.out, struct {
						Token string `json:"token"`
						Count uint64 `json:"count"`
					}{string(of.Token), of.Count})
				}
				if err != nil {
					return lessMemory(err)
				}
			}
			return nil
		},
	}
	addSettings(c.Flags(), &settings, train.GroupText)
	addSetting(c.Flags(), &settings, "threads")
	addVocabMemory(c.Flags(), &settings.Phrases.Memory)
	c.Flags().BoolVar(&report, "report", false, "print coverage, what each --min-count drops, and suggested settings")
	addJSON(c, &asJSON)
	return c
}

// lessMemory adds to an error of memory which flags need less.
func lessMemory(err error) error {
	if _, ok := errors.AsType[*vocab.MemoryError](err); ok {
		return fmt.Errorf("%w: --threads 1 and --lowercase need less, or there has to be more memory (--min-count and --max-vocab drop tokens only after all are counted); train --force tries anyway", err)
	}
	return err
}

func percent(share float64) string { return fmt.Sprintf("%.2f %%", 100*share) }

func printReport(w io.Writer, r vocab.Report) {
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
	t.Flush()
	fmt.Fprintln(w, "\nsuggested")
	for _, s := range r.Suggestions {
		fmt.Fprintf(w, "  --%s %s: %s\n", s.Setting, s.Value, s.Reason)
	}
}

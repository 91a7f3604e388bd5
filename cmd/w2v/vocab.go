package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/phrases"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vocab"
)

func newVocab(s streams) *cobra.Command {
	settings := train.Defaults()
	settings.MinCount = 1 // all words
	var asJSON, report bool
	c := command("vocab", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
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
	})
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

// phrasesFlags are the flags of w2v phrases.
type phrasesFlags struct {
	settings          train.Settings
	options           phrases.Options
	connectors        string
	output            string
	table, writeTable string
	json              bool
}

func newPhrases(s streams) *cobra.Command {
	f := phrasesFlags{settings: train.Defaults()}
	c := command("phrases", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "write the corpus with its phrases joined to `FILE`; .gz and .zst compress it; - is standard output")
	f.options.Scoring = phrases.Default
	addEnum(flags, &f.options.Scoring, "scoring", "how pairs are scored", scorings())
	flags.Float64Var(&f.options.Threshold, "threshold", 0, "score that a phrase exceeds (default 10, or 0.5 with npmi)")
	flags.IntVar(&f.options.MinCount, "min-count", 5, "pairs that are seen less often are not phrases")
	flags.IntVar(&f.options.Passes, "passes", 1, "how often neighbours are joined; with 2, phrases have up to four words")
	flags.StringVar(&f.options.Delimiter, "delimiter", "_", "what stands between the words of a phrase")
	flags.StringVar(&f.connectors, "connector-words", "", "words that may be within a phrase, and neither begin nor end one: `LIST` with commas, or a file with one a line")
	flags.StringVar(&f.table, "table", "", "join the phrases in `FILE`, which --write-table has written")
	flags.StringVar(&f.writeTable, "write-table", "", "write the phrases to `FILE`; .gz and .zst compress it")
	for _, row := range train.Table() {
		if row.Group == train.GroupText && !ofWords(row.Name) {
			addSettingRow(flags, &f.settings, row)
		}
	}
	addSetting(flags, &f.settings, "threads")
	addVocabMemory(flags, &f.options.Memory)
	addJSON(c, &f.json)
	return c
}

// ofWords reports whether a setting of text is one of the words that are trained, or of their
// phrases, which have flags of their own here.
func ofWords(name string) bool {
	return name == "min-count" || name == "max-vocab" || strings.HasPrefix(name, "phrase")
}

func scorings() []choice {
	meanings := make(map[phrases.Scoring]string)
	for _, s := range phrases.Scorings() {
		meanings[s] = s.Help()
	}
	return choicesOf(phrases.Scorings(), meanings)
}

// check looks for what makes no sense whatever the corpus is, and completes the options.
func (f *phrasesFlags) check(c *cobra.Command) error {
	changed := c.Flags().Changed
	if err := refuse(c.Flags(), "--%s is for finding phrases, and --table has those that were found", "scoring", "threshold", "min-count", "passes", "delimiter", "connector-words"); f.table != "" && err != nil {
		return err
	}
	o := &f.options
	zero := o.Threshold == 0 && changed("threshold")
	err := broken(
		rule{f.table != "" && f.output == "", "--table needs -o OUT: it joins the phrases of a corpus"},
		rule{f.output == "-" && f.json, "-o - and --json both print to standard output: name a file"},
		rule{o.MinCount < 1 || o.Passes < 1 || o.Delimiter == "", "--min-count and --passes must be 1 or more, and --delimiter not empty"},
		rule{zero && o.Scoring != phrases.NPMI, "--threshold must be above 0, is 0"},
	)
	if err != nil {
		return err
	}
	if zero {
		o.Threshold = math.SmallestNonzeroFloat64 // 0 itself
	}
	o.Threads = f.settings.Model.Threads
	if err := o.Validate(); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "phrases: "))
	}
	return asFlags(f.settings.Complete())
}

func (f *phrasesFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	if f.options.Connectors, err = readConnectors(f.connectors); err != nil {
		return err
	}
	if err := f.check(c); err != nil {
		return misuse(err)
	}
	src, err := corpus.Files(args, s.in, f.settings.Text)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	collectEarly()
	f.options.TooLong = func(left corpus.TooLong) { s.note(left.String()) }
	table, err := f.find(ctx, src)
	if err != nil {
		return err
	}
	if f.writeTable != "" {
		if err := writeText(s, f.writeTable, func(w io.Writer) error { _, err := table.WriteTo(w); return err }); err != nil {
			return err
		}
	}
	if f.output != "" {
		if err := f.join(ctx, s, src, table); err != nil {
			return err
		}
	}
	if f.json {
		return eachJSON(s.out, table.Phrases())
	}
	if f.output == "" {
		for _, p := range table.Phrases() {
			fmt.Fprintf(s.out, "%s\t%d\t%.6g\n", p.Phrase, p.Count, p.Score)
		}
	}
	return nil
}

// find reads the table, or makes one of the corpus.
func (f *phrasesFlags) find(ctx context.Context, src *corpus.Source) (*phrases.Table, error) {
	if f.table != "" {
		return compression.ReadFile(f.table, phrases.Read)
	}
	if f.output != "" {
		if err := src.Again(); err != nil {
			return nil, fmt.Errorf("%w, and -o reads it a second time: give a file, or --table", err)
		}
	}
	table, err := phrases.Learn(ctx, src, f.options)
	if err != nil {
		return nil, lessMemory(err)
	}
	return table, nil
}

// join writes the corpus with its phrases joined.
func (f *phrasesFlags) join(ctx context.Context, s streams, src *corpus.Source, table *phrases.Table) error {
	var written phrases.Written
	err := writeText(s, f.output, func(w io.Writer) (err error) {
		written, err = table.WriteText(ctx, w, src)
		return err
	})
	if err != nil || f.output == "-" {
		return err
	}
	if f.table != "" && written.TooLong.Tokens > 0 {
		f.options.TooLong(written.TooLong)
	}
	fmt.Fprintf(s.err, "%s; %s in %s written to %s\n", wording.Count(table.Len(), "phrase", "phrases"),
		wording.Count(written.Tokens, "token", "tokens"), wording.Count(written.Sentences, "line", "lines"), f.output)
	return nil
}

// readConnectors returns the words of a list with commas, or of a file with one a line.
func readConnectors(list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	info, err := os.Stat(list)
	if err != nil && !strings.Contains(list, ",") && (filepath.Ext(list) != "" || filepath.Base(list) != list) {
		return nil, compression.Named(list, err) // the name of a file, and no word
	}
	if err != nil || info.IsDir() {
		return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }), nil
	}
	return compression.ReadFile(list, func(r io.Reader) ([]string, error) {
		text, err := io.ReadAll(plaintext.NewReader(r))
		return strings.Fields(strings.TrimPrefix(string(text), "\ufeff")), err
	})
}

// writeText writes the file at path, which is compressed as its extension says, or standard output without a path.
func writeText(s streams, path string, write func(w io.Writer) error) error {
	return writeFile(s, path, func(w io.Writer) error {
		out, err := compression.NewWriter(w, path)
		if err != nil {
			return err
		}
		return errors.Join(write(out), out.Close())
	})
}

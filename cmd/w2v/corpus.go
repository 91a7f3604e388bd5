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
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/atomicfile"
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
		src, err := corpus.FilesContext(c.Context(), args, s.in, settings.Text)
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
			TooLong:  func(left corpus.TooLong) { s.notes(left.String()) },
			Empty:    func(empty corpus.Empty) { s.notes(empty.String()) },
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

// ofWords says whether a setting is about the words that are trained or their phrases, which have flags of their own here.
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
	src, err := corpus.FilesContext(c.Context(), args, s.in, f.settings.Text)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	collectEarly()
	f.options.TooLong = func(left corpus.TooLong) { s.notes(left.String()) }
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

type walkCommand struct {
	graphFlags
	output, save, cache string
	progress            string
	json                bool
}

func newWalk(s streams) *cobra.Command {
	var f walkCommand
	c := command("walk", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "`FILE` for the walks; .jsonl makes each a JSON array, in which names may have spaces; .gz or .zst compresses it (default: standard output)")
	f.add(c, func() bool { return true })
	flags.Uint64Var(&f.walks.Seed, "seed", 1, "seed of the walks")
	whole(flags, 0, &f.walks.Threads, "threads", "", 0, "number of workers; 0 means one for each core")
	flags.StringVar(&f.save, "save-graph", "", "keep the graph in `FILE`, so that its edges need not be read again; without --output, no walks are written")
	flags.StringVar(&f.cache, "cache", "", "`folder` for temporary files, up to 36 bytes an edge (default: the system's folder for temporary files)")
	addProgress(flags, &f.progress)
	addJSON(c, &f.json)
	return c
}

func (f *walkCommand) run(c *cobra.Command, s streams, args []string) (err error) {
	if f.json && f.output == "" && f.save == "" {
		return misuse(errors.New("--json needs --output FILE: the walks go to standard output otherwise"))
	}
	for _, path := range []string{f.output, f.save} {
		if path == "" {
			continue
		}
		if err := atomicfile.Check(path); err != nil {
			return err
		}
	}
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	collectEarly()
	report := newReporter(s, f.progress)
	defer func() { err = errors.Join(err, report.close()) }()
	begin := time.Now()
	g, err := graph.Load(ctx, args, s.in, graph.ReadOptions{
		Directed: f.directed, Output: f.save, Folder: f.cache, Threads: f.walks.Threads, Planned: s.planned, Note: func(text string) { s.notes(text) },
		Progress: func(edges uint64) { report.count(edges, "reading: %.1f M edges") },
	})
	report.countingDone()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	sum := walkSummary{Nodes: g.Nodes(), Edges: g.Edges(), Directed: g.Directed(), Weighted: g.Weighted(), GraphBytes: g.Bytes(), Reading: time.Since(begin).Seconds(), Graph: f.save, Output: f.output}
	if f.save == "" || f.output != "" {
		if err := f.walk(ctx, s, g, report, &sum); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.err, "a graph of %s and %s, read in %.1f s: %s\n",
		wording.Count(sum.Nodes, "node", "nodes"), wording.Count(sum.Edges, "edge", "edges"), sum.Reading, megabytes(int64(sum.GraphBytes)))
	if sum.Walks > 0 {
		fmt.Fprintf(s.err, "%s of %s in %.1f s (%.2f M/s)\n", wording.Count(sum.Walks, "walk", "walks"), wording.Count(sum.Steps, "node", "nodes"), sum.Walking, float64(sum.Steps)/1e6/max(sum.Walking, 1e-9))
	}
	if f.json {
		return printJSON(s.out, sum)
	}
	return nil
}

func (f *walkCommand) walk(ctx context.Context, s streams, g *graph.Graph, report *reporter, sum *walkSummary) error {
	o := f.walks
	o.Arrays = strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(f.output, ".gz"), ".zst"), ".jsonl")
	o.Progress = func(nodes uint64) { report.count(nodes, "walking: %.1f M nodes") }
	return writeText(s, f.output, func(w io.Writer) error {
		stats, err := g.WriteWalks(ctx, w, o)
		if e, ok := errors.AsType[*graph.NameError](err); ok && !e.Arrays {
			err = fmt.Errorf("%w: -o walks.jsonl writes arrays, which train --json-field . reads, and train --graph needs no file", err)
		}
		report.countingDone()
		sum.Walks, sum.Steps, sum.Walking = stats.Walks, stats.Nodes, stats.Took.Seconds()
		return err
	})
}

type walkSummary struct {
	Nodes      int     `json:"nodes"`
	Edges      uint64  `json:"edges"`
	Directed   bool    `json:"directed"`
	Weighted   bool    `json:"weighted"`
	GraphBytes uint64  `json:"graph_bytes"`
	Reading    float64 `json:"reading_seconds"`
	Walks      uint64  `json:"walks"`
	Steps      uint64  `json:"tokens"`
	Walking    float64 `json:"walking_seconds"`
	Graph      string  `json:"graph,omitempty"`
	Output     string  `json:"output,omitempty"`
}

type graphFlags struct {
	walks    graph.WalkOptions
	directed bool
}

// add adds the flags. given tells whether there is a graph, which needs describes.
func (f *graphFlags) add(c *cobra.Command, given func() bool) {
	flags := c.Flags()
	flags.BoolVar(&f.directed, "directed", false, "an edge leads from its first node to its second only")
	flags.IntVar(&f.walks.PerNode, "walks", graph.DefaultPerNode, "walks that begin at each node")
	flags.IntVar(&f.walks.Length, "walk-length", graph.DefaultLength, "nodes in a walk")
	limit(flags, 1, graph.MaxPerNode, "walks")
	limit(flags, 1, graph.MaxLength, "walk-length")
	flags.Float64Var(&f.walks.P, "p", 1, "divide the weight of the way back by `P` (node2vec)")
	flags.Float64Var(&f.walks.Q, "q", 1, "divide the weights of ways to nodes that are not neighbours of the node before by `Q` (node2vec)")
	flags.BoolVar(&f.walks.Plus, "plus", false, "weak edges count less as those of neighbours (node2vec+, for weighted graphs)")
	checked(c, func([]string) error {
		const most = graph.MaxFactor
		switch o := f.walks; {
		case !given():
			return refuse(flags, "--%s needs --graph", "directed", "walks", "walk-length", "p", "q", "plus", "fresh-walks")
		case !(1/most <= o.P && o.P <= most):
			return fmt.Errorf("--p must be above 0, from %v to %v, is %v", 1/most, most, o.P)
		case !(1/most <= o.Q && o.Q <= most):
			return fmt.Errorf("--q must be above 0, from %v to %v, is %v", 1/most, most, o.Q)
		case o.Plus && o.P == 1 && o.Q == 1:
			return errors.New("--plus changes nothing with --p 1 --q 1: give one of them")
		default:
			return o.Validate()
		}
	})
}

func (s streams) planned(p graph.Plan) error {
	fmt.Fprintf(s.err, "%s nodes, %s: the graph takes up to %s, which are mapped from a file; making it takes %s of memory and %s of disk\n",
		wording.Thousands(p.Nodes), wording.Count(p.Lines, "edge", "edges"), megabytes(int64(p.File)), megabytes(int64(p.Memory)), megabytes(int64(p.Disk)))
	return nil
}

type kmerFlags struct{ kmers.Options }

func (f *kmerFlags) add(c *cobra.Command, given func() bool) {
	flags := c.Flags()
	f.Alphabet = kmers.DNA
	whole(flags, 1, &f.Stride, "stride", "", 1, "letters from one k-mer to the next")
	addEnum(flags, (*string)(&f.Alphabet), "alphabet", "letters of the sequences", []choice{
		{string(kmers.DNA), "DNA; U of RNA is T"},
		{string(kmers.Protein), "amino acids"},
	})
	flags.BoolVar(&f.Canonical, "canonical", false, "of a k-mer and its reverse complement, take the one that is first by the alphabet (DNA only)")
	flags.BoolVar(&f.Join, "join", false, "go on in the same sentence behind N and other ambiguous letters")
	checked(c, func([]string) error {
		switch {
		case !given():
			return refuse(flags, "--%s needs --kmers K", "stride", "alphabet", "canonical", "join")
		case f.Canonical && f.Alphabet == kmers.Protein:
			return errors.New("--canonical needs --alphabet dna: proteins have no strands")
		}
		return nil
	})
}

func (s streams) noteKmers(name string, sum kmers.Stats) {
	fmt.Fprintf(s.err, "%s: %s k-mers of %s records, %s letters\n", name, wording.Thousands(sum.Kmers), wording.Thousands(sum.Records), wording.Thousands(sum.Letters))
	s.noteIf(sum.Ambiguous > 0, "%s: %s letters are ambiguous, such as N, and in no k-mer", name, wording.Thousands(sum.Ambiguous))
	s.noteIf(sum.Short > 0, "%s: %s records have no k-mer, because they are too short", name, wording.Thousands(sum.Short))
}

func newKmers(s streams) *cobra.Command {
	var f kmerFlags
	var output string
	var asJSON bool
	c := command("kmers", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		if asJSON && output == "" {
			return misuse(errors.New("--json needs --output FILE: the k-mers go to standard output otherwise"))
		}
		source, err := corpus.FilesContext(c.Context(), args, s.in, corpus.Options{})
		if err != nil {
			return err
		}
		ctx, stop := untilSignal(c.Context(), s.err)
		defer stop()
		var sum kmers.Stats
		err = writeText(s, output, func(w io.Writer) (err error) {
			sum, err = kmers.Write(ctx, w, source, f.Options)
			return err
		})
		if err != nil {
			return err
		}
		s.noteKmers(source.Name(), sum)
		if asJSON {
			return printJSON(s.out, sum)
		}
		return nil
	})
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&output, "output", "o", "", "`FILE` for the k-mers; .gz or .zst compresses it (default: standard output)")
	c.Flags().IntVarP(&f.K, "k", "k", 6, "letters of a k-mer")
	limit(c.Flags(), 1, kmers.MaxK, "k")
	f.add(c, func() bool { return true })
	addJSON(c, &asJSON)
	return c
}

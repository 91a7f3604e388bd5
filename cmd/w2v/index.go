package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/embed"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/index"
	"github.com/w2v-go/w2v/vectors/query"
)

type indexRun struct {
	textFlags
	options  index.Options
	output   string
	measured int
	asJSON   bool
	remember func(*index.Index) // what made the vectors; nil if nothing is kept of it
}

// An indexReport is what w2v index prints. Its JSON is read by scripts.
type indexReport struct {
	index.About
	Output       string  `json:"output"`
	Bytes        int64   `json:"bytes"`
	MemoryBytes  uint64  `json:"memory_bytes"`
	Seconds      float64 `json:"seconds"`
	CPUSeconds   float64 `json:"cpu_seconds"`
	QuerySeconds float64 `json:"query_seconds"` // of a search on one core; 0 if nothing was measured
	ExactSeconds float64 `json:"exact_seconds"` // of an exact search likewise
}

func newIndex(s streams) *cobra.Command {
	var f indexRun
	c := command("index", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		if f.vectors != "" {
			return f.run(c.Context(), s, args[0], either(f.fields.LabelColumn == "", "texts", "ids"), func(ctx context.Context) (*index.Entries, error) { return f.table(ctx, args[0]) })
		}
		o := f.opening()
		o.whole = true
		err := s.open(c.Context(), args[0], o, func(words *finder) error {
			of := either(len(args) == 1, "words", either(f.fields.LabelColumn+f.fields.LabelField == "", "texts", "ids"))
			return f.run(c.Context(), s, words.path, of, func(ctx context.Context) (*index.Entries, error) { return f.entries(ctx, s, words, args[1:]) })
		})
		if _, ok := errors.AsType[*format.Error](err); ok && strings.EqualFold(filepath.Ext(args[0]), ".parquet") {
			err = fmt.Errorf("%w; other columns are named by --vectors-column, and --id-column or --text-column", err)
		}
		return err
	})
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "file of the index (required)")
	f.textFlags.add(c, true)
	flags.StringVar(&f.vectors, "vectors-column", "", "MODEL is a Parquet table, such as w2v embed writes, and this `COLUMN` has vectors; their names are in --id-column, or else in --text-column")
	grouped(flags, "Index", func() {
		flags.IntVar(&f.options.Degree, "degree", index.DefaultDegree, "most links of an entry: more find more, and take memory and time")
		limit(flags, 4, 1<<10, "degree")
		flags.IntVar(&f.options.Effort, "effort", index.DefaultBuild, "how many entries a search keeps while it looks for links: more make a better index, and take time")
		limit(flags, 1, 1<<16, "effort")
		flags.Uint64Var(&f.options.Seed, "seed", 1, "seed of the order in which entries are linked")
		whole(flags, 0, &f.measured, "measure", "", 1000, "compare so many searches with exact ones at the end; 0 for none")
	})
	grouped(flags, "Run", func() {
		whole(flags, 0, &f.options.Threads, "threads", "", 0, "number of threads; 0 means all processors")
		flags.BoolVar(&f.options.Force, "force", false, "build even if memory seems too small")
	})
	addJSON(c, &f.asJSON)
	checked(c, func(args []string) error {
		texts := len(args) > 1
		return broken(
			rule{f.output == "", "no output: say where the index goes with -o FILE"},
			rule{f.output == "-", "an index is not written to standard output: name a file"},
			rule{f.vectors != "" && texts, "--vectors-column has vectors of a table, and texts have none yet: name the table alone"},
			rule{f.vectors != "" && f.fields.TextColumn+f.fields.LabelColumn == "", "--vectors-column needs names of the vectors: a column of the table in --id-column or --text-column"},
			rule{f.vectors != "" && (f.fields.TextField != "" || f.fields.Header || f.tokenizer != "" || flags.Changed("case")), "--json-field, --header, --tokenizer and --case are for texts, and --vectors-column is of a table that has vectors"},
			rule{!texts && f.vectors == "" && f.fields.TextColumn+f.fields.TextField != "", "--text-column and --json-field say where texts are, and there are none: name their files behind the model"},
			rule{!texts && f.tokenizer != "", "--tokenizer cuts texts, and there are none: name their files behind the model"},
		)
	})
	return c
}

// run builds an index of entries, which are words, texts or ids, with vectors of a model or table.
func (f *indexRun) run(ctx context.Context, s streams, model, of string, read func(context.Context) (*index.Entries, error)) error {
	if err := atomicfile.Check(f.output); err != nil {
		return err
	}
	ctx, stop := untilSignal(ctx, s.err)
	defer stop()
	collectEarly()
	began, cpu := time.Now(), sysinfo.CPUTime()
	entries, err := read(ctx)
	if err != nil {
		return err
	}
	report := indexReport{Output: f.output}
	f.options.Start = func(bytes uint64) error {
		report.MemoryBytes = bytes
		s.note("building takes %.1f MB of memory", float64(bytes)/1e6)
		return nil
	}
	how, end := computation(s, f.options.Force)
	f.options.Progress = func(linked, all int) { how.Progress("linking", float64(linked)/float64(all)) }
	x, err := index.Build(ctx, entries, f.options)
	end()
	if err != nil {
		return indexError(err)
	}
	x.About.Of, x.About.Model = of, model
	if f.remember != nil {
		f.remember(x)
	}
	if x.About.Entries == 0 {
		return fmt.Errorf("%s: nothing has a vector, so there is nothing to search", model)
	}
	if f.measured > 0 {
		walk, exact, err := x.Measure(ctx, min(10, x.About.Entries), f.measured, index.DefaultEffort)
		if err != nil {
			return err
		}
		report.QuerySeconds, report.ExactSeconds = walk.Seconds(), exact.Seconds()
	}
	if err := x.Write(ctx, f.output); err != nil {
		return err
	}
	if info, err := os.Stat(f.output); err == nil {
		report.Bytes = info.Size()
	}
	x.About.Probe = nil // is for searches
	report.About, report.Seconds, report.CPUSeconds = x.About, time.Since(began).Seconds(), (sysinfo.CPUTime() - cpu).Seconds()
	return s.print(f.asJSON, report, report.print)
}

func indexError(err error) error {
	return advised[*index.MemoryError](unprefixed(err, "index: ", "corpus: "), "--force tries anyway")
}

// table returns the vectors of a Parquet table.
func (f *indexRun) table(ctx context.Context, path string) (*index.Entries, error) {
	var entries *index.Entries
	without := 0
	for e, err := range embed.ReadTable(ctx, path, cmp.Or(f.fields.LabelColumn, f.fields.TextColumn), f.vectors) {
		switch {
		case err != nil:
			return nil, err
		case e.Vector == nil:
			without++
			continue
		case len(e.Name) > vectors.MaxWord:
			return nil, fmt.Errorf("%s: %.20q… has %d bytes, and no name of an entry more than %d: name another column with --id-column", path, e.Name, len(e.Name), vectors.MaxWord)
		case entries == nil:
			entries = index.NewEntries(len(e.Vector))
		}
		entries.Add(e.Name, e.Vector)
	}
	if entries == nil {
		return nil, fmt.Errorf("%s: nothing has a vector, so there is nothing to search", path)
	}
	none := make([]float32, entries.Dim())
	for range without {
		entries.Add("", none)
	}
	return entries, nil
}

// entries returns the words of a model, or texts with its vectors.
func (f *indexRun) entries(ctx context.Context, s streams, words *finder, paths []string) (*index.Entries, error) {
	if len(paths) == 0 {
		if words.set.Len() == 0 {
			return nil, errNoAnswers(words.path)
		}
		f.remember = func(x *index.Index) { x.SpellAs(words.Finder) }
		return index.Of(words.set)
	}
	pooler, err := s.pooler(words)
	if err != nil {
		return nil, err
	}
	entries := index.NewEntries(words.set.Dim())
	named := f.fields.LabelColumn+f.fields.LabelField != ""
	if named { // names say nothing of vectors
		f.remember = func(x *index.Index) { x.Remember(words.Finder, pooler) }
	}
	var left corpus.TooLong
	for t, err := range embed.Vectors(ctx, words.Finder, pooler, f.rows(ctx, s, paths, nil, nil), textRow.content) {
		if err != nil {
			return nil, ofTexts(words.path, err)
		}
		if t.Err != nil {
			return nil, t.Of.Error(t.Err)
		}
		left.Add(t.TooLong)
		name := strings.Trim(t.Of.text, white)
		if named {
			if len(t.Of.Labels) != 1 || t.Of.Labels[0] == "" {
				return nil, t.Of.Error(fmt.Errorf("expected one name of the text, found %d", len(t.Of.Labels)))
			}
			name = t.Of.Labels[0]
		} else if name == "" {
			continue
		}
		if len(name) > vectors.MaxWord {
			return nil, t.Of.Error(fmt.Errorf("%.20q… has %d bytes, and no name of an entry more than %d: give texts names, with --id-column or --id-field", name, len(name), vectors.MaxWord))
		}
		entries.Add(name, t.Numbers)
	}
	s.noteIf(left.Tokens > 0, "%s", left)
	return entries, nil
}

func (r indexReport) print(out io.Writer) {
	a := r.About
	fmt.Fprintf(out, "%s: %s of %d dimensions with %.1f links each, %.1f MB, in %.1f s (%.1f s CPU)\n",
		r.Output, wording.Count(a.Entries, "entry", "entries"), a.Dim, a.Links, float64(r.Bytes)/1e6, r.Seconds, r.CPUSeconds)
	if a.Left > 0 {
		fmt.Fprintf(out, "%s left out, whose vectors are zero or not finite\n", wording.Count(a.Left, "entry", "entries"))
	}
	if a.Repeated > 0 {
		fmt.Fprintf(out, "%s left out, whose name is that of one before\n", wording.Count(a.Repeated, "entry", "entries"))
	}
	for _, m := range a.Measured {
		fmt.Fprintf(out, "%s, and exact search takes %.3f ms\n", measurement(m)+fmt.Sprintf(", %.3f ms a query on one core", 1e3*r.QuerySeconds), 1e3*r.ExactSeconds)
	}
}

func measurement(m index.Measurement) string {
	return fmt.Sprintf("recall@%d %.4f at effort %d (%s)", m.K, m.Recall, m.Effort, wording.Count(m.Queries, "query", "queries"))
}

// An indexInfo is what w2v info prints of an index. Its JSON is read by scripts.
type indexInfo struct {
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	Format string `json:"format"`
	index.About
}

func (s streams) describeIndex(path string, asJSON bool) error {
	x, err := index.Open(path)
	if err != nil {
		return err
	}
	i := indexInfo{File: path, Format: "w2v-index", About: x.About}
	i.Probe = nil // is for searches
	if i.Bytes, err = sizeOf(path); err == nil {
		err = ofModel(path, x.Verify())
	}
	if err = errors.Join(err, x.Close()); err != nil {
		return err
	}
	return s.print(asJSON, i, func(out io.Writer) {
		t := newTable(out)
		fmt.Fprintf(t, "file\t%s (%.1f MB)\n", i.File, float64(i.Bytes)/1e6)
		fmt.Fprintf(t, "format\t%s\n", i.Format)
		fmt.Fprintf(t, "entries\t%s, %s of %s\n", wording.Thousands(i.Entries), i.Of, i.Model)
		fmt.Fprintf(t, "dimensions\t%d\n", i.Dim)
		fmt.Fprintf(t, "links\t%.1f of an entry, at most %d, built with effort %d and seed %d\n", i.Links, i.Degree, i.About.Effort, i.Seed)
		for _, m := range i.Measured {
			fmt.Fprintf(t, "measured\t%s\n", measurement(m))
		}
		t.Flush()
	})
}

type searchRun struct {
	textFlags
	answers answerFlags
	effort  int
	exact   bool
	model   string
	vectors bool
	asJSON  bool
}

func newSearch(s streams) *cobra.Command {
	var f searchRun
	c := command("search", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c.Context(), s, args[0], args[1:]) })
	flags := c.Flags()
	f.answers.add(c, "neighbours", "entries", 10, func(args []string) bool { return len(args) == 1 })
	flags.IntVar(&f.effort, "effort", index.DefaultEffort, "how many entries a search keeps on its way: more find more, and take time")
	limit(flags, 1, math.MaxInt32, "effort")
	flags.BoolVar(&f.exact, "exact", false, "compare with every entry")
	flags.StringVar(&f.model, "model", "", "queries are texts, whose vectors `MODEL` makes")
	flags.BoolVar(&f.vectors, "query-vectors", false, "queries are vectors: numbers with blanks between them")
	flags.StringVar(&f.tokenizer, "tokenizer", "", "the `FILE` tokenizer.json that --model was trained with, if it does not hold it")
	f.letters.add(c)
	addJSON(c, &f.asJSON)
	checked(c, func([]string) error {
		return broken(
			rule{f.model != "" && f.vectors, "--model is for texts, and --query-vectors for vectors: give one of them"},
			rule{f.model == "" && f.tokenizer != "", "--tokenizer is for the texts of --model"},
			rule{f.exact && flags.Changed("effort"), "--effort is for searches that are not --exact"},
		)
	})
	return c
}

// run opens an index, or a model, which it searches exactly.
func (f *searchRun) run(ctx context.Context, s streams, path string, asked []string) (err error) {
	if !format.IsIndex(path) {
		return s.open(ctx, path, opening{rule: f.letters.rule(), post: &postFlags{}, whole: true, leftOut: true, empty: errNoAnswers}, func(words *finder) error {
			entries, err := index.Of(words.set)
			if err != nil {
				return err
			}
			x, err := index.Exact(entries)
			if err != nil {
				return ofModel(path, err)
			}
			return f.ask(ctx, s, x, words, asked)
		})
	}
	x, err := index.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if err := x.Verify(); err != nil {
		return ofModel(path, err)
	}
	found, err := query.New(x.Set(), f.letters.rule())
	if err != nil {
		return ofModel(path, err)
	}
	return s.ask(path, found, func(words *finder) error { return f.ask(ctx, s, x, words, asked) })
}

func (f *searchRun) ask(ctx context.Context, s streams, x *index.Index, words *finder, asked []string) error {
	among, err := f.among(s, x, words)
	if err != nil {
		return err
	}
	from := answerer{set: x.Set(), k: f.answers.k}
	f.answers.least(&from)
	from.nearest = func(ctx context.Context, queries ...vectors.Query) ([][]vectors.Neighbor, error) {
		all := wording.Map(queries, func(q vectors.Query) index.Query {
			to := index.Query{Vector: q.Vector, K: q.K, Skip: q.Skip, Effort: f.effort, Among: among}
			if f.exact {
				to.Effort = math.MaxInt
			}
			if from.threshold != nil {
				to.Least = float32(*from.threshold)
			}
			return to
		})
		return x.Search(ctx, all...)
	}
	show := nearestRun{asJSON: f.asJSON}
	switch {
	case f.model != "":
		o := f.opening()
		o.whole = true
		return s.open(ctx, f.model, o, func(texts *finder) error {
			pooler, err := s.pooler(texts)
			if err != nil {
				return err
			}
			if texts.set.Dim() != x.Set().Dim() {
				return fmt.Errorf("%s: has %d dimensions, and %s has %d", f.model, texts.set.Dim(), words.path, x.Set().Dim())
			}
			if pooler = x.PoolerOf(texts.Finder, pooler); pooler == nil {
				return fmt.Errorf("%s: gives other vectors than %s has: name the model that it was made of", f.model, words.path)
			}
			texts.absent = &missing{to: s.err, model: texts.path, one: "text", what: "texts", lack: "vector", why: "a text without a direction: no word of it has a vector, or they cancel out"}
			return f.each(ctx, s, texts, from, show, asked, func(v []float32, text string) error {
				tokens, _, err := texts.Tokens(text)
				if err == nil {
					pooler.Text(v, tokens)
				}
				return err
			})
		})
	case f.vectors:
		words.absent = &missing{to: s.err, model: words.path, one: "vector", what: "vectors", lack: "direction", why: "a vector without direction"}
		return f.each(ctx, s, words, from, show, asked, func(v []float32, text string) error {
			numbers := strings.Fields(text)
			if len(numbers) != len(v) {
				return fmt.Errorf("%.40q: expected %d numbers, found %d", text, len(v), len(numbers))
			}
			for i, number := range numbers {
				x, err := strconv.ParseFloat(number, 32)
				if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
					return fmt.Errorf("%.40q: %.40q is not a number", text, number)
				}
				v[i] = float32(x)
			}
			return nil
		})
	}
	if err := words.checkExpressions(asked...); err != nil {
		return err
	}
	switch {
	case x.About.Of == "":
	case x.About.Of == "words":
		words.absent.why += " of the index: --model MODEL makes vectors of other words, if MODEL has n-grams"
	default:
		words.absent.why = "no name of an entry: the index has texts, and --model MODEL makes the vectors of others"
	}
	queries := batches(asked, s.queries(words.Finder, asked), vectors.MaxWord, together(from.k), words.absent.tooLong)
	return answerEach(words, queries, func(batch []string) error {
		found, err := words.neighborsOf(ctx, wording.Map(batch, func(text string) question { return question{text: text} }), from, false)
		return errors.Join(err, show.print(words.out, found, len(asked) == 1))
	})
}

// each answers texts or vectors, of which vector makes the vectors.
func (f *searchRun) each(ctx context.Context, s streams, words *finder, from answerer, show nearestRun, asked []string, vector func(v []float32, text string) error) error {
	if slices.ContainsFunc(asked, func(text string) bool { return strings.Trim(text, white) == "" }) {
		return misuse(fmt.Errorf("a query is empty: give a %s", words.absent.one))
	}
	queries := batches(asked, s.queries(words.Finder, asked), longestSentence, together(from.k), words.absent.tooLong)
	return answerEach(words, queries, func(batch []string) error {
		found, all := make([]neighborhood, len(batch)), make([]vectors.Query, len(batch))
		for i, text := range batch {
			words.absent.all++
			v, before := make([]float32, from.set.Dim()), words.absent.n
			if err := vector(v, text); err != nil {
				return misuse(err)
			}
			if !vectors.Unit(make([]float32, len(v)), v) {
				words.absent.add(text)
			}
			found[i] = neighborhood{Query: text, missing: words.absent.n > before}
			all[i] = vectors.Query{Vector: v, K: from.k}
		}
		near, err := from.nearest(ctx, all...)
		if err != nil {
			return err
		}
		for i := range found {
			found[i].Neighbors = append([]vectors.Neighbor{}, from.cut(near[i])...)
		}
		return show.print(words.out, found, len(asked) == 1)
	})
}

// among returns the entries that may be answers; nil for all.
func (f *searchRun) among(s streams, x *index.Index, words *finder) (*index.Some, error) {
	set, n := x.Set(), x.Set().Len()
	allowed, filtered := make([]bool, n), f.answers.restrict > 0
	for id := range allowed {
		allowed[id] = f.answers.restrict == 0 || id < f.answers.restrict
	}
	list, err := f.answers.among.words(s.in)
	if err != nil {
		return nil, err
	}
	if list != nil {
		filtered = true
		in, missing := make([]bool, n), []string(nil)
		for _, word := range list {
			spelling, _ := words.Spelling(word)
			if id, ok := set.ID(spelling); ok {
				in[id] = true
			} else {
				missing = append(missing, word)
			}
		}
		s.noteIf(len(missing) > 0, "%s no entry and cannot answer: %s", f.answers.among.count(missing, "is", "are"), some(missing))
		for id := range allowed {
			allowed[id] = allowed[id] && in[id]
		}
	}
	if list, err = f.answers.exclude.words(s.in); err != nil {
		return nil, err
	}
	for _, word := range list {
		spelling, _ := words.Spelling(word)
		if id, ok := set.ID(spelling); ok {
			allowed[id], filtered = false, true
		}
	}
	meets, err := f.answers.conditions(s, words)
	if err != nil {
		return nil, err
	}
	if len(f.answers.where) > 0 {
		filtered = true
		for id := range allowed {
			allowed[id] = allowed[id] && meets(set.Words().At(id))
		}
	}
	if !filtered {
		return nil, nil
	}
	among := x.Among(func(id int) bool { return allowed[id] })
	if among.Len() == 0 {
		return nil, fmt.Errorf("%s: no entry may answer: --among, --exclude, --restrict and --where leave out all of them%s", words.path, f.answers.none)
	}
	return among, nil
}

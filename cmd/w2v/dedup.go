package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/embed"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors/index"
)

type dedupRun struct {
	textFlags
	options index.DedupOptions
	mark    bool
	output  string
	asJSON  bool
}

// A dedupReport is what w2v dedup says at the end. Its JSON is read by scripts.
type dedupReport struct {
	Rows       int          `json:"rows"`
	Kept       int          `json:"kept"`
	NoVector   int          `json:"no_vector"` // rows without a vector, which are kept
	Threshold  float64      `json:"threshold"`
	Exact      bool         `json:"exact"`  // all duplicates were found
	Sample     index.Recall `json:"sample"` // how many were found, if not exact
	Seconds    float64      `json:"seconds"`
	Memory     uint64       `json:"memory_bytes"` // of what is kept
	CPUSeconds float64      `json:"cpu_seconds"`
}

func newDedup(s streams) *cobra.Command {
	f := dedupRun{}
	c := command("dedup", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		o := f.opening()
		o.whole = true
		return s.open(c.Context(), args[0], o, func(words *finder) error { return f.run(c.Context(), s, words, args[1:]) })
	})
	flags := c.Flags()
	flags.SortFlags = false
	flags.Float64Var(&f.options.Threshold, "threshold", 0.9, "least cosine of a duplicate with what is kept")
	limit(flags, 0, 1, "threshold")
	flags.BoolVar(&f.mark, "mark", false, "print all rows, with the number of the row that each is a duplicate of, and their cosine")
	flags.BoolVar(&f.options.Exact, "exact", false, "compare with all that is kept, however much, so that no duplicate is missed")
	whole(flags, 1, &f.options.Linear, "linear", "", index.DefaultLinear, "compare with all while no more rows than `N` are kept; a graph finds duplicates after that, and may miss some")
	flags.IntVar(&f.options.Effort, "effort", index.DefaultEffort, "how many rows a search in the graph keeps on its way: more miss fewer duplicates, and take time")
	limit(flags, 1, 1<<16, "effort")
	f.textFlags.add(c, false)
	flags.StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	addJSON(c, &f.asJSON)
	flags.Lookup("json").Usage = "print what was done as JSON on stderr"
	checked(c, func(args []string) error {
		texts := len(args) > 1
		return broken(
			rule{f.options.Threshold == 0, "--threshold must be above 0"},
			rule{f.options.Exact && (flags.Changed("linear") || flags.Changed("effort")), "--linear and --effort are for searches that are not --exact"},
			rule{!texts && f.fields.TextColumn+f.fields.TextField != "", "--text-column and --json-field say where texts are, and there are none: name their files behind the model"},
			rule{!texts && f.tokenizer != "", "--tokenizer cuts texts, and there are none: name their files behind the model"},
		)
	})
	return c
}

// A dedupRow is a row and its vector, which is valid until the next one.
type dedupRow struct {
	vector []float32 // zeros for none
	append func(out []byte, more []corpus.Added) ([]byte, error)
}

func (f *dedupRun) run(ctx context.Context, s streams, words *finder, paths []string) error {
	ctx, stop := untilSignal(ctx, s.err)
	defer stop()
	collectEarly()
	began, cpu := time.Now(), sysinfo.CPUTime()
	d, err := index.NewDedup(words.set.Dim(), f.options)
	if err != nil {
		return ofModel(words.path, indexError(err))
	}
	if n := words.set.Len(); len(paths) == 0 {
		s.note("what is kept takes up to %s of memory", megabytes(int64(d.Memory(n))))
	} else {
		const some = 100_000
		s.note("what is kept takes %s of memory for each %s rows", megabytes(int64(d.Memory(some))), wording.Thousands(some))
	}
	report := dedupReport{Threshold: f.options.Threshold}
	write := func(out io.Writer) error {
		err := f.write(ctx, s, words, paths, d, &report, out)
		if err != nil {
			err = ofTexts(words.path, err)
		}
		return err
	}
	if f.output == "" || f.output == "-" {
		err = write(s.out)
	} else {
		err = atomicfile.Write(f.output, write)
	}
	if err != nil {
		return err
	}
	report.Exact, report.Memory = !d.Linked(), d.Memory(d.Kept())
	if report.Sample, err = d.Recall(ctx); err != nil {
		return err
	}
	report.Seconds, report.CPUSeconds = time.Since(began).Seconds(), (sysinfo.CPUTime() - cpu).Seconds()
	if f.asJSON {
		return printJSON(s.err, report)
	}
	report.print(s.err)
	return nil
}

// rows yields the words of a model, or texts with its vectors.
func (f *dedupRun) rows(ctx context.Context, s streams, words *finder, paths []string, head func([]byte) error) iter.Seq2[dedupRow, error] {
	return func(yield func(dedupRow, error) bool) {
		if len(paths) == 0 {
			for id, v := range words.set.All() {
				word := words.set.Words().At(id)
				row := dedupRow{v, func(out []byte, more []corpus.Added) ([]byte, error) {
					for _, a := range more {
						out = append(append(out, a.Text...), '\t')
					}
					return append(append(out, word...), '\n'), nil
				}}
				if !yield(row, nil) {
					return
				}
			}
			if err := words.set.Err(); err != nil {
				yield(dedupRow{}, err)
			}
			return
		}
		pooler, err := s.pooler(words)
		if err != nil {
			yield(dedupRow{}, err)
			return
		}
		var marks []corpus.Added
		if f.mark {
			marks = marked(index.Duplicate{Of: -1})
		}
		texts := f.textFlags.rows(ctx, s, paths, head, marks)
		var left corpus.TooLong
		for t, err := range embed.Vectors(ctx, words.Finder, pooler, texts, textRow.content) {
			if err == nil && t.Err != nil {
				err = t.Of.Error(t.Err)
			}
			left.Add(t.TooLong)
			if !yield(dedupRow{t.Numbers, t.Of.Append}, err) || err != nil {
				return
			}
		}
		s.noteIf(left.Tokens > 0, "%s", left)
	}
}

// marked says of a row what it is a duplicate of; nothing for a kept row.
func marked(d index.Duplicate) []corpus.Added {
	of, cosine := corpus.Added{Name: "duplicate_of", JSON: []byte("null")}, corpus.Added{Name: "similarity", JSON: []byte("null")}
	if d.Of >= 0 {
		of.Text, cosine.Text = strconv.Itoa(d.Of+1), strconv.FormatFloat(float64(d.Cosine), 'f', 4, 32)
		of.JSON, cosine.JSON = []byte(of.Text), []byte(cosine.Text)
	}
	return []corpus.Added{of, cosine}
}

// write reads all rows and writes those that are kept, or all with their marks.
func (f *dedupRun) write(ctx context.Context, s streams, words *finder, paths []string, d *index.Dedup, report *dedupReport, out io.Writer) error {
	const together = 1 << 11
	w, dim := bufio.NewWriterSize(out, 1<<16), words.set.Dim()
	var rows []dedupRow
	var line []byte
	vectors := make([]float32, 0, together*dim)
	flush := func() error {
		found, err := d.Add(ctx, vectors)
		if err != nil {
			return err
		}
		for i, duplicate := range found {
			report.Rows++
			if duplicate.Of < 0 {
				report.Kept++
			}
			if zero(vectors[i*dim:][:dim]) {
				report.NoVector++
			}
			switch {
			case f.mark:
				line, err = rows[i].append(line[:0], marked(duplicate))
			case duplicate.Of < 0:
				line, err = rows[i].append(line[:0], nil)
			default:
				continue
			}
			if err != nil {
				return err
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		rows, vectors = rows[:0], vectors[:0]
		return w.Flush()
	}
	head := func(line []byte) error { _, err := w.Write(line); return err }
	for row, err := range f.rows(ctx, s, words, paths, head) {
		if err != nil {
			return errors.Join(flush(), err)
		}
		rows, vectors = append(rows, row), append(vectors, row.vector...)
		if len(rows) == together {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func zero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

func (r dedupReport) print(out io.Writer) {
	fmt.Fprintf(out, "%s of %s kept; the others have a cosine of %v or more with one of these: %.1f s (%.1f s CPU)\n",
		wording.Thousands(r.Kept), wording.Count(r.Rows, "row is", "rows are"), r.Threshold, r.Seconds, r.CPUSeconds)
	if r.NoVector > 0 {
		fmt.Fprintf(out, "note: %s no vector, and kept without a comparison\n", wording.Count(r.NoVector, "row has", "rows have"))
	}
	if !r.Exact {
		fmt.Fprintf(out, "recall: a graph found %d of %d duplicates among %s that were compared with all again\n",
			r.Sample.Found, r.Sample.Duplicates, wording.Count(r.Sample.Looked, "row", "rows"))
	}
}

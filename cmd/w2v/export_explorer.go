package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/serve/explorer"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/projection"
)

func newExportExplorer(s streams) *cobra.Command {
	f := exportRun{s: s, size: explorer.DefaultExportSize}
	f.options.Projection = projection.MethodUMAP
	c := &cobra.Command{
		Use:   "export-explorer [flags] MODEL OUT.html",
		Short: "Write the explorer of a model as one HTML file that needs no server",
		Long: `Write the explorer, with a model in it, as one HTML file. It opens in a browser from a
disk, without a server and without a network, and can be sent to others: the map of the
words, search, neighbours, analogies, axes, colours by cluster, frequency or --metadata.

The page has the most frequent words, as many as --words allows and fit into --max-size,
and their vectors as directions: a byte for each of --dim principal dimensions. What is
printed says how much of the model that keeps. Words outside the vocabulary have no
vectors in the page. NAME=MODEL gives the model a name, in place of that of its file.`,
		Example: `  w2v export-explorer wiki.w2v wiki.html
  w2v export-explorer wiki.w2v small.html --words 5000 --max-size 2MB
  w2v export-explorer cities.w2v cities.html --metadata cities.tsv --projection pca`,
		Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			f.name, f.model = nameAndPath(args[0])
			f.out = args[1]
			if err := f.check(); err != nil {
				return misuse(err)
			}
			return f.run(c.Context())
		},
	}
	flags := c.Flags()
	flags.IntVar(&f.options.Words, "words", explorer.DefaultExportWords, "have at most the first `N` words on the page")
	flags.Var(&f.size, "max-size", "largest size of the page, such as 5MB")
	addEnum(flags, &f.options.Projection, "projection", "map that the page opens with; with umap it has both", choicesOf(projection.Methods(), nil))
	flags.IntVar(&f.options.Dim, "dim", explorer.DefaultExportDim, "have at most `N` dimensions of the vectors on the page")
	limit(flags, 1, math.Inf(1), "words", "dim")
	flags.StringVar(&f.metadata, "metadata", "", "TSV `FILE` with more about the words: a header, and the word in the first column")
	addJSON(c, &f.asJSON)
	return c
}

// An exportRun is what the command line of w2v export-explorer asks for.
type exportRun struct {
	s                          streams
	name, model, out, metadata string
	size                       bytesFlag
	options                    explorer.ExportOptions
	asJSON                     bool
}

func (f *exportRun) check() error {
	switch {
	case f.model == "" || f.name == "":
		return errors.New("MODEL is empty")
	case f.size < 1:
		return errors.New("--max-size must be at least 1")
	case f.out == "-" && f.asJSON:
		return errors.New("--json and the page cannot both go to standard output")
	case f.out == "":
		return errors.New("OUT.html is empty")
	}
	return nil
}

// An exportReport is what w2v export-explorer prints. Its JSON is read by scripts.
type exportReport struct {
	Output string `json:"output"`
	*explorer.Exported
}

func (f *exportRun) run(ctx context.Context) error {
	o := f.options
	if f.metadata != "" {
		table, err := metadata.ReadFile(f.metadata)
		if err != nil {
			return err
		}
		o.Metadata = table
	}
	if f.out != "-" {
		if err := atomicfile.Check(f.out); err != nil {
			return err
		}
	}
	return f.s.open(ctx, f.model, opening{whole: true, empty: errNoAnswers}, func(words *finder) error {
		ctx, stop := untilSignal(ctx, f.s.err)
		defer stop()
		how, end := computation(f.s, false)
		defer end()
		o.Name, o.Path, o.MaxSize, o.Progress = f.name, f.model, int64(f.size), how.Progress
		o.Generator, o.Created = "w2v "+version(), time.Now()
		report := exportReport{Output: f.out}
		write := func(w io.Writer) (err error) {
			report.Exported, err = explorer.Export(ctx, w, words.set, o)
			return err
		}
		if f.out == "-" {
			if err := write(f.s.out); err != nil {
				return f.explain(err)
			}
			return nil
		}
		if err := atomicfile.Write(f.out, write); err != nil {
			return f.explain(err)
		}
		end()
		return f.print(report)
	})
}

// explain says what a user can do about a page that is too large.
func (f *exportRun) explain(err error) error {
	if e, ok := errors.AsType[*explorer.SizeError](err); ok {
		return fmt.Errorf("--max-size: %w: give it more than that", e)
	}
	return ofModel(f.model, err)
}

func (f *exportRun) print(r exportReport) error {
	if r.Words < r.Asked {
		f.s.note(fmt.Sprintf("%s of %s fit into %s: --max-size has room for more, and so has a smaller --dim",
			wording.Thousands(r.Words), wording.Count(r.Asked, "word", "words"), megabytes(int64(f.size))))
	}
	if f.asJSON {
		return printJSON(f.s.out, r)
	}
	trust := ""
	if r.Trustworthiness != nil {
		trust = fmt.Sprintf(", trustworthiness %.3f", *r.Trustworthiness)
	}
	_, err := fmt.Fprintf(f.s.out, "%s: %s, %s of %s, maps %s%s\nvectors of %d dimensions keep %.1f %% of the length and %.1f %% of the ten nearest words\n",
		f.out, megabytes(r.Size), wording.Thousands(r.Words), wording.Count(r.Of, "word", "words"),
		strings.Join(r.Projections, " and "), trust, r.Dim, 100*r.Kept, 100*r.Recall)
	return err
}

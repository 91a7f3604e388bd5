package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
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
			f.options.Name, f.options.Path = nameAndPath(args[0])
			f.out = args[1]
			if err := f.check(); err != nil {
				return misuse(err)
			}
			return f.run(c.Context())
		},
	}
	flags := c.Flags()
	flags.IntVar(&f.options.Words, "words", explorer.DefaultExportWords, "have at most the first `N` words on the page")
	flags.Var(&sizeFlag{to: &f.size}, "max-size", "largest size of the page, such as 5MB")
	addEnum(flags, &f.options.Projection, "projection", "map that the page opens with; with umap it has both", choicesOf(projection.Methods(), nil))
	flags.IntVar(&f.options.Dim, "dim", explorer.DefaultExportDim, "have at most `N` dimensions of the vectors on the page")
	limit(flags, 1, math.Inf(1), "words", "dim")
	flags.StringVar(&f.metadata, "metadata", "", "TSV `FILE` with more about the words: a header, and the word in the first column")
	addJSON(c, &f.asJSON)
	return c
}

type exportRun struct {
	s             streams
	out, metadata string
	size          uint64
	options       explorer.ExportOptions
	asJSON        bool
}

func (f *exportRun) check() error {
	return broken(
		rule{f.options.Path == "" || f.options.Name == "", "MODEL is empty"},
		rule{f.size < 1, "--max-size must be at least 1"},
		rule{f.out == "-" && f.asJSON, "--json and the page cannot both go to standard output"},
		rule{f.out == "", "OUT.html is empty"},
	)
}

// An exportReport is what w2v export-explorer prints. Its JSON is read by scripts.
type exportReport struct {
	Output string `json:"output"`
	*explorer.Exported
}

func (f *exportRun) run(ctx context.Context) (err error) {
	o := f.options
	if f.metadata != "" {
		if o.Metadata, err = metadata.ReadFile(f.metadata); err != nil {
			return err
		}
	}
	if f.out != "-" {
		if err := atomicfile.Check(f.out); err != nil {
			return err
		}
	}
	return f.s.open(ctx, o.Path, opening{whole: true, empty: errNoAnswers}, func(words *finder) error {
		ctx, stop := untilSignal(ctx, f.s.err)
		defer stop()
		how, end := computation(f.s, false)
		defer end()
		o.MaxSize, o.Progress, o.Generator, o.Created = int64(f.size), how.Progress, "w2v "+version(), time.Now()
		report := exportReport{Output: f.out}
		write := func(w io.Writer) (err error) {
			report.Exported, err = explorer.Export(ctx, w, words.set, o)
			return err
		}
		if f.out == "-" {
			err = write(f.s.out)
		} else {
			err = atomicfile.Write(f.out, write)
		}
		if e, ok := errors.AsType[*explorer.SizeError](err); ok {
			return fmt.Errorf("--max-size: %w: give it more than that", e)
		}
		if err != nil {
			return ofModel(o.Path, err)
		}
		end()
		if f.out == "-" {
			return nil
		}
		if report.Words < report.Asked {
			f.s.note(fmt.Sprintf("%s of %s fit into %s: --max-size has room for more, and so has a smaller --dim",
				wording.Thousands(report.Words), wording.Count(report.Asked, "word", "words"), megabytes(o.MaxSize)))
		}
		return f.s.print(f.asJSON, report, report.print)
	})
}

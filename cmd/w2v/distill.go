package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/pairs"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

type distillFlags struct {
	rowsFlags
	options pairs.DistillOptions
	texts   []string
	vectors []string
	column  string
}

func newDistill(s streams) *cobra.Command {
	f := &distillFlags{options: pairs.DistillDefaults()}
	o := &f.options
	f.what, f.o, f.text = "text", &o.Settings, train.Defaults()
	f.text.Text = o.Text.Text
	c := command("distill", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return f.run(c, s) })
	flags := c.Flags()
	flags.SortFlags = false
	f.addOutput(flags)
	grouped(flags, "Teacher", func() {
		flags.StringArrayVar(&f.vectors, "vectors", nil, "`FILE` with the vectors of the texts in their order: a .npy matrix of f4, f2 or f8 in C's order, or Parquet; may be repeated")
		flags.StringVar(&f.column, "vectors-column", "", "`COLUMN` of Parquet that has a list of numbers; without --vectors, the texts' own files have it")
		flags.StringArrayVar(&f.texts, "texts", nil, "`FILE`, folder or glob of texts, a line each unless a column or a field is named; may be repeated (required)")
		flags.StringVar(&f.fields.TextColumn, "text-column", "", "`COLUMNS` of a table that have the text, by number, or by name in Parquet and with --header; several are one text")
		flags.BoolVar(&f.fields.Header, "header", false, "the first row of each table has the names of the columns")
		flags.StringVar(&f.fields.TextField, "json-field", "", "`FIELDS` of JSON lines that have the text; a.b is field b of the object in field a")
	})
	f.addModel(flags, fmt.Sprintf("dimensions: with fewer than the teacher has, its principal components are trained; 0 for the teacher's, at most %d", pairs.UsualDim),
		"passes over the texts", "texts of a batch", "", 0, 1, func() {
			addEnum(flags, &o.Loss, "loss", "how vectors are compared", choicesOf([]pairs.Loss{pairs.Cosine, pairs.SquaredError}, map[pairs.Loss]string{
				pairs.Cosine: "1 − cosine; vectors of texts have length 1", pairs.SquaredError: "mean squared difference; vectors of texts are means, with their lengths",
			}))
		})
	f.addRun(flags,
		"start from the vectors in `FILE`, in any format, and keep all of its words. --dim, n-grams and how text is cut come from FILE unless you give them",
		"continue the run of the checkpoint `FILE`, with its settings and the same texts and vectors. Further checkpoints go to FILE too, unless --checkpoint names another file. --epochs with a larger number trains on",
		"hold out a `FRACTION` of the texts, such as 0.05, and measure the loss and the cosine on them after each epoch",
		pairs.LossMetric, pairs.CosineMetric)
	addJSON(c, &f.json)
	return c
}

// complete fills in the options that flags do not set themselves.
func (f *distillFlags) complete(c *cobra.Command) error {
	err := broken(
		rule{len(f.texts) == 0, "no texts: name files with --texts"},
		rule{len(f.vectors) == 0 && f.column == "", "no teacher: name files with --vectors, or --vectors-column of the texts' Parquet files"},
	)
	if err != nil {
		return err
	}
	if err := f.rowsFlags.complete(c, "texts vectors vectors-column"); err != nil {
		return err
	}
	if f.validate != "" && f.options.HeldOut == 0 {
		return fmt.Errorf("--validate: %q is not a fraction of the texts, such as 0.05", f.validate)
	}
	return nil
}

func (f *distillFlags) run(c *cobra.Command, s streams) error {
	if err := cmp.Or(oneProcess("distill"), f.complete(c)); err != nil {
		return misuse(err)
	}
	o := &f.options
	texts, teacher := pairs.TextFiles(s.in, f.fields, f.texts...), pairs.VectorFiles(f.column, f.vectors...)
	if len(f.vectors) == 0 {
		var err error
		if teacher, err = texts.Tables(f.column); err != nil {
			return pairsError(err)
		}
	}
	r := &rowsRun{rowsFlags: &f.rowsFlags, streams: s}
	r.found = func(e pairs.Evaluation) string { return fmt.Sprintf("cosine %.4f", e.Cosine) }
	r.left = func(p pairs.Plan) []leftOut { return []leftOut{{p.Empty, "without a word that has a row"}} }
	r.start = func(ctx context.Context, h pairs.Hooks) (*pairs.Trained, error) {
		if err := o.Validate(); err != nil {
			return nil, misuse(pairsError(err))
		}
		return pairs.Distill(ctx, texts, teacher, *o, h)
	}
	r.opened = func(from *vectors.Set) (*pairs.Settings, int, error) {
		was, done, err := pairs.DistillCheckpoint(from)
		return &was.Settings, done, err
	}
	r.again = func(ctx context.Context, from *vectors.Set, epochs int, h pairs.Hooks) (*pairs.Trained, error) {
		return pairs.ResumeDistill(ctx, texts, teacher, from, epochs, o.Threads, h)
	}
	r.rest = func() string { return "" }
	return r.run(c)
}

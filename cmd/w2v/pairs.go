package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/pairs"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

type pairsFlags struct {
	rowsFlags
	options pairs.Options
}

func newPairs(s streams) *cobra.Command {
	f := &pairsFlags{options: pairs.Defaults()}
	o := &f.options
	f.what, f.o, f.text = "pair", &o.Settings, train.Defaults()
	f.text.Text = o.Text.Text
	c := command("pairs", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args) })
	flags, scored := c.Flags(), pairs.ScoredDefaults()
	flags.SortFlags = false
	f.addOutput(flags)
	grouped(flags, "Pair", func() {
		flags.StringVar(&f.fields.TextColumn, "text-column", "", "`COLUMNS` of a table that have the first text, the second, and any that do not belong to the first, by number, or by name in Parquet and with --header (default 1,2)")
		flags.BoolVar(&f.fields.Header, "header", false, "the first row of each table has the names of the columns")
		flags.StringVar(&f.fields.TextField, "json-field", "", "`FIELDS` of JSON lines that have these texts; a.b is field b of the object in field a")
		flags.StringVar(&f.fields.LabelColumn, "score-column", "", "`COLUMN` of a table that has the score of a pair")
		flags.StringVar(&f.fields.LabelField, "score-field", "", "`FIELD` of JSON lines that has the score of a pair")
		flags.Float64Var(&o.HighestScore, "highest-score", o.HighestScore, "the highest score, which becomes the cosine 1")
		addEnum(flags, &o.ScoreLoss, "score-loss", "what pairs with scores are trained for", choicesOf(pairs.ScoreLosses(), map[pairs.ScoreLoss]string{
			pairs.CoSENTLoss: "cosines have the order of the scores: a pair with a higher score than another of its batch has the higher cosine",
			pairs.CosineLoss: "cosines are the scores, by the square of the difference",
		}))
	})
	f.addModel(flags, "dimensions", fmt.Sprintf("passes over the pairs; with scores %d unless you say", scored.Epochs),
		fmt.Sprintf("pairs of a batch, among which texts are told apart; with scores %d unless you say", scored.BatchSize), fmt.Sprintf("; with scores %v unless you say", scored.LearningRate), 1, 2, func() {
			flags.Float64Var(&o.Temperature, "temperature", o.Temperature, "cosines are divided by it: a lower one pays more attention to texts that are hard to tell apart")
			limit(flags, pairs.LeastTemperature, 1, "temperature")
			flags.BoolVar(&o.OneWay, "one-way", false, "only tell second texts apart, not first ones: if many pairs have the same kind of first text")
			whole(flags, 0, &o.Queue, "queue", "", o.Queue, "tell texts apart from those of so many pairs of the batches before too")
		})
	f.addRun(flags,
		"start from the vectors in `FILE`, in any format, and keep all of its words. --dim, n-grams and how text is cut come from FILE unless you give them; further dimensions start at random",
		"continue the run of the checkpoint `FILE`, with its settings and the same pairs. Further checkpoints go to FILE too, unless --checkpoint names another file. --epochs with a larger number trains on",
		"measure the loss on held-out pairs after each epoch, and how well their second texts are found, or how well cosines agree with scores: a `FILE`, or a fraction of the pairs such as 0.05, which has all pairs of its texts",
		pairs.LossMetric, pairs.NDCGMetric, pairs.MRRMetric, pairs.SpearmanMetric)
	addJSON(c, &f.json)
	return c
}

// complete fills in the options that flags do not set themselves.
func (f *pairsFlags) complete(c *cobra.Command) error {
	err := broken(
		rule{c.Flags().Changed("highest-score") && f.fields.LabelColumn+f.fields.LabelField == "", "--highest-score needs --score-column or --score-field"},
		rule{c.Flags().Changed("score-loss") && f.fields.LabelColumn+f.fields.LabelField == "", "--score-loss needs --score-column or --score-field"},
		rule{f.fields.TextField != "" && f.fields.LabelColumn != "", "--score-column is for tables: with --json-field, the score is in --score-field"},
		rule{f.fields.TextField == "" && f.fields.LabelField != "", "--score-field needs --json-field: texts and score are in fields of JSON"},
	)
	if err != nil {
		return err
	}
	if f.fields.TextColumn == "" && f.fields.TextField == "" {
		f.fields.TextColumn = pairs.TSV.TextColumn
	}
	o, given := &f.options, c.Flags().Changed
	if o.Scored = f.fields.LabelColumn+f.fields.LabelField != ""; o.Scored && f.resume == "" {
		usual := pairs.ScoredDefaults()
		for name, set := range map[string]func(){
			"epochs": func() { o.Epochs = usual.Epochs }, "batch-size": func() { o.BatchSize = usual.BatchSize }, "lr": func() { o.LearningRate = usual.LearningRate },
		} {
			if !given(name) {
				set()
			}
		}
	}
	return f.rowsFlags.complete(c, "validate score-column score-field")
}

func (f *pairsFlags) run(c *cobra.Command, s streams, args []string) error {
	if err := cmp.Or(oneProcess("pairs"), f.complete(c)); err != nil {
		return misuse(err)
	}
	o := &f.options
	if f.fields.TextField == "" {
		s.noteJSON(args, "and is read as a table: --json-field A,B reads the texts of fields A and B")
	}
	of, held := pairs.Files(s.in, f.fields, args...), pairs.Corpus{}
	given := f.validate != "" && o.HeldOut == 0
	if given {
		held = pairs.Files(s.in, f.fields, f.validate)
	}
	r := &rowsRun{rowsFlags: &f.rowsFlags, streams: s}
	r.found = func(e pairs.Evaluation) string {
		if o.Scored {
			return fmt.Sprintf("Spearman %.4f", e.Spearman)
		}
		return fmt.Sprintf("nDCG@10 %.4f, MRR %.4f", e.NDCG10, e.MRR)
	}
	r.left = func(p pairs.Plan) []leftOut {
		return []leftOut{{p.Same, "whose texts are the same"}, {p.Empty, "with a text without a word that has a row"}}
	}
	r.start = func(ctx context.Context, h pairs.Hooks) (*pairs.Trained, error) {
		if err := o.Validate(); err != nil {
			return nil, misuse(pairsError(err))
		}
		return pairs.Validated(ctx, of, held, *o, h)
	}
	r.opened = func(from *vectors.Set) (*pairs.Settings, int, error) {
		was, done, err := pairs.Checkpoint(from)
		o.Scored = was.Scored
		return &was.Settings, done, err
	}
	r.again = func(ctx context.Context, from *vectors.Set, epochs int, h pairs.Hooks) (*pairs.Trained, error) {
		return pairs.Resume(ctx, of, held, from, epochs, o.Threads, h)
	}
	r.rest = func() string { return when(given, " --validate %s", wording.Quoted(f.validate)) }
	return r.run(c)
}

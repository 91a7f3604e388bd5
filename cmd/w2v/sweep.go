package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/serve"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/sweep"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

type sweepFlags struct {
	output   string
	threads  int
	cache    string
	memory   uint64
	progress string
	json     bool
	force    bool
}

func newSweep(s streams) *cobra.Command {
	var f sweepFlags
	c := command("sweep", cobra.ExactArgs(1), func(c *cobra.Command, args []string) error { return f.run(c, s, args[0]) })
	c.Flags().StringVarP(&f.output, "output", "o", "", "folder for the results; overrides CONFIG")
	whole(c.Flags(), 0, &f.threads, "threads", "", 0, "number of threads; overrides CONFIG; 0 means GOMAXPROCS")
	addCache(c.Flags(), &f.cache, &f.memory)
	c.Flags().BoolVar(&f.force, "force", false, "train even if memory seems too small")
	addProgress(c.Flags(), &f.progress)
	addJSON(c, &f.json)
	return c
}

func (f *sweepFlags) run(c *cobra.Command, s streams, path string) (err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return compression.Named(path, err)
	}
	config, err := sweep.Parse(path, text, s.in)
	if err != nil {
		return misuse(err)
	}
	if config.Output = cmp.Or(f.output, config.Output); config.Output == "" {
		return misuse(fmt.Errorf(`%s: no folder for the results: say output = "FOLDER" in it, or -o FOLDER`, path))
	}
	if c.Flags().Changed("threads") {
		config.Base.Model.Threads = f.threads
	}
	config.Cache, config.VocabMemory, config.Force = f.cache, f.memory, f.force
	report := newReporter(s, f.progress)
	defer func() { err = errors.Join(err, report.close()) }()
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	found, err := sweep.Run(ctx, config, f.hooks(s, report))
	if found == nil || found.Done == 0 {
		return err
	}
	report.countingDone()
	if !f.json {
		printTable(s.out, found.Table())
	}
	return errors.Join(err, found.Write(config.Output))
}

func (f *sweepFlags) hooks(s streams, report *reporter) sweep.Hooks {
	number, of := 0, 0
	return sweep.Hooks{
		Reading:  report.counted,
		Begin:    func(sweep.Point, uint64) { debug.FreeOSMemory() }, // nothing holds the model before any more
		Start:    func(sgns.Plan) error { debug.FreeOSMemory(); return nil },
		Progress: report.trained,
		Every:    report.every(),
		TooLong:  func(left corpus.TooLong) { report.note("note: %s", left) },
		Empty:    func(empty corpus.Empty) { report.note("note: %s", empty) },
		Note:     func(text string) { report.note("note: %s", text) },
		Read: func(b sweep.Begun) {
			report.countingDone()
			report.note("%s of %s, %s", wording.Count(b.Tokens, "token", "tokens"), wording.Count(b.Words, "word", "words"), wording.Count(b.Trials, "trial", "trials"))
			if b.Done > 0 {
				report.note("%d of them are done, as %s says, and not done again", b.Done, b.Log)
			}
			if b.Older > 0 {
				report.note("note: %s has results of %d trials by another revision of the algorithm, and this program is revision %d: these trials are trained again", b.Log, b.Older, sgns.Revision)
			}
			of = b.Trials
		},
		End: func(r sweep.Result, earlier bool) {
			if r.Skipped == "" {
				number++
			}
			if f.json {
				_ = printJSON(s.out, r) // standard output remembers that it could not be written
			}
			if !earlier {
				report.note("%s", trialLine(r, number, of))
			}
		},
	}
}

func trialLine(r sweep.Result, number, of int) string {
	name := r.Settings.String()
	switch {
	case r.Baseline != "":
		name = string(r.Baseline)
	case r.Variant != "":
		name = strings.TrimSuffix(r.Variant+": "+name, ": ")
	}
	if r.Skipped != "" {
		return fmt.Sprintf("skipped: %s: %s", name, r.Skipped)
	}
	line := fmt.Sprintf("%d of %d: %s, seed %d", number, of, name, r.Seed)
	if r.Failed != "" {
		return line + ": failed: " + r.Failed
	}
	for _, e := range r.Evaluations {
		line += fmt.Sprintf("; %s %s", e.Set, score(e.Score))
	}
	line += when(r.Baseline != sweep.RandomVectors, "; %.1f s, %s tokens/s", r.Seconds, wording.Thousands(uint64(r.TokensPerSecond)))
	return line
}

func printTable(w io.Writer, table sweep.Table) {
	tabulate(w, strings.Join(table.Header, "\t"), table.Rows, func(t io.Writer, row []string) { fmt.Fprintln(t, strings.Join(row, "\t")) })
	for _, note := range table.Notes {
		fmt.Fprintln(w, note)
	}
}

func newDemo(s streams) *cobra.Command {
	var threads int
	var printCorpus, serving, asJSON bool
	var listen string
	c := command("demo", cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		if printCorpus {
			_, err := io.Copy(s.out, demo.Corpus(demo.DefaultSentences, demo.DefaultSeed))
			return err
		}
		ctx, stop := untilSignal(c.Context(), s.err)
		defer stop()
		results, err := runDemo(ctx, s, demo.DefaultSentences, threads, asJSON)
		if stop(); err != nil || !serving {
			return err
		}
		return serveDemo(c.Context(), s, serveFlags{listen: listen, asJSON: asJSON}, results)
	})
	whole(c.Flags(), 0, &threads, "threads", "", 0, "number of threads; 0 means GOMAXPROCS")
	c.Flags().BoolVar(&printCorpus, "print-corpus", false, "only print the corpus")
	c.Flags().BoolVar(&serving, "serve", false, "then serve both models, with the explorer, as w2v serve does")
	addListen(c.Flags(), &listen)
	checked(c, func([]string) error {
		return broken(
			rule{c.Flags().Changed("listen") && !serving, "--listen is for --serve"},
			rule{serving && printCorpus, "--serve is for models, and --print-corpus only prints the corpus"},
		)
	})
	addJSON(c, &asJSON)
	return c
}

// serveDemo serves the models of the demo from files that end with the server.
func serveDemo(ctx context.Context, s streams, f serveFlags, results []demoResult) (err error) {
	folder, err := os.MkdirTemp("", "w2v-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	var config serve.Config
	for _, r := range results {
		name := strings.ReplaceAll(r.Model, " ", "-")
		path := filepath.Join(folder, name+".w2v")
		if err := format.Write(ctx, path, r.vectors, format.W2V); err != nil {
			return err
		}
		config.Models = append(config.Models, serve.ModelSpec{Name: name, Path: path})
	}
	return f.run(ctx, s, config)
}

type demoResult struct {
	Model      string                `json:"model"`
	Tokens     uint64                `json:"tokens"`
	Words      int                   `json:"vocab"`
	Seconds    float64               `json:"seconds"`
	Similarity eval.SimilarityResult `json:"similarity"`
	Analogy    eval.AnalogyResult    `json:"analogy"`

	vectors *vectors.Set
}

func runDemo(ctx context.Context, s streams, sentences, threads int, asJSON bool) (results []demoResult, err error) {
	pairs, err := eval.ReadSet(strings.NewReader(demo.Similarities()), "similarity", eval.TaskSimilarity)
	if err != nil {
		return nil, err
	}
	questions, err := eval.ReadSet(strings.NewReader(demo.Analogies()), "analogy", eval.TaskAnalogy)
	if err != nil {
		return nil, err
	}
	settings := train.Defaults()
	settings.Model.Threads, settings.Model.Epochs = threads, sgns.UsualEpochs // a demonstration is short
	text, err := train.Read(ctx, train.Reader("the demo corpus", demo.Corpus(sentences, demo.DefaultSeed)), settings, train.ReadOptions{})
	if err != nil {
		return nil, asFlags(err)
	}
	defer func() { err = errors.Join(err, text.Close()) }()
	if !asJSON {
		fmt.Fprintf(s.out, "A generated corpus of %s tokens, %s different words.\n\n", wording.Thousands(text.IDs.Tokens()), wording.Thousands(text.Vocab.Len()))
	}

	report := newReporter(s, progressAuto)
	defer func() { err = errors.Join(err, report.close()) }()
	for _, model := range []struct{ name, subwords, buckets string }{
		{"words", "none", ""},
		{"words and n-grams", "fasttext", "200000"},
	} {
		chosen := settings
		err := chosen.Set("subwords", model.subwords)
		if model.buckets != "" {
			err = errors.Join(err, chosen.Set("buckets", model.buckets))
		}
		if err = errors.Join(err, chosen.Complete()); err != nil {
			return nil, asFlags(err)
		}
		start := time.Now()
		trained, err := text.Train(ctx, chosen.Model, sgns.Hooks{Progress: report.trained, Every: report.every()})
		if err != nil {
			return nil, err
		}
		r := demoResult{Model: model.name, Tokens: trained.Progress.Tokens, Words: text.Vocab.Len(), Seconds: time.Since(start).Seconds(), vectors: trained.Vectors}
		similarity, err := eval.Evaluate(ctx, trained.Vectors, pairs, eval.Options{})
		if err != nil {
			return nil, err
		}
		analogy, err := eval.Evaluate(ctx, trained.Vectors, questions, eval.Options{})
		if err != nil {
			return nil, err
		}
		r.Similarity, r.Analogy = similarity.Details.(eval.SimilarityResult), analogy.Details.(eval.AnalogyResult)
		results = append(results, r)
		err = s.print(asJSON, r, func(w io.Writer) {
			fmt.Fprintf(w, "%s: trained %s tokens in %.1f s; similarity %s (Spearman), analogies %.1f %% of %d\n",
				r.Model, wording.Thousands(r.Tokens), r.Seconds, score(r.Similarity.Spearman), 100*r.Analogy.Accuracy, r.Analogy.Used)
		})
		if err != nil {
			return nil, err
		}
	}
	if asJSON {
		return results, nil
	}
	return results, showDemo(ctx, s.out, results[0], results[1])
}

func showDemo(ctx context.Context, w io.Writer, words, ngrams demoResult) error {
	var text strings.Builder
	text.WriteString("\nAnalogies by section, words | with n-grams\n")
	for i, section := range words.Analogy.Sections {
		fmt.Fprintf(&text, "  %-24s %5.1f %% | %5.1f %%\n", section.Name,
			100*section.Accuracy, 100*ngrams.Analogy.Sections[i].Accuracy)
	}
	text.WriteString("\nNearest neighbours\n")
	for _, word := range demo.Neighbours() {
		fmt.Fprintf(&text, "  %-12s %s\n", word, nearest(ctx, words.vectors, word))
	}
	text.WriteString("\nA is to B as C is to …\n")
	for _, q := range demo.Showcase() {
		answers, err := words.vectors.Analogy(ctx, vectors.AnalogyOptions{K: 1}, q)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "  %s : %s = %s : %s\n", q[0], q[1], q[2], answers[0].Neighbors[0].Word)
	}
	text.WriteString("\nWords that the corpus never had, by their n-grams\n")
	for _, word := range demo.OutOfVocabulary() {
		fmt.Fprintf(&text, "  %-12s %s\n", word, nearest(ctx, ngrams.vectors, word))
	}
	text.WriteString("\nYour own text: w2v train corpus.txt -o model.w2v\n")
	_, err := io.WriteString(w, text.String())
	return err
}

func nearest(ctx context.Context, set *vectors.Set, word string) string {
	v := make([]float32, set.Dim())
	set.Vector(v, word)
	var skip []int
	if id, ok := set.ID(word); ok {
		skip = append(skip, id)
	}
	near, err := set.Nearest(ctx, vectors.Query{Vector: v, K: 6, Skip: skip})
	if err != nil {
		return err.Error()
	}
	return wordsOf(near[0], ", ")
}

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

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

func newDemo(s streams) *cobra.Command {
	var threads int
	var printCorpus, asJSON bool
	c := command("demo", cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		if printCorpus {
			_, err := io.Copy(s.out, demo.Corpus(demo.DefaultSentences, demo.DefaultSeed))
			return err
		}
		ctx, stop := untilSignal(c.Context(), s.err)
		defer stop()
		return runDemo(ctx, s, demo.DefaultSentences, threads, asJSON)
	})
	c.Flags().IntVar(&threads, "threads", 0, "number of threads; 0 means GOMAXPROCS")
	limit(c.Flags(), 0, math.Inf(1), "threads")
	c.Flags().BoolVar(&printCorpus, "print-corpus", false, "only print the corpus")
	addJSON(c, &asJSON)
	return c
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

// runDemo trains on a corpus of so many sentences, and shows what was learned.
func runDemo(ctx context.Context, s streams, sentences, threads int, asJSON bool) (err error) {
	pairs, err := eval.ReadSet(strings.NewReader(demo.Similarities()), "similarity", eval.TaskSimilarity)
	if err != nil {
		return err
	}
	questions, err := eval.ReadSet(strings.NewReader(demo.Analogies()), "analogy", eval.TaskAnalogy)
	if err != nil {
		return err
	}
	settings := train.Defaults()
	settings.Model.Threads = threads
	text, err := train.Read(ctx, train.Reader("the demo corpus", demo.Corpus(sentences, demo.DefaultSeed)), settings, train.ReadOptions{})
	if err != nil {
		return asFlags(err)
	}
	defer func() { err = errors.Join(err, text.Close()) }()
	if !asJSON {
		fmt.Fprintf(s.out, "A generated corpus of %s tokens, %s different words.\n\n", wording.Thousands(text.IDs.Tokens()), wording.Thousands(text.Vocab.Len()))
	}

	report := newReporter(s, progressAuto)
	defer func() { err = errors.Join(err, report.close()) }()
	var results []demoResult
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
			return asFlags(err)
		}
		start := time.Now()
		trained, err := text.Train(ctx, chosen.Model, sgns.Hooks{Progress: report.trained, Every: report.every()})
		if err != nil {
			return err
		}
		r := demoResult{Model: model.name, Tokens: trained.Progress.Tokens, Words: text.Vocab.Len(), Seconds: time.Since(start).Seconds(), vectors: trained.Vectors}
		similarity, err := eval.Evaluate(ctx, trained.Vectors, pairs, eval.Options{})
		if err != nil {
			return err
		}
		analogy, err := eval.Evaluate(ctx, trained.Vectors, questions, eval.Options{})
		if err != nil {
			return err
		}
		r.Similarity, r.Analogy = similarity.Details.(eval.SimilarityResult), analogy.Details.(eval.AnalogyResult)
		results = append(results, r)
		err = s.print(asJSON, r, func(w io.Writer) {
			fmt.Fprintf(w, "%s: trained %s tokens in %.1f s; similarity %s (Spearman), analogies %.1f %% of %d\n",
				r.Model, wording.Thousands(r.Tokens), r.Seconds, score(r.Similarity.Spearman), 100*r.Analogy.Accuracy, r.Analogy.Used)
		})
		if err != nil {
			return err
		}
	}
	if asJSON {
		return nil
	}
	return showDemo(ctx, s.out, results[0], results[1])
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

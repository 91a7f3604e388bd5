package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/train"
)

// corpusFlags say what a corpus is if it is no text.
type corpusFlags struct {
	graph bool
	fresh bool
	walks graphFlags
	kmers kmerFlags
}

// add adds the flags.
func (f *corpusFlags) add(c *cobra.Command) {
	flags := c.Flags()
	grouped(flags, "Graph", func() {
		flags.BoolVar(&f.graph, "graph", false, "CORPUS is the edges of a graph, as of w2v walk: train on random walks over it, which depend on --seed")
		f.walks.add(c)
		flags.BoolVar(&f.fresh, "fresh-walks", false, "new walks in every epoch; the temporary file of the corpus has those of all epochs")
	})
	grouped(flags, "Sequence", func() {
		flags.IntVar(&f.kmers.K, "kmers", 0, "CORPUS is FASTA or FASTQ, as of w2v kmers: train on its `K`-mers")
		f.kmers.Alphabet = kmers.DNA
		f.kmers.add(c)
	})
}

// corpus returns the corpus that the flags and arguments say. With fresh walks it changes the
// epochs. An error is about the flags.
func (f *corpusFlags) corpus(c *cobra.Command, s streams, args []string, o *train.Options) (train.Corpus, error) {
	given := c.Flags().Changed
	if f.graph && given("kmers") {
		return train.Corpus{}, errors.New("--graph and --kmers both say what CORPUS is: only one of them is possible")
	}
	if !f.graph {
		if err := withoutGraph(c, "--graph"); err != nil {
			return train.Corpus{}, err
		}
	}
	if !given("kmers") {
		for _, name := range kmerFlagNames {
			if given(name) {
				return train.Corpus{}, fmt.Errorf("--%s needs --kmers K", name)
			}
		}
	}
	if f.graph || given("kmers") {
		if err := withoutText(c); err != nil {
			return train.Corpus{}, err
		}
	}
	switch {
	case f.graph:
		if err := f.walks.check(); err != nil {
			return train.Corpus{}, err
		}
		walks := f.walks.walks
		if f.fresh {
			walks.PerNode *= o.Settings.Model.Epochs
			if err := o.Settings.Set("epochs", "1"); err != nil {
				return train.Corpus{}, err
			}
		}
		read := graph.ReadOptions{Directed: f.walks.directed, Folder: o.Cache, Planned: s.planned, Note: s.noteEdges}
		return train.Walks(s.in, args, read, walks), nil
	case given("kmers"):
		return train.Kmers(s.in, args, f.kmers.Options, s.noteKmers), f.kmers.check("--kmers")
	}
	return train.FilesAndInput(s.in, args...), nil
}

// withoutText reports a flag of text that is given with a corpus that is none.
func withoutText(c *cobra.Command) error {
	for _, row := range train.Table() {
		switch {
		case row.Group != train.GroupText || row.Name == "min-count" || row.Name == "max-vocab":
		case c.Flags().Changed(row.Name):
			return fmt.Errorf("--%s is about text: leave it out with --graph and --kmers", row.Name)
		}
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/internal/wording"
)

type kmerFlags struct{ kmers.Options }

// add adds the flags. given tells whether there are k-mers.
func (f *kmerFlags) add(c *cobra.Command, given func() bool) {
	flags := c.Flags()
	f.Alphabet = kmers.DNA
	flags.IntVar(&f.Stride, "stride", 1, "letters from one k-mer to the next")
	limit(flags, 1, math.Inf(1), "stride")
	addEnum(flags, (*string)(&f.Alphabet), "alphabet", "letters of the sequences", []choice{
		{string(kmers.DNA), "DNA; U of RNA is T"},
		{string(kmers.Protein), "amino acids"},
	})
	flags.BoolVar(&f.Canonical, "canonical", false, "of a k-mer and its reverse complement, take the one that is first by the alphabet (DNA only)")
	flags.BoolVar(&f.Join, "join", false, "go on in the same sentence behind N and other ambiguous letters")
	checked(c, func([]string) error {
		switch {
		case !given():
			return needs(flags, "--kmers K", "stride", "alphabet", "canonical", "join")
		case f.Canonical && f.Alphabet == kmers.Protein:
			return errors.New("--canonical needs --alphabet dna: proteins have no strands")
		}
		return nil
	})
}

// noteKmers says what was in sequences, and what was left out.
func (s streams) noteKmers(name string, sum kmers.Stats) {
	fmt.Fprintf(s.err, "%s: %s k-mers of %s records, %s letters\n", name, wording.Thousands(sum.Kmers), wording.Thousands(sum.Records), wording.Thousands(sum.Letters))
	if sum.Ambiguous > 0 {
		s.note(fmt.Sprintf("%s: %s letters are ambiguous, such as N, and in no k-mer", name, wording.Thousands(sum.Ambiguous)))
	}
	if sum.Short > 0 {
		s.note(fmt.Sprintf("%s: %s records have no k-mer, because they are too short", name, wording.Thousands(sum.Short)))
	}
}

func newKmers(s streams) *cobra.Command {
	var f kmerFlags
	var output string
	var asJSON bool
	c := &cobra.Command{
		Use:   "kmers [flags] FASTA...",
		Short: "Cut biological sequences into k-mers",
		Long: `Cut biological sequences into k-mers, and write a line for each record: its k-mers with
spaces between them. A record is a sentence; so is each part of one between N or other
ambiguous letters, unless --join is given. Letters become upper case. train --kmers
trains on k-mers without writing them.

FASTA is any number of files, folders or globs, of FASTA or FASTQ; "-" is standard
input. Compressed files are detected from file contents.`,
		Example: `  w2v kmers genome.fa.gz -k 6 -o genome.txt.zst
  w2v kmers -k 8 --canonical --stride 4 reads/*.fastq.gz -o reads.txt.gz
  w2v kmers -k 3 --alphabet protein proteome.fa | head`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON && output == "" {
				return misuse(errors.New("--json needs --output FILE: the k-mers go to standard output otherwise"))
			}
			source, err := corpus.Files(args, s.in, corpus.Options{})
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
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&output, "output", "o", "", "`FILE` for the k-mers; .gz or .zst compresses it (default: standard output)")
	c.Flags().IntVarP(&f.K, "k", "k", 6, "letters of a k-mer")
	limit(c.Flags(), 1, kmers.MaxK, "k")
	f.add(c, func() bool { return true })
	addJSON(c, &asJSON)
	return c
}

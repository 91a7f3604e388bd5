package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// factorized is what w2v factorize prints. Its JSON is read by scripts.
type factorized struct {
	Input  string `json:"input"`
	Output string `json:"output"`
	transform.Factorization
	Bound    float64 `json:"bound"` // of the error: √ of the sum of the squares of what was dropped
	InBytes  int64   `json:"in_bytes"`
	OutBytes int64   `json:"out_bytes"`
}

func newFactorize(s streams) *cobra.Command {
	var o transform.FactorizeOptions
	var asJSON, force bool
	var skip skipFlag
	c := &cobra.Command{
		Use:   "factorize [flags] IN OUT",
		Short: "Replace a model's rows by shorter rows and a projection",
		Long: `Write the model IN, in any format, to OUT with input rows of --rank numbers and one
rank × dimensions projection, which turns rows into vectors. This is the truncated
singular value decomposition of the matrix W of all input rows, n-grams included, so
words outside the vocabulary are composed as before. No other product W_H of that
rank is nearer to W: ‖W − W_H‖² is the sum of the squares of the dropped singular
values. factorize measures and prints both. --energy takes the smallest rank that
keeps that share of the sum of the squares of all numbers.

The native format (.w2v) holds both factors. Other formats get their product, so the
vectors are smoothed but the file is as large as before. Context vectors, which only
training uses, are left out. The time grows with the third power of the dimensions:
about a second for 1,000, half a minute for 3,000.`,
		Example: `  w2v factorize --rank 64 model.w2v small.w2v
  w2v factorize --energy 0.9 cc.en.300.bin small.w2v
  w2v factorize --rank 50 model.w2v smoothed.bin`,
		Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			rank, energy := c.Flags().Changed("rank"), c.Flags().Changed("energy")
			wrong := broken(
				rule{!rank && !energy, "say how much to keep: --rank H, or --energy 0.9"},
				rule{rank && energy, "--rank and --energy exclude each other"},
				rule{energy && !(o.Energy > 0 && o.Energy <= 1), fmt.Sprintf("--energy must be above 0 and at most 1, is %v", o.Energy)},
				rule{args[0] == "-", readTwice},
				rule{args[1] == "-", "a model is not written to standard output: name a file, and use convert OUT - afterwards"},
			)
			if wrong == nil {
				_, wrong = format.ForPath(args[1], false)
			}
			if wrong != nil {
				return misuse(wrong)
			}
			if err := checkTarget(args[1], ""); err != nil {
				return err
			}
			f := factorized{Input: args[0], Output: args[1]}
			if err := f.run(c.Context(), s, o, force, skip); err != nil {
				return err
			}
			return s.print(asJSON, f, f.print)
		},
	}
	c.Flags().IntVar(&o.Rank, "rank", 0, "rows of `H` numbers")
	limit(c.Flags(), 1, math.Inf(1), "rank")
	c.Flags().Float64Var(&o.Energy, "energy", 0, "take the smallest rank that keeps this `SHARE` of the energy, such as 0.9")
	skip.add(c)
	addForce(c, &force)
	addJSON(c, &asJSON)
	return c
}

func (f *factorized) run(ctx context.Context, s streams, o transform.FactorizeOptions, force bool, skip skipFlag) (err error) {
	if f.InBytes, err = sizeOf(f.Input); err != nil {
		return err
	}
	ctx, name, files, stop := s.files(ctx, f.Input, skip)
	defer stop()
	how, end := computation(s, force)
	o.Computation = how
	run := convert.FactorizeOptions{Files: files, FactorizeOptions: o}
	run.Opened = func(set *vectors.Set) error {
		err := files.Opened(set)
		s.noteUnread(f.Input, set)
		return err
	}
	run.Made = func(small *convert.Factorized) error {
		end()
		f.Factorization, f.Bound = small.Factorization, small.Bound()
		s.note(slices.Concat(skip.notes(small.Skipped, small.Format), factorizeNotes(small), format.Misread(small.Set, small.Format))...)
		return nil
	}
	_, err = convert.FactorizeFile(ctx, name, f.Output, run)
	end()
	if err != nil {
		return skip.advise(fullDisk(err))
	}
	f.OutBytes, err = sizeOf(f.Output)
	return err
}

func factorizeNotes(small *convert.Factorized) (notes []string) {
	if small.Context {
		notes = append(notes, "context vectors are left out: only training uses them")
	}
	if len(small.Dropped) > 0 {
		notes = append(notes, "what is factorised comes without "+strings.Join(small.Dropped, "; "))
	}
	if lost := small.ByFormat; lost.Subwords || len(lost.Parts) > 0 {
		notes = append(notes, fmt.Sprintf("the format %s leaves out %s", small.Format, lost))
	}
	if small.MultipliedOut {
		notes = append(notes, fmt.Sprintf("the format %s has no factors: rows are multiplied out, which smooths them and saves no room; .w2v keeps the factors", small.Format))
	}
	return notes
}

func (f *factorized) print(w io.Writer) {
	t := newTable(w)
	fmt.Fprintf(t, "rank\t%d of %d dimensions, %s rows\n", f.Rank, f.Dim, wording.Thousands(f.Rows))
	fmt.Fprintf(t, "energy kept\t%.2f %%\n", 100*f.EnergyKept)
	fmt.Fprintf(t, "error\t%.6g, of the rows' norm %.2f %%\n", f.Error, 100*f.RelativeError)
	fmt.Fprintf(t, "error squared\t%.6g, and the squares of what is dropped add up to %.6g\n", f.Error*f.Error, f.Bound*f.Bound)
	fmt.Fprintf(t, "singular values kept\t%s\n", span(f.SingularValues[:f.Rank]))
	fmt.Fprintf(t, "singular values dropped\t%s\n", span(f.Dropped))
	fmt.Fprintf(t, "file\t%s bytes before, %s bytes after: %.3g times as large\n",
		wording.Thousands(f.InBytes), wording.Thousands(f.OutBytes), float64(f.OutBytes)/float64(f.InBytes))
	t.Flush()
}

// span says what falling numbers there are.
func span(falling []float64) string {
	switch n := len(falling); n {
	case 0:
		return "none"
	case 1:
		return fmt.Sprintf("%.4g", falling[0])
	default:
		return fmt.Sprintf("%d, from %.4g to %.4g", n, falling[0], falling[n-1])
	}
}

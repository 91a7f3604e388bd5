package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// A conversion is what w2v convert prints of what it has done. Its JSON is read by
// scripts.
type conversion struct {
	In       string         `json:"in"`
	Out      string         `json:"out"`
	From     vectors.Format `json:"from"`
	To       vectors.Format `json:"to"`
	Words    int            `json:"words"`
	Dim      int            `json:"dim"`
	Variance *float64       `json:"variance_kept,omitempty"`
	Fewer    int            `json:"fewer_rows,omitempty"` // than lines of --words
	Repeated []string       `json:"repeated,omitempty"`   // words of several lines of --words
	Skipped  []unwritable   `json:"skipped,omitempty"`    // by --skip-unwritable
	Missing  []string       `json:"missing"`
	LeftOut  []string       `json:"left_out"`
	Streamed bool           `json:"streamed"` // the vectors were never all in memory
}

func newConvert(s streams) *cobra.Command {
	var to string
	var asJSON, force bool
	var exported exportFlags
	c := &cobra.Command{
		Use:   "convert [flags] IN OUT",
		Short: "Convert a model to another format",
		Long: `Convert the model IN, whose format is told by its content, to OUT, whose format is
told by its extension or by --to. IN may be "-" for standard input, which is read into
memory; of files the vectors are not, as far as formats allow. OUT may be "-" for
standard output, with --to. What the new format cannot hold is said, and how many
vectors have numbers that are not finite; that such numbers are made of others is an
error.

` + exportHelp + "\n\n" + bridgeHelp,
		Example: `  w2v convert model.w2v model.vec
  w2v convert GoogleNews-vectors.bin.gz google.w2v
  w2v convert model.w2v - --to text | head
  w2v convert model.w2v small.bin --top 50000 --dim 100
  w2v convert nested.w2v short.bin --first 32
  w2v convert model.w2v context.vec --vectors output
  w2v convert model.w2v start.safetensors --to torch --scale std=0.02 --special-tokens '[PAD],[UNK]'
  w2v convert model.w2v start.npy --words vocabulary.txt --missing random
  w2v convert model.w2v static --to sentence-transformers --dtype f16`,
		Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			in, out := args[0], args[1]
			wrong := func(err error) error { return &usageError{c.CommandPath(), err} }
			if to == "" && out == "-" {
				return wrong(errors.New("standard output has no extension: say --to FORMAT"))
			}
			if out == "-" && asJSON {
				return wrong(errors.New("--json and the model cannot both go to standard output"))
			}
			if in == "-" && exported.list.file == "-" {
				return wrong(errors.New("the model and --words cannot both come from standard input"))
			}
			if err := exported.check(c); err != nil {
				return wrong(err)
			}
			if out != "-" {
				if err := checkTarget(out, to); err != nil {
					return err
				}
			}
			if err := exported.list.read(s.in); err != nil {
				return err
			}
			note := func(text string) { fmt.Fprintf(s.err, "note: %s\n", text) }
			return withSource(in, s.in, note, func(set *vectors.Set) error {
				format, err := outputFormat(out, to, set.Subword() != nil && exported.keepsNgrams())
				if err != nil {
					return wrong(err)
				}
				if err := exported.bridge.fits(format); err != nil {
					return wrong(err)
				}
				if can, err := vectors.Describe(format); err == nil && out == "-" && can.Several {
					return wrong(fmt.Errorf("the format %s is several files, which standard output cannot be", format))
				}
				how, end := computation(s, force)
				e, err := exported.apply(c.Context(), s, set, format, how)
				end()
				if err != nil {
					return fmt.Errorf("%s: %w", in, err)
				}
				counted := e.set
				if exported.normalize { // which leaves none
					counted = set
				}
				if err := noteNotFinite(s.err, in, counted, exported.notFiniteBecome(format)); err != nil {
					return fmt.Errorf("%s: %w", in, err)
				}
				if len(set.Unread()) > 0 {
					note(fmt.Sprintf("what is not read of %s: %s", in, strings.Join(set.Unread(), "; ")))
				}
				for _, text := range e.notes {
					note(text)
				}
				if text := e.byFlags.String(); text != "" {
					note("the vectors that are asked for come without " + text)
				}
				if text := e.byFormat.String(); text != "" {
					note(fmt.Sprintf("the format %s leaves out %s", format, text))
				}
				if out != "-" {
					if err := checkRoom(out, e.set.Shape(), format, force); err != nil {
						return err
					}
				}
				if err := writeModel(c.Context(), out, s, e.set, format); err != nil || !asJSON {
					return exported.skip.advise(err)
				}
				done := conversion{
					In: in, Out: out, From: set.Format(), To: format,
					Words: e.set.Len(), Dim: e.set.Dim(),
					Variance: e.variance, Missing: append([]string{}, e.list.missing...), Fewer: e.list.fewer, Repeated: e.list.repeated, Skipped: inJSON(e.skipped),
					LeftOut: append([]string{}, slices.Concat(set.Unread(), e.byFlags.List(), e.byFormat.List())...), Streamed: set.InFile(),
				}
				return printJSON(s.out, done)
			})
		},
	}
	addEnum(c.Flags(), &to, "to", "format of OUT, by default that of its extension ("+extensions()+")", formatChoices())
	exported.add(c)
	addForce(c, &force)
	addJSON(c, &asJSON)
	return c
}

// withSource opens the model at path, or on standard input, for as long as use takes
// to walk through it a few times, and notes why it has to be in memory if it has.
func withSource(path string, stdin io.Reader, note func(text string), use func(*vectors.Set) error) error {
	if path == "-" {
		note("standard input cannot be read twice, so all of it is read into memory")
		s, err := vectors.Read(stdin)
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		return use(s)
	}
	s, err := vectors.OpenStream(path, func(reason string) {
		note(fmt.Sprintf("%s %s, so all of it is read into memory", path, reason))
	})
	if err != nil {
		return err
	}
	err = s.Guard(func() error {
		if err := s.Check(); err != nil {
			return fmt.Errorf("%s: not a valid model: %w", path, err)
		}
		return use(s)
	})
	return errors.Join(err, s.Close())
}

// writeModel writes a set to the file or folder at path, or to standard output if that is "-".
func writeModel(ctx context.Context, path string, to streams, s *vectors.Set, f vectors.Format) error {
	if path == "-" {
		return vectors.Encode(to.out, s, f)
	}
	ctx, stop := untilSignal(ctx, to.err)
	defer stop()
	return vectors.Write(ctx, path, s, f)
}

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
)

func newConvert(s streams) *cobra.Command {
	var to string
	c := &cobra.Command{
		Use:   "convert [flags] IN OUT",
		Short: "Convert a model to another format",
		Long: `Convert the model IN, whose format is told by its content, to OUT, whose format is
told by its extension or by --to. OUT may be "-" for standard output, with --to.
What the new format cannot hold is said.`,
		Example: `  w2v convert model.bin model.vec
  w2v convert GoogleNews-vectors.bin.gz google.w2v
  w2v convert model.w2v - --to text | head`,
		Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			in, out := args[0], args[1]
			if to != "" {
				if _, err := vectors.ParseFormat(to); err != nil {
					return &usageError{c.CommandPath(), err}
				}
			} else if out == "-" {
				return &usageError{c.CommandPath(), errors.New("standard output has no extension: say --to FORMAT")}
			}
			if out != "-" {
				if err := atomicfile.Check(out); err != nil {
					return err
				}
			}
			return withStream(in, func(set *vectors.Set) error {
				format, err := outputFormat(out, to, set.Subword != nil)
				if err != nil {
					return &usageError{c.CommandPath(), err}
				}
				if note := lossOf(set, format); note != "" {
					fmt.Fprintf(s.err, "note: %s\n", note)
				}
				if out == "-" {
					return vectors.Encode(s.out, set, format)
				}
				ctx, stop := untilSignal(c.Context())
				defer stop()
				return vectors.Write(ctx, out, set, format)
			})
		},
	}
	c.Flags().StringVar(&to, "to", "", "format of OUT: "+formatNames())
	return c
}

package main

import (
	"github.com/spf13/cobra"
)

// pictureHelp is the part of a command's help about pictures.
const pictureHelp = `-o names the picture: .svg or .png, or - with --to for a pipe. --width and --height are
in inches; --dpi is for PNG. A PNG has the words that its fonts have glyphs for: --font
adds others. An SVG leaves that to the fonts of whoever looks at it. --json prints the
data behind the picture; then -o may be left out.`

func newPlot(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "plot",
		Short: "Draw maps, heat maps and curves as SVG or PNG",
		Long: `Draw pictures of vectors, of their training and of their scores, without a browser.

` + pictureHelp,
		Example: `  w2v plot map model.w2v --analogy man:king,woman:queen -o royals.svg
  w2v plot heatmap model.w2v cat dog horse car bus -o animals.png
  w2v plot training run.jsonl -o run.svg`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newPlotMap(s), newPlotHeatmap(s), newPlotTraining(s), newPlotFrequency(s), newPlotScree(s))
	return c
}

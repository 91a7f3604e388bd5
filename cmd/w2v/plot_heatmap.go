package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/plots"
)

func newPlotHeatmap(s streams) *cobra.Command {
	var picture pictureFlags
	var chosen chosenFlags
	var letters caseFlag
	var post postFlags
	order := plots.OrderCluster
	c := &cobra.Command{
		Use:   "heatmap [flags] MODEL [WORD...]",
		Short: "Draw the similarities of words as a heat map",
		Long: `Draw the cosines of all pairs of words as colours: orange above 0, blue below, the same
colour for the same cosine in every picture. With few words the cells have the numbers.
--order cluster puts words beside each other that are similar, as in the tree above the
columns (average linkage).

` + caseHelp + ` Words
outside the vocabulary are composed from n-grams if the model has them. The others are
drawn without a word that has no vector, and the exit code is 1.

` + expressionHelp + `

` + pictureHelp + "\n\n" + postHelp,
		Example: `  w2v plot heatmap model.w2v cat dog horse car bus train -o animals.svg
  w2v plot heatmap model.w2v king queen "king - man + woman" -o king.png --order given
  w2v plot heatmap model.w2v --words cities.txt -o cities.png --dark --width 10
  w2v plot heatmap model.w2v cat dog car --json`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := errors.Join(chosen.check(c, len(args) > 1), post.check(c)); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			if err := errors.Join(checkLength(args[1:]...), picture.check(c)); err != nil {
				return err
			}
			return letters.find(c, s, post.open(c.Context(), s, s.withModel), args[0], func(words *finder) error {
				if err := words.checkExpressions(c, args[1:]...); err != nil {
					return err
				}
				absent := newMissing(s, args[0], words.set)
				all := words.gather(absent)
				if err := all.all(s, args[1:], &chosen, plots.MaxHeatmap); err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				if len(all.list) == 0 {
					return absent.err()
				}
				h, err := plots.NewHeatmap(c.Context(), all.list, order)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				h.Title = fmt.Sprintf("Similarity of words in %s", filepath.Base(args[0]))
				err = picture.write(s, h, struct {
					Model string `json:"model"`
					*plots.Heatmap
				}{args[0], h})
				return errors.Join(err, absent.err())
			})
		},
	}
	addEnum(c.Flags(), &order, "order", "order of the words", choicesOf(plots.Orders(), map[plots.Order]string{
		plots.OrderCluster: "similar words beside each other",
		plots.OrderGiven:   "as they are asked for",
	}))
	chosen.add(c)
	picture.add(c)
	letters.add(c)
	post.add(c)
	return c
}

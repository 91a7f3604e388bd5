package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/plots"
	"github.com/w2v-go/w2v/vectors"
)

// A mapRun is what the command line of w2v plot map asks for.
type mapRun struct {
	s         streams
	picture   pictureFlags
	chosen    chosenFlags
	letters   caseFlag
	post      postFlags
	neighbors int
	analogies analogyFlags
	colors    colorFlags
	options   plots.MapOptions
}

func newPlotMap(s streams) *cobra.Command {
	f := &mapRun{s: s}
	f.options.Projection = plots.PCA
	c := &cobra.Command{
		Use:   "map [flags] MODEL [WORD...]",
		Short: "Draw words on a map, with the arrows of analogies",
		Long: `Draw words on a plane where similar words are near: the WORDs, those of --words and
--analogy, the nearest words of these with --neighbors N, and the N most frequent words
with --frequent N. Vectors are scaled to length 1. --projection pca takes the first two
principal components of the words that are drawn; umap keeps neighbours together.

--analogy A:B,C:D draws an arrow from A to B and one from C to D, and a mark where D would
be if the four were a parallelogram. More pairs may follow, and the flag may be repeated.

Colours are those of a FIELD of --metadata, a table with a header and the word in its first
column; of clusters; of the count or the rank of words; or of the word that a word is
a neighbour of. Labels do not overlap: a label without room is left out, and named.

` + caseHelp + ` Words
outside the vocabulary are composed from n-grams if the model has them. The others are
drawn without a word that has no vector, and the exit code is 1.

` + expressionHelp + `

` + pictureHelp + "\n\n" + postHelp,
		Example: `  w2v plot map model.w2v --analogy man:king,woman:queen -o royals.svg
  w2v plot map model.w2v paris tuesday violin --neighbors 15 -o three.png --dark
  w2v plot map model.w2v --words cities.txt --metadata cities.tsv --color country -o cities.svg
  w2v plot map model.w2v --frequent 500 --color cluster --clusters 12 --projection umap -o words.svg`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := cmp.Or(misuse(errors.Join(f.check(c, args), f.post.check(c))), checkLength(args[1:]...), f.picture.check(c)); err != nil {
				return err
			}
			o := opening{rule: f.letters.rule(c), post: &f.post, whole: f.neighbors > 0}
			if f.neighbors > 0 {
				o.empty = errNoAnswers
			}
			return s.open(c.Context(), args[0], o, func(words *finder) error {
				return f.run(c, args[0], args[1:], words)
			})
		},
	}
	f.analogies.add(c)
	f.chosen.add(c)
	c.Flags().IntVarP(&f.neighbors, "neighbors", "k", 0, "also draw the `N` nearest words of each word, but for those of --frequent")
	limit(c.Flags(), 1, math.Inf(1), "neighbors")
	addEnum(c.Flags(), &f.options.Projection, "projection", "how vectors become points", choicesOf(plots.Projections(), map[plots.Projection]string{
		plots.PCA:  "principal components",
		plots.UMAP: "neighbours stay neighbours",
	}))
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of umap and of clusters")
	f.colors.add(c)
	f.picture.add(c)
	f.letters.add(c)
	f.post.add(c)
	return c
}

func (f *mapRun) check(c *cobra.Command, args []string) error {
	if err := errors.Join(f.analogies.parse(), f.colors.check(c, f.neighbors > 0)); err != nil {
		return err
	}
	return f.chosen.check(c, len(args) > 1 || len(f.analogies.pairs) > 0)
}

func (f *mapRun) run(c *cobra.Command, model string, texts []string, words *finder) error {
	if err := words.checkExpressions(c, append(f.analogies.words(), texts...)...); err != nil {
		return err
	}
	if err := f.colors.read(); err != nil {
		return err
	}
	absent := newMissing(f.s, model, words.set)
	all := words.gather(absent)
	var err error
	if f.options.Relations, err = f.analogies.find(all); err != nil {
		return err
	}
	frequent := f.chosen.frequent
	f.chosen.frequent = 0
	if err := all.all(f.s, texts, &f.chosen, plots.MaxMap); err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	of, err := all.neighbors(c.Context(), f.neighbors)
	if err != nil {
		return err
	}
	f.chosen.frequent, f.chosen.list.file = frequent, ""
	if err := all.all(f.s, nil, &f.chosen, plots.MaxMap-len(all.list)); err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	if len(all.list) < 2 {
		return errors.Join(fmt.Errorf("%s: a map needs two words at least that have vectors", model), absent.err())
	}
	if f.options.Colors, err = f.colors.of(f.s, all, of, f.options.Seed); err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	how, end := computation(f.s, false)
	f.options.Progress = how.Progress
	m, err := plots.NewMap(c.Context(), all.list, f.options)
	end()
	if err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	m.Title = fmt.Sprintf("%d words of %s", len(all.list), filepath.Base(model))
	if f.options.Colors.Name != "" {
		m.Subtitle = "colours: " + f.options.Colors.Name
	}
	err = f.picture.write(f.s, m, struct {
		Model string `json:"model"`
		*plots.Map
	}{model, m})
	return errors.Join(err, absent.err())
}

// neighbors adds the nearest k words of each word of the list, which become bold, and returns for each
// word which one it was first a neighbour of, or itself.
func (g *gathering) neighbors(ctx context.Context, k int) (of []int, err error) {
	asked := len(g.list)
	for i := range asked {
		of = append(of, i)
	}
	if k == 0 {
		return of, nil
	}
	queries := make([]vectors.Query, asked)
	for i := range asked {
		g.list[i].Strong = true
		queries[i] = vectors.Query{Vector: g.list[i].Vector, K: k, Skip: g.ids[i]}
	}
	all, err := g.words.set.Nearest(ctx, queries...)
	if err != nil {
		return nil, err
	}
	for i, near := range all {
		for _, n := range near {
			before := len(g.list)
			if _, err := g.id(n.ID); err != nil {
				return nil, err
			}
			if len(g.list) > before {
				of = append(of, i)
			}
		}
	}
	return of, g.words.set.Err()
}

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
			if err := cmp.Or(misuse(errors.Join(chosen.check(c, len(args) > 1), post.check(c))), checkLength(args[1:]...), picture.check(c)); err != nil {
				return err
			}
			return s.open(c.Context(), args[0], opening{rule: letters.rule(c), post: &post}, func(words *finder) error {
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

// analogyFlags are the analogies that are drawn.
type analogyFlags struct {
	texts []string
	pairs [][][2]string // of each analogy
}

func (f *analogyFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.texts, "analogy", nil, "draw the arrows of an analogy: `PAIRS` such as man:king,woman:queen; may be repeated")
}

func (f *analogyFlags) parse() error {
	f.pairs = nil
	for _, text := range f.texts {
		var pairs [][2]string
		for pair := range strings.SplitSeq(text, ",") {
			from, to, ok := strings.Cut(pair, ":")
			from, to = strings.Trim(from, white), strings.Trim(to, white)
			if !ok || from == "" || to == "" || strings.Contains(to, ":") {
				return fmt.Errorf("--analogy %q: %q is not a pair of words; want A:B,C:D as in man:king,woman:queen", text, pair)
			}
			if err := checkLength(from, to); err != nil {
				return err
			}
			pairs = append(pairs, [2]string{from, to})
		}
		f.pairs = append(f.pairs, pairs)
	}
	return nil
}

func (f *analogyFlags) words() (all []string) {
	for _, pairs := range f.pairs {
		for _, p := range pairs {
			all = append(all, p[:]...)
		}
	}
	return all
}

// find adds the words and returns the pairs whose words both have a vector.
func (f *analogyFlags) find(all *gathering) (relations [][][2]int, err error) {
	for _, pairs := range f.pairs {
		var found [][2]int
		for _, p := range pairs {
			from, err := all.add(p[0])
			if err != nil {
				return nil, err
			}
			to, err := all.add(p[1])
			if err != nil {
				return nil, err
			}
			if from >= 0 && to >= 0 {
				found = append(found, [2]int{from, to})
			}
		}
		if len(found) > 0 {
			relations = append(relations, found)
		}
	}
	return relations, nil
}

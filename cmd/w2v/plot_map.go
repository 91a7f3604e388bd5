package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/plots"
	"github.com/w2v-go/w2v/vectors"
)

type mapRun struct {
	modelFlags
	s         streams
	picture   pictureFlags
	chosen    chosenFlags
	neighbors int
	analogies analogyFlags
	colors    colorFlags
	options   plots.MapOptions
}

func newPlotMap(s streams) *cobra.Command {
	f := &mapRun{s: s}
	f.options.Projection = plots.PCA
	c := command("plot-map", cobra.MinimumNArgs(1), s.asking(func() opening {
		o := f.opening()
		if f.neighbors > 0 {
			o.whole, o.empty = true, errNoAnswers
		}
		return o
	}, f.run))
	f.analogies.add(c)
	f.colors.add(c, &f.neighbors)
	f.chosen.add(c, func(args []string) bool { return len(args) > 1 || len(f.analogies.pairs) > 0 })
	whole(c.Flags(), 1, &f.neighbors, "neighbors", "k", 0, "also draw the `N` nearest words of each word, but for those of --frequent")
	addEnum(c.Flags(), &f.options.Projection, "projection", "how vectors become points", choicesOf(plots.Projections(), map[plots.Projection]string{
		plots.PCA:  "principal components",
		plots.UMAP: "neighbours stay neighbours",
	}))
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of umap and of clusters")
	f.modelFlags.add(c)
	noLongWords(c)
	f.picture.add(c)
	return c
}

func (f *mapRun) run(ctx context.Context, words *finder, texts []string) error {
	if err := words.checkExpressions(append(f.analogies.words(), texts...)...); err != nil {
		return err
	}
	if err := f.colors.read(); err != nil {
		return err
	}
	all := words.gather()
	m, err := f.draw(ctx, texts, all)
	if err != nil {
		return ofModel(words.path, err)
	}
	if m == nil {
		return errors.Join(fmt.Errorf("%s: a map needs two words at least that have vectors", words.path), words.absent.err())
	}
	m.Title = fmt.Sprintf("Map of %d words of %s", len(all.list), filepath.Base(words.path))
	var said []string
	if len(m.Relations) > 0 {
		said = append(said, "diamonds: the corners of parallelograms")
	}
	if f.options.Colors.Name != "" {
		said = append(said, "colours: "+f.options.Colors.Name)
	}
	m.Subtitle = strings.Join(said, "; ")
	err = f.picture.write(f.s, m, struct {
		Model string `json:"model"`
		*plots.Map
	}{words.path, m})
	return errors.Join(err, words.absent.err())
}

func (f *mapRun) draw(ctx context.Context, texts []string, all *gathering) (_ *plots.Map, err error) {
	if f.options.Relations, err = f.analogies.find(all); err != nil {
		return nil, err
	}
	asked := f.chosen
	asked.frequent = 0
	if err := all.all(f.s, texts, &asked, plots.MaxMap); err != nil {
		return nil, err
	}
	of, err := all.neighbors(ctx, f.neighbors)
	if err != nil {
		return nil, err
	}
	if err := all.all(f.s, nil, &chosenFlags{frequent: f.chosen.frequent}, plots.MaxMap-len(all.list)); err != nil {
		return nil, err
	}
	if len(all.list) < 2 {
		return nil, nil
	}
	if f.options.Colors, err = f.colors.of(f.s, all, of, f.options.Seed); err != nil {
		return nil, err
	}
	how, end := computation(f.s, false)
	defer end()
	f.options.Progress = how.Progress
	return plots.NewMap(ctx, all.list, f.options)
}

// neighbors adds the nearest k words of each word, which become bold, and returns whose neighbour each word first was.
func (g *gathering) neighbors(ctx context.Context, k int) (of []int, err error) {
	var queries []vectors.Query
	for i := range g.list {
		of = append(of, i)
		queries = append(queries, vectors.Query{Vector: g.list[i].Vector, K: k, Skip: g.ids[i]})
	}
	if k == 0 {
		return of, nil
	}
	all, err := g.words.set.Nearest(ctx, queries...)
	if err != nil {
		return nil, err
	}
	for i, near := range all {
		g.list[i].Strong = true
		for _, n := range near {
			before := len(g.list)
			if err := g.id(n.ID); err != nil {
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
	var f modelFlags
	var picture pictureFlags
	var chosen chosenFlags
	order := plots.OrderCluster
	c := command("plot-heatmap", cobra.MinimumNArgs(1), s.asking(f.opening, func(ctx context.Context, words *finder, args []string) error {
		if err := words.checkExpressions(args...); err != nil {
			return err
		}
		all := words.gather()
		err := all.all(s, args, &chosen, plots.MaxHeatmap)
		if err == nil && len(all.list) == 0 {
			return words.absent.err()
		}
		var h *plots.Heatmap
		if err == nil {
			h, err = plots.NewHeatmap(ctx, all.list, order)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", words.path, err)
		}
		h.Title = fmt.Sprintf("Cosines between words of %s", filepath.Base(words.path))
		err = picture.write(s, h, struct {
			Model string `json:"model"`
			*plots.Heatmap
		}{words.path, h})
		return errors.Join(err, words.absent.err())
	}))
	addEnum(c.Flags(), &order, "order", "order of the words", choicesOf(plots.Orders(), map[plots.Order]string{
		plots.OrderCluster: "similar words beside each other",
		plots.OrderGiven:   "as they are asked for",
	}))
	chosen.add(c, func(args []string) bool { return len(args) > 1 })
	f.add(c)
	noLongWords(c)
	picture.add(c)
	return c
}

type analogyFlags struct {
	texts []string
	pairs [][][2]string // of each analogy
}

func (f *analogyFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.texts, "analogy", nil, "draw the arrows of an analogy: `PAIRS` such as man:king,woman:queen; may be repeated")
	checked(c, func([]string) error {
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
	})
}

func (f *analogyFlags) words() (all []string) {
	for _, pairs := range f.pairs {
		for _, p := range pairs {
			all = append(all, p[:]...)
		}
	}
	return all
}

func (f *analogyFlags) find(all *gathering) (relations [][][2]int, err error) {
	for _, pairs := range f.pairs {
		var found [][2]int
		for _, p := range pairs {
			var at [2]int
			for i, word := range p {
				if at[i], err = all.add(word); err != nil {
					return nil, err
				}
			}
			if at[0] >= 0 && at[1] >= 0 {
				found = append(found, at)
			}
		}
		if len(found) > 0 {
			relations = append(relations, found)
		}
	}
	return relations, nil
}

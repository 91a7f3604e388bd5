package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/spelling"
	"github.com/w2v-go/w2v/plots"
	"github.com/w2v-go/w2v/vectors/metadata"
)

// What --color may be, besides the fields of a table.
const (
	colorNone      = "none"
	colorCluster   = "cluster"
	colorFrequency = "frequency"
	colorNeighbors = "neighbors"
)

// colorFlags say which colours words have on a map.
type colorFlags struct {
	metadata, color string
	clusters        int
	table           *metadata.Table
}

func (f *colorFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.metadata, "metadata", "", "a table of facts about words, for --color: columns between tabs, with a header, the word first, in `FILE`")
	flags.StringVar(&f.color, "color", "", "colour words by `FIELD`: a column of --metadata, or cluster, frequency, neighbors, none; the default is the first column, or what is asked for with -k or --clusters")
	_ = c.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]cobra.Completion{colorCluster, colorFrequency, colorNeighbors, colorNone}, cobra.ShellCompDirectiveNoFileComp))
	flags.IntVar(&f.clusters, "clusters", 0, fmt.Sprintf("colour words by `N` clusters (k-means), at most %d; 0 goes by the number of words, if --color asks for clusters", plots.MaxClusters))
}

// check looks for what makes no sense before anything is read. Neighbors tells whether there are
// neighbours of words.
func (f *colorFlags) check(c *cobra.Command, neighbors bool) error {
	switch {
	case c.Flags().Changed("clusters") && (f.clusters < 1 || f.clusters > plots.MaxClusters):
		return fmt.Errorf("--clusters must be from 1 to %d, is %d", plots.MaxClusters, f.clusters)
	case f.color == "" && f.clusters > 0:
		f.color = colorCluster
	case f.clusters > 0 && f.color != colorCluster:
		return fmt.Errorf("--clusters is for --color cluster, and --color is %s", f.color)
	case f.color == "" && f.metadata == "" && neighbors:
		f.color = colorNeighbors
	case f.color == "" && f.metadata == "":
		f.color = colorNone
	case f.color == colorNeighbors && !neighbors && f.metadata == "":
		return errors.New("--color neighbors is about the neighbours of words: say -k N")
	}
	switch f.color {
	case colorNone, colorCluster, colorFrequency, colorNeighbors:
	default:
		if f.metadata == "" {
			return fmt.Errorf("--color %s: want %s, %s, %s or %s, or a column of the table that --metadata FILE names", f.color, colorCluster, colorFrequency, colorNeighbors, colorNone)
		}
	}
	return nil
}

// read reads the table, and finds the column.
func (f *colorFlags) read() (err error) {
	if f.metadata == "" {
		return nil
	}
	if f.table, err = metadata.ReadFile(f.metadata); err != nil {
		return err
	}
	var names []string
	for _, column := range f.table.Columns() {
		names = append(names, column.Name)
	}
	if f.color == "" && len(names) > 0 {
		f.color = names[0]
	}
	for _, name := range append(names, colorNone, colorCluster, colorFrequency, colorNeighbors) {
		if f.color == name {
			return nil
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: there is no column besides that of words", f.metadata)
	}
	return fmt.Errorf("%s: there is no column %q%s; its columns are %s", f.metadata, f.color, didYouMean("", spelling.Nearest(f.color, names)), strings.Join(names, ", "))
}

// of returns the colours of words. By says which word each is a neighbour of.
func (f *colorFlags) of(s streams, all *gathering, by []int, seed uint64) (plots.Coloring, error) {
	if f.table != nil {
		words := make([]string, len(all.list))
		for i, w := range all.list {
			if words[i] = w.Text; w.ID >= 0 {
				words[i] = all.words.set.Words().At(w.ID)
			}
		}
		for _, field := range f.table.Fields(words) {
			if field.Name == f.color && field.Known == 0 {
				s.note(fmt.Sprintf("no word of the map has a value of %s in %s: all words have the same colour", f.color, f.metadata))
				return plots.Coloring{}, nil
			}
			if field.Name == f.color {
				return plots.ByField(field), nil
			}
		}
	}
	switch f.color {
	case colorCluster:
		k := f.clusters
		if k == 0 {
			k = max(2, min(8, int(math.Sqrt(float64(len(all.list))/2))))
		}
		return plots.ByCluster(all.list, k, seed)
	case colorFrequency:
		return all.frequencies(), nil
	case colorNeighbors:
		c := plots.Coloring{Name: "nearest words", Of: make([]int, len(all.list))}
		group := map[int]int{}
		for i, of := range by {
			if _, known := group[of]; !known {
				group[of] = len(c.Groups)
				c.Groups = append(c.Groups, all.list[of].Text)
			}
			c.Of[i] = group[of]
		}
		for i := len(by); i < len(c.Of); i++ { // words of --frequent
			c.Of[i] = -1
		}
		return c, nil
	}
	return plots.Coloring{}, nil
}

// frequencies colours words by their counts, or by their ranks if there are none.
func (g *gathering) frequencies() plots.Coloring {
	c := plots.Coloring{Name: "log10 of the count", Values: make([]*float64, len(g.list))}
	counts := g.words.set.Counts()
	if len(counts) == 0 {
		c.Name = "log10 of the rank"
	}
	for i, w := range g.list {
		if w.ID < 0 {
			continue
		}
		x := float64(w.ID + 1)
		if len(counts) > 0 {
			x = float64(counts[w.ID])
		}
		if x > 0 {
			x = math.Log10(x)
			c.Values[i] = &x
		}
	}
	return c
}

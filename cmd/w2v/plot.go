package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/plots"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/inspect"
	"github.com/w2v-go/w2v/vectors/metadata"
)

func newPlot(s streams) *cobra.Command {
	c := command("plot", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return c.Help() })
	c.AddCommand(newPlotMap(s), newPlotHeatmap(s), newPlotTraining(s), newPlotFrequency(s), newPlotScree(s))
	return c
}

type pictureFlags struct {
	out    string
	to     plots.Format // empty if none is drawn
	style  plots.Style
	fonts  []string
	asJSON bool
}

func (f *pictureFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the picture to `FILE`, .svg or .png; - means standard output, with --to")
	addEnum(flags, &f.to, "to", "format of the picture; the default goes by its extension", choicesOf(plots.Formats(), nil))
	flags.Float64Var(&f.style.Width, "width", 0, "width in `INCHES`; 0 is what suits the picture")
	flags.Float64Var(&f.style.Height, "height", 0, "height in `INCHES`; 0 is what suits the picture")
	flags.IntVar(&f.style.DPI, "dpi", 0, fmt.Sprintf("pixels of an inch of a PNG; 0 means %d", plots.DefaultDPI))
	flags.BoolVar(&f.style.Dark, "dark", false, "light text on a dark background")
	flags.StringVar(&f.style.Title, "title", "", "the title, in place of the picture's own")
	flags.StringArrayVar(&f.fonts, "font", nil, "take glyphs from this TrueType or OpenType `FILE` first; may be repeated")
	addJSON(c, &f.asJSON)
	flags.Lookup("json").Usage = "print the data behind the picture as one line of JSON"
	before(c, func([]string) error { return f.check() })
}

// check looks for contradictions and pictures that cannot be written, and reads the fonts.
func (f *pictureFlags) check() error {
	err := broken(
		rule{f.out == "" && !f.asJSON, "there is nothing to write: say -o FILE.svg or -o FILE.png, or --json"},
		rule{f.out == "" && f.to != "", "--to needs --output"},
		rule{f.out == "-" && f.to == "", "standard output has no extension: say --to svg or --to png"},
		rule{f.out == "-" && f.asJSON, "--json and the picture cannot both go to standard output"},
	)
	if err == nil && f.out != "" && f.to == "" {
		f.to = plots.Format(strings.ToLower(strings.TrimPrefix(filepath.Ext(f.out), ".")))
		if !slices.Contains(plots.Formats(), f.to) {
			err = fmt.Errorf("%s: its extension is neither .svg nor .png: say --to svg or --to png", f.out)
		}
	}
	if err = cmp.Or(err, f.style.Validate()); err != nil {
		return misuse(err)
	}
	for _, path := range f.fonts {
		data, err := os.ReadFile(path)
		if err != nil {
			return compression.Named(path, err)
		}
		font, err := plots.ParseFont(data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		f.style.Fonts = append(f.style.Fonts, font)
	}
	if f.out == "" || f.out == "-" {
		return nil
	}
	return atomicfile.Check(f.out)
}

func (f *pictureFlags) write(s streams, picture plots.Picture, data any) error {
	if f.out != "" {
		var image bytes.Buffer // a picture that cannot be drawn leaves standard output empty
		drawn, err := plots.Write(&image, picture, f.to, f.style)
		if err != nil {
			return fmt.Errorf("%s: %w", f.out, err)
		}
		if err := writeFile(s, f.out, func(w io.Writer) error { _, err := image.WriteTo(w); return err }); err != nil {
			return err
		}
		n := len(drawn.Unlabelled)
		s.noteIf(n > 0, "%s no room: %s; a larger --width and --height have room for more", wording.Count(n, "label has", "labels have"), some(drawn.Unlabelled))
		n = len(drawn.NoGlyphs)
		s.noteIf(n > 0, "%s characters that no font here has, drawn as boxes: %s; name a font with --font FILE.ttf, or write an SVG", wording.Count(n, "label has", "labels have"), some(drawn.NoGlyphs))
		n = len(drawn.Unshaped)
		s.noteIf(n > 0, "a PNG has the letters of a label one by one from left to right, which is wrong for %s: %s; write an SVG", wording.Count(n, "label", "labels"), some(drawn.Unshaped))
	}
	if f.asJSON {
		return printJSON(s.out, data)
	}
	return nil
}

type chosenFlags struct {
	list     wordList
	frequent int
}

// add adds the flags. given tells whether the command line names other words.
func (f *chosenFlags) add(c *cobra.Command, given func(args []string) bool) {
	f.list.missing = convert.MissingSkip
	c.Flags().StringVar(&f.list.file, "words", "", "also draw the words in `FILE`, one a line; - means standard input")
	whole(c.Flags(), 1, &f.frequent, "frequent", "", 0, "also draw the `N` most frequent words, the first of the vocabulary")
	checked(c, func(args []string) error {
		return broken(rule{!given(args) && f.list.file == "" && f.frequent == 0, "there are no words to draw: name some, or say --words FILE or --frequent N"})
	})
}

// A gathering is the words of a picture, each once.
type gathering struct {
	words *finder
	list  []plots.Word
	ids   [][]int        // of the words that each of list is made of
	at    map[string]int // in list, by the text
}

func (f *finder) gather() *gathering { return &gathering{words: f, at: make(map[string]int)} }

// add adds a word or an expression, and returns where it is in the list; −1 if it has no vector.
func (g *gathering) add(text string) (int, error) {
	if i, known := g.at[text]; known {
		return i, nil
	}
	g.words.absent.all++
	w, err := g.words.find(make([]float32, g.words.set.Dim()), text, nil)
	if err != nil {
		return -1, err
	}
	i := -1
	switch {
	case w.Missing():
		g.words.absent.addFound(w, g.words.suggestions.For(w))
	case math.IsNaN(vectors.Cosine(w.Vector, w.Vector)):
		g.words.absent.noDirection(text)
	default:
		i = g.insert(plots.Word{Text: text, ID: w.ID, Vector: w.Vector}, w.IDs(g.words.set))
	}
	g.at[text] = i
	return i, nil
}

// insert adds a word with its vector, unless a word of the vocabulary is there in another spelling.
func (g *gathering) insert(w plots.Word, ids []int) int {
	if w.ID >= 0 {
		spelling := g.words.set.Words().At(w.ID)
		if i, known := g.at[spelling]; known && i >= 0 {
			return i
		}
		g.at[spelling] = len(g.list)
	}
	g.list, g.ids = append(g.list, w), append(g.ids, ids)
	return len(g.list) - 1
}

// id adds a word of the vocabulary, unless its vector has no direction.
func (g *gathering) id(id int) error {
	v := make([]float32, g.words.set.Dim())
	word := g.words.set.Words().At(id)
	if _, known := g.at[word]; known {
		return nil
	}
	if g.words.set.Vector(v, word) && !math.IsNaN(vectors.Cosine(v, v)) {
		g.insert(plots.Word{Text: word, ID: id, Vector: v}, []int{id})
	}
	return g.words.set.Err()
}

func (g *gathering) all(s streams, texts []string, f *chosenFlags, most int) error {
	listed, err := f.list.words(s.in)
	if err != nil {
		return err
	}
	texts = slices.Concat(texts, listed)
	frequent := min(f.frequent, g.words.set.Len())
	if n := len(texts) + frequent; n > most {
		return fmt.Errorf("%d words are asked for, and a picture has %d at most", n, most)
	}
	for _, text := range texts {
		if _, err := g.add(text); err != nil {
			return err
		}
	}
	for id := range frequent {
		if err := g.id(id); err != nil {
			return err
		}
	}
	return nil
}

// What --color may be, besides the fields of a table.
const (
	colorNone      = "none"
	colorCluster   = "cluster"
	colorFrequency = "frequency"
	colorNeighbors = "neighbors"
)

var colors = []string{colorCluster, colorFrequency, colorNeighbors, colorNone}

type colorFlags struct {
	metadata, color string
	clusters        int
	table           *metadata.Table
}

func (f *colorFlags) add(c *cobra.Command, neighbors *int) {
	flags := c.Flags()
	flags.StringVar(&f.metadata, "metadata", "", "a table of facts about words, for --color: columns between tabs, with a header, the word first, in `FILE`")
	flags.StringVar(&f.color, "color", "", "colour words by `FIELD`: a column of --metadata, or cluster, frequency, neighbors, none; the default is the first column, or what is asked for with -k or --clusters")
	_ = c.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(colors, cobra.ShellCompDirectiveNoFileComp))
	flags.IntVar(&f.clusters, "clusters", 0, fmt.Sprintf("colour words by `N` clusters (k-means), at most %d; 0 goes by the number of words, if --color asks for clusters", plots.MaxClusters))
	limit(flags, 1, plots.MaxClusters, "clusters")
	checked(c, func([]string) error {
		switch {
		case f.color == "" && f.clusters > 0:
			f.color = colorCluster
		case f.clusters > 0 && f.color != colorCluster:
			return fmt.Errorf("--clusters is for --color cluster, and --color is %s", f.color)
		case f.metadata != "":
		case f.color == "" && *neighbors > 0:
			f.color = colorNeighbors
		case f.color == "":
			f.color = colorNone
		case f.color == colorNeighbors && *neighbors == 0:
			return errors.New("--color neighbors is about the neighbours of words: say -k N")
		case !slices.Contains(colors, f.color):
			return fmt.Errorf("--color %s: want %s, or a column of the table that --metadata FILE names", f.color, setting.Or(colors))
		}
		return nil
	})
}

func (f *colorFlags) read() (err error) {
	if f.metadata == "" {
		return nil
	}
	if f.table, err = metadata.ReadFile(f.metadata); err != nil {
		return err
	}
	names := wording.Map(f.table.Columns(), func(column metadata.Column) string { return column.Name })
	if f.color == "" && len(names) > 0 {
		f.color = names[0]
	}
	switch {
	case slices.Contains(names, f.color), slices.Contains(colors, f.color):
		return nil
	case len(names) == 0:
		return fmt.Errorf("%s: there is no column besides that of words", f.metadata)
	}
	return fmt.Errorf("%s: there is no column %q%s; its columns are %s", f.metadata, f.color, didYouMean("", wording.Nearest(f.color, names)), strings.Join(names, ", "))
}

func (f *colorFlags) of(s streams, all *gathering, by []int, seed uint64) (c plots.Coloring, err error) {
	set := all.words.set
	if f.table != nil {
		table := f.table.For(all.words.Spelling)
		s.notes(table.Notes(all.words.path)...)
		words := make([]string, len(all.list))
		for i, w := range all.list {
			if words[i], _ = all.words.Spelling(w.Text); w.ID >= 0 {
				words[i] = set.Words().At(w.ID)
			}
		}
		for _, field := range table.Fields(words) {
			switch {
			case field.Name != f.color:
			case field.Known > 0:
				return plots.ByField(field), nil
			default:
				s.note("no word of the map has a value of %s in %s: all words have the same colour", f.color, f.metadata)
				return c, nil
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
	case colorFrequency: // by counts, or by ranks if there are none
		counts := set.Counts()
		if c.Name = "log10 of the count"; len(counts) == 0 {
			c.Name = "log10 of the rank"
		}
		for _, w := range all.list {
			x := float64(w.ID + 1)
			if w.ID >= 0 && len(counts) > 0 {
				x = float64(counts[w.ID])
			}
			c.Values = append(c.Values, nil)
			if x > 0 {
				c.Values[len(c.Values)-1] = new(math.Log10(x))
			}
		}
	case colorNeighbors:
		c.Name = "nearest words"
		group := map[int]int{}
		for i := range all.list {
			if i >= len(by) { // a word of --frequent
				c.Of = append(c.Of, -1)
				continue
			}
			if _, known := group[by[i]]; !known {
				group[by[i]] = len(c.Groups)
				c.Groups = append(c.Groups, all.list[by[i]].Text)
			}
			c.Of = append(c.Of, group[by[i]])
		}
	}
	return c, nil
}

func newPlotTraining(s streams) *cobra.Command {
	var picture pictureFlags
	against := plots.AgainstTokens
	c := command("plot-training", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		for i, path := range args {
			if path == "-" && slices.Contains(args[:i], path) {
				return misuse(errors.New("standard input can be read once"))
			}
		}
		var runs []*plots.Run
		for _, path := range args {
			found, err := readLog(path, s.in)
			if err != nil {
				return err
			}
			runs = append(runs, found...)
		}
		t, err := plots.NewTraining(runs, against)
		if err != nil {
			return err
		}
		t.Title = "Loss, scores and speed in the training of " + runs[0].Name
		if len(runs) > 1 {
			t.Title = fmt.Sprintf("Loss, scores and speed in the training of %d runs", len(runs))
		}
		return picture.write(s, t, t)
	})
	addEnum(c.Flags(), &against, "against", "the horizontal axis", choicesOf(plots.Axes(), map[plots.Against]string{
		plots.AgainstTokens:  "trained, of all epochs",
		plots.AgainstShare:   "of the tokens to train",
		plots.AgainstSeconds: "of training",
	}))
	picture.add(c)
	return c
}

func readLog(path string, stdin io.Reader) ([]*plots.Run, error) {
	if path == "-" {
		return plots.ReadRuns(stdin, "standard input")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, compression.Named(path, err)
	}
	defer file.Close()
	runs, err := plots.ReadRuns(file, path)
	if err != nil {
		return nil, err
	}
	for _, r := range runs { // the folder says little in a picture
		r.Name = strings.TrimSuffix(filepath.Base(path), ".jsonl") + strings.TrimPrefix(r.Name, path)
	}
	return runs, nil
}

func newPlotFrequency(s streams) *cobra.Command {
	var picture pictureFlags
	f := &evalCommand{tasks: &taskFlags{}}
	f.options.BandIntervals = true
	c := command("plot-frequency", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		if err := f.prepare(nil); err != nil {
			return err
		}
		sets, unread, err := f.read(s, args[1:])
		if err != nil {
			return err
		}
		records, err := f.measure(c, s, args[0], sets)
		if err != nil {
			return err
		}
		p, err := plots.NewFrequency(records)
		if err == nil {
			p.Title = fmt.Sprintf("Scores of %s for frequent and rare words", filepath.Base(args[0]))
			err = picture.write(s, p, struct {
				Model string `json:"model"`
				*plots.Frequency
			}{args[0], p})
		}
		return errors.Join(err, unusable(records), unread)
	})
	picture.add(c)
	f.post.add(c)
	f.words.add(c)
	f.addBands(c)
	f.tasks.add(c, &f.options)
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals, clusterings and permutations")
	addRestrict(c, &f.options.Restrict, ", in sets and as answers")
	addTask(c, &f.task)
	return c
}

func newPlotScree(s streams) *cobra.Command {
	var picture pictureFlags
	var post postFlags
	c := command("plot-scree", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		var names []string
		var spectra []*inspect.Spectrum
		for _, path := range args {
			err := s.open(c.Context(), path, scored(&post), func(words *finder) error {
				how, end := computation(s, false)
				defer end()
				of, err := inspect.SpectrumOf(c.Context(), words.set, inspect.Options{Progress: how.Progress})
				if err == nil && of.Words == 0 {
					err = errors.New("no word has a vector with a direction")
				}
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				spectra = append(spectra, of)
				return nil
			})
			if err != nil {
				return err
			}
			names = append(names, filepath.Base(path))
		}
		scree, err := plots.NewScree(names, spectra)
		if err != nil {
			return err
		}
		scree.Title = "Variance of word vectors by principal component"
		return picture.write(s, scree, scree)
	})
	picture.add(c)
	post.add(c)
	return c
}

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
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/plots"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
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

// pictureFlags say where a picture goes and how it looks.
type pictureFlags struct {
	out, to string
	style   plots.Style
	fonts   []string
	asJSON  bool
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
	c.Flags().Lookup("json").Usage = "print the data behind the picture as one line of JSON"
}

// format is that of the picture; empty if none is drawn.
func (f *pictureFlags) format() (plots.Format, error) {
	if f.to != "" || f.out == "" {
		return plots.Format(f.to), nil
	}
	ext := plots.Format(strings.ToLower(strings.TrimPrefix(filepath.Ext(f.out), ".")))
	if !slices.Contains(plots.Formats(), ext) {
		return "", fmt.Errorf("%s: its extension is neither .svg nor .png: say --to svg or --to png", f.out)
	}
	return ext, nil
}

// check looks for what makes no sense, and for a picture that could not be written, before anything
// is computed. It reads the fonts.
func (f *pictureFlags) check(c *cobra.Command) error {
	switch {
	case f.out == "" && !f.asJSON:
		return misuse(errors.New("there is nothing to write: say -o FILE.svg or -o FILE.png, or --json"))
	case f.out == "" && f.to != "":
		return misuse(errors.New("--to needs --output"))
	case f.out == "-" && f.to == "":
		return misuse(errors.New("standard output has no extension: say --to svg or --to png"))
	case f.out == "-" && f.asJSON:
		return misuse(errors.New("--json and the picture cannot both go to standard output"))
	}
	_, err := f.format()
	if err = cmp.Or(err, f.style.Validate()); err != nil {
		return misuse(err)
	}
	for _, path := range f.fonts {
		data, err := os.ReadFile(path)
		if err != nil {
			return named(path, err)
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

// write writes the picture and prints its data, as far as they are asked for, and says what the
// picture lacks.
func (f *pictureFlags) write(s streams, picture plots.Picture, data any) error {
	if f.out != "" {
		to, err := f.format()
		if err != nil {
			return err
		}
		var image bytes.Buffer // a picture that cannot be drawn leaves standard output empty
		drawn, err := plots.Write(&image, picture, to, f.style)
		if err != nil {
			return fmt.Errorf("%s: %w", f.out, err)
		}
		if f.out == "-" {
			_, err = image.WriteTo(s.out)
		} else {
			err = atomicfile.Write(f.out, func(w io.Writer) error {
				_, err := image.WriteTo(w)
				return err
			})
		}
		if err != nil {
			return err
		}
		noteDrawn(s, drawn)
	}
	if f.asJSON {
		return printJSON(s.out, data)
	}
	return nil
}

func noteDrawn(s streams, d plots.Drawn) {
	if n := len(d.Unlabelled); n > 0 {
		s.note(fmt.Sprintf("%s no room: %s; a larger --width and --height have room for more", wording.Count(n, "label has", "labels have"), some(d.Unlabelled)))
	}
	if n := len(d.NoGlyphs); n > 0 {
		s.note(fmt.Sprintf("%s characters that no font here has, drawn as boxes: %s; name a font with --font FILE.ttf, or write an SVG", wording.Count(n, "label has", "labels have"), some(d.NoGlyphs)))
	}
	if n := len(d.Unshaped); n > 0 {
		s.note(fmt.Sprintf("a PNG has the letters of a label one by one from left to right, which is wrong for %s: %s; write an SVG", wording.Count(n, "label", "labels"), some(d.Unshaped)))
	}
}

// chosenFlags say which words are drawn, besides those of the command line.
type chosenFlags struct {
	list     wordList
	frequent int
}

func (f *chosenFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.list.file, "words", "", "also draw the words in `FILE`, one a line; - means standard input")
	c.Flags().IntVar(&f.frequent, "frequent", 0, "also draw the `N` most frequent words, the first of the vocabulary")
	limit(c.Flags(), 1, math.Inf(1), "frequent")
}

func (f *chosenFlags) check(c *cobra.Command, given bool) error {
	f.list.missing = missingSkip
	if !given && f.list.file == "" && f.frequent == 0 {
		return fmt.Errorf("there are no words to draw: name some, or say --words FILE or --frequent N")
	}
	return nil
}

// A gathering is the words of a picture, each once.
type gathering struct {
	words  *finder
	absent *missing
	list   []plots.Word
	ids    [][]int        // of the words that each of list is made of
	at     map[string]int // in list, by the text
}

func (f *finder) gather(absent *missing) *gathering {
	return &gathering{words: f, absent: absent, at: make(map[string]int)}
}

// add adds a word or an expression and returns where it is in the list; −1 if it has no vector, which
// is said.
func (g *gathering) add(text string) (int, error) {
	if i, known := g.at[text]; known {
		return i, nil
	}
	g.absent.all++
	w, err := g.words.find(make([]float32, g.words.set.Dim()), text)
	if err != nil {
		return -1, err
	}
	i := -1
	switch {
	case w.Missing():
		g.absent.addFound(w, g.words.suggestions.For(w))
	case math.IsNaN(vectors.Cosine(w.Vector, w.Vector)):
		g.absent.noDirection(text)
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
func (g *gathering) id(id int) (int, error) {
	v := make([]float32, g.words.set.Dim())
	word := g.words.set.Words().At(id)
	if i, known := g.at[word]; known {
		return i, nil
	}
	if !g.words.set.Vector(v, word) || math.IsNaN(vectors.Cosine(v, v)) {
		return -1, g.words.set.Err()
	}
	return g.insert(plots.Word{Text: word, ID: id, Vector: v}, []int{id}), g.words.set.Err()
}

// all adds the words of the command line, of the list and the most frequent ones.
func (g *gathering) all(s streams, texts []string, f *chosenFlags, most int) error {
	list, err := f.list.read(s.in)
	if err != nil {
		return err
	}
	if list != nil {
		texts = append(append([]string{}, texts...), list.Words...)
	}
	if n := len(texts) + min(f.frequent, g.words.set.Len()); n > most {
		return fmt.Errorf("%d words are asked for, and a picture has %d at most", n, most)
	}
	for _, text := range texts {
		if _, err := g.add(text); err != nil {
			return err
		}
	}
	for id := range min(f.frequent, g.words.set.Len()) {
		if _, err := g.id(id); err != nil {
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
	limit(flags, 1, plots.MaxClusters, "clusters")
}

// check looks for what makes no sense before anything is read. Neighbors tells whether there are
// neighbours of words.
func (f *colorFlags) check(c *cobra.Command, neighbors bool) error {
	switch {
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
	return fmt.Errorf("%s: there is no column %q%s; its columns are %s", f.metadata, f.color, didYouMean("", wording.Nearest(f.color, names)), strings.Join(names, ", "))
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

package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/plots"
	"github.com/w2v-go/w2v/vectors"
)

// chosenFlags say which words are drawn, besides those of the command line.
type chosenFlags struct {
	list     wordList
	frequent int
}

func (f *chosenFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.list.file, "words", "", "also draw the words in `FILE`, one a line; - means standard input")
	c.Flags().IntVar(&f.frequent, "frequent", 0, "also draw the `N` most frequent words, the first of the vocabulary")
}

func (f *chosenFlags) check(c *cobra.Command, given bool) error {
	f.list.missing = missingSkip
	switch {
	case c.Flags().Changed("frequent") && f.frequent < 1:
		return fmt.Errorf("--frequent must be at least 1, is %d", f.frequent)
	case !given && f.list.file == "" && f.frequent == 0:
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

package format

import (
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// Capabilities say what a format can do.
type Capabilities struct {
	Format     Format
	Extensions []string // of its files; none of a folder
	Folder     bool     // it is a folder and not a file
	Several    bool     // it is several files, in a folder or beside each other
	Programs   string   // who reads it, besides this package

	Read, Write bool
	Stream      bool // rows can be read and written one at a time, compressed ones too
	Map         bool // a plain file is mapped into memory

	Keeps    Kept
	Lossless bool // all that a Set can be, words of any bytes too
}

// Kept is what a format keeps of a set, besides words and their vectors.
type Kept struct {
	Subwords bool     // n-grams, and with them words that are not in the vocabulary
	Context  bool     // context vectors
	Nodes    bool     // output vectors of the nodes of hierarchical softmax
	Rest     bool     // what else a Set can have: rows of word n-grams, position weights, output rows by position, factors
	Counts   bool     // how often words were seen
	State    bool     // of the training, that checkpoints have
	Words    bool     // the list of words, also of a table that gives all words vectors without it
	Training []string // which fields of Training, by their names in JSON
}

// Describe returns what format f can do.
func Describe(f Format) (Capabilities, error) {
	c, err := codecOf(f)
	if err != nil {
		return Capabilities{}, err
	}
	d := Capabilities{
		Format:   f,
		Folder:   c.Folder(),
		Several:  c.Parts != nil,
		Programs: c.Programs,
		Read:     c.Read != nil,
		Write:    c.Write != nil || c.Parts != nil,
		Stream:   c.Streams,
		Map:      c.Maps,
		Keeps:    Kept(c.Keeps),
	}
	for _, e := range c.Extensions {
		d.Extensions = append(d.Extensions, e.Name)
	}
	d.Keeps.Training = slices.Clone(c.Keeps.Training)
	d.Lossless = d.Read && d.Write && c.Word == nil && d.Keeps.all()
	return d, nil
}

func (k Kept) all() bool {
	return k.Subwords && k.Context && k.Nodes && k.Rest && k.Counts && k.State && k.Words && slices.Equal(k.Training, vectors.TrainingNames())
}

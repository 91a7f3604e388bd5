package vectors

import (
	"reflect"
	"slices"
	"strings"
	"sync"
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
		Folder:   c.folder,
		Several:  c.parts != nil,
		Programs: c.programs,
		Read:     c.read != nil,
		Write:    c.write != nil || c.parts != nil,
		Stream:   c.streams,
		Map:      c.maps,
		Keeps:    c.keeps,
	}
	for _, e := range c.extensions {
		d.Extensions = append(d.Extensions, e.name)
	}
	d.Keeps.Training = slices.Clone(c.keeps.Training)
	d.Lossless = d.Read && d.Write && c.word == nil && c.keeps.all()
	return d, nil
}

func (k Kept) all() bool {
	return k.Subwords && k.Context && k.Nodes && k.Rest && k.Counts && slices.Equal(k.Training, allTraining())
}

// allTraining returns the names of all fields of Training, which must not be
// changed.
var allTraining = sync.OnceValue(func() []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Training]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
})

// Known returns the names in JSON of the fields that are known, in the order in
// which they are declared.
func (t Training) Known() []string {
	v := reflect.ValueOf(t)
	var names []string
	for i, name := range allTraining() {
		if !v.Field(i).IsZero() {
			names = append(names, name)
		}
	}
	return names
}

package subword

import (
	"fmt"
	"strings"
)

// An Encoded is an indexer as text and lists, which files can hold.
type Encoded struct {
	Kind     string            // name
	Settings map[string]string // by name

	// Lists, which most kinds have none of.
	Ngrams    []string // n-grams that have rows
	NgramRows []uint32 // and the row of each
	Kept      []uint32 // buckets that have rows, if not all have
}

// Encode takes an indexer apart. It is an error if it is not of this package.
func Encode(indexer Indexer) (Encoded, error) {
	d, ok := indexer.(described)
	if !ok {
		return Encoded{}, fmt.Errorf("subword: n-grams of %T cannot be stored", indexer)
	}
	e := Encoded{Kind: d.kind().Name, Settings: map[string]string{}}
	d.encode(&e)
	return e, nil
}

// put sets a setting that is a number.
func (e *Encoded) put(name string, n int) { e.Settings[name] = fmt.Sprint(n) }

// Indexer puts the indexer together again. It takes the lists over.
func (e Encoded) Indexer() (Indexer, error) {
	kind := KindNamed(e.Kind)
	if kind == nil {
		var names []string
		for _, kind := range Kinds() {
			names = append(names, fmt.Sprintf("%q", kind.Name))
		}
		last := len(names) - 1
		return nil, fmt.Errorf("subword: expected %s or %s, found %.20q", strings.Join(names[:last], ", "), names[last], e.Kind)
	}
	d := &decoder{values: e.Settings, lists: e}
	indexer := kind.decode(d)
	if d.err == nil {
		d.check(Readable(indexer))
	}
	if d.err != nil {
		return nil, fmt.Errorf("subword: %s", strings.TrimPrefix(d.err.Error(), "subword: "))
	}
	return indexer, nil
}

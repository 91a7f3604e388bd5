package subword

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Encoded is an indexer as text and lists, for storage in files.
type Encoded struct {
	Kind     string            // name
	Settings map[string]string // by name, with "_" instead of "-"

	// Only some kinds have lists.
	Ngrams    []string // n-grams that have rows
	NgramRows []uint32 // the row of each n-gram
	Kept      []uint32 // buckets that have rows, if some have none
}

// Encode encodes an indexer. It is an error if the indexer is not of this package.
func Encode(indexer Indexer) (Encoded, error) {
	kind, ok := kindOf(indexer)
	if !ok {
		return Encoded{}, fmt.Errorf("subword: n-grams of %T cannot be stored", indexer)
	}
	indexer = Value(indexer)
	e := Encoded{Kind: kind.Name, Settings: map[string]string{}}
	if p, ok := indexer.(*Pruned); ok {
		indexer, e.Kept = p.whole, p.buckets
	}
	for _, s := range kind.Settings {
		if value := s.Field(indexer); value != false {
			e.Settings[encodedName(s.Name)] = fmt.Sprint(value)
		}
	}
	if kind.encode != nil {
		kind.encode(indexer, &e)
	}
	return e, nil
}

func encodedName(setting string) string { return strings.ReplaceAll(setting, "-", "_") }

func (e *Encoded) put(name string, n int) { e.Settings[name] = strconv.Itoa(n) }

// Indexer decodes the indexer. The result keeps the lists.
func (e Encoded) Indexer() (Indexer, error) {
	kind, err := e.kind()
	if err != nil {
		return nil, err
	}
	if e.Kept != nil && !kind.Prunes {
		return nil, fmt.Errorf("subword: a list of buckets that were kept, and no %s n-grams are ever dropped", kind.Name)
	}
	d := &decoder{values: e.Settings, lists: e}
	indexer := kind.Usual
	for _, s := range kind.Settings {
		indexer, _ = s.With(indexer, func(field any) error {
			switch field := field.(type) {
			case *int:
				*field = d.number(encodedName(s.Name))
			case *bool:
				*field = d.values[encodedName(s.Name)] == "true"
			}
			return nil
		})
	}
	if kind.decode != nil {
		indexer = kind.decode(indexer, d)
	}
	if d.err == nil {
		d.check(Readable(indexer))
	}
	if d.err != nil {
		return nil, fmt.Errorf("subword: %s", strings.TrimPrefix(d.err.Error(), "subword: "))
	}
	return indexer, nil
}

func (e Encoded) kind() (Kind, error) {
	var names []string
	for _, kind := range allKinds() {
		if kind.Name == e.Kind {
			return kind, nil
		}
		names = append(names, fmt.Sprintf("%q", kind.Name))
	}
	last := len(names) - 1
	return Kind{}, fmt.Errorf("subword: metadata %q: expected %s or %s, found %.20q", "subword", strings.Join(names[:last], ", "), names[last], e.Kind)
}

// A decoder reads the settings and lists of an indexer, and keeps the first error.
type decoder struct {
	values map[string]string
	lists  Encoded
	err    error
}

func (d *decoder) number(name string) int {
	n, err := strconv.ParseInt(d.values[name], 10, 32)
	d.parsed(name, err)
	return int(n)
}

func (d *decoder) seed(name string) uint32 {
	n, err := strconv.ParseUint(d.values[name], 10, 32)
	d.parsed(name, err)
	return uint32(n)
}

func (d *decoder) parsed(name string, err error) {
	if err != nil {
		d.check(fmt.Errorf("metadata %q: %w", name, errors.Unwrap(err)))
	}
}

func (d *decoder) check(err error) {
	if d.err == nil {
		d.err = err
	}
}

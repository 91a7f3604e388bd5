package subword

import (
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/absent"
)

// Value returns the settings that an indexer points to, or the indexer itself if it is
// no such pointer: &Hash{…} means what Hash{…} means. Whoever asks of which type an indexer
// is asks that of its Value. A nil pointer stays one.
func Value(indexer Indexer) Indexer {
	switch i := indexer.(type) {
	case *FastText:
		if i != nil {
			return *i
		}
	case *Finalfusion:
		if i != nil {
			return *i
		}
	case *Floret:
		if i != nil {
			return *i
		}
	case *Hash:
		if i != nil {
			return *i
		}
	}
	return indexer
}

// Validate reports why no word can be cut by an indexer: it is a nil pointer, or was not
// made by its constructor, or has settings that mean nothing. No indexer at all, nil, stands
// for plain words and is valid.
func Validate(indexer Indexer) error {
	if indexer == nil {
		return nil
	}
	if absent.Is(indexer) {
		return fmt.Errorf("subword: the indexer is a nil %T: leave it out for plain words", indexer)
	}
	switch i := Value(indexer).(type) {
	case *Explicit:
		if i.index == nil {
			return errors.New("subword: the Explicit is empty: NewExplicit makes one")
		}
	case *Pruned:
		if i.order == nil {
			return errors.New("subword: the Pruned is empty: Prune makes one")
		}
	case interface{ Validate() error }:
		return i.Validate()
	default:
		if rows := indexer.Rows(); rows < 0 || rows > math.MaxInt32 {
			return fmt.Errorf("subword: the indexer, a %T, has %d rows, must be from 0 to %d", indexer, rows, math.MaxInt32)
		}
	}
	return nil
}

// must panics with an error of settings that cannot cut words, in methods that return none.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// needed panics with what Validate reports of the indexer of a table, and if there is none.
func needed(indexer Indexer) {
	if indexer == nil {
		panic(errors.New("subword: the indexer is nil: Plain makes the table of plain words"))
	}
	must(Validate(indexer))
}

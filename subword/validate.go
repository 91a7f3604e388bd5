package subword

import (
	"fmt"
	"math"
	"reflect"

	"github.com/w2v-go/w2v/internal/absent"
)

// Value returns the settings that an indexer points to, or the indexer itself if it is
// no such pointer: &Hash{…} means what Hash{…} means. Whoever asks of which type an indexer
// is asks that of its Value. A nil pointer stays one.
func Value(indexer Indexer) Indexer {
	v := reflect.ValueOf(indexer)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return indexer
	}
	if settings, ok := v.Elem().Interface().(Indexer); ok {
		return settings
	}
	return indexer
}

// Same reports whether two indexers cut words into the same pieces, with the same rows.
func Same(a, b Indexer) bool {
	a, b = Value(a), Value(b)
	if own, ok := a.(interface{ same(Indexer) bool }); ok {
		return own.same(b)
	}
	return reflect.DeepEqual(a, b)
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
	if i, ok := indexer.(interface{ Validate() error }); ok {
		return i.Validate()
	}
	if rows := indexer.Rows(); rows < 0 || rows > math.MaxInt32 {
		return fmt.Errorf("subword: the indexer, a %T, has %d rows, must be from 0 to %d", indexer, rows, math.MaxInt32)
	}
	return nil
}

// Readable is Validate for an indexer that another program wrote: some have settings that
// their own program takes, and that are not to be trained with.
func Readable(indexer Indexer) error {
	if i, ok := indexer.(interface{ readable() error }); ok && !absent.Is(indexer) {
		return i.readable()
	}
	return Validate(indexer)
}

// must panics with an error of settings that cannot cut words, in methods that return none.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

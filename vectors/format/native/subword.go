package native

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
)

// checkSubword says why a set with such n-grams cannot be written as a native
// file.
func checkSubword(sub subword.Indexer, _ subword.Composition) error {
	if sub == nil {
		return nil
	}
	if _, err := subword.Encode(sub); err != nil {
		return fmt.Errorf("%s cannot hold n-grams of %T", codec.W2V, sub)
	}
	return nil
}

// encodedSubword puts into metadata how sub cuts words, nil for not at all, and returns what
// else there is to say of it.
func encodedSubword(metadata map[string]string, sub subword.Indexer) (subword.Encoded, error) {
	if sub == nil {
		return subword.Encoded{}, nil
	}
	encoded, err := subword.Encode(sub)
	if err != nil {
		return encoded, err
	}
	metadata[metaSubword] = encoded.Kind
	maps.Copy(metadata, encoded.Settings)
	return encoded, nil
}

// ngramSections returns the tensors that list n-grams, none if there is no list.
func ngramSections(sub subword.Encoded) []safetensors.Section {
	if sub.Ngrams == nil {
		return nil
	}
	at := make([]uint64, len(sub.Ngrams)+1)
	for i, ngram := range sub.Ngrams {
		at[i+1] = at[i] + uint64(len(ngram))
	}
	n := uint64(len(sub.Ngrams))
	write := func(w *bufio.Writer) error {
		for _, ngram := range sub.Ngrams {
			if _, err := w.WriteString(ngram); err != nil {
				return err
			}
		}
		return nil
	}
	return []safetensors.Section{
		safetensors.Array(tensorNgramAt, "U64", []uint64{n + 1}, at),
		safetensors.Array(tensorNgramRow, "U32", []uint64{n}, sub.NgramRows),
		safetensors.Written(tensorNgrams, "U8", []uint64{at[n]}, write),
	}
}

// subword returns what the metadata and lists say of subwords, nil for none.
func (f *native) subword() (subword.Indexer, error) {
	kind, ok := f.Metadata[metaSubword]
	if !ok {
		return nil, nil
	}
	encoded := subword.Encoded{Kind: kind, Settings: f.Metadata, NgramRows: slices.Clone(f.ngramRow)}
	var err error
	if f.Has(tensorNgramAt) {
		encoded.Ngrams, err = f.listed()
	}
	if f.Has(tensorKept) {
		encoded.Kept = orEmpty(f.kept)
	}
	var sub subword.Indexer
	if err == nil {
		sub, err = encoded.Indexer()
	}
	if err != nil {
		return nil, fmt.Errorf("n-grams: %s", strings.TrimPrefix(err.Error(), "subword: "))
	}
	return sub, nil
}

// listed returns the n-grams that are listed.
func (f *native) listed() ([]string, error) {
	list := vectors.WordsOf(vectors.WordTable{Text: slices.Clone(f.ngrams), Offsets: f.ngramAt})
	if len(f.ngramAt) == 0 {
		return nil, errors.New("tensor \"" + tensorNgramAt + "\": expected at least one offset, found none")
	}
	if err := list.Check(); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorNgramAt, err)
	}
	return list.Strings(), nil
}

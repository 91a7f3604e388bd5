package vectors

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/subword"
)

// checkNativeSubword says why a set with such n-grams cannot be written as a native
// file.
func checkNativeSubword(sub subword.Indexer, _ Composition) error {
	switch subword.Value(sub).(type) {
	case nil, subword.FastText, subword.Finalfusion, subword.Floret, *subword.Explicit, *subword.Pruned, subword.Hash:
		return nil
	}
	return fmt.Errorf("%s cannot hold n-grams of %T", FormatW2V, sub)
}

// subwordMetadata puts into metadata how sub cuts words, nil for not at all.
func subwordMetadata(metadata map[string]string, sub subword.Indexer) {
	put := func(key string, n int) { metadata[key] = strconv.Itoa(n) }
	switch sub := subword.Value(sub).(type) {
	case nil:
		return
	case subword.FastText:
		put(metaMinN, sub.MinN)
		put(metaMaxN, sub.MaxN)
		put(metaBuckets, sub.Buckets)
	case *subword.Pruned:
		subwordMetadata(metadata, sub.Whole())
		return
	case subword.Finalfusion:
		put(metaMinN, sub.MinN)
		put(metaMaxN, sub.MaxN)
		put(metaBuckets, sub.Rows())
	case subword.Floret:
		put(metaMinN, sub.MinN)
		put(metaMaxN, sub.MaxN)
		put(metaBuckets, sub.Buckets)
		put(metaHashes, sub.Hashes)
		metadata[metaSeed] = strconv.FormatUint(uint64(sub.Seed), 10)
		metadata[metaBOW], metadata[metaEOW] = sub.BOW, sub.EOW
	case subword.Hash:
		put(metaMinN, sub.MinN)
		put(metaMaxN, sub.MaxN)
		put(metaBuckets, sub.Buckets)
		put(metaHashes, sub.Hashes)
		put(metaImportances, sub.Importances)
		if sub.AppendWeights {
			metadata[metaAppend] = "true"
		}
	case *subword.Explicit:
		put(metaMinN, sub.MinN())
		put(metaMaxN, sub.MaxN())
		put(metaBuckets, sub.Rows())
	}
	metadata[metaSubword] = subwordName(sub)
}

// ngramSections returns the tensors that list n-grams, none if sub does not.
func ngramSections(indexer subword.Indexer) []safetensors.Section {
	sub, ok := subword.Value(indexer).(*subword.Explicit)
	if !ok {
		return nil
	}
	ngrams, buckets := sub.List()
	at := make([]uint64, len(ngrams)+1)
	for i, ngram := range ngrams {
		at[i+1] = at[i] + uint64(len(ngram))
	}
	n := uint64(len(ngrams))
	write := func(w *bufio.Writer) error {
		for _, ngram := range ngrams {
			if _, err := w.WriteString(ngram); err != nil {
				return err
			}
		}
		return nil
	}
	return []safetensors.Section{
		safetensors.Array(tensorNgramAt, "U64", []uint64{n + 1}, at),
		safetensors.Array(tensorNgramRow, "U32", []uint64{n}, buckets),
		safetensors.Written(tensorNgrams, "U8", []uint64{at[n]}, write),
	}
}

// subword returns what the metadata says of subwords, nil for none.
func (f *native) subword() (subword.Indexer, error) {
	kind, ok := f.Metadata[metaSubword]
	if !ok {
		return nil, nil
	}
	var sub subword.Indexer
	var err error
	switch kind {
	case subwordFastText:
		sub, err = f.fastText()
	case subwordFinalfusion:
		sub, err = f.finalfusion()
	case subwordFloret:
		sub, err = f.floret()
	case subwordExplicit:
		sub, err = f.explicit()
	case subwordHash:
		sub, err = f.hash()
	default:
		return nil, fmt.Errorf("metadata %q: expected %q, %q, %q, %q or %q, found %.20q", metaSubword,
			subwordExplicit, subwordFastText, subwordFinalfusion, subwordFloret, subwordHash, kind)
	}
	if err != nil {
		return nil, fmt.Errorf("n-grams: %s", strings.TrimPrefix(err.Error(), "subword: "))
	}
	return sub, nil
}

func (f *native) fastText() (sub subword.FastText, err error) {
	if err := f.numbers(&sub.MinN, &sub.MaxN, &sub.Buckets, nil); err != nil {
		return sub, err
	}
	return sub, checkFastText(sub)
}

func (f *native) finalfusion() (sub subword.Finalfusion, err error) {
	var buckets int
	if err := f.numbers(&sub.MinN, &sub.MaxN, &buckets, nil); err != nil {
		return sub, err
	}
	if buckets < 1 || buckets&(buckets-1) != 0 {
		return sub, fmt.Errorf("metadata %q: expected a power of two, found %d", metaBuckets, buckets)
	}
	sub.Exponent = bits.Len(uint(buckets)) - 1
	return sub, sub.Validate()
}

func (f *native) floret() (sub subword.Floret, err error) {
	if err := f.numbers(&sub.MinN, &sub.MaxN, &sub.Buckets, map[string]*int{metaHashes: &sub.Hashes}); err != nil {
		return sub, err
	}
	seed, err := strconv.ParseUint(f.Metadata[metaSeed], 10, 32)
	if err != nil {
		return sub, fmt.Errorf("metadata %q: %w", metaSeed, errors.Unwrap(err))
	}
	sub.Seed, sub.BOW, sub.EOW = uint32(seed), f.Metadata[metaBOW], f.Metadata[metaEOW]
	return sub, sub.Validate()
}

func (f *native) hash() (sub subword.Hash, err error) {
	more := map[string]*int{metaHashes: &sub.Hashes, metaImportances: &sub.Importances}
	if err := f.numbers(&sub.MinN, &sub.MaxN, &sub.Buckets, more); err != nil {
		return sub, err
	}
	sub.AppendWeights = f.Metadata[metaAppend] == "true"
	return sub, sub.Validate()
}

func (f *native) explicit() (*subword.Explicit, error) {
	var minn, maxn, rows int
	if err := f.numbers(&minn, &maxn, &rows, nil); err != nil {
		return nil, err
	}
	text := string(f.ngrams)
	list := Words{&wordList{text: text, offsets: f.ngramAt}}
	if len(f.ngramAt) == 0 {
		return nil, fmt.Errorf("tensor %q: expected at least one offset, found none", tensorNgramAt)
	}
	if err := list.Check(); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorNgramAt, err)
	}
	sub, err := subword.NewExplicit(minn, maxn, list.Strings(), slices.Clone(f.ngramRow))
	if err == nil && sub.Rows() != rows {
		return nil, fmt.Errorf("metadata %q: expected %d, as many rows as n-grams have, found %d", metaBuckets, sub.Rows(), rows)
	}
	return sub, err
}

// numbers reads metadata that are numbers. Lengths and buckets are always there.
func (f *native) numbers(minn, maxn, buckets *int, more map[string]*int) error {
	fields := map[string]*int{metaMinN: minn, metaMaxN: maxn, metaBuckets: buckets}
	maps.Copy(fields, more)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		n, err := strconv.ParseInt(f.Metadata[key], 10, 32)
		if err != nil {
			return fmt.Errorf("metadata %q: %w", key, errors.Unwrap(err))
		}
		*fields[key] = int(n)
	}
	return nil
}

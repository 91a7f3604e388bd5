package subword

import (
	"errors"
	"fmt"
)

// RestoreTable returns the table whose WordRow and BucketRow these are, which it takes
// over: one of pieces alone if wordRow is nil. It is an error if no table of these words
// has them.
func RestoreTable(words []string, indexer Indexer, wordRow []uint32, bucketRow []int32) (*Table, error) {
	if indexer == nil {
		return nil, errors.New("subword: rows of buckets without an indexer, which says how many buckets there are")
	}
	if err := Validate(indexer); err != nil {
		return nil, err
	}
	own := wordRow != nil
	if own && len(wordRow) != len(words) || len(bucketRow) != indexer.Rows() {
		return nil, fmt.Errorf("subword: rows of %d words and %d buckets for %d and %d",
			len(wordRow), len(bucketRow), len(words), indexer.Rows())
	}
	members := len(wordRow) + len(bucketRow)
	rowOf := make([]int32, 0, members)
	for _, row := range wordRow {
		rowOf = append(rowOf, int32(row)) // one that is too large is negative, and no row
	}
	rowOf = append(rowOf, bucketRow...)
	t := membersOf(words, indexer, own)
	t.WordRow, t.BucketRow = wordRow, bucketRow
	used := make([]bool, members)
	var size []uint32
	for _, member := range t.entries {
		if used[member] {
			continue
		}
		used[member] = true
		row := int(rowOf[member])
		if row < 0 || row >= members {
			return nil, fmt.Errorf("subword: row %d of %d words and buckets is that of a word's n-gram", row, members)
		}
		for len(size) <= row {
			size = append(size, 0)
		}
		size[row]++
	}
	t.rows, t.used = len(size), len(size)
	for member, row := range rowOf {
		if !used[member] && (row < -1 || row >= 0 && int(row) < t.used || int(row) >= members) {
			return nil, fmt.Errorf("subword: bucket %d, which no word uses, has row %d of %d", member-len(wordRow), row, t.used)
		}
		t.rows = max(t.rows, int(row)+1)
	}
	if !t.rename(rowOf, size) {
		return nil, errors.New("subword: n-grams of different words share a row")
	}
	return t, nil
}

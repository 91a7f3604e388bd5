package subword_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

func floret(buckets, hashes int) subword.Floret {
	return subword.Floret{MinN: 2, MaxN: 4, Buckets: buckets, Hashes: hashes, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
}

// However rows are shared, a word is the mean of its pieces' rows, and "</s>", which has
// none in floret, is made of nothing.
func TestPieceTableIsTheMeanOfPieces(t *testing.T) {
	for _, buckets := range []int{1, 7, 50, 100000} {
		for _, hashes := range []int{1, 2, 4} {
			for _, share := range []bool{false, true} {
				indexer := floret(buckets, hashes)
				table := subword.NewTable(words, indexer, subword.TableOptions{Separate: !share})
				if table.WordRow != nil || len(table.BucketRow) != buckets || table.Identity() || table.Cells() != nil {
					t.Fatalf("%d word rows, %d bucket rows, identity %v, %d cells", len(table.WordRow), len(table.BucketRow), table.Identity(), len(table.Cells()))
				}
				for w, word := range words {
					want := map[int]float64{}
					pieces := indexer.Append(nil, word)
					for _, b := range pieces {
						want[int(b)] += 1 / float64(len(pieces))
					}
					got := members(table, uint32(w))
					if len(got) != len(want) {
						t.Errorf("%d buckets, %d hashes, share %v: %q has %d members, want %d", buckets, hashes, share, word, len(got), len(want))
					}
					for member, part := range want {
						if math.Abs(got[member]-part) > 1e-6 {
							t.Errorf("%d buckets, %d hashes, share %v: %q has %v of bucket %d, want %v", buckets, hashes, share, word, got[member], member, part)
						}
					}
				}
			}
		}
	}
}

// Marks keep apart what starts apart, and keep buckets that no word uses.
func TestPieceTableKeepsMarkedBuckets(t *testing.T) {
	indexer := floret(200, 2)
	marks := make([]subword.Mark, indexer.Buckets)
	for b := range marks {
		marks[b] = subword.Mark{uint64(b%3) * 0x9e3779b97f4a7c15, uint64(b % 3)}
	}
	plain, table := subword.NewTable(words, indexer, subword.TableOptions{}), subword.NewTable(words, indexer, subword.TableOptions{Marks: marks})
	for a, rowA := range plain.BucketRow {
		for b, rowB := range plain.BucketRow {
			if rowA < 0 || rowB < 0 {
				continue
			}
			want := rowA == rowB && marks[a] == marks[b]
			if got := table.BucketRow[a] == table.BucketRow[b]; got != want {
				t.Fatalf("buckets %d and %d share a row: %v, want %v", a, b, got, want)
			}
		}
		if rowA >= 0 {
			if r := table.BucketRow[a]; r < 0 || int(r) >= table.Used() {
				t.Errorf("bucket %d, which words use, has row %d of %d", a, r, table.Used())
			}
			continue
		}
		r := int(table.BucketRow[a])
		if want := marks[a] != (subword.Mark{}); want != (r >= table.Used()) || r >= table.Rows() {
			t.Errorf("unused bucket %d has row %d, of which words use %d", a, r, table.Used())
		}
	}
}

func TestRestorePieceTable(t *testing.T) {
	indexer := floret(50, 2)
	for _, share := range []bool{false, true} {
		table := subword.NewTable(words, indexer, subword.TableOptions{Separate: !share})
		again, err := subword.RestoreTable(words, indexer, nil, table.BucketRow)
		if err != nil {
			t.Fatal(err)
		}
		if again.WordRow != nil || again.Rows() != table.Rows() || again.Used() != table.Used() || again.Entries() != table.Entries() {
			t.Errorf("%d rows, %d used, %d entries, want %d, %d and %d",
				again.Rows(), again.Used(), again.Entries(), table.Rows(), table.Used(), table.Entries())
		}
		for w := range words {
			rows, weights := again.Of(uint32(w))
			wantRows, wantWeights := table.Of(uint32(w))
			if !slices.Equal(rows, wantRows) || !slices.Equal(weights, wantWeights) {
				t.Errorf("%q is made of rows %v by %v, want %v by %v", words[w], rows, weights, wantRows, wantWeights)
			}
		}
	}
	rows := slices.Clone(subword.NewTable(words, indexer, subword.TableOptions{}).BucketRow)
	rows[indexer.Append(nil, "walk")[0]] = -1
	if _, err := subword.RestoreTable(words, indexer, nil, rows); err == nil || !strings.Contains(err.Error(), "row -1 of 50") {
		t.Errorf("a bucket without a row: error %v", err)
	}
}

// The table of hash embeddings has for each word every row of every piece, by the number
// of pieces, and beside it the cell of the weight that is learned.
func TestHashTable(t *testing.T) {
	h := subword.Hash{MinN: 2, MaxN: 3, Buckets: 50, Hashes: 2, Importances: 1000}
	table := subword.NewTable(words, h, subword.TableOptions{})
	if table.Rows() != 50 || table.Used() != 50 || table.WordRow != nil || table.BucketRow != nil || table.Identity() {
		t.Fatalf("%d rows, %d used, word rows %v, bucket rows %v, identity %v", table.Rows(), table.Used(), table.WordRow, table.BucketRow, table.Identity())
	}
	starts, entries, weights := table.Lists()
	cells := table.Cells()
	if len(cells) != len(entries) {
		t.Fatalf("%d cells for %d entries", len(cells), len(entries))
	}
	for w, word := range words {
		first, last := starts[w], starts[w+1]
		if want := h.Append(nil, word); !slices.Equal(entries[first:last], want) {
			t.Errorf("%q is made of rows %v, want %v", word, entries[first:last], want)
		}
		importances := h.AppendImportances(nil, word)
		if want := len(importances) * h.Hashes; int(last-first) != want {
			t.Fatalf("%q has %d entries, want %d", word, last-first, want)
		}
		for i := range last - first {
			want := importances[i/2]*2 + uint32(i%2)
			if cells[first+i] != want || weights[first+i] != 1/float32(len(importances)) {
				t.Errorf("%q: entry %d has cell %d and weight %v, want %d and 1/%d", word, i, cells[first+i], weights[first+i], want, len(importances))
			}
		}
	}
	next := uint32(0)
	for member, row := range table.Members {
		if member != int(row) || row != next {
			t.Fatalf("member %d has row %d, want %d", member, row, next)
		}
		next++
	}
	if next != 50 {
		t.Errorf("%d members, want 50", next)
	}
}

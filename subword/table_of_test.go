package subword_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// marked returns the indexer, and marks of the words and its buckets: those of equal
// number are equal, 0 is that of zeros.
func marked(mark func(member int) uint64) (subword.FastText, []subword.Mark) {
	indexer := subword.FastText{MinN: 2, MaxN: 4, Buckets: 200}
	marks := make([]subword.Mark, len(words)+indexer.Buckets)
	for m := range marks {
		if n := mark(m); n > 0 {
			marks[m] = subword.Mark{n * 0x9e3779b97f4a7c15, n}
		}
	}
	return indexer, marks
}

// Members that start as different vectors have different rows, and those that would
// share one else still do.
func TestRowsAreSharedByEqualVectors(t *testing.T) {
	plain := subword.NewTable(words, subword.FastText{MinN: 2, MaxN: 4, Buckets: 200}, subword.TableOptions{})
	for name, mark := range map[string]func(int) uint64{
		"all alike":   func(int) uint64 { return 7 },
		"all zeros":   func(int) uint64 { return 0 },
		"two kinds":   func(m int) uint64 { return uint64(m%2) + 1 },
		"all apart":   func(m int) uint64 { return uint64(m) + 1 },
		"some zeros":  func(m int) uint64 { return uint64(m % 3) },
		"words alone": func(m int) uint64 { return uint64(max(0, len(words)-m)) },
	} {
		indexer, marks := marked(mark)
		table := subword.NewTable(words, indexer, subword.TableOptions{Marks: marks})
		var used []int
		for w := range words {
			for m := range members(table, uint32(w)) {
				used = append(used, m)
			}
		}
		slices.Sort(used)
		used = slices.Compact(used)
		plainRow, row := map[int]uint32{}, map[int]uint32{}
		for m, r := range plain.Members {
			plainRow[m] = r
		}
		for m, r := range table.Members {
			row[m] = r
		}
		for _, a := range used {
			for _, b := range used {
				want := plainRow[a] == plainRow[b] && marks[a] == marks[b]
				if got := row[a] == row[b]; got != want {
					t.Fatalf("%s: members %d and %d share a row: %v, want %v", name, a, b, got, want)
				}
			}
			if int(row[a]) >= table.Used() {
				t.Errorf("%s: row %d is used, and stands behind the %d that are", name, row[a], table.Used())
			}
		}
		for m := range marks {
			if slices.Contains(used, m) {
				continue
			}
			r, ok := row[m]
			if want := marks[m] != (subword.Mark{}); ok != want {
				t.Errorf("%s: unused bucket %d is kept: %v, want %v", name, m-len(words), ok, want)
			}
			if ok && (int(r) < table.Used() || int(r) >= table.Rows()) {
				t.Errorf("%s: unused bucket %d has row %d, want one from %d to %d", name, m-len(words), r, table.Used(), table.Rows()-1)
			}
			for other, s := range row {
				if ok && r == s && marks[m] != marks[other] {
					t.Errorf("%s: members %d and %d start as different vectors and share a row", name, m, other)
				}
			}
		}
	}
}

// A table can be made again of what a model says of it.
func TestRestoreTable(t *testing.T) {
	for _, share := range []bool{false, true} {
		for _, kinds := range []int{1, 3, 1000} {
			indexer, marks := marked(func(m int) uint64 { return uint64(m % kinds) })
			table := subword.NewTable(words, indexer, subword.TableOptions{Separate: !share, Marks: marks})
			again, err := subword.RestoreTable(words, indexer, table.WordRow, table.BucketRow)
			if err != nil {
				t.Fatal(err)
			}
			if again.Rows() != table.Rows() || again.Used() != table.Used() || again.Entries() != table.Entries() {
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
	}
}

func TestRestoreTableRefuses(t *testing.T) {
	indexer := subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
	table := subword.NewTable([]string{"ab", "cd"}, indexer, subword.TableOptions{})
	usedBucket := int(indexer.Append(nil, "ab")[0])
	unused := slices.Index(table.BucketRow, -1)
	for name, test := range map[string]struct {
		change func(wordRow []uint32, bucketRow []int32) ([]uint32, []int32)
		err    string
	}{
		"too few words":      {func(w []uint32, b []int32) ([]uint32, []int32) { return w[:1], b }, "rows of 1 words and 40 buckets for 2 and 40"},
		"too few buckets":    {func(w []uint32, b []int32) ([]uint32, []int32) { return w, b[:1] }, "rows of 2 words and 1 buckets for 2 and 40"},
		"a row beyond all":   {func(w []uint32, b []int32) ([]uint32, []int32) { w[1] = 42; return w, b }, "row 42 of 42"},
		"a row far beyond":   {func(w []uint32, b []int32) ([]uint32, []int32) { w[1] = 1 << 31; return w, b }, "row -2147483648 of 42"},
		"a bucket lost":      {func(w []uint32, b []int32) ([]uint32, []int32) { b[usedBucket] = -1; return w, b }, "row -1 of 42"},
		"unused among words": {func(w []uint32, b []int32) ([]uint32, []int32) { b[unused] = 0; return w, b }, "which no word uses, has row 0"},
		"unused beyond all":  {func(w []uint32, b []int32) ([]uint32, []int32) { b[unused] = 42; return w, b }, "which no word uses, has row 42"},
		"unused below none":  {func(w []uint32, b []int32) ([]uint32, []int32) { b[unused] = -2; return w, b }, "which no word uses, has row -2"},
		"words share a row":  {func(w []uint32, b []int32) ([]uint32, []int32) { w[1] = w[0]; return w, b }, "n-grams of different words share a row"},
	} {
		w, b := test.change(slices.Clone(table.WordRow), slices.Clone(table.BucketRow))
		if _, err := subword.RestoreTable([]string{"ab", "cd"}, indexer, w, b); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q", name, err, test.err)
		}
	}
}

func FuzzRestoreTable(f *testing.F) {
	words := []string{"ab", "cd", "abab"}
	indexer := subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
	table := subword.NewTable(words, indexer, subword.TableOptions{})
	var good []byte
	for _, r := range table.WordRow {
		good = append(good, byte(r))
	}
	for _, r := range table.BucketRow {
		good = append(good, byte(r))
	}
	f.Add(good)
	f.Fuzz(func(t *testing.T, rows []byte) {
		if len(rows) != len(words)+indexer.Buckets {
			return
		}
		wordRow, bucketRow := make([]uint32, len(words)), make([]int32, indexer.Buckets)
		for w := range wordRow {
			wordRow[w] = uint32(int8(rows[w]))
		}
		for b := range bucketRow {
			bucketRow[b] = int32(int8(rows[len(words)+b]))
		}
		table, err := subword.RestoreTable(words, indexer, wordRow, bucketRow)
		if err != nil {
			return
		}
		if table.Used() > table.Rows() {
			t.Errorf("%d rows, of which %d are used", table.Rows(), table.Used())
		}
		for w, word := range words {
			of, weights := table.Of(uint32(w))
			var sum float32
			for i, r := range of {
				sum += weights[i]
				if int(r) >= table.Used() {
					t.Errorf("%q is made of row %d of %d", word, r, table.Used())
				}
			}
			if sum < 0.999 || sum > 1.001 {
				t.Errorf("the weights of %q add up to %v", word, sum)
			}
		}
	})
}

package rowtable_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/subword"
)

var words = []string{"walk", "walked", "walks", "talk", "naïve", "a", "ab", "aaaaa", "</s>"}

func TestPlainWordsAreTheirOwnRows(t *testing.T) {
	table := rowtable.Plain(3)
	for w := range uint32(3) {
		rows, weights := table.Of(w)
		if len(rows) != 1 || rows[0] != w || weights[0] != 1 || table.WordRow[w] != w {
			t.Errorf("word %d is made of rows %v, weights %v", w, rows, weights)
		}
	}
	if table.Rows() != 3 || table.BucketRow != nil {
		t.Errorf("%d rows, buckets %v", table.Rows(), table.BucketRow)
	}
}

// members returns how much of each member (word, or bucket behind the words) is in
// a word, by the table: each member of a row has an equal part of its weight.
func members(table *rowtable.Table, word uint32) map[int]float64 {
	sharing := make(map[uint32][]int)
	for member, row := range table.Members {
		sharing[row] = append(sharing[row], member)
	}
	parts := make(map[int]float64)
	rows, weights := table.Of(word)
	for i, row := range rows {
		for _, member := range sharing[row] {
			parts[member] += float64(weights[i]) / float64(len(sharing[row]))
		}
	}
	return parts
}

// However rows are shared, a word is the mean of its own row and its n-grams'.
func TestTableIsTheMeanOfOwnRowAndNgrams(t *testing.T) {
	for _, buckets := range []int{1, 7, 50, 100000} {
		indexer := subword.FastText{MinN: 2, MaxN: 4, Buckets: buckets}
		for _, share := range []bool{false, true} {
			table := rowtable.New(words, indexer, rowtable.Options{Separate: !share})
			for w, word := range words {
				want := map[int]float64{}
				ngrams := indexer.Append(nil, word)
				part := 1 / float64(1+len(ngrams))
				want[w] += part
				for _, b := range ngrams {
					want[len(words)+int(b)] += part
				}
				got := members(table, uint32(w))
				if len(got) != len(want) {
					t.Errorf("%d buckets, share %v: %q has %d members, want %d", buckets, share, word, len(got), len(want))
				}
				for member, part := range want {
					if math.Abs(got[member]-part) > 1e-6 {
						t.Errorf("%d buckets, share %v: %q has %v of member %d, want %v", buckets, share, word, got[member], member, part)
					}
				}
			}
		}
	}
}

// Members that the same words use equally often share a row, and no others do.
func TestRowsAreSharedByTheSameUsers(t *testing.T) {
	indexer := subword.FastText{MinN: 2, MaxN: 4, Buckets: 50}
	users := make(map[int]string) // of a member, as text
	for w, word := range words {
		times := map[int]int{w: 1}
		for _, b := range indexer.Append(nil, word) {
			times[len(words)+int(b)]++
		}
		for member, n := range times {
			users[member] += fmt.Sprint(w, "×", n, " ")
		}
	}
	table := rowtable.New(words, indexer, rowtable.Options{})
	usersOf := make(map[uint32]string)
	rowOf := make(map[string]uint32)
	seen := 0
	for member, row := range table.Members {
		seen++
		if known, ok := usersOf[row]; ok && known != users[member] {
			t.Errorf("row %d has members used by %sand by %s", row, known, users[member])
		}
		usersOf[row] = users[member]
		if known, ok := rowOf[users[member]]; ok && known != row {
			t.Errorf("rows %d and %d are both used by %s", known, row, users[member])
		}
		rowOf[users[member]] = row
	}
	if seen != len(users) || len(usersOf) != table.Rows() {
		t.Errorf("%d members in %d rows, want %d in %d", seen, len(usersOf), len(users), table.Rows())
	}
	if apart := rowtable.New(words, indexer, rowtable.Options{Separate: true}); apart.Rows() != len(users) {
		t.Errorf("%d rows when nothing is shared, want %d", apart.Rows(), len(users))
	}
}

func TestRowsOfFrequentWordsComeFirst(t *testing.T) {
	table := rowtable.New(words, subword.FastText{MinN: 3, MaxN: 3, Buckets: 1000}, rowtable.Options{})
	next := uint32(0)
	for w := range words {
		rows, _ := table.Of(uint32(w))
		for _, r := range rows {
			if r > next {
				t.Fatalf("word %d uses row %d, of which %d have been used", w, r, next)
			}
			if r == next {
				next++
			}
		}
	}
}

func BenchmarkTable(b *testing.B) {
	words := make([]string, 20_000)
	for i := range words {
		words[i] = fmt.Sprintf("word%dword", i*7919%100003)
	}
	for b.Loop() {
		rowtable.New(words, subword.FastText{MinN: 3, MaxN: 6, Buckets: 2_000_000}, rowtable.Options{})
	}
}

// marked returns the indexer, and marks of the words and its buckets: those of equal
// number are equal, 0 is that of zeros.
func marked(mark func(member int) uint64) (subword.FastText, []rowtable.Mark) {
	indexer := subword.FastText{MinN: 2, MaxN: 4, Buckets: 200}
	marks := make([]rowtable.Mark, len(words)+indexer.Buckets)
	for m := range marks {
		if n := mark(m); n > 0 {
			marks[m] = rowtable.Mark{n * 0x9e3779b97f4a7c15, n}
		}
	}
	return indexer, marks
}

// Members that start as different vectors have different rows, and those that would
// share one else still do.
func TestRowsAreSharedByEqualVectors(t *testing.T) {
	plain := rowtable.New(words, subword.FastText{MinN: 2, MaxN: 4, Buckets: 200}, rowtable.Options{})
	for name, mark := range map[string]func(int) uint64{
		"all alike":   func(int) uint64 { return 7 },
		"all zeros":   func(int) uint64 { return 0 },
		"two kinds":   func(m int) uint64 { return uint64(m%2) + 1 },
		"all apart":   func(m int) uint64 { return uint64(m) + 1 },
		"some zeros":  func(m int) uint64 { return uint64(m % 3) },
		"words alone": func(m int) uint64 { return uint64(max(0, len(words)-m)) },
	} {
		indexer, marks := marked(mark)
		table := rowtable.New(words, indexer, rowtable.Options{Marks: marks})
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
			if want := marks[m] != (rowtable.Mark{}); ok != want {
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
			table := rowtable.New(words, indexer, rowtable.Options{Separate: !share, Marks: marks})
			again, err := rowtable.Restore(words, indexer, table.WordRow, table.BucketRow)
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
	table := rowtable.New([]string{"ab", "cd"}, indexer, rowtable.Options{})
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
		if _, err := rowtable.Restore([]string{"ab", "cd"}, indexer, w, b); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q", name, err, test.err)
		}
	}
}

func FuzzRestoreTable(f *testing.F) {
	words := []string{"ab", "cd", "abab"}
	indexer := subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
	table := rowtable.New(words, indexer, rowtable.Options{})
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
		table, err := rowtable.Restore(words, indexer, wordRow, bucketRow)
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
				table := rowtable.New(words, indexer, rowtable.Options{Separate: !share})
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
	marks := make([]rowtable.Mark, indexer.Buckets)
	for b := range marks {
		marks[b] = rowtable.Mark{uint64(b%3) * 0x9e3779b97f4a7c15, uint64(b % 3)}
	}
	plain, table := rowtable.New(words, indexer, rowtable.Options{}), rowtable.New(words, indexer, rowtable.Options{Marks: marks})
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
		if want := marks[a] != (rowtable.Mark{}); want != (r >= table.Used()) || r >= table.Rows() {
			t.Errorf("unused bucket %d has row %d, of which words use %d", a, r, table.Used())
		}
	}
}

func TestRestorePieceTable(t *testing.T) {
	indexer := floret(50, 2)
	for _, share := range []bool{false, true} {
		table := rowtable.New(words, indexer, rowtable.Options{Separate: !share})
		again, err := rowtable.Restore(words, indexer, nil, table.BucketRow)
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
	rows := slices.Clone(rowtable.New(words, indexer, rowtable.Options{}).BucketRow)
	rows[indexer.Append(nil, "walk")[0]] = -1
	if _, err := rowtable.Restore(words, indexer, nil, rows); err == nil || !strings.Contains(err.Error(), "row -1 of 50") {
		t.Errorf("a bucket without a row: error %v", err)
	}
}

// The table of hash embeddings has for each word every row of every piece, by the number
// of pieces, and beside it the cell of the weight that is learned.
func TestHashTable(t *testing.T) {
	h := subword.Hash{MinN: 2, MaxN: 3, Buckets: 50, Hashes: 2, Importances: 1000}
	table := rowtable.New(words, h, rowtable.Options{})
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

// A table of pruned n-grams has the buckets that words have without the dropped ones.
func TestTableOfPruned(t *testing.T) {
	whole := subword.FastText{MinN: 3, MaxN: 4, Buckets: 1000}
	words := []string{"train", "rain", "plain", "ran"}
	all := whole.Append(nil, "rain")
	pruned, err := subword.Prune(whole, all[:3])
	if err != nil {
		t.Fatal(err)
	}
	table := rowtable.New(words, pruned, rowtable.Options{Separate: true})
	for w, word := range words {
		want := []uint32{table.WordRow[w]}
		for _, row := range pruned.Append(nil, word) {
			want = append(want, uint32(table.BucketRow[row]))
		}
		slices.Sort(want)
		if got, _ := table.Of(uint32(w)); !slices.Equal(got, want) {
			t.Errorf("%q is made of rows %v, want %v", word, got, want)
		}
	}
}

// broken is an indexer of somebody else's that gives rows which it does not have.
type broken struct{ rows int }

func (b broken) Rows() int                            { return b.rows }
func (broken) Append(dst []uint32, _ string) []uint32 { return append(dst, 7) }
func (broken) Ngrams(string) []string                 { return []string{"x"} }

// What a caller gets wrong is a panic of the caller's own goroutine, and what a file gets wrong is an error.
func TestMisuse(t *testing.T) {
	const want = "subword: buckets is 0, must be from 1 to 2147483647"
	if _, err := rowtable.Restore([]string{"a"}, subword.Hash{}, nil, nil); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	fast := subword.FastText{MinN: 3, MaxN: 6, Buckets: 5}
	for _, test := range []struct {
		name string
		do   func()
		want string
	}{
		{"hash embeddings of nothing", func() { rowtable.New([]string{"a"}, subword.Hash{}, rowtable.Options{}) }, "subword: buckets is 0, must be from 1 to 2147483647"},
		{"rows that are not there", func() { rowtable.New([]string{"a"}, broken{7}, rowtable.Options{}) }, `rowtable: rowtable_test.broken gives a piece of "a" row 7, and has 7 rows`},
		{"marks of others", func() { rowtable.New([]string{"a"}, fast, rowtable.Options{Marks: make([]rowtable.Mark, 3)}) }, "rowtable: 3 marks for 6 words and buckets"},
		{"minus one word", func() { rowtable.Plain(-1) }, "rowtable: a table of -1 words"},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); got != test.want {
					t.Errorf("panic %s, want %s", got, test.want)
				}
			}()
			test.do()
		})
	}
}

func TestEmptyTables(t *testing.T) {
	if plain := rowtable.Plain(0); plain.Words() != 0 || !plain.Identity() {
		t.Error("a table of no words is not empty")
	}
	if plain := rowtable.New([]string{"a"}, nil, rowtable.Options{}); plain.Words() != 1 || !plain.Identity() {
		t.Error("the table without an indexer is not that of plain words")
	}
}

func TestLeastRows(t *testing.T) {
	for _, indexer := range []subword.Indexer{
		nil, subword.FastText{MinN: 3, MaxN: 6, Buckets: 50}, floret(50, 2), subword.Hash{MinN: 3, MaxN: 6, Buckets: 50, Hashes: 2, Importances: 9},
	} {
		least := subword.LeastRows(indexer, len(words))
		if table := rowtable.New(words, indexer, rowtable.Options{}); table.Rows() < least {
			t.Errorf("%T: a table of %d rows, at least %d were expected", indexer, table.Rows(), least)
		}
	}
}

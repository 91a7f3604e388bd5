package vocab

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/faults"
)

// record returns what recorders of the given shards hold, as sentences.
func record(t *testing.T, dir string, rename [][]int32, shards ...map[int][][]uint32) [][]uint32 {
	t.Helper()
	var recorders []*recorder
	for _, worker := range shards {
		r, err := newRecorder(dir)
		if err != nil {
			t.Fatal(err)
		}
		for number := range 10 { // in order, as workers take them
			sentences, ok := worker[number]
			if !ok {
				continue
			}
			r.begin(number)
			for _, sentence := range sentences {
				for _, id := range sentence {
					if err := r.add(id); err != nil {
						t.Fatal(err)
					}
				}
				r.endSentence()
			}
		}
		recorders = append(recorders, r)
	}
	ids, err := joinLists(recorders, rename)
	if err != nil {
		t.Fatal(err)
	}
	var sentences [][]uint32
	var tokens uint64
	for i := range ids.Chunks() {
		chunk := slices.Concat(ids.Chunk(i)...)
		if len(chunk) == 0 || chunk[len(chunk)-1]&EndOfSentence == 0 {
			t.Fatalf("chunk %d does not end where a sentence does", i)
		}
		var sentence []uint32
		for _, id := range chunk {
			tokens++
			sentence = append(sentence, id&^EndOfSentence)
			if id&EndOfSentence != 0 {
				sentences = append(sentences, sentence)
				sentence = nil
			}
		}
	}
	if tokens != ids.Tokens() {
		t.Errorf("%d tokens in chunks, Tokens says %d", tokens, ids.Tokens())
	}
	if err := ids.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d files are left in the cache folder", len(left))
	}
	return sentences
}

func TestIDs(t *testing.T) {
	same := []int32{0, 1, 2, 3}
	for _, test := range []struct {
		name   string
		rename [][]int32
		shards []map[int][][]uint32
		want   [][]uint32
	}{
		{"nothing", [][]int32{nil}, []map[int][][]uint32{{}}, nil},
		{"sentences", [][]int32{same}, []map[int][][]uint32{{0: {{1, 2}, {3}, {}, {0, 0, 1}}}}, [][]uint32{{1, 2}, {3}, {0, 0, 1}}},
		{"shards in order", [][]int32{same, same}, []map[int][][]uint32{{1: {{1}}, 2: {{2}}}, {0: {{0}}, 3: {{3, 3}}}}, [][]uint32{{0}, {1}, {2}, {3, 3}}},
		{"every worker's own names", [][]int32{{7, 8}, {8, 7}}, []map[int][][]uint32{{0: {{0, 1}}}, {1: {{0, 1}}}}, [][]uint32{{7, 8}, {8, 7}}},
		{"all dropped", [][]int32{{-1}}, []map[int][][]uint32{{0: {{0, 0}}, 1: {{0}}}}, nil},
		{"dropped tokens", [][]int32{{5, -1, 6}}, []map[int][][]uint32{{0: {{1, 0, 1}, {1, 1}, {2, 1}, {1, 2}}}}, [][]uint32{{5}, {6}, {6}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := record(t, t.TempDir(), test.rename, test.shards...); !reflect.DeepEqual(got, test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

func TestLongSentencesAreCutAndKeptWhole(t *testing.T) {
	for _, length := range []int{MaxSentence - 1, MaxSentence, MaxSentence + 1, 300_000} {
		sentence := make([]uint32, length)
		for i := range sentence {
			sentence[i] = uint32(i % 5)
		}
		// Token 4 is dropped, so that the cut counts what is kept.
		got := record(t, t.TempDir(), [][]int32{{0, 1, 2, 3, -1}}, map[int][][]uint32{0: {sentence, {1}}})
		var kept, whole []uint32
		for _, id := range sentence {
			if id != 4 {
				kept = append(kept, id)
			}
		}
		for i, piece := range got {
			whole = append(whole, piece...)
			if rest := len(kept) - i*MaxSentence; i < len(got)-1 && len(piece) != min(MaxSentence, rest) {
				t.Errorf("piece %d of a sentence of %d has %d tokens", i, len(kept), len(piece))
			}
		}
		if !reflect.DeepEqual(whole, append(kept, 1)) {
			t.Errorf("%d tokens of %d are left", len(whole), len(kept)+1)
		}
	}
}

// Sentences are as long as the options say.
func TestSentencesOfAnotherLength(t *testing.T) {
	long := slices.Repeat([]string{"a", "b"}, 3*ChunkTokens)
	for _, most := range []int{0, 1, 5000, len(long)} {
		_, ids, err := Index(t.Context(), corpus.Sentences("texts", [][]string{{"a"}, long, {"b"}}, corpus.Options{}), Options{MaxSentence: most}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		longest, n, sentences := cmp.Or(most, MaxSentence), 0, 0
		for i := range ids.Chunks() {
			for _, piece := range ids.Chunk(i) {
				for _, id := range piece {
					if n++; id&EndOfSentence != 0 {
						if n > longest {
							t.Errorf("%d: a sentence has %d ids", most, n)
						}
						n, sentences = 0, sentences+1
					}
				}
			}
		}
		if want := 2 + (len(long)+longest-1)/longest; sentences != want || ids.Tokens() != uint64(len(long)+2) {
			t.Errorf("%d: %d sentences of %d ids, want %d", most, sentences, ids.Tokens(), want)
		}
		if err := ids.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := (Options{MaxSentence: 5, Keep: "x"}).Validate(); err == nil {
		t.Error("sentences of another length are kept")
	}
}

// Sentences of any length, with any tokens dropped, are what they should be wherever the
// parts end that the cache is written and rewritten in.
func TestIDsAgainstPlainCode(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rename := [][]int32{make([]int32, 50), make([]int32, 50)}
	for _, names := range rename {
		for id := range names {
			names[id] = r.Int32N(1000) - 200 // a fifth is dropped
		}
	}
	workers := []map[int][][]uint32{{}, {}}
	var want [][]uint32
	for shard := range 10 {
		w := r.IntN(2)
		for tokens := 0; tokens < 50_000; {
			length := r.IntN(80)
			if r.IntN(20) == 0 {
				length = r.IntN(20_000)
			}
			tokens += length
			sentence := make([]uint32, length)
			var kept []uint32
			for i := range sentence {
				sentence[i] = r.Uint32N(50)
				if final := rename[w][sentence[i]]; final >= 0 {
					kept = append(kept, uint32(final))
				}
			}
			workers[w][shard] = append(workers[w][shard], sentence)
			want = slices.AppendSeq(want, slices.Chunk(kept, MaxSentence))
		}
	}
	if got := record(t, t.TempDir(), rename, workers...); !reflect.DeepEqual(got, want) {
		t.Errorf("%d sentences, want %d, or not the same ones", len(got), len(want))
	}
}

// joinLists joins recorders of one numbering each, and closes them.
func joinLists(recorders []*recorder, rename [][]int32) (*IDs, error) {
	ids, err := join("", MaxSentence, recorders, func(worker, _ int) ([]int32, error) { return rename[worker], nil })
	for _, r := range recorders {
		err = errors.Join(err, r.close())
	}
	return ids, err
}

// joinShards returns the corpus of sentences of the given shards, recorded by so many workers.
func joinShards(t *testing.T, workers int, shards [][][]uint32) *IDs {
	t.Helper()
	same := make([]int32, 1000)
	for i := range same {
		same[i] = int32(i)
	}
	var recorders []*recorder
	rename := make([][]int32, workers)
	for w := range workers {
		r, err := newRecorder(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for number := w; number < len(shards); number += workers {
			r.begin(number)
			for _, sentence := range shards[number] {
				for _, id := range sentence {
					if err := r.add(id); err != nil {
						t.Fatal(err)
					}
				}
				r.endSentence()
			}
		}
		recorders = append(recorders, r)
		rename[w] = same
	}
	ids, err := joinLists(recorders, rename)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ids.Close(); err != nil {
			t.Error(err)
		}
	})
	return ids
}

// chunks returns copies of the chunks, each in one piece.
func chunks(ids *IDs) [][]uint32 {
	var all [][]uint32
	for i := range ids.Chunks() {
		all = append(all, slices.Concat(ids.Chunk(i)...))
	}
	return all
}

// randomSentences returns sentences of up to longest tokens, of so many tokens or a few more.
func randomSentences(tokens, longest int) [][]uint32 {
	r := rand.New(rand.NewPCG(7, uint64(tokens)))
	var all [][]uint32
	for tokens > 0 {
		sentence := make([]uint32, 1+r.IntN(longest))
		for i := range sentence {
			sentence[i] = r.Uint32N(1000)
		}
		all = append(all, sentence)
		tokens -= len(sentence)
	}
	return all
}

// dealt cuts sentences into n shards of about as many sentences, of which some are empty if there
// are fewer sentences.
func dealt(sentences [][]uint32, n int) [][][]uint32 {
	shards := make([][][]uint32, n)
	for k := range shards {
		shards[k] = sentences[k*len(sentences)/n : (k+1)*len(sentences)/n]
	}
	return shards
}

func TestChunksDependOnTheCorpusAlone(t *testing.T) {
	for _, longest := range []int{1, 30, 1024} {
		sentences := randomSentences(50_000, longest)
		one := joinShards(t, 1, dealt(sentences, 1))
		want := chunks(one)
		for i, chunk := range want {
			if least := 8192; len(chunk) < least && i < len(want)-1 || len(chunk) >= least+longest {
				t.Errorf("chunk %d has %d tokens", i, len(chunk))
			}
			if chunk[len(chunk)-1]&EndOfSentence == 0 {
				t.Errorf("chunk %d does not end where a sentence does", i)
			}
		}
		for _, shards := range []int{1, 2, 13, 5_000} {
			for _, workers := range []int{1, 3} {
				ids := joinShards(t, workers, dealt(sentences, shards))
				if !reflect.DeepEqual(chunks(ids), want) {
					t.Errorf("sentences of %d: %d shards of %d workers have other chunks than one", longest, shards, workers)
				}
				if !slices.Equal(ids.Checksums(), one.Checksums()) {
					t.Errorf("sentences of %d: %d shards of %d workers have other checksums than one", longest, shards, workers)
				}
			}
		}
	}
}

// Files too are no border.
func TestSourcesShardsAreNoBorders(t *testing.T) {
	dir := t.TempDir()
	text := manyTokens(60_000)
	for i, part := range []string{text, "", text[:100_000], "one\n", text} {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(part), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	src, err := corpus.Files([]string{dir}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want [][]uint32
	for _, n := range []int{1, 2, 5} {
		parts, err := src.Shards(n)
		if err != nil {
			t.Fatal(err)
		}
		shards := make([][][]uint32, len(parts))
		for k, part := range parts {
			r, err := part.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var sentence []uint32
			for token, err := r.Next(); err == nil; token, err = r.Next() {
				if len(token) == 0 {
					shards[k] = append(shards[k], sentence)
					sentence = nil
					continue
				}
				sentence = append(sentence, uint32(len(token)))
			}
			shards[k] = append(shards[k], sentence)
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		got := chunks(joinShards(t, min(n, 3), shards))
		if want == nil {
			want = got
		}
		if len(got) < 10 || !reflect.DeepEqual(got, want) {
			t.Errorf("%d shards: %d chunks, want %d, or not the same ones", n, len(got), len(want))
		}
	}
}

func TestChecksumsTellWhatChanged(t *testing.T) {
	sentences := randomSentences(8192*40, 30)
	before := joinShards(t, 1, dealt(sentences, 1)).Checksums()
	if len(before) != 32 {
		t.Fatalf("%d checksums", len(before))
	}
	middle := len(sentences) / 2
	longer := func(s [][]uint32) [][]uint32 { // a sentence end is gone
		return slices.Concat(s[:middle], [][]uint32{slices.Concat(s[middle], s[middle+1])}, s[middle+2:])
	}
	for name, change := range map[string]func([][]uint32) [][]uint32{
		"a token": func(s [][]uint32) [][]uint32 {
			s[middle] = slices.Clone(s[middle])
			s[middle][0] ^= 1
			return s
		},
		"a sentence end": longer,
		"the order": func(s [][]uint32) [][]uint32 {
			s[middle], s[middle+1] = s[middle+1], s[middle]
			return s
		},
	} {
		after := joinShards(t, 1, dealt(change(slices.Clone(sentences)), 1)).Checksums()
		var changed []int
		for k := range after {
			if after[k] != before[k] {
				changed = append(changed, k)
			}
		}
		// What a chunk ends with may change with what it begins with, but not before.
		if len(changed) == 0 || changed[0] < 14 || changed[0] > 17 || name != "a sentence end" && len(changed) > 1 {
			t.Errorf("%s changes checksums %v", name, changed)
		}
	}
	for tokens, want := range map[int]int{1: 1, 8192 * 3: 3} {
		if got := joinShards(t, 1, [][][]uint32{randomSentences(tokens, 1)}).Checksums(); len(got) != want {
			t.Errorf("%d tokens have %d checksums, want %d", tokens, len(got), want)
		}
	}
	if got := joinShards(t, 1, nil).Checksums(); len(got) != 0 {
		t.Errorf("nothing has checksums %x", got)
	}
}

// The checksums are stored: they must not become others.
func TestChecksumsStayWhatTheyAre(t *testing.T) {
	ids := joinShards(t, 1, [][][]uint32{{{1, 2}, {3}}})
	if got := ids.Checksums(); !slices.Equal(got, []uint32{castagnoli("\x01\x00\x00\x00\x02\x00\x00\x80\x03\x00\x00\x80")}) {
		t.Errorf("%x", got)
	}
}

// castagnoli is the CRC-32C of RFC 3720, bit by bit.
func castagnoli(text string) uint32 {
	sum := ^uint32(0)
	for _, c := range []byte(text) {
		sum ^= uint32(c)
		for range 8 {
			sum = sum>>1 ^ 0x82f63b78*(sum&1)
		}
	}
	return ^sum
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		tokens, longest int
		fraction        float64
	}{
		{100_000, 30, 0.1},
		{100_000, 30, 0.0005},
		{100_000, 1024, 0.01}, // a chunk's share is less than a sentence
		{100_000, 30, 0.999},
		{20, 2, 0.5},
	} {
		sentences := randomSentences(test.tokens, test.longest)
		whole := joinShards(t, 2, dealt(sentences, 7))
		train, heldOut, err := whole.Split(test.fraction)
		if err != nil {
			t.Errorf("%+v: %v", test, err)
			continue
		}
		if got := train.Tokens() + heldOut.Tokens(); got != whole.Tokens() {
			t.Errorf("%+v: %d tokens, want %d", test, got, whole.Tokens())
		}
		if got, want := float64(heldOut.Tokens()), test.fraction*float64(whole.Tokens()); math.Abs(got-want) > float64(test.longest)/2 {
			t.Errorf("%+v: %v tokens held out, want %v", test, got, want)
		}
		// Every chunk is one's of the parts, or one's followed by the other's.
		kept, held := chunks(train), chunks(heldOut)
		for i, chunk := range chunks(whole) {
			rest := chunk
			for _, part := range []*[][]uint32{&kept, &held} {
				if len(*part) > 0 && len(rest) >= len((*part)[0]) && slices.Equal(rest[:len((*part)[0])], (*part)[0]) {
					rest = rest[len((*part)[0]):]
					*part = (*part)[1:]
				}
			}
			if len(rest) > 0 {
				t.Fatalf("%+v: %d tokens of chunk %d are in neither part", test, len(rest), i)
			}
		}
		other, otherHeldOut, err := joinShards(t, 1, dealt(sentences, 1)).Split(test.fraction)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(chunks(other), chunks(train)) || !reflect.DeepEqual(chunks(otherHeldOut), chunks(heldOut)) {
			t.Errorf("%+v: another number of shards is split in another way", test)
		}
		for _, ids := range []*IDs{train, heldOut, other, otherHeldOut} {
			for _, chunk := range chunks(ids) {
				if chunk[len(chunk)-1]&EndOfSentence == 0 {
					t.Errorf("%+v: a chunk of %d tokens does not end where a sentence does", test, len(chunk))
				}
			}
			if err := ids.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Sentences that are picked come in their order, chunk by chunk, also of picked ones, and can be split.
func TestPick(t *testing.T) {
	sentences := randomSentences(60_000, 30)
	whole := joinShards(t, 2, dealt(sentences, 7))
	all := slices.Concat(chunks(whole)...)
	pick := func(x *IDs, from []uint32, every, is int) (*IDs, []uint32) {
		n, m, start, want := 0, 0, 0, []uint32(nil)
		for i, id := range from {
			if id&EndOfSentence != 0 {
				if n%every == is {
					want = append(want, from[start:i+1]...)
				}
				start, n = i+1, n+1
			}
		}
		part, err := x.Pick(func(sentence []uint32) bool {
			if len(sentence) == 0 || sentence[len(sentence)-1]&EndOfSentence == 0 {
				t.Fatalf("sentence %v", sentence)
			}
			m++
			return (m-1)%every == is
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Concat(chunks(part)...); !slices.Equal(got, want) || part.Tokens() != uint64(len(want)) || m != n {
			t.Errorf("every %d of %d sentences: %d tokens, want %d", every, n, len(got), len(want))
		}
		return part, want
	}
	part, ids := pick(whole, all, 3, 1)
	if part.Chunks() != whole.Chunks() {
		t.Errorf("%d chunks of %d", part.Chunks(), whole.Chunks())
	}
	second, rest := pick(part, ids, 2, 0)
	none, _ := pick(second, rest, 1<<30, 1<<29)
	if none.Chunks() != 0 {
		t.Errorf("%d chunks of nothing", none.Chunks())
	}
	train, heldOut, err := second.Split(0.2)
	if err != nil {
		t.Fatal(err)
	}
	if train.Tokens()+heldOut.Tokens() != second.Tokens() || heldOut.Tokens() < second.Tokens()/6 {
		t.Errorf("%d and %d of %d tokens", train.Tokens(), heldOut.Tokens(), second.Tokens())
	}
	if got := len(slices.Concat(chunks(train)...)); uint64(got) != train.Tokens() {
		t.Errorf("%d tokens, want %d", got, train.Tokens())
	}
	if _, err := train.Pick(func([]uint32) bool { return true }); err == nil || err.Error() != "vocab: a part that Split returned has no sentences to pick" {
		t.Error(err)
	}
	for _, ids := range []*IDs{whole, train, second, part, none, heldOut} {
		if err := ids.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := whole.Pick(nil); err != errClosed {
		t.Error(err)
	}
}

func TestSplitOfTooLittle(t *testing.T) {
	ids := joinShards(t, 1, [][][]uint32{{{1, 2, 3}, {4, 5, 6}}})
	for fraction, want := range map[float64]string{
		0:          "must be above 0 and below 1",
		1:          "must be above 0 and below 1",
		math.NaN(): "must be above 0 and below 1",
		0.1:        "holds out no whole sentence: take a larger one",
		0.9:        "leaves no whole sentence to train on: take a smaller one",
	} {
		if _, _, err := ids.Split(fraction); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one with %q", fraction, err, want)
		}
	}
}

// Whichever is closed first, the others can be read until they are closed.
func TestPartsAreClosedInAnyOrder(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 1, 2, 0, 0}} {
		dir := t.TempDir()
		r, err := newRecorder(dir)
		if err != nil {
			t.Fatal(err)
		}
		r.begin(0)
		for id := range uint32(100) {
			if err := r.add(id % 2); err != nil {
				t.Fatal(err)
			}
			r.endSentence()
		}
		ids, err := joinLists([]*recorder{r}, [][]int32{{0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		train, heldOut, err := ids.Split(0.25)
		if err != nil {
			t.Fatal(err)
		}
		open := map[int]*IDs{0: ids, 1: train, 2: heldOut}
		for _, next := range order {
			part := []*IDs{ids, train, heldOut}[next]
			if err := part.Close(); err != nil {
				t.Errorf("%v: %v", order, err)
			}
			delete(open, next)
			for k, part := range open {
				if got, want := len(slices.Concat(chunks(part)...)), []int{100, 75, 25}[k]; got != want {
					t.Errorf("%v: %d tokens, want %d", order, got, want)
				}
			}
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%v: %d files are left in the cache folder", order, len(left))
		}
	}
}

func TestPackedSize(t *testing.T) {
	for _, test := range []struct {
		ids  []uint32
		want int
	}{
		{nil, 0},
		{[]uint32{0}, 5},
		{[]uint32{0, 1, 2, 127 | EndOfSentence}, 5},
		{[]uint32{128, 1 << 15, 1 << 23, 0}, 1 + 2 + 3 + 4 + 1},
		{[]uint32{1<<31 - 1, EndOfSentence | 1<<31 - 1, 0, 0, 5}, 1 + 4 + 4 + 1 + 1 + 5},
	} {
		if got := len(appendPacked(nil, test.ids)); got != test.want {
			t.Errorf("%x take %d bytes, want %d", test.ids, got, test.want)
		}
	}
}

func TestPackedIDsAreTheSameAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for length := range 200 {
		ids := make([]uint32, length)
		for i := range ids {
			ids[i] = r.Uint32() >> (1 + r.IntN(31))
			if r.IntN(5) == 0 {
				ids[i] |= EndOfSentence
			}
		}
		packed := appendPacked([]byte("before"), ids)[len("before"):]
		got := make([]uint32, length)
		if err := unpack(got, packed); err != nil || !slices.Equal(got, ids) {
			t.Fatalf("%x: %x, %v", ids, got, err)
		}
		if err := unpack(got, append(packed, 0)); err == nil {
			t.Errorf("%d ids and a byte more are no error", length)
		}
		if len(packed) > 0 {
			if err := unpack(got, packed[:len(packed)-1]); err == nil {
				t.Errorf("%d ids without their last byte are no error", length)
			}
		}
	}
}

// FuzzUnpack looks for bytes that make it panic. What it accepts is the same again when packed,
// unless the bytes were not as short as they can be.
func FuzzUnpack(f *testing.F) {
	f.Add(4, []byte{0, 1, 2, 3, 4})
	f.Add(5, appendPacked(nil, []uint32{1, 1 << 20, EndOfSentence, 7, 9}))
	f.Fuzz(func(t *testing.T, n int, b []byte) {
		if n < 0 || n > 1<<16 {
			return
		}
		ids := make([]uint32, n)
		if unpack(ids, b) != nil {
			return
		}
		again := appendPacked(nil, ids)
		got := make([]uint32, n)
		if err := unpack(got, again); err != nil || !slices.Equal(got, ids) || len(again) > len(b) {
			t.Errorf("%x: %x from %d bytes, %v", ids, got, len(again), err)
		}
	})
}

// English words have ids that fall like these: half of all tokens are among the first 128 words.
func BenchmarkUnpack(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	ids := make([]uint32, ChunkTokens)
	for i := range ids {
		ids[i] = uint32(r.ExpFloat64() * r.ExpFloat64() * r.ExpFloat64() * 2000)
	}
	packed := appendPacked(nil, ids)
	b.SetBytes(int64(len(packed)))
	for b.Loop() {
		if err := unpack(ids, packed); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(ids)), "ns/id")
}

// saved returns ids as WriteTo writes them.
func saved(t testing.TB, ids *IDs) []byte {
	t.Helper()
	var file bytes.Buffer
	n, err := ids.writeTo(&file)
	if err != nil || n != int64(file.Len()) {
		t.Fatalf("wrote %d bytes of %d: %v", n, file.Len(), err)
	}
	return file.Bytes()
}

// opened opens a file of saved ids with other bytes behind them.
func opened(t testing.TB, content []byte) (*IDs, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ids")
	if err := os.WriteFile(path, slices.Concat(content, []byte("after")), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return openIDs(f, int64(len(content)))
}

func TestSavedIDsAreTheSame(t *testing.T) {
	for _, sentences := range [][][]uint32{nil, {{1}}, randomSentences(100_000, 40)} {
		ids := joinShards(t, 2, dealt(sentences, 3))
		again, err := opened(t, saved(t, ids))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(chunks(again), chunks(ids)) || again.Tokens() != ids.Tokens() || again.Largest() != ids.Largest() {
			t.Errorf("%d tokens are other ones", ids.Tokens())
		}
		if len(sentences) > 10 {
			a, b, err := ids.Split(0.1)
			if err != nil {
				t.Fatal(err)
			}
			c, d, err := again.Split(0.1)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(chunks(a), chunks(c)) || !reflect.DeepEqual(chunks(b), chunks(d)) {
				t.Error("parts are other ones")
			}
			for _, x := range []*IDs{a, b, c, d} {
				_ = x.Close()
			}
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDamagedIDsAreNoticed(t *testing.T) {
	content := saved(t, joinShards(t, 1, [][][]uint32{{{1, 2, 300}, {3}}, {{999, 2}}}))
	for i := range content {
		for bit := range 8 {
			damaged := slices.Clone(content)
			damaged[i] ^= 1 << bit
			if ids, err := opened(t, damaged); err == nil {
				t.Fatalf("bit %d of byte %d is changed, and %d tokens are read", bit, i, ids.Tokens())
			}
		}
		if _, err := opened(t, content[:i]); err == nil {
			t.Fatalf("the first %d bytes of %d are read", i, len(content))
		}
	}
}

// FuzzOpenIDs looks for files that make it panic, or that it reads with ids that are not there.
func FuzzOpenIDs(f *testing.F) {
	f.Add([]byte("w2v-ids\x01"))
	r := recorderOf(f)
	ids, err := joinLists([]*recorder{r}, [][]int32{{0, 1, 2}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(saved(f, ids))
	_ = ids.Close()
	f.Fuzz(func(t *testing.T, content []byte) {
		ids, err := opened(t, content)
		if err != nil {
			return
		}
		var tokens uint64
		for i := range ids.Chunks() {
			for _, piece := range ids.Chunk(i) {
				tokens += uint64(len(piece))
			}
		}
		if ids.Err() == nil && tokens != ids.Tokens() {
			t.Errorf("%d tokens, want %d", tokens, ids.Tokens())
		}
		_ = ids.Close()
	})
}

func recorderOf(t testing.TB) *recorder {
	r, err := newRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.begin(0)
	for id := range uint32(3) {
		if err := r.add(id); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// A recorder may number tokens anew at any place, also within a sentence.
func TestNumberings(t *testing.T) {
	r, err := newRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	add := func(ids ...uint32) {
		for _, id := range ids {
			if err := r.add(id); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.begin(0)
	add(0, 1)
	r.renumber()
	add(0)
	r.endSentence()
	add(1)
	r.renumber()
	r.endSentence()
	add(0)
	r.begin(1)
	add(0)
	ids, err := join("", MaxSentence, []*recorder{r}, func(recorder, numbering int) ([]int32, error) {
		return [][]int32{{10, 11}, {20, 21}, {30}}[numbering], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	const end = EndOfSentence
	if got, want := slices.Concat(ids.Chunk(0)...), []uint32{10, 11, 20 | end, 21 | end, 30 | end, 30 | end}; !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// The cache of a corpus is as private as the corpus: its owner alone can read it, and
// its name, as long as it has one, has more than 64 random bits.
func TestTemporaryFilesArePrivate(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]bool{}
	for range 3 {
		r, err := newRecorder(dir)
		if err != nil {
			t.Fatal(err)
		}
		info, err := r.file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("the cache has mode %v, want %v", mode, fs.FileMode(0o600))
		}
		name := filepath.Base(r.file.Name())
		if !regexp.MustCompile(`^w2v-ids-[A-Z2-7]{26}$`).MatchString(name) || seen[name] { // 5 bits a character
			t.Errorf("the cache is called %s", name)
		}
		seen[name] = true
		if names, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(names) > 0 && runtime.GOOS != "windows" {
			t.Errorf("the folder has %q, %v", names, err)
		}
		if err := r.close(); err != nil {
			t.Error(err)
		}
	}
}

// Ids know the largest of them, of those that are left.
func TestLargest(t *testing.T) {
	for _, test := range []struct {
		rename []int32
		want   int
	}{{[]int32{7, 5, 9}, 9}, {[]int32{7, 5, -1}, 7}, {[]int32{-1, 0, -1}, 0}, {[]int32{-1, -1, -1}, -1}, {[]int32{1<<31 - 1, 0, 3}, 1<<31 - 1}} {
		ids, err := joinLists([]*recorder{recorderOf(t)}, [][]int32{test.rename})
		if err != nil {
			t.Fatal(err)
		}
		if got := ids.Largest(); got != test.want {
			t.Errorf("%v: the largest is %d, want %d", test.rename, got, test.want)
		}
		if err := ids.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Closed ids have no chunks, and say so.
func TestClosedIDs(t *testing.T) {
	var none IDs
	if none.Tokens() != 0 || none.Chunks() != 0 || none.Largest() != -1 || len(none.Checksums()) != 0 || none.Close() != nil {
		t.Error("ids of nothing are not empty")
	}
	ids := joinShards(t, 1, [][][]uint32{{{0, 1, 2}}})
	panics := func(i int, want string) {
		t.Helper()
		defer func() {
			if got := fmt.Sprint(recover()); got != want {
				t.Errorf("panic %s\nwant  %s", got, want)
			}
		}()
		ids.Chunk(i)
	}
	panics(1, "vocab: chunk 1 of 1 of the ids")
	panics(-1, "vocab: chunk -1 of 1 of the ids")
	if err := ids.Close(); err != nil {
		t.Error(err)
	}
	panics(0, "vocab: chunk 0 of 0 of the ids, which are closed")
	if _, _, err := ids.Split(0.5); err == nil || err.Error() != "vocab: the ids are closed" {
		t.Errorf("splitting: %v", err)
	}
	if _, err := ids.Resample(1); err == nil || err.Error() != "vocab: the ids are closed" {
		t.Errorf("resampling: %v", err)
	}
}

// A full disk is said to be full, by the name of the folder.
func TestCacheWithoutRoom(t *testing.T) {
	folder := faults.Tmpfs(t, 1<<20)
	r, err := newRecorder(folder)
	if err != nil {
		t.Fatal(err)
	}
	r.begin(0)
	for id := uint32(0); err == nil && id < 1<<20; id++ {
		err = r.add(id)
	}
	cache, ok := errors.AsType[*CacheError](err)
	if !ok || cache.Folder != folder || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("error %v", err)
	}
	want := folder + ": the tokenised corpus, up to 4 bytes a token, cannot be kept in this folder: no space left on device"
	if err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
	if err := r.close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestCacheWithoutFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "none")
	_, err := newRecorder(folder)
	cache, ok := errors.AsType[*CacheError](err)
	if !ok || cache.Folder != folder || !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "w2v-ids") {
		t.Errorf("error %v", err)
	}
}

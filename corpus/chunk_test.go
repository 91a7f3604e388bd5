package corpus_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// join returns the corpus of sentences of the given shards, recorded by so many workers.
func join(t *testing.T, workers int, shards [][][]uint32) *corpus.IDs {
	t.Helper()
	same := make([]int32, 1000)
	for i := range same {
		same[i] = int32(i)
	}
	var recorders []*corpus.Recorder
	rename := make([][]int32, workers)
	for w := range workers {
		r, err := corpus.NewRecorder(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for number := w; number < len(shards); number += workers {
			r.Begin(number)
			for _, sentence := range shards[number] {
				for _, id := range sentence {
					if err := r.Add(id); err != nil {
						t.Fatal(err)
					}
				}
				r.EndSentence()
			}
		}
		recorders = append(recorders, r)
		rename[w] = same
	}
	ids, err := corpus.Join(recorders, rename)
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
func chunks(ids *corpus.IDs) [][]uint32 {
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
		sentences := randomSentences(100_000, longest)
		one := join(t, 1, dealt(sentences, 1))
		want := chunks(one)
		for i, chunk := range want {
			if least := 8192; len(chunk) < least && i < len(want)-1 || len(chunk) >= least+longest {
				t.Errorf("chunk %d has %d tokens", i, len(chunk))
			}
			if chunk[len(chunk)-1]&corpus.EndOfSentence == 0 {
				t.Errorf("chunk %d does not end where a sentence does", i)
			}
		}
		for _, shards := range []int{1, 2, 5, 13, 20_000} {
			for _, workers := range []int{1, 2, 5} {
				ids := join(t, workers, dealt(sentences, shards))
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
	text, _ := lines(60_000)
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
		got := chunks(join(t, min(n, 3), shards))
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
	before := join(t, 1, dealt(sentences, 1)).Checksums()
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
		after := join(t, 1, dealt(change(slices.Clone(sentences)), 1)).Checksums()
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
		if got := join(t, 1, [][][]uint32{randomSentences(tokens, 1)}).Checksums(); len(got) != want {
			t.Errorf("%d tokens have %d checksums, want %d", tokens, len(got), want)
		}
	}
	if got := join(t, 1, nil).Checksums(); len(got) != 0 {
		t.Errorf("nothing has checksums %x", got)
	}
}

// The checksums are stored: they must not become others.
func TestChecksumsStayWhatTheyAre(t *testing.T) {
	ids := join(t, 1, [][][]uint32{{{1, 2}, {3}}})
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
		whole := join(t, 2, dealt(sentences, 7))
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
		other, otherHeldOut, err := join(t, 1, dealt(sentences, 1)).Split(test.fraction)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(chunks(other), chunks(train)) || !reflect.DeepEqual(chunks(otherHeldOut), chunks(heldOut)) {
			t.Errorf("%+v: another number of shards is split in another way", test)
		}
		for _, ids := range []*corpus.IDs{train, heldOut, other, otherHeldOut} {
			for _, chunk := range chunks(ids) {
				if chunk[len(chunk)-1]&corpus.EndOfSentence == 0 {
					t.Errorf("%+v: a chunk of %d tokens does not end where a sentence does", test, len(chunk))
				}
			}
			if err := ids.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestSplitOfTooLittle(t *testing.T) {
	ids := join(t, 1, [][][]uint32{{{1, 2, 3}, {4, 5, 6}}})
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
		r, err := corpus.NewRecorder(dir)
		if err != nil {
			t.Fatal(err)
		}
		r.Begin(0)
		for id := range uint32(100) {
			if err := r.Add(id % 2); err != nil {
				t.Fatal(err)
			}
			r.EndSentence()
		}
		ids, err := corpus.Join([]*corpus.Recorder{r}, [][]int32{{0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		train, heldOut, err := ids.Split(0.25)
		if err != nil {
			t.Fatal(err)
		}
		open := map[int]*corpus.IDs{0: ids, 1: train, 2: heldOut}
		for _, next := range order {
			part := []*corpus.IDs{ids, train, heldOut}[next]
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

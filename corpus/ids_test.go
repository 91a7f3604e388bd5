package corpus_test

import (
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// record returns what recorders of the given shards hold, as sentences.
func record(t *testing.T, dir string, rename [][]int32, shards ...map[int][][]uint32) [][]uint32 {
	t.Helper()
	var recorders []*corpus.Recorder
	for _, worker := range shards {
		r, err := corpus.NewRecorder(dir)
		if err != nil {
			t.Fatal(err)
		}
		for number := range 10 { // in order, as workers take them
			sentences, ok := worker[number]
			if !ok {
				continue
			}
			r.Begin(number)
			for _, sentence := range sentences {
				for _, id := range sentence {
					if err := r.Add(id); err != nil {
						t.Fatal(err)
					}
				}
				r.EndSentence()
			}
		}
		recorders = append(recorders, r)
	}
	ids, err := corpus.Join(recorders, rename)
	if err != nil {
		t.Fatal(err)
	}
	var sentences [][]uint32
	var tokens uint64
	for i := range ids.Chunks() {
		chunk := slices.Concat(ids.Chunk(i)...)
		if len(chunk) == 0 || chunk[len(chunk)-1]&corpus.EndOfSentence == 0 {
			t.Fatalf("chunk %d does not end where a sentence does", i)
		}
		var sentence []uint32
		for _, id := range chunk {
			tokens++
			sentence = append(sentence, id&^corpus.EndOfSentence)
			if id&corpus.EndOfSentence != 0 {
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
	for _, length := range []int{corpus.MaxSentence - 1, corpus.MaxSentence, corpus.MaxSentence + 1, 300_000} {
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
			if rest := len(kept) - i*corpus.MaxSentence; i < len(got)-1 && len(piece) != min(corpus.MaxSentence, rest) {
				t.Errorf("piece %d of a sentence of %d has %d tokens", i, len(kept), len(piece))
			}
		}
		if !reflect.DeepEqual(whole, append(kept, 1)) {
			t.Errorf("%d tokens of %d are left", len(whole), len(kept)+1)
		}
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
			want = slices.AppendSeq(want, slices.Chunk(kept, corpus.MaxSentence))
		}
	}
	if got := record(t, t.TempDir(), rename, workers...); !reflect.DeepEqual(got, want) {
		t.Errorf("%d sentences, want %d, or not the same ones", len(got), len(want))
	}
}

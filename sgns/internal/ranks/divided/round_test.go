package divided

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vocab"
)

// Rounds are the text of all epochs in whole sentences. Slots stand for its words, and for those of the
// pool.
func TestRounds(t *testing.T) {
	text := "a a a a b b b c c d\na b c e\nf f a\n" + strings.Repeat("a b c d e f g\n", 3)
	v, ids, err := vocab.Index(t.Context(), corpus.Stream("text", strings.NewReader(text), corpus.Options{}), vocab.Options{MinCount: 1}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	var want []string
	for range 2 {
		want = append(want, strings.Fields(text)...)
	}
	for _, head := range []int{0, 2, 7} {
		l := Layout{Ranks: 2, Words: v.Len(), Head: head}
		run := &engine.Run{IDs: ids, Epochs: 2, Words: v.Len()}
		reader := NewReader(l, Limits{Tokens: 8, Words: vocab.MaxSentence, Pool: 5}, run.NewReading(), even{uint32(v.Len())})
		var got []string
		var round Round
		for n := 0; ; n++ {
			reader.Read(&round, random.Stream(1, uint64(n)))
			if round.Ended {
				break
			}
			list := slices.Concat(round.words[ofText], round.words[ofPool])
			word := func(slot uint32) uint32 {
				if slot < uint32(head) {
					return slot
				}
				return list[slot-uint32(head)]
			}
			for _, id := range round.Text {
				got = append(got, v.Token(int(word(id&^vocab.EndOfSentence))))
			}
			if last := round.Text[len(round.Text)-1]; last&vocab.EndOfSentence == 0 {
				t.Errorf("head of %d: round %d ends in a sentence", head, n)
			}
			if round.Last != (len(got) > len(want)/2) { // its last sentence is in the last epoch
				t.Errorf("head of %d: round %d, with which %d of %d tokens are read, is in the last epoch: %v", head, n, len(got), len(want), round.Last)
			}
			for i, slot := range round.Tail {
				if w := word(slot); int(w) != head+i%(v.Len()-head) {
					t.Errorf("head of %d: round %d has drawn word %d, want %d", head, n, w, head+i%(v.Len()-head))
				}
			}
			if wanted := min(v.Len()-head, 5); len(round.Tail) != 5 && wanted > 0 {
				t.Errorf("head of %d: round %d has a pool of %d", head, n, len(round.Tail))
			}
			if !slices.IsSorted(round.words[ofText]) || !slices.IsSorted(round.words[ofPool]) {
				t.Errorf("head of %d: round %d has words %v and a pool of %v", head, n, round.words[ofText], round.words[ofPool])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("head of %d: rounds are %v, want %v", head, got, want)
		}
	}
}

// The changes of a word in the round before are found, whether it was in its text or in its pool.
func TestRoundBefore(t *testing.T) {
	d := &Division{Layout: Layout{Ranks: 1, Words: 10, Cols: 1}}
	before := d.round([]uint32{3, 5, 9}, []uint32{4, 8})
	message := make([]byte, 8*rowBytes(1))
	for i := range message {
		message[i] = byte(i / rowBytes(1)) // the row of the message
	}
	d.changes = [][]byte{message}
	for word, want := range []string{"[] []", "[] []", "[] []", "[0 0 0 0 0] [1 1 1 1 1]", "[] [6 6 6 6 6]", "[2 2 2 2 2] [3 3 3 3 3]", "[] []", "[] []", "[] [7 7 7 7 7]"} {
		in, out := d.lastChanges(before, uint32(word))
		if got := fmt.Sprint(in, " ", out); got != want {
			t.Errorf("word %d has changes %s, want %s", word, got, want)
		}
	}
	if in, out := d.lastChanges(nil, 3); in != nil || out != nil {
		t.Errorf("without a round before, a word has changes %v and %v", in, out)
	}
}

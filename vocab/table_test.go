package vocab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// randomToken returns one of many tokens that are hard to tell apart: they differ in a
// byte or in length, and may have zero bytes.
func randomToken(r *rand.Rand) []byte {
	tok := bytes.Repeat([]byte("a"), 1+r.IntN(40))
	if r.IntN(3) > 0 {
		tok[r.IntN(len(tok))] = "\x00b\xff"[r.IntN(3)]
	}
	if r.IntN(3) == 0 { // of which there are more than fit in the first slots
		tok = fmt.Appendf(tok[:r.IntN(len(tok))], "%d", r.IntN(10_000))
	}
	if r.IntN(2) == 0 {
		return slices.Clip(tok) // the key must not be read from behind the token
	}
	return append(tok, "next token of the text"...)[:len(tok)]
}

func TestTableAgainstMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ids, counts := map[string]uint32{}, map[string]uint64{}
	table := newTable(0, newSecret())
	for range 200_000 {
		tok := randomToken(r)
		want, ok := ids[string(tok)]
		if id, found := table.id(tok); found != ok || found && id != want {
			t.Fatalf("%q has id %d, %v; want %d, %v", tok, id, found, want, ok)
		}
		if !ok {
			want = uint32(len(ids))
			ids[string(tok)] = want
		}
		count := 1 + r.Uint64N(3)
		counts[string(tok)] += count
		if id, err := table.add(tok, count); err != nil || id != want {
			t.Fatalf("%q is added as %d, %v; want %d", tok, id, err, want)
		}
	}
	seen := 0
	var short [longToken]byte
	for i := range table.slots {
		s := &table.slots[i]
		if s.count == 0 {
			continue
		}
		seen++
		if tok := string(table.token(s, &short)); ids[tok] != s.id || counts[tok] != s.count {
			t.Errorf("slot of %q has id %d and count %d, want %d and %d", tok, s.id, s.count, ids[tok], counts[tok])
		}
	}
	if seen != len(ids) || table.len() != len(ids) {
		t.Errorf("%d slots and length %d, want %d", seen, table.len(), len(ids))
	}
	if _, ok := table.id(nil); ok {
		t.Error("the empty token is there")
	}
}

// Tokens with the same key are told apart, though that does not happen to long tokens
// unless their hashes agree.
func TestTokensOfOneKey(t *testing.T) {
	table := newTable(0, newSecret())
	k := key{head: 1, tail: longToken << 56}
	for i, tok := range []string{"one token that is long", "another token that is long", "one token that is long", "and a third one"} {
		id, err := table.put([]byte(tok), k, 1)
		if want := []uint32{0, 1, 0, 2}[i]; err != nil || id != want {
			t.Errorf("%q has id %d, %v; want %d", tok, id, err, want)
		}
	}
}

func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	table := newTable(0, newSecret())
	for range 20_000 {
		count := 1 + r.Uint64N(3)
		if r.IntN(4) == 0 {
			count = 1 + r.Uint64N(3*sharedBucket)
		}
		if _, err := table.add(randomToken(r), count); err != nil {
			t.Fatal(err)
		}
	}
	var slots []slot
	for _, s := range table.slots {
		if s.count > 0 {
			slots = append(slots, s)
		}
	}
	token := func(s slot) string {
		var short [longToken]byte
		return string(table.token(&s, &short))
	}
	want := slices.SortedFunc(slices.Values(slots), func(a, b slot) int {
		if a.count != b.count {
			return int(b.count) - int(a.count)
		}
		return strings.Compare(token(a), token(b))
	})
	if got := table.sorted(slots); !slices.Equal(got, want) {
		t.Error("the order is another")
	}
}

// However many workers there are, and whatever each of them has, the sum is the same.
func TestMerge(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		for _, least := range []int{0, 1, 3, 20, 1000} {
			t.Run(fmt.Sprintf("%d workers, %d times", workers, least), func(t *testing.T) {
				r := rand.New(rand.NewPCG(5, 6))
				counts := map[string]uint64{}
				var parts []*worker
				s := newSecret()
				for i := range workers {
					w := newWorker(newTable(0, s), "")
					for range 10_000 >> i {
						tok := randomToken(r)
						counts[string(tok)]++
						if _, err := w.tokens.add(tok, 1); err != nil {
							t.Fatal(err)
						}
					}
					parts = append(parts, w)
				}
				checkMerge(t, parts, counts, least)
			})
		}
	}
}

func checkMerge(t *testing.T, workers []*worker, counts map[string]uint64, least int) {
	t.Helper()
	names := make([][]string, len(workers)) // by id
	var short [longToken]byte
	for i, w := range workers {
		names[i] = make([]string, w.tokens.len())
		for at := range w.tokens.slots {
			if s := &w.tokens.slots[at]; s.count > 0 {
				names[i][s.id] = string(w.tokens.token(s, &short))
			}
		}
	}
	var most, total uint64
	kept := 0
	for _, count := range counts {
		most = max(most, count)
		total += count
		if count >= uint64(least) {
			kept++
		}
	}
	v, final, err := vocabulary(context.Background(), workers, corpus.Stream("text", nil, corpus.Options{}), Options{MinCount: least}, "")
	if kept == 0 {
		var rare *RareError
		want := RareError{MinCount: least, Most: most, Distinct: len(counts), Tokens: total}
		if !errors.As(err, &rare) || *rare != want {
			t.Errorf("error %v, want %v", err, &want)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if v.Len() != kept {
		t.Errorf("%d tokens, want %d", v.Len(), kept)
	}
	for id, token := range v.Tokens() {
		if count := v.Count(id); count != counts[token] {
			t.Errorf("%q is seen %d times, want %d", token, count, counts[token])
		}
	}
	for i := range workers {
		ids, err := final(i, 0)
		if err != nil {
			t.Fatal(err)
		}
		for old, name := range names[i] {
			switch id := ids[old]; {
			case counts[name] < uint64(least):
				if id != -1 {
					t.Errorf("%q of worker %d becomes %d, want -1", name, i, id)
				}
			case id < 0 || v.Token(int(id)) != name:
				t.Errorf("%q of worker %d becomes %d", name, i, id)
			}
		}
	}
}

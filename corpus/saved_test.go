package corpus_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// saved returns ids as WriteTo writes them.
func saved(t testing.TB, ids *corpus.IDs) []byte {
	t.Helper()
	var file bytes.Buffer
	n, err := ids.WriteTo(&file)
	if err != nil || n != int64(file.Len()) {
		t.Fatalf("wrote %d bytes of %d: %v", n, file.Len(), err)
	}
	return file.Bytes()
}

// opened opens a file of saved ids with other bytes around them.
func opened(t testing.TB, content []byte) (*corpus.IDs, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ids")
	if err := os.WriteFile(path, slices.Concat([]byte("before"), content, []byte("after")), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return corpus.OpenIDs(f, 6, int64(6+len(content)))
}

func TestSavedIDsAreTheSame(t *testing.T) {
	for _, sentences := range [][][]uint32{nil, {{1}}, randomSentences(100_000, 40)} {
		ids := join(t, 2, dealt(sentences, 3))
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
			if _, err := a.WriteTo(new(bytes.Buffer)); err == nil {
				t.Error("a part is written as if it were all")
			}
			for _, x := range []*corpus.IDs{a, b, c, d} {
				_ = x.Close()
			}
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDamagedIDsAreNoticed(t *testing.T) {
	content := saved(t, join(t, 1, [][][]uint32{{{1, 2, 300}, {3}}, {{999, 2}}}))
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
	ids, err := corpus.Join([]*corpus.Recorder{r}, [][]int32{{0, 1, 2}})
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

func recorderOf(t testing.TB) *corpus.Recorder {
	r, err := corpus.NewRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.Begin(0)
	for id := range uint32(3) {
		if err := r.Add(id); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// A recorder may number tokens anew at any place, also within a sentence.
func TestNumberings(t *testing.T) {
	r, err := corpus.NewRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	add := func(ids ...uint32) {
		for _, id := range ids {
			if err := r.Add(id); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.Begin(0)
	add(0, 1)
	r.Renumber()
	add(0)
	r.EndSentence()
	add(1)
	r.Renumber()
	r.EndSentence()
	add(0)
	r.Begin(1)
	add(0)
	ids, err := corpus.JoinFunc([]*corpus.Recorder{r}, func(recorder, numbering int) ([]int32, error) {
		return [][]int32{{10, 11}, {20, 21}, {30}}[numbering], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	const end = corpus.EndOfSentence
	if got, want := slices.Concat(ids.Chunk(0)...), []uint32{10, 11, 20 | end, 21 | end, 30 | end, 30 | end}; !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

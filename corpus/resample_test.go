package corpus_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// documents writes n documents, whose first token tells them apart, and returns their ids.
func documents(t *testing.T, n int) *corpus.IDs {
	t.Helper()
	r, err := corpus.NewRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.Begin(0)
	for i := range n {
		for k := range 1 + i%7 {
			if err := r.Add(uint32((i + k) % n)); err != nil {
				t.Fatal(err)
			}
		}
		r.EndSentence()
	}
	same := make([]int32, n)
	for i := range same {
		same[i] = int32(i)
	}
	ids, err := corpus.Join([]*corpus.Recorder{r}, [][]int32{same})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// copies returns how often each document is in a corpus, and checks that documents are whole.
func copies(t *testing.T, ids *corpus.IDs, n int) []int {
	t.Helper()
	times := make([]int, n)
	var tokens uint64
	reader := ids.Reader()
	for i := range ids.Chunks() {
		var document []uint32
		for _, id := range slices.Concat(reader.Chunk(i)...) {
			tokens++
			document = append(document, id&^corpus.EndOfSentence)
			if id&corpus.EndOfSentence == 0 {
				continue
			}
			first := int(document[0])
			if len(document) != 1+first%7 {
				t.Fatalf("document %d has %d tokens, want %d", first, len(document), 1+first%7)
			}
			times[first]++
			document = nil
		}
		if document != nil {
			t.Fatalf("chunk %d ends within a document", i)
		}
	}
	if tokens != ids.Tokens() {
		t.Errorf("%d tokens in chunks, Tokens says %d", tokens, ids.Tokens())
	}
	return times
}

func TestResampleDrawsDocuments(t *testing.T) {
	const n = 20000
	ids := documents(t, n)
	one, err := ids.Resample(1)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	two, err := ids.Resample(2)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ids.Resample(1)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := ids.Close(); err != nil { // the resamples go on
		t.Fatal(err)
	}
	times := copies(t, one, n)
	if !slices.Equal(times, copies(t, again, n)) {
		t.Error("one seed gives two resamples")
	}
	// Poisson's distribution with mean 1: e⁻¹ of the documents are left out, as many are there
	// once, and half as many twice.
	for k, want := range []float64{1, 1, 1. / 2, 1. / 6, 1. / 24} {
		want *= n / math.E
		got := 0
		for _, x := range times {
			if x == k {
				got++
			}
		}
		if math.Abs(float64(got)-want) > 4*math.Sqrt(want) {
			t.Errorf("%d documents are there %d times, want about %.0f", got, k, want)
		}
	}
	// Another seed draws others: the numbers of copies are not correlated.
	sum := 0.0
	for i, x := range copies(t, two, n) {
		sum += float64(x-1) * float64(times[i]-1)
	}
	if r := sum / n; math.Abs(r) > 4/math.Sqrt(n) {
		t.Errorf("resamples of two seeds have the correlation %.3f", r)
	}
	if err := two.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestResampleOfNothing(t *testing.T) {
	for name, ids := range map[string]*corpus.IDs{"nil": nil, "no ids": {}} {
		out, err := ids.Resample(1)
		if err != nil || out.Tokens() != 0 || out.Chunks() != 0 {
			t.Errorf("%s: %v, %v", name, fmt.Sprint(out), err)
		}
		if err := out.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package vocab

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/faults"
)

// manyTokens is a text with many tokens that are seen once, few that are seen often, long ones, and
// ones that differ behind zero bytes or behind the first 8 bytes only.
func manyTokens(lines int) string {
	r := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	for range lines {
		for range 1 + r.IntN(12) {
			switch n := r.ExpFloat64() * r.ExpFloat64() * 3000; r.IntN(10) {
			case 0:
				fmt.Fprintf(&text, "anequalbeginningofsomelength%.0f ", n)
			case 1:
				fmt.Fprintf(&text, "%s ", strings.Repeat("x", int(n)%300+1))
			case 2:
				fmt.Fprintf(&text, "n%.4f ", n)
			default:
				fmt.Fprintf(&text, "w%.0f ", n)
			}
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// limited counts with tables of so many bytes in all, which may be less than LeastMemory.
func limited(t *testing.T, text string, o Options, memory uint64) (*Vocab, [][]uint32, error) {
	t.Helper()
	dir := t.TempDir()
	o.Memory, o.limit = 0, memory
	path := dir + "/text"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	v, ids, err := Index(t.Context(), src, o, cache)
	if err != nil {
		if left, _ := os.ReadDir(cache); len(left) > 0 {
			t.Errorf("%d files are left", len(left))
		}
		return nil, nil, err
	}
	counted, err := Count(t.Context(), src, o)
	if err != nil || !slices.Equal(counted.Tokens(), v.Tokens()) || !slices.Equal(counted.Counts(), v.Counts()) {
		t.Errorf("Count has another vocabulary than Index: %v", err)
	}
	if o.Fixed == nil && o.Known == nil {
		id := 0
		for of, err := range Each(t.Context(), src, o) {
			if err != nil || id >= v.Len() || string(of.Token) != v.Token(id) || of.Count != v.Count(id) {
				t.Fatalf("Each has %q %d times at %d: %v", of.Token, of.Count, id, err)
			}
			id++
		}
		if id != v.Len() {
			t.Errorf("Each has %d tokens, Count has %d", id, v.Len())
		}
	}
	var chunks [][]uint32
	for i := range ids.Chunks() {
		chunks = append(chunks, slices.Concat(ids.Chunk(i)...))
	}
	if err := ids.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(cache); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
	return v, chunks, nil
}

// Counts that go to disk are the same as those in memory, in the same order, and so are ids.
func TestCountingWithLittleMemory(t *testing.T) {
	text := manyTokens(4_000)
	known, err := New([]string{"w1", "w77777777", "anequalbeginningofsomelength5", "never"}, []uint64{5, 4, 3, 2})
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"all":       {},
		"min-count": {MinCount: 5},
		"max-vocab": {MinCount: 2, MaxVocab: 1000},
		"known":     {MinCount: 3, Known: known},
		"fixed":     {Fixed: known},
	} {
		o.Threads = 1
		want, wantIDs, err := limited(t, text, o, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		for threads, memory := range map[int]uint64{1: 400 << 10, 3: 100 << 10} {
			o.Threads = threads
			got, ids, err := limited(t, text, o, memory)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Tokens(), want.Tokens()) || !slices.Equal(got.Counts(), want.Counts()) {
				t.Errorf("%s: %d bytes, %d threads: another vocabulary, of %d tokens, want %d", name, memory, threads, got.Len(), want.Len())
			}
			if !reflect.DeepEqual(ids, wantIDs) {
				t.Errorf("%s: %d bytes, %d threads: other ids", name, memory, threads)
			}
		}
	}
}

// Tables of that size are spilled many times.
func TestLittleMemoryMeansSpilling(t *testing.T) {
	table := newTable(0, newSecret())
	table.most = 200 << 10
	n := 0
	for table.len() == n {
		if _, err := table.add(fmt.Appendf(nil, "token%d", n), 1); err != nil {
			if err != errFull { //nolint:errorlint // as the table returns it
				t.Fatal(err)
			}
			break
		}
		n++
	}
	if bytes := len(table.slots) * slotBytes; bytes > table.most || n < 1000 {
		t.Errorf("full with %d tokens in %d bytes", n, bytes)
	}
}

// Without a vocabulary, the errors are those of counting in memory.
func TestErrorsOfSpilledCounts(t *testing.T) {
	text := manyTokens(10_000)
	for _, o := range []Options{{MinCount: 1 << 30, Threads: 2}} {
		_, _, want := limited(t, text, o, 1<<40)
		_, _, got := limited(t, text, o, 200<<10)
		a, ok := errors.AsType[*RareError](want)
		b, also := errors.AsType[*RareError](got)
		if !ok || !also || *a != *b {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestSpillingWithoutRoom(t *testing.T) {
	folder := faults.Tmpfs(t, 1<<20)
	var text strings.Builder
	for i := range 400_000 {
		fmt.Fprintf(&text, "token%d\n", i)
	}
	src := corpus.Stream("text", strings.NewReader(text.String()), corpus.Options{})
	_, err := Count(t.Context(), src, Options{Threads: 1, Folder: folder, limit: 2 << 20})
	if err == nil || !strings.HasPrefix(err.Error(), folder+": counts for which there is no memory cannot be kept in this folder: ") {
		t.Errorf("error %v", err)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestInterruptedSpillingLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	src := corpus.Stream("text", strings.NewReader(manyTokens(100_000)), corpus.Options{})
	n := 0
	_, _, err := Index(ctx, src, Options{Threads: 1, limit: 200 << 10, Progress: func(uint64) {
		if n++; n == 3 {
			cancel()
		}
	}}, dir)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestMemoryIsChecked(t *testing.T) {
	_, err := Count(t.Context(), corpus.Stream("text", strings.NewReader("a"), corpus.Options{}), Options{Memory: 1})
	if want := "vocabulary: Memory is 1 bytes, must be 16777216 or more, or 0"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Long tokens that are on disk count as memory no longer.
func TestSpilledTokensAreTakenFromTheBudget(t *testing.T) {
	tokens := newTable(0, newSecret())
	w := newWorker(tokens, t.TempDir())
	defer w.close()
	b := &budget{have: 1 << 40}
	tokens.budget = b
	fill := func() int64 {
		for i := range 5000 {
			if _, err := tokens.add(fmt.Appendf(nil, "a token that is longer than a slot %d", i), 1); err != nil {
				t.Fatal(err)
			}
		}
		return b.taken.Load()
	}
	first := fill()
	for range 3 {
		if err := w.spill(); err != nil {
			t.Fatal(err)
		}
		if again := fill(); again > first {
			t.Fatalf("%d bytes are taken when the table is full again, and %d were the first time", again, first)
		}
	}
}

// An error names the folder, also if it is the system's.
func TestSpillingWithoutAFolder(t *testing.T) {
	folder := t.TempDir() + "/missing"
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder) // of Windows
	err := newWorker(newTable(0, newSecret()), "").spill()
	if err == nil || !strings.HasPrefix(err.Error(), folder+": ") {
		t.Errorf("counts without a folder: %v", err)
	}
}

// Merging ends with its context, too: of many tokens, it takes as long as reading them.
func TestInterruptedMerging(t *testing.T) {
	w := newWorker(newTable(0, newSecret()), t.TempDir())
	defer w.close()
	for i := range 3 * reportEvery {
		if _, err := w.tokens.add(fmt.Appendf(nil, "w%d", i), 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.spill(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	merged := 0
	c := &counts{workers: []*worker{w}, memory: 1 << 20}
	err := c.each(ctx, func([]byte, uint64) error {
		merged++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || merged > reportEvery {
		t.Errorf("%d tokens are merged after the context has ended, %v", merged, err)
	}
	if ids, err := c.final(ctx, &Vocab{table: newTable(0, newSecret())})(0, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("%d ids after the context has ended, %v", len(ids), err)
	}

	ctx, cancel = context.WithCancel(t.Context())
	var text strings.Builder
	for i := range 3 * reportEvery {
		fmt.Fprintf(&text, "w%d\n", i)
	}
	src := corpus.Stream("text", strings.NewReader(text.String()), corpus.Options{})
	yielded := 0
	defer cancel()
	for _, err = range Each(ctx, src, Options{Threads: 1, Folder: t.TempDir(), limit: 1 << 20}) {
		if err == nil {
			yielded++
		}
		cancel()
	}
	if !errors.Is(err, context.Canceled) || yielded > reportEvery {
		t.Errorf("%d tokens are handed out after the context has ended, %v", yielded, err)
	}
}

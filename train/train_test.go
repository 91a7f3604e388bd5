package train_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// sentences is a corpus in which words of one topic stand beside each other.
func sentences(n int) [][]string {
	random := rand.New(rand.NewPCG(1, 2))
	all := make([][]string, n)
	for i := range all {
		topic := random.IntN(5)
		for range 5 + random.IntN(10) {
			all[i] = append(all[i], fmt.Sprintf("Word%d-%d", topic, random.IntN(30)))
		}
	}
	return all
}

// textOf is the text with these sentences.
func textOf(sentences [][]string) string {
	var text strings.Builder
	for _, s := range sentences {
		text.WriteString(strings.Join(s, " ") + "\n")
	}
	return text.String()
}

func seqOf(sentences [][]string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		var reused []string
		for _, s := range sentences {
			if reused = append(reused[:0], s...); !yield(reused) {
				return
			}
		}
	}
}

// small are settings that train fast, the same bits every time.
func small() train.Settings {
	s := train.Defaults()
	s.Model.Dim, s.Model.Epochs, s.Model.Threads, s.Model.Sample, s.MinCount = 8, 3, 1, 0, 2
	return s
}

// encoded is a model as a native file.
func encoded(t *testing.T, set *vectors.Set) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := format.Encode(&file, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func run(t *testing.T, c train.Corpus, o train.Options) *train.Result {
	t.Helper()
	result, err := train.Run(t.Context(), c, o, train.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Whatever way the same sentences come in, they make the same bytes.
func TestCorporaMakeTheSameModel(t *testing.T) {
	all := sentences(3000)
	text := textOf(all)
	file := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		change func(*train.Settings)
	}{
		{"one thread", func(*train.Settings) {}},
		{"lower case", func(s *train.Settings) { s.Text.Lowercase = true }},
		{"deterministic, three threads", func(s *train.Settings) { s.Model.Deterministic, s.Model.Threads = true, 3 }},
		{"n-grams", func(s *train.Settings) { s.Model.Subword = subword.FastText{MinN: 3, MaxN: 4, Buckets: 1000} }},
	} {
		o := train.Options{Settings: small()}
		test.change(&o.Settings)
		want := encoded(t, run(t, train.Files(file), o).Vectors)
		for name, c := range map[string]train.Corpus{
			"a reader":             train.Reader("text", strings.NewReader(text)),
			"standard input":       train.FilesAndInput(strings.NewReader(text), "-"),
			"a file system":        train.FS(fstest.MapFS{"a/text.txt": {Data: []byte(text)}}, "a"),
			"sentences":            train.Sentences(all),
			"an iterator":          train.Seq(seqOf(all)),
			"an iterator of pairs": train.Seq2(func(yield func([]string, error) bool) { seqOf(all)(func(s []string) bool { return yield(s, nil) }) }),
		} {
			if got := encoded(t, run(t, c, o).Vectors); !bytes.Equal(got, want) {
				t.Errorf("%s: %s makes another model than a file", test.name, name)
			}
		}
	}
}

// A model goes to a file and to a writer, and is what the result has.
func TestModelsAreWritten(t *testing.T) {
	var writer bytes.Buffer
	o := train.Options{Settings: small(), Output: filepath.Join(t.TempDir(), "model.vec"), Writer: &writer}
	result := run(t, train.Sentences(sentences(300)), o)
	file, err := os.ReadFile(o.Output)
	if err != nil || !bytes.Equal(file, writer.Bytes()) || len(file) == 0 {
		t.Errorf("the file has %d bytes, %v, the writer has %d", len(file), err, writer.Len())
	}
	if !result.Complete || result.Output != o.Output || result.Format != format.Text || len(result.LeftOut) == 0 || result.Words != result.Vectors.Len() {
		t.Errorf("result %+v", result)
	}
	set, err := format.Read(&writer)
	if err != nil || set.Len() != result.Words {
		t.Errorf("%v of %d words were read", err, result.Words)
	}
}

// However long an iterator is, its sentences are not kept in memory.
func TestIteratorsTakeLittleMemory(t *testing.T) {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	most := uint64(0)
	words := make([]string, 1000)
	for i := range words {
		words[i] = fmt.Sprintf("word-%d-of-some-length", i)
	}
	long := train.Seq(func(yield func([]string) bool) {
		for i := range 100_000 {
			if i%10_000 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&now)
				most = max(most, now.HeapAlloc)
			}
			if at := i % 980; !yield(words[at : at+20]) {
				return
			}
		}
	})
	text, err := train.Read(t.Context(), long, small(), train.ReadOptions{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	if text.IDs.Tokens() != 2_000_000 || most > before.HeapAlloc+4<<20 {
		t.Errorf("%d tokens took %.1f MB", text.IDs.Tokens(), float64(most-before.HeapAlloc)/1e6)
	}
}

// Training starts from vectors of any reader, in any file system.
func TestVectorsOfReaders(t *testing.T) {
	first := run(t, train.Sentences(sentences(500)), train.Options{Settings: small()})
	fsys := fstest.MapFS{"old.w2v": {Data: encoded(t, first.Vectors)}}
	file, err := fsys.Open("old.w2v")
	if err != nil {
		t.Fatal(err)
	}
	set, err := format.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	o := train.Options{Init: train.Init{Vectors: set}, Settings: train.Settings{MinCount: 2}}
	known := 0
	result, err := train.Run(t.Context(), train.Sentences(sentences(500)), o, train.Hooks{Warm: func(w train.Warm) { known = w.Known }})
	if err != nil || known != result.Words || result.Vectors.Dim() != 8 {
		t.Errorf("%d of %d words are known, %v", known, result.Words, err)
	}
}

// A run that was interrupted goes on from its checkpoint and ends with the same bits.
func TestInterruptedRunsGoOn(t *testing.T) {
	all := sentences(2000)
	o := train.Options{Settings: small()}
	o.Settings.Model.Epochs = 20
	want := encoded(t, run(t, train.Sentences(all), o).Vectors)

	dir := t.TempDir()
	o.Checkpoint = train.Checkpoint{File: filepath.Join(dir, "run.ck"), Every: time.Hour}
	o.Output = filepath.Join(dir, "model.w2v")
	ctx, cancel := context.WithCancel(t.Context())
	stop := train.Hooks{Every: time.Millisecond, Progress: func(p sgns.Progress) {
		if p.Tokens > p.Total/10 {
			cancel()
		}
	}}
	result, err := train.Run(ctx, train.Sentences(all), o, stop)
	if !errors.Is(err, context.Canceled) || result == nil || result.Complete || !result.Resumable || result.Checkpoint != o.Checkpoint.File {
		t.Fatalf("%+v, %v", result, err)
	}
	if _, err := os.Stat(o.Output); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a model: %v", err)
	}
	var resumed *train.Resumed
	o.Settings, o.Checkpoint = train.Settings{}, train.Checkpoint{Resume: o.Checkpoint.File}
	result, err = train.Run(t.Context(), train.Sentences(all), o, train.Hooks{Plan: func(p train.Plan) { resumed = p.Resumed }})
	if err != nil || !result.Complete || resumed == nil || resumed.Tokens == 0 || resumed.Ended {
		t.Fatalf("%+v, %+v, %v", result, resumed, err)
	}
	if got, err := os.ReadFile(o.Output); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the run that went on ends with another model: %v", err)
	}

	// Its checkpoints are as far apart as before.
	if k, err := os.ReadFile(result.Checkpoint); err != nil || !bytes.Contains(k, []byte(`"checkpoint_every":"1h0m0s"`)) {
		t.Errorf("the run that went on forgot how far apart checkpoints are: %v", err)
	}

	// Another setting or another corpus is refused.
	o.Settings = train.Defaults()
	o.Settings.Model.Dim = 9
	_, err = train.Run(t.Context(), train.Sentences(all), o, train.Hooks{})
	if e, ok := errors.AsType[*train.OptionError](err); !ok || !strings.HasPrefix(e.Error(), "Settings.Model.Dim is 9, and the run in ") {
		t.Errorf("other dimensions: %v", err)
	}
	o.Settings = train.Settings{}
	_, err = train.Run(t.Context(), train.Sentences(all[1:]), o, train.Hooks{})
	if _, ok := errors.AsType[*sgns.MismatchError](err); !ok {
		t.Errorf("another corpus: %v", err)
	}
}

// Without a checkpoint, what is trained is saved beside a model that is there.
func TestInterruptedRunsAreSaved(t *testing.T) {
	dir := t.TempDir()
	output := filepath.Join(dir, "model.w2v")
	if err := os.WriteFile(output, []byte("an earlier model"), 0o666); err != nil {
		t.Fatal(err)
	}
	all := sentences(2000)
	for _, test := range []struct {
		name string
		gone bool // whoever wants it saved
		want string
	}{{"saved", false, "partial-model.w2v"}, {"given up", true, ""}} {
		ctx, cancel := context.WithCancel(t.Context())
		o := train.Options{Settings: small(), Output: output}
		o.Settings.Model.Epochs = 1000
		if test.gone {
			o.GiveUp = ctx.Done()
		}
		result, err := train.Run(ctx, train.Sentences(all), o, train.Hooks{Every: time.Millisecond, Progress: func(p sgns.Progress) {
			if p.Tokens > 0 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || result == nil {
			t.Fatalf("%s: %+v, %v", test.name, result, err)
		}
		if got := filepath.Base(result.Output); result.Output != "" && got != test.want || result.Output == "" && test.want != "" {
			t.Errorf("%s: it is %q, want %q", test.name, result.Output, test.want)
		}
	}
	if text, err := os.ReadFile(output); err != nil || string(text) != "an earlier model" {
		t.Errorf("the earlier model is %q, %v", text, err)
	}
}

// Errors name the options that help.
func TestErrorsNameOptions(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "text.txt")
	if err := os.WriteFile(there, []byte("a b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	few := train.Sentences([][]string{{"a", "b"}, {"a"}})
	for _, test := range []struct {
		name   string
		corpus train.Corpus
		o      train.Options
		want   string
	}{
		{"no corpus", train.Corpus{}, train.Options{}, "train: there is no corpus: "},
		{"no files", train.Files("missing.txt"), train.Options{}, "missing.txt: no such file"},
		{"rare tokens", few, train.Options{}, "the corpus: no token is seen 5 times"},
		{"too rare", few, train.Options{}, ": see Settings.MinCount"},
		{"an unknown extension", few, train.Options{Output: filepath.Join(dir, "m.xyz")}, `the extension ".xyz" is not known`},
		{"the same file twice", few, train.Options{Output: there, Vocabulary: train.Vocabulary{Save: there}, Format: format.Text}, "Output and Vocabulary.Save are the same file"},
		{"the corpus", train.Files(there), train.Options{Output: there, Format: format.Text}, "Output and the corpus are the same file"},
		{"no checkpoint", few, train.Options{Checkpoint: train.Checkpoint{File: there}}, "is not a checkpoint, and would be replaced by one: name another file with Checkpoint.File"},
		{"to extend nothing", few, train.Options{Checkpoint: train.Checkpoint{ExtendEpochs: 1}}, "Checkpoint.ExtendEpochs needs Checkpoint.Resume"},
		{"nothing to stop by", few, train.Options{Settings: train.Settings{Model: sgns.Config{Patience: 1}}}, "Settings.Model.Patience needs something to go by"},
		{"no set", few, train.Options{Evaluation: train.Evaluation{Sets: []train.Set{{}}}}, "Evaluation.Sets: a set is empty"},
		{"no vectors", few, train.Options{Init: train.Init{UpdateVocab: true}}, "Settings.Model.Freeze and Init.UpdateVocab need Init.File"},
	} {
		_, err := train.Run(t.Context(), test.corpus, test.o, train.Hooks{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %q in it", test.name, err, test.want)
		}
	}
}

// Tokens in memory may hold what separates tokens of a text.
func TestTokensMayHoldSpaces(t *testing.T) {
	s := small()
	s.MinCount = 1
	result := run(t, train.Sentences([][]string{{"New York", "Paris", "New York"}, {"Paris", "London"}}), train.Options{Settings: s})
	if _, ok := result.Vectors.ID("New York"); !ok || result.Words != 3 {
		t.Errorf("%d words, New York is there: %v", result.Words, ok)
	}
}

// dividedText writes a corpus for runs that divide the model.
func dividedText(t *testing.T) (folder, path string) {
	t.Helper()
	folder = t.TempDir()
	path = filepath.Join(folder, "corpus.txt")
	if err := os.WriteFile(path, []byte(textOf(sentences(2000))), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, path
}

// The first rank writes a divided model, which nobody has in memory.
func TestRunDivided(t *testing.T) {
	folder, path := dividedText(t)
	for _, n := range []int{2, 3} {
		output := filepath.Join(folder, fmt.Sprintf("%d.w2v", n))
		var written bytes.Buffer
		words := 0
		err := ranktest.Each(n, func(c cluster.Comm) error {
			o := train.Options{Settings: small(), Ranks: c, Divide: true, Output: output}
			o.Settings.Model.Deterministic = false
			if c.Rank() == 0 {
				o.Writer = &written
				o.Evaluation.Score = func(_ context.Context, s *vectors.Set) (float64, error) { words = s.Len(); return 1, nil }
			}
			result, err := train.Run(context.Background(), train.Files(path), o, train.Hooks{})
			if err == nil && (result.Vectors != nil || !result.Complete || (result.Output == output) != (c.Rank() == 0)) {
				t.Errorf("rank %d of %d: %+v", c.Rank(), n, result)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		set, err := format.Open(output)
		if err != nil {
			t.Fatal(err)
		}
		if set.Len() == 0 || set.Len() != words || set.Output().Rows != words {
			t.Errorf("%d ranks: %d words with %d output rows, and %d when they were scored", n, set.Len(), set.Output().Rows, words)
		}
		if file, err := os.ReadFile(output); err != nil || !bytes.Equal(file, written.Bytes()) {
			t.Errorf("%d ranks: the file is not what was written, %v", n, err)
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Where the model cannot be written, the other ranks do not wait for rows to be asked of them.
func TestDividedModelIsNotWritten(t *testing.T) {
	_, path := dividedText(t)
	broken := errors.New("broken")
	err := ranktest.Each(2, func(c cluster.Comm) error {
		o := train.Options{Settings: small(), Ranks: c, Divide: true}
		o.Settings.Model.Deterministic = false
		if c.Rank() == 0 {
			o.Writer = writerFunc(func([]byte) (int, error) { return 0, broken })
		}
		_, err := train.Run(context.Background(), train.Files(path), o, train.Hooks{})
		if errors.Is(err, broken) != (c.Rank() == 0) {
			return fmt.Errorf("rank %d: %v", c.Rank(), err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// What a divided model cannot have is refused on each rank, before anything is read.
func TestDividedRefuses(t *testing.T) {
	for want, change := range map[string]func(*train.Options){
		"Divide needs several ranks: start the program with mpirun -np 2 or more":                                                                    func(o *train.Options) { o.Ranks = nil },
		"the model cannot be divided over ranks: tied vectors have no output rows of their own: leave out Divide, and each rank has the whole model": func(o *train.Options) { o.Settings.Model.Tied = true },
		"Init.File is not possible with Divide: vectors to start from are read by one process":                                                       func(o *train.Options) { o.Init.File = "old.w2v" },
		"Evaluation.HeldOut is not possible with Divide: the rows of held-out words are not at hand":                                                 func(o *train.Options) { o.Evaluation.Fraction = 0.1 },
		"SyncBudget is not possible with Divide: a rank cannot train before the rows of its text have come: leave it out":                            func(o *train.Options) { o.SyncBudget = 1 },
	} {
		for _, comm := range ranktest.Local(2) {
			o := train.Options{Settings: train.Defaults(), Ranks: comm, Divide: true}
			change(&o)
			_, err := train.Run(context.Background(), train.Files("missing.txt"), o, train.Hooks{})
			if _, ok := errors.AsType[*train.OptionError](err); !ok || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		}
	}
}

// Vectors of other k-mers than those of the run are noted: with UpdateVocab, a model would silently have both.
func TestInitOfOtherKmers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.fa")
	if err := os.WriteFile(file, []byte(">a\n"+strings.Repeat("ACGTACGATTACAGGACCA", 100)+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	of := func(o kmers.Options) train.Corpus { return train.Kmers(nil, []string{file}, o, nil) }
	set := run(t, of(kmers.Options{K: 3}), train.Options{Settings: small()}).Vectors
	for _, c := range []struct {
		k    kmers.Options
		want string
	}{
		{kmers.Options{K: 3, Stride: 2}, ""},
		{kmers.Options{K: 4}, "was trained on 3-mers of dna, and this run is on 4-mers of dna"},
		{kmers.Options{K: 3, Canonical: true}, "and this run is on canonical 3-mers of dna"},
	} {
		var warm train.Warm
		o := train.Options{Settings: small(), Init: train.Init{Vectors: set, UpdateVocab: true}}
		if _, err := train.Run(t.Context(), of(c.k), o, train.Hooks{Warm: func(w train.Warm) { warm = w }}); err != nil {
			t.Fatal(err)
		}
		if notes := fmt.Sprint(warm.Notes); strings.Contains(notes, "words may not match") != (c.want != "") || !strings.Contains(notes, c.want) {
			t.Errorf("%+v: %s", c.k, notes)
		}
	}
}

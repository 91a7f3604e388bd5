package sgns

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// parameters are the matrices of a model, by what they are for, and which rows are frozen.
type parameters struct {
	input, output, directions, importance, projection, positions, runs vectors.Matrix
	table                                                              *rowtable.Table
	frozenInput, frozenOutput                                          []bool
}

func beginningOf(m *model.Model) parameters {
	p := parameters{table: m.Table}
	for of, rows := range m.Values.Owned() {
		switch {
		case of.Role == params.Input:
			p.input, p.frozenInput = rows, m.Values.Frozen(of.Name)
		case of.Role == params.Output:
			p.output, p.frozenOutput = rows, m.Values.Frozen(of.Name)
		case of.Projects:
			p.projection = rows
		default:
			*map[string]*vectors.Matrix{
				vectors.MatrixDirections: &p.directions, vectors.MatrixImportance: &p.importance, vectors.MatrixPositionWeights: &p.positions, vectors.MatrixWordNgrams: &p.runs,
			}[of.Name] = rows
		}
	}
	if p.output.Rows == 0 {
		p.output = m.Values.Matrix(model.OutputName)
	}
	return p
}

// begun returns what a run over these words begins with.
func begun(t testing.TB, words []string, from *vectors.Set, c Config) (*vectors.Set, parameters, Warm) {
	t.Helper()
	v, err := vocab.New(words, nil)
	if err != nil {
		t.Fatal(err)
	}
	return begunOver(t, v, from, c)
}

func begunOver(t testing.TB, v *vocab.Vocab, from *vectors.Set, c Config) (*vectors.Set, parameters, Warm) {
	t.Helper()
	of, err := config.VariantOf(c)
	if err != nil {
		t.Fatal(err)
	}
	s, err := warmstart.From(from, v, v, of)
	if err != nil {
		t.Fatal(err)
	}
	options := rowtable.Options{Separate: config.TuningOf(&c).SeparateRows}
	if s != nil {
		options.Marks = s.Marks
	}
	table := rowtable.New(v.Tokens(), c.Subword, options)
	m := model.New(of, v, v, table, step.Division{}, params.Allocate(of.Matrices(v.Len(), table.Rows(), table)))
	m.Values.Initialise(c.Seed)
	if s == nil {
		return modelOf(m, c), beginningOf(m), Warm{}
	}
	if err := s.Fill(m, c.Freeze); err != nil {
		t.Fatal(err)
	}
	return modelOf(m, c), beginningOf(m), s.Report(m, c)
}

func modelOf(m *model.Model, c Config) *vectors.Set {
	p := m.Parts(m.Values)
	p.Training = config.TrainingOf(c)
	return model.SetOf(p)
}

// near fails the test unless numbers are equal but for rounding.
func near(t testing.TB, what string, got, want []float32) {
	t.Helper()
	within(t, what, got, want, 1e-6)
}

// within is near with another tolerance.
func within(t testing.TB, what string, got, want []float32, tolerance float64) {
	t.Helper()
	for k := range want {
		if math.Abs(float64(got[k]-want[k])) > tolerance*(1+math.Abs(float64(want[k]))) {
			t.Fatalf("%s, number %d: %v, want %v", what, k, got[k], want[k])
		}
	}
}

func same(t testing.TB, what string, got, want []float32) {
	t.Helper()
	for k := range want {
		if math.Float32bits(got[k]) != math.Float32bits(want[k]) {
			t.Fatalf("%s, number %d: %v, want %v to the bit", what, k, got[k], want[k])
		}
	}
}

func vectorOf(s *vectors.Set, word string) []float32 {
	v := make([]float32, s.Dim())
	s.Vector(v, word)
	return v
}

// unheard are words that no text here has.
var unheard = []string{"bakers", "unheard-of", "ärow", "lamplight", "x", "rowing the boat"}

// models are sets of all kinds, by what they are.
func models(t *testing.T) map[string]*vectors.Set {
	t.Helper()
	text := sentences(200)
	sets := map[string]*vectors.Set{
		"words":                    train(t, text, small(func(c *Config) {})).Vectors,
		"n-grams":                  train(t, text, small(func(c *Config) { c.Subword = fastText })).Vectors,
		"n-grams with rows apart":  train(t, text, small(func(c *Config) { c.Subword, config.TuningOf(c).SeparateRows = fastText, true })).Vectors,
		"n-grams as in floret":     train(t, text, small(func(c *Config) { c.Subword = floret })).Vectors,
		"n-grams of few buckets":   train(t, text, small(func(c *Config) { c.Subword = subword.FastText{MinN: 1, MaxN: 4, Buckets: 30} })).Vectors,
		"n-grams by another table": train(t, text, small(func(c *Config) { c.Subword = subword.Finalfusion{MinN: 2, MaxN: 4, Exponent: 8} })).Vectors,
	}
	for _, file := range []string{
		"fasttext/skipgram.bin", "fasttext/cbow.bin", "fasttext/words.bin", "fasttext/quantised.ftz", "fasttext/pruned.ftz",
		"finalfusion/buckets.fifu", "finalfusion/explicit.fifu", "finalfusion/quantised-opq.fifu", "gensim/word2vec.bin",
	} {
		s, err := format.OpenStream(filepath.Join("..", "testdata", filepath.FromSlash(file)), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		sets[file] = s
	}
	return sets
}

// Whatever the vectors are, and whatever is trained: a known word starts as what it
// was, and so does its context vector; a new one starts as usual. Where n-grams are
// cut alike, words that are in no vocabulary are what they were.
func TestKnownWordsStartAsTheyWere(t *testing.T) {
	for name, from := range models(t) {
		all := from.Words().Strings()
		kinds := map[string]subword.Indexer{"words": nil, "fastText": fastText, "the same": from.Subword()}
		for kind, indexer := range kinds {
			for part, words := range map[string][]string{"all": all, "some": all[len(all)/3 : len(all)/2+2], "one": all[4:5]} {
				words = append(slices.Clone(words), "new", "anew", "tow")
				t.Run(name+" to "+kind+" of "+part, func(t *testing.T) {
					c := small(func(c *Config) { c.Dim, c.Subword = from.Dim(), indexer })
					got, p, warm := begun(t, words, from, c)
					usual, _, _ := begun(t, words, nil, c)
					if want := len(words) - 3; warm.Known != want || warm.Words != len(words) || warm.Left != len(all)-want {
						t.Errorf("%+v, want %d words known of %d", warm, want, len(words))
					}
					for id, word := range got.Words().All() {
						old, known := from.ID(word)
						if !known {
							if indexer == nil {
								same(t, word, got.Input().Row(id), usual.Input().Row(id))
							}
							same(t, "context of "+word, got.Output().Row(id), make([]float32, c.Dim))
							continue
						}
						near(t, word, vectorOf(got, word), vectorOf(from, word))
						if from.Output().Rows > 0 {
							same(t, "context of "+word, got.Output().Row(id), from.Output().Row(old))
						}
					}
					if warm.Context != (from.Output().Rows > 0) {
						t.Errorf("%+v, and there are %d context vectors", warm, from.Output().Rows)
					}
					cut := indexer != nil && subword.Same(indexer, from.Subword())
					if warm.Composed != (from.Subword() != nil && !cut) {
						t.Errorf("%+v, and the n-grams are cut alike: %v", warm, cut)
					}
					if !cut {
						if warm.Ngrams != 0 || warm.Kept != 0 {
							t.Errorf("%+v, and n-grams are not cut alike", warm)
						}
						return
					}
					trained := 0
					for b := range indexer.Rows() {
						if row := from.BucketVector(uint32(b)); row != nil && !isZero(row) {
							trained++
							same(t, fmt.Sprintf("bucket %d", b), got.BucketVector(uint32(b)), row)
						}
					}
					if warm.Ngrams != trained {
						t.Errorf("%+v, and %d buckets were trained", warm, trained)
					}
					if p.table.Rows() > p.table.Used() != (warm.Kept > 0) {
						t.Errorf("%+v, and there are %d rows, of which words use %d", warm, p.table.Rows(), p.table.Used())
					}
					for _, word := range unheard {
						if _, ok := from.ID(word); ok {
							continue
						}
						near(t, word, vectorOf(got, word), vectorOf(from, word))
					}
				})
			}
		}
	}
}

func isZero(row []float32) bool {
	return !slices.ContainsFunc(row, func(x float32) bool { return x != 0 })
}

// Every format that can be read can be started from.
func TestWarmStartFromEveryFormat(t *testing.T) {
	text := sentences(100)
	for _, config := range []Config{
		small(func(c *Config) {}),
		small(func(c *Config) { c.Subword = fastText }),
		small(func(c *Config) { c.Subword = floret }),
	} {
		m := train(t, text, config).Vectors
		for _, f := range format.All() {
			can, err := format.Describe(f)
			if err != nil {
				t.Fatal(err)
			}
			if !can.Read || !can.Write || format.CheckSubword(m.Subword(), m.Composition(), f) != nil {
				continue
			}
			path := filepath.Join(t.TempDir(), "model")
			if err := format.Write(t.Context(), path, m, f); err != nil {
				t.Errorf("%s: %v", f, err)
				continue
			}
			from, err := format.OpenStream(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer from.Close()
			pieces := m.Composition() == subword.Pieces
			if pieces && from.Subword() == nil { // files of words alone cannot start such a table
				continue
			}
			got, _, warm := begun(t, append(m.Words().Strings(), "new"), from, config)
			if warm.Known != from.Len() || from.Len() != m.Len() && !pieces || warm.Context != can.Keeps.Context {
				t.Errorf("%s: %+v", f, warm)
			}
			for _, word := range append(unheard, "arow", "the", "jglass") {
				if _, ok := from.ID(word); !ok && from.Subword() == nil {
					continue
				}
				near(t, string(f)+": "+word, vectorOf(got, word), vectorOf(from, word))
			}
			if config.Subword == fastText && can.Keeps.Subwords && warm.Ngrams == 0 && f != format.Finalfusion {
				t.Errorf("%s: %+v: n-grams are there, and none was taken", f, warm)
			}
		}
	}
}

// Rows that started as different vectors stay apart, and all that is left to share is
// exact: training goes the same way.
func TestWarmRunsTrainTheSameVectorsHoweverRowsAreShared(t *testing.T) {
	from, err := format.Open(filepath.Join("..", "testdata", "fasttext", "skipgram.bin"))
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "toy.txt"))
	if err != nil {
		t.Fatal(err)
	}
	c := small(func(c *Config) { c.Dim, c.Subword, c.Sample = from.Dim(), from.Subword(), 0 })
	v, ids := indexed(t, string(text))
	warm := func() *vectors.Set {
		m, err := Train(t.Context(), Data{IDs: ids, Vocab: v, Init: from}, c, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		return m.Vectors
	}
	shared := warm()
	config.TuningOf(&c).SeparateRows = true
	apart := warm()
	if shared.Input().Rows > apart.Input().Rows {
		t.Errorf("%d rows shared, %d apart", shared.Input().Rows, apart.Input().Rows)
	}
	for _, word := range append(shared.Words().Strings(), unheard...) {
		a, b := vectorOf(shared, word), vectorOf(apart, word)
		for k := range a {
			if math.Abs(float64(a[k]-b[k])) > 3e-4*(1+math.Abs(float64(b[k]))) {
				t.Fatalf("%s, number %d: %v with rows shared, %v apart", word, k, a[k], b[k])
			}
		}
	}
}

// N-grams that no word of the text has are what they were after training too, and so
// are the words that are made of them alone.
func TestUnusedNgramsAreKept(t *testing.T) {
	from := train(t, "walking talking walked talked baking baked\n"+strings.Repeat("walking talked baking\n", 50),
		small(func(c *Config) { c.Subword, c.Sample = subword.FastText{MinN: 3, MaxN: 5, Buckets: 100_000}, 0 })).Vectors
	v, ids := indexed(t, strings.Repeat("blue green walked\n", 50))
	c := small(func(c *Config) { c.Subword, c.Sample = from.Subword(), 0 })
	var warm Warm
	m, err := Train(t.Context(), Data{IDs: ids, Vocab: v, Init: from}, c, Hooks{Warm: func(w Warm) { warm = w }})
	if err != nil {
		t.Fatal(err)
	}
	if warm.Known != 1 || warm.Left != 5 || warm.Kept == 0 || warm.Ngrams <= warm.Kept {
		t.Errorf("%+v", warm)
	}
	for _, word := range []string{"baki", "taki"} {
		same(t, word, vectorOf(m.Vectors, word), vectorOf(from, word))
		if isZero(vectorOf(from, word)) {
			t.Errorf("%q is zeros, which tests nothing", word)
		}
	}
	if slices.Equal(vectorOf(m.Vectors, "walked"), vectorOf(from, "walked")) {
		t.Error("a word of the text was not trained")
	}
}

// A new word's n-grams start as what is known of them: the mean of the words that
// have them, if n-grams themselves were not trained.
func TestNgramsStartAsTheMeanOfTheirWords(t *testing.T) {
	from, err := format.Read(strings.NewReader("walking 1 0\ntalking 0 1\nother 5 5\n"))
	if err != nil {
		t.Fatal(err)
	}
	c := small(func(c *Config) { c.Dim, c.Subword = 2, subword.FastText{MinN: 5, MaxN: 5, Buckets: 1_000_000} })
	got, _, _ := begun(t, []string{"walking", "talking", "other", "new"}, from, c)
	for ngram, want := range map[string][]float32{"lking": {0.5, 0.5}, "<talk": {0, 1}} {
		b := bucketOf(c.Subword, ngram)
		if ngram == "<talk" { // one row with the word's own and its other n-grams: more than the mean is in it
			if got.BucketRows()[b] != int32(got.WordRows()[slices.Index(got.Words().Strings(), "talking")]) {
				t.Errorf("%s has row %d, want that of its only word", ngram, got.BucketRows()[b])
			}
			continue
		}
		near(t, ngram, got.BucketVector(b), want)
	}
	// "</s>" has no n-grams: its own row is all there is.
	for word, want := range map[string][]float32{"walking": {1, 0}, "talking": {0, 1}, "other": {5, 5}} {
		near(t, word, vectorOf(got, word), want)
	}
}

// bucketOf returns the bucket of an n-gram that is not at the end of a word.
func bucketOf(indexer subword.Indexer, ngram string) uint32 {
	word := strings.TrimPrefix(ngram, "<") + "x"
	at := slices.Index(indexer.Ngrams(word), ngram)
	return indexer.Append(nil, word)[at]
}

// ending returns the bucket of an n-gram of two at the end of a word.
func ending(indexer subword.Indexer, ngram string) uint32 {
	word := "x" + strings.TrimSuffix(ngram, ">")
	return indexer.Append(nil, word)[slices.Index(indexer.Ngrams(word), ngram)]
}

func TestOfEqualWordsTheFirstCounts(t *testing.T) {
	from, err := format.Read(strings.NewReader("4 1\na 1\nb 2\na 3\nc 4\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, _, warm := begun(t, []string{"a", "b"}, from, small(func(c *Config) { c.Dim = 1 }))
	same(t, "a", vectorOf(got, "a"), []float32{1})
	if warm.Known != 2 || warm.Left != 1 {
		t.Errorf("%+v, want 2 known and 1 left", warm)
	}
}

func TestWhatCannotBeStartedFrom(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	good := func() *vectors.Set {
		s := train(t, "aa ba ca\naa ba ca\n", small(func(c *Config) { c.Subword, c.Sample = fastText, 0 })).Vectors
		return changedSet(s, func(p *vectors.Parts) { p.Counts = slices.Clone(p.Counts) })
	}
	for name, test := range map[string]struct {
		change func(s *vectors.Set)
		config func(c *Config)
		words  string
		err    string
	}{
		"dimensions":              {config: func(c *Config) { c.Dim = 10 }, err: "20 dimensions, and 10 are to be trained: train 20, or take vectors of 10"},
		"not valid":               {change: func(s *vectors.Set) { s.WordRows()[2] = 1 << 20 }, err: "not a valid model: word 2 has input row 1048576 of "},
		"own row":                 {change: func(s *vectors.Set) { s.Input().Row(int(s.WordRows()[1]))[3] = nan }, err: `the vector of "ba" has a number that is not finite`},
		"bucket":                  {change: func(s *vectors.Set) { s.Input().Row(int(s.BucketRows()[ending(s.Subword(), "a>")]))[3] = inf }, words: "xa xb", err: "the vector of n-gram bucket "},
		"composed":                {change: func(s *vectors.Set) { s.Input().Row(int(s.WordRows()[2]))[0] = -inf }, config: func(c *Config) { c.Subword = nil }, err: `the vector of "ca" has a number that is not finite`},
		"context":                 {change: func(s *vectors.Set) { s.Output().Row(0)[0] = nan }, err: `the context vector of "aa" has a number that is not finite`},
		"nothing known":           {config: func(c *Config) { c.Subword = nil }, words: "x y", err: "none of the 2 words of the vocabulary is among its 3: was its text cut and lower-cased in another way?"},
		"all frozen":              {config: func(c *Config) { c.Freeze = FreezeKnown }, err: "all 3 words of the vocabulary are known and frozen, so there is nothing to train"},
		"unheard-of way of frost": {config: func(c *Config) { c.Freeze = "some" }, err: `sgns: freeze: "some" is not known; "known" is`},
	} {
		s := good()
		if test.change != nil {
			test.change(s)
		}
		c := small(func(c *Config) { c.Subword, c.Sample = fastText, 0 })
		if test.config != nil {
			test.config(&c)
		}
		words := "aa ba ca\n"
		if test.words != "" {
			words = test.words + "\n"
		}
		v, ids := indexed(t, strings.Repeat(words, 3))
		_, err := Train(t.Context(), Data{IDs: ids, Vocab: v, Init: s}, c, Hooks{})
		if err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q", name, err, test.err)
		}
		if _, ok := errors.AsType[*InitError](err); ok != !strings.Contains(test.err, "sgns:") {
			t.Errorf("%s: error of type %T", name, err)
		}
	}
	v, ids := indexed(t, "a b c\n")
	_, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, small(func(c *Config) { c.Freeze = FreezeKnown }), Hooks{})
	if want := "sgns: there are no vectors to start from that could be frozen"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Every row that a known word is made of is frozen, and no other.
func TestWhatIsFrozen(t *testing.T) {
	for name, c := range map[string]Config{
		"words":   small(func(c *Config) { c.Freeze = FreezeKnown }),
		"n-grams": small(func(c *Config) { c.Freeze, c.Subword = FreezeKnown, fastText }),
		"CBOW":    small(func(c *Config) { c.Freeze, c.Arch = FreezeKnown, CBOW }),
	} {
		text := sentences(100)
		from := train(t, text, small(func(d *Config) { d.Subword = c.Subword })).Vectors
		got, p, _ := begun(t, []string{"arow", "browx", "the", "zzz"}, from, c)
		frozen := map[uint32]bool{}
		for id, word := range got.Words().All() {
			known := word == "arow" || word == "the"
			if p.frozenOutput[id] != known {
				t.Errorf("%s: the context vector of %s is frozen: %v", name, word, p.frozenOutput[id])
			}
			rows, _ := p.table.Of(uint32(id))
			for _, r := range rows {
				frozen[r] = frozen[r] || known
			}
		}
		for r := range p.input.Rows {
			if p.frozenInput[r] != frozen[uint32(r)] {
				t.Errorf("%s: row %d is frozen: %v", name, r, p.frozenInput[r])
			}
		}
		from = changedSet(from, func(p *vectors.Parts) { p.Output = vectors.Matrix{} })
		if _, p, _ = begun(t, []string{"arow", "zzz"}, from, c); p.frozenOutput != nil {
			t.Errorf("%s: context vectors that did not come with words are frozen", name)
		}
		c.Freeze = FreezeNone
		if _, p, _ = begun(t, []string{"arow", "zzz"}, from, c); p.frozenInput != nil {
			t.Errorf("%s: rows are frozen that need not be", name)
		}
	}
}

// What is frozen is the same after training, to the bit, and the rest is trained.
func TestFrozenWordsStay(t *testing.T) {
	old, text := sentences(100), strings.ReplaceAll(sentences(200), "arow", "newrow")
	for name, kind := range map[string]struct {
		arch    Arch
		indexer subword.Indexer
	}{
		"words": {}, "n-grams": {indexer: fastText}, "n-grams that differ": {indexer: floret},
		"CBOW": {arch: CBOW}, "CBOW of n-grams": {CBOW, fastText}, "CBOW of n-grams that differ": {CBOW, floret},
	} {
		indexer := kind.indexer
		from := train(t, old, small(func(c *Config) { c.Subword = indexer })).Vectors
		for _, threads := range []int{1, 4} {
			c := small(func(c *Config) { c.Freeze, c.Threads, c.Subword, c.Arch = FreezeKnown, threads, indexer, kind.arch })
			if indexer == floret {
				c.Subword = fastText
			}
			v, ids := indexed(t, text)
			before, _, _ := begunOver(t, v, from, c)
			m, err := Train(t.Context(), Data{IDs: ids, Vocab: v, Init: from}, c, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			for id, word := range m.Vectors.Words().All() {
				was, now := vectorOf(before, word), vectorOf(m.Vectors, word)
				old, known := from.ID(word)
				if !known {
					if slices.Equal(was, now) || isZero(m.Vectors.Output().Row(id)) {
						t.Errorf("%s: %s was not trained", name, word)
					}
					continue
				}
				same(t, word, now, was)
				same(t, "context of "+word, m.Vectors.Output().Row(id), before.Output().Row(id))
				if indexer != floret {
					same(t, word, now, vectorOf(from, word))
				}
				same(t, "context of "+word, m.Vectors.Output().Row(id), from.Output().Row(old))
			}
		}
	}
}

// What was learned of one text helps with another, of which there is little.
func TestWarmStartIsBetterThanACold(t *testing.T) {
	read := func(tokens int, seed uint64) string {
		text, err := io.ReadAll(demo.Corpus(tokens, seed))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	large, little := read(15000, 1), read(500, 2)
	for name, indexer := range map[string]subword.Indexer{"words": nil, "n-grams": subword.FastText{MinN: 3, MaxN: 6, Buckets: 20_000}} {
		from := train(t, large, small(func(c *Config) { c.Epochs, c.Subword = 2, indexer })).Vectors
		c := small(func(c *Config) { c.Epochs, c.Subword = 1, indexer })
		v, ids := indexed(t, little)
		cold, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		warm, err := Train(t.Context(), Data{IDs: ids, Vocab: v, Init: from}, c, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		a, b := cold.Progress.Loss, warm.Progress.Loss
		t.Logf("%s: loss %.3f cold, %.3f warm", name, a, b)
		if !(b < 0.8*a) {
			t.Errorf("%s: loss %.3f cold, %.3f warm", name, a, b)
		}
	}
}

// Tokens add up from run to run.
func TestTrainedTokensAddUp(t *testing.T) {
	v, ids := indexed(t, sentences(50))
	c := small(func(c *Config) { c.Epochs = 2 })
	var from *vectors.Set
	for run := range uint64(3) {
		m, err := Train(t.Context(), Data{IDs: ids, Vocab: v, Init: from}, c, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		from = m.Vectors
		if want := (run + 1) * 2 * ids.Tokens(); from.Training().Uint("trained") != want {
			t.Errorf("run %d: %d tokens trained, want %d", run, from.Training().Uint("trained"), want)
		}
	}
}

package train

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/phrases"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
	"github.com/w2v-go/w2v/vocab"
)

// A Corpus is what vectors are trained on: text in files or from a reader, or sentences of tokens.
// Files, FS, Reader, Sentences, Seq and Seq2 make one. Run reads it once, however many epochs there
// are, and keeps it in a file of about 2 bytes per token: see Options.Cache and Options.NoCache.
type Corpus struct {
	open  opener
	name  string         // in messages
	stdin io.Reader      // nil if the corpus does not read it
	made  string         // what the sentences are made of, if not of text
	kmers *kmers.Options // of sequences; nil for other corpora
	lists bool           // sentences are lists of tokens in memory: no option says where text is

	walks *walked // of random walks; nil for other corpora

	fresh  bool // every epoch has sentences of its own
	epochs int  // that a fresh corpus has; 0 means 1
}

// An opener opens a corpus. Random sentences are drawn with the seed, anew in each epoch.
type opener func(ctx context.Context, seed uint64, epochs int, o corpus.Options) (*corpus.Source, error)

func fixed(open func(corpus.Options) (*corpus.Source, error)) opener {
	return func(_ context.Context, _ uint64, _ int, o corpus.Options) (*corpus.Source, error) { return open(o) }
}

// Files is the corpus in files, directories and globs, in the order given; "-" is standard input.
// Formats are told apart by content; a newline ends a sentence. Package corpus has the details.
func Files(names ...string) Corpus { return FilesAndInput(os.Stdin, names...) }

// FilesAndInput is Files with another reader for the name "-".
func FilesAndInput(stdin io.Reader, names ...string) Corpus {
	return derived("", stdin, names, func(ctx context.Context, _ uint64, _ int, o corpus.Options) (*corpus.Source, error) {
		return corpus.FilesContext(ctx, names, stdin, o)
	})
}

// FS is Files in a file system; "." is all of it.
func FS(fsys fs.FS, names ...string) Corpus {
	return Corpus{name: strings.Join(names, ", "), open: fixed(func(o corpus.Options) (*corpus.Source, error) { return corpus.FS(fsys, names, o) })}
}

// Reader is the text that r reads, which may be compressed. Messages call it name.
func Reader(name string, r io.Reader) Corpus {
	return Corpus{name: name, open: fixed(func(o corpus.Options) (*corpus.Source, error) { return corpus.Stream(name, r, o), nil })}
}

const sentencesName = "the corpus"

// Sentences is a corpus in memory. No tokenizer cuts its tokens; settings that change tokens apply to them, also those
// of vectors to start from.
func Sentences(sentences [][]string) Corpus {
	return Corpus{name: sentencesName, lists: true, open: fixed(func(o corpus.Options) (*corpus.Source, error) {
		return corpus.Sentences(sentencesName, sentences, o), nil
	})}
}

// Seq is the sentences that an iterator yields. It is called once, and may reuse the slice
// that it yields. Seq and Seq2 panic if the iterator is nil.
func Seq(seq iter.Seq[[]string]) Corpus {
	if seq == nil {
		panic("train: Seq of a nil iterator")
	}
	return Seq2(func(yield func([]string, error) bool) {
		for sentence := range seq {
			if !yield(sentence, nil) {
				return
			}
		}
	})
}

// Seq2 is Seq for an iterator that may fail: its first error ends the run.
func Seq2(seq iter.Seq2[[]string, error]) Corpus {
	if seq == nil {
		panic("train: Seq2 of a nil iterator")
	}
	return Corpus{name: sentencesName, lists: true, open: fixed(func(o corpus.Options) (*corpus.Source, error) { return corpus.Seq(sentencesName, seq, o), nil })}
}

// Through returns the corpus with a stage that changes tokens: see corpus.Source.Through.
func (c Corpus) Through(stage func() corpus.Stage) Corpus {
	if open := c.open; open != nil {
		c.open = func(ctx context.Context, seed uint64, epochs int, o corpus.Options) (*corpus.Source, error) {
			src, err := open(ctx, seed, epochs, o)
			if err != nil {
				return nil, err
			}
			return src.Through(stage), nil
		}
	}
	return c
}

func (c Corpus) source(ctx context.Context, seed uint64, o corpus.Options) (*corpus.Source, error) {
	if c.open == nil {
		return nil, errors.New("train: there is no corpus: Files, Reader, Sentences and others make one")
	}
	return c.open(ctx, seed, max(1, c.epochs), o)
}

// Paths returns the files of the corpus, in order, without reading them; none if it has none.
func (c Corpus) Paths(ctx context.Context, o corpus.Options) ([]string, error) {
	src, err := c.source(ctx, 0, o)
	if err != nil {
		return nil, err
	}
	return src.Files(), nil
}

// input names what the sentences are made of, for checkpoints.
func (c Corpus) input() string { return cmp.Or(c.made, textInput) }

const textInput = "text"

func (c Corpus) isZero() bool { return c.open == nil }

// Walks is the corpus of random walks over a graph. The names are edge lists, given as in Files, or
// one stored graph; "-" is stdin. If walks.Seed is 0, the walks use the seed of the run; a resumed
// run takes it from the checkpoint. Every epoch has the same walks.
func Walks(stdin io.Reader, names []string, read graph.ReadOptions, walks graph.WalkOptions) Corpus {
	c := derived("random walks over a graph", stdin, names, func(ctx context.Context, seed uint64, epochs int, _ corpus.Options) (*corpus.Source, error) {
		of := walks
		of.Seed = cmp.Or(walks.Seed, seed)
		if epochs > 1 {
			of.PerNode = epochs * cmp.Or(walks.PerNode, graph.DefaultPerNode)
		}
		return graph.Corpus(ctx, names, stdin, read, of)
	})
	c.walks = &walked{names, read, walks}
	return c
}

// walked is what random walks are made of.
type walked struct {
	names []string
	read  graph.ReadOptions
	walks graph.WalkOptions
}

// FreshWalks is Walks with new walks in every epoch. Run and Bootstrap train one epoch that holds
// the walks of all epochs; the learning rate falls as it would over all epochs.
func FreshWalks(stdin io.Reader, names []string, read graph.ReadOptions, walks graph.WalkOptions) Corpus {
	c := Walks(stdin, names, read, walks)
	c.fresh = true
	return c
}

// withFreshEpochs returns the corpus of a run with these settings, and completes the settings.
func (c Corpus) withFreshEpochs(s *Settings) (Corpus, error) {
	if !c.fresh {
		return c, nil
	}
	if s.Model.Counts() {
		return c, optionErrorf("%v is not possible with %v: it passes over the counts of one set of walks in every epoch; draw more walks", name("fresh-walks"), name("loss").to(string(s.Model.Loss)))
	}
	c.epochs = cmp.Or(s.Model.Epochs, sgns.UsualEpochs) // the walks are drawn before the corpus is counted
	return c, s.Set("epochs", "1")
}

// Kmers is the corpus of the k-mers in the sequences of FASTA or FASTQ files, given as in Files.
// Done, if not nil, is called after each file.
func Kmers(stdin io.Reader, names []string, o kmers.Options, done func(name string, s kmers.Stats)) Corpus {
	return FilesAndInput(stdin, names...).sequences(o, done)
}

func nameOfKmers(o kmers.Options) string {
	name := fmt.Sprintf("%d-mers of %s", o.K, cmp.Or(o.Alphabet, kmers.DNA))
	if o.Canonical {
		return "canonical " + name
	}
	return name
}

// sequences returns the corpus of the k-mers of c, which is sequences.
func (c Corpus) sequences(o kmers.Options, done func(name string, s kmers.Stats)) Corpus {
	c.kmers, c.made = &o, nameOfKmers(o)
	open := c.open
	c.open = func(ctx context.Context, seed uint64, epochs int, text corpus.Options) (*corpus.Source, error) {
		source, err := open(ctx, seed, epochs, text)
		if err != nil {
			return nil, err
		}
		return kmers.Source(source, o, done)
	}
	return c
}

func derived(made string, stdin io.Reader, names []string, open opener) Corpus {
	c := Corpus{name: strings.Join(names, ", "), open: open, made: made}
	if slices.Contains(names, "-") {
		c.stdin = stdin
	}
	return c
}

// A Text is a corpus that has been read and counted. Train may be called more than once.
type Text struct {
	Vocab   *vocab.Vocab
	IDs     *vocab.IDs     // of the rank's part of the corpus
	Tokens  uint64         // of the whole corpus, on all ranks
	Layout  corpus.Layout  // what the corpus looks like
	Sample  corpus.Sample  // of the corpus, to try advice on; empty if the corpus was not read
	TooLong corpus.TooLong // tokens that were left out because they are too long
	Empty   corpus.Empty   // empty inputs, if others have text
	Took    time.Duration  // time to read and count
	Phrases *phrases.Table // joined phrases; nil if phrases are not joined

	name     string
	settings Settings
	derived  bool // sentences are made of something else than text: of walks or k-mers
}

// EpochsFor returns how many epochs a run with a configuration has that leaves Epochs 0: as many as suit the size
// of the corpus, or sgns.UsualEpochs if it is walks or k-mers.
func (t *Text) EpochsFor(c sgns.Config) int { return t.epochsFor(c, t.Tokens) }

func (t *Text) epochsFor(c sgns.Config, tokens uint64) int {
	if t.derived && !c.Counts() {
		return sgns.UsualEpochs
	}
	return c.EpochsFor(tokens)
}

// ReadOptions say how Read reads. The zero value works.
type ReadOptions struct {
	Cache   string              // see Options.Cache
	NoCache bool                // see Options.NoCache
	Memory  uint64              // see Options.VocabMemory
	Force   bool                // read even if memory or disk seems too small
	Note    func(text string)   // receives what the user should know about the cache
	Reading func(tokens uint64) // called now and then, from several goroutines, with the tokens read so far

	fixed, known *vocab.Vocab // see vocab.Options
	ranks        cluster.Comm // see vocab.Options
	derived      bool         // see Text
}

// Read reads and counts a corpus as Run does, to train more than once. Close the Text.
func Read(ctx context.Context, c Corpus, s Settings, o ReadOptions) (*Text, error) {
	s = s.orDefaults()
	s.kmers, o.derived = c.kmers, c.input() != textInput
	src, err := c.source(ctx, s.Model.Seed, s.Text)
	if err != nil {
		return nil, err
	}
	t, err := readSource(ctx, src, s, o)
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (o ReadOptions) index(s Settings) vocab.Options {
	return vocab.Options{Threads: s.Model.Threads, Fixed: o.fixed, Memory: o.Memory, Keep: o.Cache, NoCache: o.NoCache, Force: o.Force, Note: o.Note}
}

// readSource is Read of an open corpus. With an error it returns what is known of the corpus.
func readSource(ctx context.Context, src *corpus.Source, s Settings, o ReadOptions) (*Text, error) {
	t := &Text{name: src.Name(), settings: s, derived: o.derived}
	start := time.Now()
	s.Phrases.Memory, s.Phrases.Folder = o.Memory, o.Cache
	joined, table, err := s.JoinPhrases(ctx, src, o.Reading)
	if err != nil {
		return t, err
	}
	t.Phrases, t.settings.joined = table, table
	if err := t.settings.pipeline().Describe(new(vectors.Training)); err != nil {
		return t, err
	}
	kept := false
	index := o.index(s)
	index.MinCount, index.MaxVocab, index.Known, index.Ranks, index.Progress = s.MinCount, s.MaxVocab, o.known, o.ranks, o.Reading
	index.Reused = func(layout corpus.Layout) { kept, t.Layout = true, layout }
	index.TooLong = func(left corpus.TooLong) { t.TooLong = left }
	index.Empty = func(empty corpus.Empty) { t.Empty = empty }
	t.Vocab, t.IDs, err = vocab.Index(ctx, joined, index, o.Cache)
	t.Took = time.Since(start)
	if ctx.Err() == nil {
		if t.Sample = src.Sample(); !kept {
			t.Layout = t.Sample.Layout(s.Text)
		}
	}
	if err != nil {
		return t, explainReading(err)
	}
	if t.Tokens, err = tokensOfAll(ctx, o.ranks, t.IDs); err != nil {
		return t, errors.Join(err, t.IDs.Close())
	}
	return t, nil
}

func explainReading(err error) error {
	if _, ok := errors.AsType[*vocab.RareError](err); ok {
		return errorf("%v: see %v", err, name("min-count"))
	}
	if _, ok := errors.AsType[*vocab.MemoryError](err); ok {
		return errorf("%v: %v and %v need less, or there has to be more memory (%v and %v drop tokens only after all are counted); %v tries anyway",
			err, name("threads").to(1), name("lowercase"), name("min-count"), name("max-vocab"), name("force"))
	}
	return err
}

// Train trains on the text. The model says how the text was read. Its words are in the order of the
// vocabulary, also with a tokenizer.json: only Run puts rows in the order of the file.
func (t *Text) Train(ctx context.Context, c sgns.Config, h sgns.Hooks) (*sgns.Model, error) {
	s := t.settings
	if c.Epochs == 0 {
		c.Epochs, s.autoEpochs = t.EpochsFor(c), true
	}
	model, err := sgns.Train(ctx, sgns.Data{IDs: t.IDs, Vocab: t.Vocab}, c, h)
	if model != nil {
		model.Vectors = s.described(model.Vectors)
	}
	return model, err
}

// Describe adds to a model's training record how the text was read.
func (t *Text) Describe(to *vectors.Training) { t.settings.Describe(to) }

// Close releases the ids of the corpus.
func (t *Text) Close() error {
	if t.IDs == nil {
		return nil
	}
	return t.IDs.Close()
}

func (s *Settings) described(set *vectors.Set) *vectors.Set {
	t := set.Training()
	s.Describe(&t)
	return set.WithTraining(t)
}

// cutting is the setting for how text is cut: a tokenizer, or the path of a tokenizer.json.
type cutting struct{ options *corpus.Options }

// Set takes a name or a path. A file is read later.
func (c *cutting) Set(text string) error {
	file, isFile := corpus.TokenizerFileNamed(text)
	if !isFile && strings.HasSuffix(text, ".json") {
		file, isFile = corpus.NewTokenizerFile(text), true
	}
	if isFile {
		c.options.File, c.options.Tokenizer = file, corpus.Whitespace
		return nil
	}
	var t corpus.Tokenizer
	if t.UnmarshalText([]byte(text)) != nil {
		names := wording.Map(corpus.Tokenizers(), corpus.Tokenizer.String)
		return fmt.Errorf("is not %s, nor the path of a tokenizer.json", setting.Or(names))
	}
	c.options.File, c.options.Tokenizer = nil, t
	return nil
}

func (c *cutting) String() string {
	if c.options.File != nil {
		return c.options.File.String()
	}
	return c.options.Tokenizer.String()
}

func (c *cutting) Type() string { return "name" }

func (c *cutting) MarshalText() ([]byte, error) {
	if c.options.File == nil {
		return c.options.Tokenizer.MarshalText()
	}
	return []byte(c.String()), nil
}

func (c *cutting) UnmarshalText(text []byte) error { return c.Set(string(text)) }

func (c *cutting) Copy(from any) {
	o := from.(*cutting).options
	c.options.File, c.options.Tokenizer = o.File, o.Tokenizer
}

// lowercase is the setting for lower case: true, false, or the language whose rules apply.
type lowercase struct{ options *corpus.Options }

func (l *lowercase) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		l.options.Lowercase, l.options.Language = on, ""
		return nil
	}
	if known := corpus.Languages(); !slices.Contains(known, text) {
		return fmt.Errorf("is not true, false, %s: other languages have no rules of their own", setting.Or(known))
	}
	l.options.Lowercase, l.options.Language = true, text
	return nil
}

func (l *lowercase) String() string {
	if l.options.Language != "" {
		return l.options.Language
	}
	return strconv.FormatBool(l.options.Lowercase)
}

func (l *lowercase) Type() string { return "bool" }

// MarshalJSON returns true or false, as in versions without languages, or the language.
func (l *lowercase) MarshalJSON() ([]byte, error) {
	if l.options.Language != "" {
		return json.Marshal(l.options.Language)
	}
	return json.Marshal(l.options.Lowercase)
}

func (l *lowercase) UnmarshalJSON(text []byte) error { return l.Set(strings.Trim(string(text), `"`)) }

func (l *lowercase) Copy(from any) {
	o := from.(*lowercase).options
	l.options.Lowercase, l.options.Language = o.Lowercase, o.Language
}

// completeText keeps rare tokens with a tokenizer.json, unless min-count is given.
func (s *Settings) completeText() error {
	if s.Text.File == nil {
		return nil
	}
	if err := s.Text.Validate(); err != nil {
		return optionErrorf("%v: %s", name("tokenizer").to("FILE"), strings.TrimPrefix(err.Error(), "corpus: "))
	}
	if s.Text.File.Path() == "" {
		return optionErrorf("the run cut text with a tokenizer.json, whose path is not kept: give it again with %v (%s)", name("tokenizer").to("FILE"), s.Value("tokenizer"))
	}
	if !s.Given("min-count") {
		s.MinCount = 1
		s.named.taken = with(s.named.taken, "min-count", true)
	}
	return nil
}

// fileRows returns the words of a model's rows with a tokenizer.json: its tokens in order of id.
// Ids without a token, or with a token that is too long, get words that no text contains.
func fileRows(file *corpus.TokenizerFile) ([]string, error) {
	tokens, err := file.Tokens()
	if err != nil {
		return nil, err
	}
	known, rows := setOf(tokens), slices.Clone(tokens)
	for id, token := range rows {
		if len(token) > corpus.MaxToken { // such tokens are left out of text
			token = ""
		}
		for token == "" || token != tokens[id] && known[token] {
			token = strings.ReplaceAll(fmt.Sprintf("%s<no token %d>", token, id), " ", "-")
		}
		rows[id] = token
	}
	return rows, nil
}

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

// checkRows checks that rows of a tokenizer.json can be written and include all tokens.
func (r *run) checkRows(v *vocab.Vocab) error {
	file := r.settings.Text.File
	if file == nil {
		return nil
	}
	rows, err := fileRows(file)
	if err != nil {
		return err
	}
	has := setOf(rows)
	for _, token := range v.Tokens() {
		if !has[token] {
			return optionErrorf("the corpus has the token %.40q, which %v does not have", token, name("tokenizer").to(file.String()))
		}
	}
	if r.options.Output == "" && r.options.Writer == nil {
		return nil
	}
	if r.options.SkipUnwritable {
		return optionErrorf("%v would leave rows out, and those of a tokenizer.json have to keep their places", name("skip-unwritable"))
	}
	if err := format.CheckWords(rows, r.format); err != nil {
		return errorf("%s%v: rows of a tokenizer.json cannot be left out, and the native format holds all", prefix(r.options.Output), err)
	}
	return nil
}

const shownRows = 8 // the number of unseen rows that a remark names

// inFileOrder returns a model with the rows of a tokenizer.json in file order, and the tokens that
// the corpus lacks. Their vectors are made of n-grams. Without n-grams they are random, and as
// large as others.
func (r *run) inFileOrder(set *vectors.Set) (*vectors.Set, []string, error) {
	file := r.settings.Text.File
	if file == nil {
		return set, nil, nil
	}
	rows, err := fileRows(file)
	if err != nil {
		return set, nil, err
	}
	for _, m := range set.Matrices() {
		if m.Kind().Tree {
			r.hooks.Note(messagef("the model is written without its matrix %q, whose rows are not in the order of the tokenizer.json", m.Name))
		}
	}
	from := r.warm.set
	if from != nil && from.Dim() != set.Dim() {
		from = nil
	}
	selected, random := transform.SelectRows(set, rows, transform.RowOptions{Random: true, Seed: r.settings.Model.Seed, Ngrams: true, From: from})
	unseen := slices.DeleteFunc(slices.Clone(rows), func(token string) bool {
		_, known := set.ID(token)
		return known
	})
	if len(unseen) > 0 {
		have := "have the vectors of their n-grams"
		switch {
		case from != nil && set.Subword() == nil && len(random) < len(unseen):
			have = fmt.Sprintf("keep their vectors of %s", r.warm.name())
			if len(random) > 0 {
				have += fmt.Sprintf(", or stay random if it has none (%s)", wording.Thousands(len(random)))
			}
		case len(random) == len(unseen):
			have = "stay random"
		case len(random) > 0:
			have += fmt.Sprintf(", or stay random if no n-gram was trained (%s)", wording.Thousands(len(random)))
		}
		some := wording.Map(unseen[:min(len(unseen), shownRows)], strconv.Quote)
		if len(unseen) > shownRows {
			some[shownRows-1] += " …"
		}
		r.remark(remarkf(RemarkUnseenRows, "%s of %s rows of the tokenizer.json are not in the corpus, and %s: %s",
			wording.Thousands(len(unseen)), wording.Thousands(len(rows)), have, strings.Join(some, ", ")))
	}
	return selected, unseen, nil
}

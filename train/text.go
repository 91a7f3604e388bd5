package train

import (
	"context"
	"encoding"
	"errors"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/phrases"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A Text is a corpus that has been read and counted. One can train on it more than once.
type Text struct {
	Vocab   *vocab.Vocab
	IDs     *corpus.IDs    // of the rank's part of the corpus
	Tokens  uint64         // of the whole corpus, on all ranks
	Layout  corpus.Layout  // what the corpus looks like
	Sample  corpus.Sample  // of the corpus, on which advice is tried; empty if it was not read
	TooLong corpus.TooLong // tokens that were left out because they are too long
	Empty   corpus.Empty   // inputs without text, next to others
	Took    time.Duration  // time to read and count
	Phrases *phrases.Table // that were joined; nil if none were to be

	name     string
	settings Settings
}

// TextOptions returns how the text that vectors were trained on became words, as far as that is
// known, so that other text becomes words in the same way: see corpus.Options.Tokens. A tokenizer
// that this version does not have is an error. Of a tokenizer.json the options know only the name:
// set Options.File to cut text. An item of a model with GroupBy, which may have blanks, is a line.
func TextOptions(t vectors.Training) (corpus.Options, error) {
	o := corpus.Options{Lowercase: t.Bool("lowercase"), Language: t.Text("lowercase_language"), StripAccents: t.Bool("strip_accents"), Split: t.Text("split")}
	if o.Split == "" && t.Text("group_by") != "" {
		o.Split = "\n"
	}
	for name, to := range map[string]encoding.TextUnmarshaler{
		"tokenizer": &cutting{&o}, "normalize": &o.Normalize, "digits": &o.Digits, "punctuation": &o.Punctuation, "sentences": &o.Sentences,
	} {
		if text := t.Text(name); text != "" {
			if err := to.UnmarshalText([]byte(text)); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

// WithTokenizerFile gives options of TextOptions the path of the tokenizer.json that they name. It is an
// error if they name one and there is no path, or if another file is there.
func WithTokenizerFile(o corpus.Options, path string) (corpus.Options, error) {
	was := (&cutting{&o}).String()
	switch {
	case o.File == nil && path == "":
		return o, nil
	case o.File == nil:
		return o, errorf("it was trained with %v: leave out the file %s", name("tokenizer").to(was), path)
	case path == "":
		return o, errorf("it was trained with a tokenizer.json, whose path is not kept: %v gives it (%s)", name("tokenizer").to("FILE"), was)
	}
	o.File = corpus.NewTokenizerFile(path)
	if _, err := o.File.Tokens(); err != nil {
		return o, err
	}
	if is := o.File.String(); is != was {
		return o, errorf("it was trained with another tokenizer.json than %s: with %s, and this is %s", path, was, is)
	}
	return o, nil
}

// ReadOptions say how Read reads. The zero value works.
type ReadOptions struct {
	Cache   string              // see Options.Cache
	NoCache bool                // see Options.NoCache
	Memory  uint64              // see Options.VocabMemory
	Force   bool                // read even if memory or disk seem too small
	Note    func(text string)   // is called with what is worth knowing about the cache
	Reading func(tokens uint64) // is called now and then, from several goroutines, with the tokens read so far

	fixed, known *vocab.Vocab // see vocab.Options
	ranks        cluster.Comm // likewise
}

// Read reads and counts a corpus as Run does, for training on it more than once. The caller
// closes the Text.
func Read(ctx context.Context, c Corpus, s Settings, o ReadOptions) (*Text, error) {
	if ctx == nil {
		return nil, errors.New("train: there is no context to read in: it is nil")
	}
	s = s.orDefaults()
	src, err := c.of(s).source(s.Text)
	if err != nil {
		return nil, err
	}
	t, err := readSource(ctx, src, s, o)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// readSource is Read of an open corpus. Together with an error it returns a Text with what is
// known of the corpus.
func readSource(ctx context.Context, src *corpus.Source, s Settings, o ReadOptions) (*Text, error) {
	t := &Text{name: src.Name(), settings: s}
	start := time.Now()
	s.Phrases.Memory, s.Phrases.Folder = o.Memory, o.Cache
	joined, table, err := s.JoinPhrases(ctx, src, o.Reading)
	if err != nil {
		return t, err
	}
	t.Phrases = table
	kept := false
	t.Vocab, t.IDs, err = vocab.Index(ctx, joined, vocab.Options{
		MinCount: s.MinCount,
		MaxVocab: s.MaxVocab,
		Threads:  s.Model.Threads,
		Fixed:    o.fixed,
		Known:    o.known,
		Ranks:    o.ranks,
		Memory:   o.Memory,
		Keep:     o.Cache,
		NoCache:  o.NoCache,
		Note:     o.Note,
		Reused:   func(layout corpus.Layout) { kept, t.Layout = true, layout },
		Force:    o.Force,
		Progress: o.Reading,
		TooLong:  func(left corpus.TooLong) { t.TooLong = left },
		Empty:    func(empty corpus.Empty) { t.Empty = empty },
	}, o.Cache)
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

// joined returns another corpus with the phrases of this one joined.
func (t *Text) joined(src *corpus.Source) *corpus.Source {
	if t.Phrases == nil {
		return src
	}
	return t.Phrases.Apply(src)
}

// explainReading adds to an error of reading the settings that help.
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
	model, err := sgns.Train(ctx, sgns.Data{IDs: t.IDs, Vocab: t.Vocab}, c, h)
	if model != nil {
		model.Vectors = t.settings.described(model.Vectors)
	}
	return model, err
}

// Close gives back the ids of the corpus.
func (t *Text) Close() error {
	if t.IDs == nil {
		return nil
	}
	return t.IDs.Close()
}

// described returns vectors whose description of their training includes these settings.
func (s *Settings) described(set *vectors.Set) *vectors.Set {
	t := set.Training()
	s.Describe(&t)
	return set.WithTraining(t)
}

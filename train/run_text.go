package train

import (
	"context"
	"errors"
	"io"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// runText is a text with its parts.
type runText struct {
	*Text
	train, heldOut *corpus.IDs // all of it, and nil, if it was not cut
	tokens         uint64      // to train on, of all ranks
}

// readText reads the corpus, and checks that the run is possible with its words.
func (r *run) readText(ctx context.Context, source *corpus.Source) (_ *runText, err error) {
	fixed, known, err := r.givenWords()
	if err != nil {
		return nil, err
	}
	read, err := readSource(ctx, source, r.settings, r.reading(fixed, known))
	if read != nil {
		if read.TooLong.Tokens > 0 {
			r.tell(messagef("%v", read.TooLong))
		}
		if read.Empty.Inputs > 0 {
			r.tell(messagef("%v", read.Empty))
		}
		if r.from != nil {
			read.Layout = corpus.Layout{} // which has been said when the run began
		}
		if remark, ok := layoutRemark(read, r.settings); ok {
			r.remark(remark)
		}
	}
	if err != nil {
		return nil, err
	}
	t := &runText{Text: read}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close())
		}
	}()
	if r.hooks.Read != nil {
		r.hooks.Read(read)
	}
	if err := r.checkWords(read); err != nil {
		return nil, err
	}
	if t.train, t.heldOut, err = r.evaluator.split(ctx, read, r.reading(read.Vocab, nil), r.tell); err != nil {
		return t, err
	}
	t.tokens, err = tokensOfAll(ctx, r.options.Ranks, t.train)
	return t, err
}

// reading says how text is read.
func (r *run) reading(fixed, known *vocab.Vocab) ReadOptions {
	return ReadOptions{
		Cache:   r.options.Cache,
		NoCache: r.options.NoCache,
		Memory:  r.options.VocabMemory,
		Force:   r.options.Force,
		Note:    func(text string) { r.tell(messagef("%s", text)) },
		Reading: r.hooks.Reading,
		fixed:   fixed,
		known:   known,
		ranks:   r.options.Ranks,
	}
}

// givenWords returns the vocabulary to use instead of counting, or the one that grows.
func (r *run) givenWords() (fixed, known *vocab.Vocab, err error) {
	o := r.options.Vocabulary
	switch {
	case o.Words != nil:
		fixed = o.Words
	case o.File != "":
		limits := vocab.Options{MinCount: r.settings.MinCount, MaxVocab: r.settings.MaxVocab}
		fixed, err = readFile(o.File, func(in io.Reader) (*vocab.Vocab, error) { return vocab.Read(in, limits) })
		if err != nil {
			return nil, nil, ofFile(o.File, err)
		}
	case r.from != nil:
		if fixed, err = r.resumed.vocabulary(); err != nil {
			return nil, nil, err
		}
	}
	known, err = r.warm.known(r.options.Init.UpdateVocab)
	return fixed, known, err
}

// checkWords checks that the words can be written and evaluated, and writes the vocabulary if
// the options say so.
func (r *run) checkWords(t *Text) error {
	if r.from == nil && t.Layout.Kind == corpus.LayoutText {
		if remark, ok := spellingRemark(t, r.settings); ok {
			r.remark(remark)
		}
	}
	if err := r.checkRows(t.Vocab); err != nil {
		return err
	}
	if r.settings.Text.File == nil && (r.options.Output != "" || r.options.Writer != nil) {
		if err := format.CheckWords(t.Vocab.Tokens(), r.format); err != nil && !r.options.SkipUnwritable {
			return errorf("%s%v; %v leaves such words out", prefix(r.options.Output), err, name("skip-unwritable"))
		}
	}
	if r.settings.Model.Subword == nil { // words that n-grams compose need not be in the vocabulary
		remarks, err := r.evaluator.checkSets(t.Vocab, r.settings.Text.Language, r.settings.Model.Patience)
		for _, remark := range remarks {
			r.remark(remark)
		}
		if err != nil {
			return err
		}
	}
	path := r.options.Vocabulary.Save
	if path == "" {
		return nil
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := t.Vocab.WriteTo(w)
		return err
	})
}

// close gives back the corpus and its parts.
func (t *runText) close() error {
	var errs []error
	if t.train != nil && t.train != t.IDs {
		errs = append(errs, t.train.Close())
	}
	if t.heldOut != nil {
		errs = append(errs, t.heldOut.Close())
	}
	return errors.Join(append(errs, t.Close())...)
}

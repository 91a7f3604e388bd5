package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// trainingText is a corpus that has been read.
type trainingText struct {
	vocab          *vocab.Vocab
	ids            *corpus.IDs   // all of it
	train, heldOut *corpus.IDs   // its parts; all of it, and nil, if it was not cut
	counting       time.Duration // that reading took
	layout         corpus.Layout // that it seems to have
}

// read reads and counts the corpus, and writes its vocabulary if that is asked for.
func (f *trainFlags) read(ctx context.Context, s streams, src *corpus.Source, format vectors.Format, report *reporter) (_ *trainingText, err error) {
	options, err := f.vocabOptions()
	if err != nil {
		return nil, err
	}
	options.Progress = report.counted
	options.TooLong = f.noteTooLong(report)
	start := time.Now()
	v, ids, err := vocab.Index(ctx, src, options, f.cache)
	report.countingDone()
	layout := corpus.Layout{}
	if f.checkpoint.from == nil && ctx.Err() == nil {
		layout = src.Sample().Layout(f.corpus.options)
		f.remarkLayout(src, layout, report)
	}
	if _, ok := errors.AsType[*vocab.RareError](err); ok {
		return nil, fmt.Errorf("%w: see --min-count", err)
	}
	if err != nil {
		return nil, lessMemory(err)
	}
	text := &trainingText{vocab: v, ids: ids, layout: layout, counting: time.Since(start)}
	defer func() {
		if err != nil {
			err = errors.Join(err, text.close())
		}
	}()
	fmt.Fprintf(s.err, "%s tokens of %s words\n", thousands(ids.Tokens()), thousands(uint64(v.Len())))
	if f.checkpoint.from == nil && layout.Kind == corpus.LayoutText {
		f.remarkSpelling(v, report)
	}
	if err := vectors.CheckWords(v.Tokens(), format); err != nil && !f.skip.on {
		return nil, fmt.Errorf("%s: %w", f.output, f.skip.advise(err))
	}
	if err := f.checkSets(v, report); err != nil {
		return nil, err
	}
	if f.saveVocab != "" {
		err := atomicfile.Write(f.saveVocab, func(w io.Writer) error {
			_, err := v.WriteTo(w)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	text.train, text.heldOut, err = f.evaluation.split(ctx, ids, v, f, report)
	return text, err
}

// noteTooLong returns what says which tokens are left out of the corpus, and remembers it for
// the summary.
func (f *trainFlags) noteTooLong(report *reporter) func(corpus.TooLong) {
	return func(left corpus.TooLong) {
		f.tooLong = left
		report.note("note: %s", left)
	}
}

// vocabOptions says how to count, and which words are given.
func (f *trainFlags) vocabOptions() (vocab.Options, error) {
	options := f.corpus.vocabOptions()
	options.Force = f.config.Force
	var err error
	if f.vocabFile != "" {
		if options.Fixed, err = readVocab(f.vocabFile, options); err != nil {
			return options, err
		}
	}
	given, err := f.checkpoint.vocabulary()
	if err != nil {
		return options, ofModel(f.checkpoint.resume, err)
	}
	if given != nil && options.Fixed == nil {
		options.Fixed = given
	}
	options.Known, err = f.init.known()
	return options, err
}

// close gives back the corpus and its parts.
func (t *trainingText) close() error {
	var errs []error
	if t.train != nil && t.train != t.ids {
		errs = append(errs, t.train.Close())
	}
	if t.heldOut != nil {
		errs = append(errs, t.heldOut.Close())
	}
	return errors.Join(append(errs, t.ids.Close())...)
}

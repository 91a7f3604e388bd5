package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/peers/gensim"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// trainGensim trains with gensim, with the settings that w2v's rows have.
func (w *workshop) trainGensim(ctx context.Context, j job, r *result) (_ *vectors.Set, err error) {
	version, err := exec.CommandContext(ctx, gensim.Python, "-c", gensim.VersionScript).Output()
	if err != nil {
		return nil, fmt.Errorf("gensim is not on this machine (%s -c 'import gensim': %w)", gensim.Python, err)
	}
	if r.Program, err = gensim.Version(version); err != nil {
		return nil, err
	}
	text, err := w.plainText(j.language)
	if err != nil {
		return nil, err
	}
	model := filepath.Join(w.results, "gensim.bin")
	defer func() {
		if _, there := os.Stat(model); there == nil {
			err = errors.Join(err, os.Remove(model))
		}
	}()
	usual := sgns.Defaults()
	var trained gensim.Trained
	_, err = gensim.Ask(ctx, command.Runner{}, gensim.TrainScript, &trained, gensim.Training{
		Corpus: text, Output: model, CBOW: true, CorpusFile: true,
		Dim: dim, Window: usual.Window, Negatives: usual.Negatives, Epochs: w.epochs, MinCount: minCount, Sample: usual.Sample,
		Rate: j.gensim, Threads: 1, Seed: j.seed,
	}.Argument())
	if err != nil {
		return nil, err
	}
	r.Tokens, r.Seconds, r.CPUSeconds = trained.Tokens*float64(w.epochs), trained.Seconds, trained.CPUSeconds
	set, err := format.Open(model)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	return inMemory(set)
}

// inMemory returns the words and vectors of a set that may be closed then.
func inMemory(s *vectors.Set) (*vectors.Set, error) {
	words := make([]string, 0, s.Len())
	for _, word := range s.Words().All() {
		words = append(words, string([]byte(word)))
	}
	m := vectors.NewMatrix(s.Len(), s.Dim())
	for i := range words {
		s.Input().Read(m.Row(i), i)
	}
	return vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m})
}

// plainText returns the path of a language's text as gensim's corpus_file has to be:
// uncompressed.
func (w *workshop) plainText(l *language) (_ string, err error) {
	if path := w.plain[l.name]; path != "" {
		return path, nil
	}
	in, err := os.Open(l.path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	plain, _, err := compression.NewReader(in)
	if err != nil {
		return "", fmt.Errorf("%s: %w", l.path, err)
	}
	defer func() { err = errors.Join(err, plain.Close()) }()
	out, err := os.CreateTemp(w.results, l.name+"-*.txt")
	if err != nil {
		return "", err
	}
	w.plain[l.name] = out.Name()
	_, err = io.Copy(out, plain)
	return out.Name(), errors.Join(err, out.Close())
}

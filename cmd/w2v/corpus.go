package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vocab"
)

// corpusHelp explains the CORPUS arguments.
const corpusHelp = `CORPUS is any number of files, directories or globs; "-" is standard input.
Plain text, gzip, bzip2 and Zstandard are told apart by content. A newline ends
a sentence. A token of more than 16384 bytes is left out, and said with its line.`

// corpusFlags say how to read a corpus and count its vocabulary.
type corpusFlags struct {
	options  corpus.Options
	minCount int
	maxVocab int
	threads  int
}

func (f *corpusFlags) add(c *cobra.Command, minCount int) {
	flags := c.Flags()
	flags.BoolVar(&f.options.Lowercase, "lowercase", false, "turn tokens into lower case")
	addTokenizer(flags, &f.options.Tokenizer)
	flags.IntVar(&f.minCount, "min-count", minCount, "drop tokens that are seen less often")
	flags.IntVar(&f.maxVocab, "max-vocab", 0, "keep the `N` most frequent tokens; 0 for all")
	flags.IntVar(&f.threads, "threads", 0, "workers; 0 for one a core")
}

// addTokenizer adds the flag --tokenizer.
func addTokenizer(flags *pflag.FlagSet, to *corpus.Tokenizer) {
	meanings := map[corpus.Tokenizer]string{
		corpus.Whitespace: "what stands between white space",
		corpus.Unicode:    "words by UAX #29, without punctuation",
	}
	e := &enum{
		get: func() string { return to.String() },                     // as it is then
		set: func(name string) { _ = to.UnmarshalText([]byte(name)) }, // it is one of the choices
	}
	for _, t := range corpus.Tokenizers() {
		e.choices = append(e.choices, choice{t.String(), meanings[t]})
	}
	e.add(flags, "tokenizer", "what is a token")
}

func (f *corpusFlags) validate(c *cobra.Command) error {
	for _, flag := range []struct {
		name  string
		value int
	}{{"min-count", f.minCount}, {"max-vocab", f.maxVocab}, {"threads", f.threads}} {
		if flag.value < 0 {
			return &usageError{c.CommandPath(), fmt.Errorf("--%s must not be negative, is %d", flag.name, flag.value)}
		}
	}
	return nil
}

func (f *corpusFlags) vocabOptions() vocab.Options {
	return vocab.Options{MinCount: f.minCount, MaxVocab: f.maxVocab, Threads: f.threads}
}

// readVocab reads the vocabulary file at path.
func readVocab(path string, o vocab.Options) (*vocab.Vocab, error) {
	v, err := readFile(path, func(r io.Reader) (*vocab.Vocab, error) { return vocab.Read(r, o) })
	if err != nil {
		return nil, named(path, err)
	}
	return v, nil
}

// readFile parses the file at path, which may be compressed.
func readFile[T any](path string, parse func(r io.Reader) (T, error)) (parsed T, err error) {
	file, err := os.Open(path)
	if err != nil {
		return parsed, err
	}
	defer file.Close()
	plain, _, err := compression.NewReader(file)
	if err != nil {
		return parsed, err
	}
	defer plain.Close()
	return parse(plain)
}

// named puts a file's name before an error, in place of the system call that
// package os puts there.
func named(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/phrases"
)

// run finds phrases, and prints and writes what is asked for.
func (f *phrasesFlags) run(c *cobra.Command, s streams, args []string) error {
	var err error
	if f.options.Connectors, err = readConnectors(f.connectors); err != nil {
		return err
	}
	if err := f.check(c); err != nil {
		return &usageError{c.CommandPath(), err}
	}
	src, err := corpus.Files(args, s.in, f.settings.Text)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	collectEarly()
	f.options.TooLong = func(left corpus.TooLong) { s.note(left.String()) }
	table, err := f.find(ctx, src)
	if err != nil {
		return err
	}
	if f.writeTable != "" {
		if err := writeCompressed(f.writeTable, func(w io.Writer) error { _, err := table.WriteTo(w); return err }); err != nil {
			return err
		}
	}
	if f.output != "" {
		if err := f.join(ctx, s, src, table); err != nil {
			return err
		}
	}
	if f.json {
		return eachJSON(s.out, table.Phrases(), func(_ int, p phrases.Phrase) any { return p })
	}
	if f.output == "" {
		for _, p := range table.Phrases() {
			fmt.Fprintf(s.out, "%s\t%d\t%.6g\n", p.Phrase, p.Count, p.Score)
		}
	}
	return nil
}

// find reads the table, or makes one of the corpus.
func (f *phrasesFlags) find(ctx context.Context, src *corpus.Source) (*phrases.Table, error) {
	if f.table != "" {
		table, err := readFile(f.table, phrases.Read)
		if err != nil {
			return nil, named(f.table, err)
		}
		return table, nil
	}
	if f.output != "" {
		if err := src.Again(); err != nil {
			return nil, fmt.Errorf("%w, and -o reads it a second time: give a file, or --table", err)
		}
	}
	table, err := phrases.Learn(ctx, src, f.options)
	if err != nil {
		return nil, lessMemory(err)
	}
	return table, nil
}

// join writes the corpus with its phrases joined.
func (f *phrasesFlags) join(ctx context.Context, s streams, src *corpus.Source, table *phrases.Table) (err error) {
	var written phrases.Written
	write := func(w io.Writer) (err error) {
		written, err = table.WriteText(ctx, w, src)
		return err
	}
	if f.output == "-" {
		return write(s.out)
	}
	if err := writeCompressed(f.output, write); err != nil {
		return err
	}
	if f.table != "" && written.TooLong.Tokens > 0 {
		f.options.TooLong(written.TooLong)
	}
	fmt.Fprintf(s.err, "%s; %s in %s written to %s\n", wording.Count(table.Len(), "phrase", "phrases"),
		wording.Count(written.Tokens, "token", "tokens"), wording.Count(written.Sentences, "line", "lines"), f.output)
	return nil
}

// writeCompressed writes a file that is compressed as its extension says.
func writeCompressed(path string, write func(w io.Writer) error) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		out, err := compression.NewWriter(w, path)
		if err != nil {
			return err
		}
		return errors.Join(write(out), out.Close())
	})
}

// readConnectors returns the words of a list with commas, or of a file with one a line.
func readConnectors(list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	info, err := os.Stat(list)
	if err != nil && !strings.Contains(list, ",") && (filepath.Ext(list) != "" || filepath.Base(list) != list) {
		return nil, named(list, err) // the name of a file, and no word
	}
	if err != nil || info.IsDir() {
		return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }), nil
	}
	words, err := readFile(list, func(r io.Reader) ([]string, error) {
		text, err := io.ReadAll(plaintext.NewReader(r))
		return strings.Fields(strings.TrimPrefix(string(text), "\ufeff")), err
	})
	if err != nil {
		return nil, named(list, err)
	}
	return words, nil
}

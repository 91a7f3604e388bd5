package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/embed"
	"github.com/w2v-go/w2v/internal/wording"
)

// An embedding is what w2v embed prints. Its JSON is read by scripts.
type embedding struct {
	Model   string     `json:"model"`
	Output  string     `json:"output"`
	Texts   uint64     `json:"texts"`
	Resumed uint64     `json:"resumed"`       // texts of an interrupted run
	Without uint64     `json:"without_words"` // texts without a word that has a vector
	Dim     int        `json:"dim"`
	DType   embed.Code `json:"dtype"`
}

func (e embedding) print(w io.Writer) {
	fmt.Fprintf(w, "%s of %d numbers, %s: %s\n", wording.Count(e.Texts, "vector", "vectors"), e.Dim, e.DType, e.Output)
}

func newEmbed(s streams) *cobra.Command {
	var f modelFlags
	o := embed.Options{Code: embed.F32}
	var file, output string
	var asJSON bool
	opened := func() opening {
		o := f.opening()
		o.file = &file
		return o
	}
	c := command("embed", cobra.MinimumNArgs(2), s.asking(opened, func(ctx context.Context, words *finder, args []string) error {
		cut, err := words.Pipeline()
		if err != nil {
			return noTokenizer(words.path, err)
		}
		s.noteIf(cut.Lacks != "", "%s: %s", words.path, cut.Lacks)
		if o.Fields.TextField+o.Fields.TextColumn == "" {
			s.noteJSON(args, asText)
		}
		o.Stdin = s.in
		o.Started = func(start embed.Start) error {
			s.noteIf(start.Pooler.Note() != "", "%s: %s", words.path, start.Pooler.Note())
			if start.Memory > 0 {
				fmt.Fprintf(s.err, "vectors of words take up to %s of memory\n", megabytes(start.Memory))
			}
			s.noteIf(start.Rows > 0, "the interrupted run goes on behind %s", wording.Count(start.Rows, "text", "texts"))
			return smooths(words.path, o.Pooling, start.Pooler)
		}
		ctx, _, stop := untilSignals(ctx, s.err)
		defer stop()
		meter := newTextMeter(s)
		o.Progress = meter.at
		r, err := embed.Write(ctx, words.Finder, args, output, o)
		meter.countingDone()
		if early, ok := errors.AsType[*embed.InterruptedError](err); ok {
			s.note("%s has %s; the same command goes on", early.Path, wording.Count(early.Rows, "vector", "vectors"))
		}
		if err != nil {
			return ofTexts(words.path, err)
		}
		s.noteIf(r.TooLong.Tokens > 0, "%s", r.TooLong)
		s.noteIf(r.Without > 0, "%s no word with a vector, and %s", wording.Count(r.Without, "text has", "texts have"), either(strings.HasSuffix(output, ".npy"), "a vector of zeros", "null in its place"))
		of := embedding{words.path, output, r.Rows, r.Resumed, r.Without, words.set.Dim(), o.Code}
		return s.print(asJSON, of, of.print)
	}))
	flags := c.Flags()
	flags.StringVarP(&output, "output", "o", "", "file of the vectors; the extension picks the form: "+strings.Join(embed.Extensions(), " ")+" (required)")
	addEnum(flags, &o.Code, "dtype", "how numbers are written", choicesOf(embed.Codes(), map[embed.Code]string{
		embed.F32: "32 bits", embed.F16: "16 bits", embed.Int8: "8 bits, and a scale for each vector", embed.UBinary: "1 bit, eight to a byte",
	}))
	flags.StringVar(&o.Fields.TextColumn, "text-column", "", "`COLUMNS` of a table that have the text, by number, or by name in Parquet and with --header; several are separated by commas, and a name with a comma is in double quotes")
	flags.BoolVar(&o.Fields.Header, "header", false, "the first row of each table has the names of the columns")
	flags.StringVar(&o.Fields.TextField, "json-field", "", "`FIELDS` of JSON lines that have the text; a.b is field b of the object in field a")
	flags.StringVar(&o.Fields.LabelColumn, "id-column", "", "`COLUMN` of a table that has the id of a text, which is written beside its vector")
	flags.StringVar(&o.Fields.LabelField, "id-field", "", "`FIELD` of JSON lines that has the id of a text")
	flags.StringVar(&o.As, "as", "vector", "`NAME` of the column or field of vectors")
	flags.BoolVar(&o.NoText, "no-text", false, "do not write texts, and other fields of JSON lines, beside vectors")
	flags.BoolVar(&o.Restart, "restart", false, "begin again, instead of going on with what an interrupted run has left")
	flags.StringVar(&file, "tokenizer", "", "the `FILE` tokenizer.json that the model was trained with, if the model does not hold it")
	addPooling(c, &o.Pooling)
	f.add(c)
	addJSON(c, &asJSON)
	checked(c, func([]string) error {
		changed := c.Flags().Changed
		extension := strings.ToLower(filepath.Ext(output))
		matrix := extension == ".npy"
		return broken(
			rule{output == "", "no output: say where the vectors go with -o FILE"},
			rule{output == "-", "vectors of a corpus go to a file: w2v sentence prints vectors"},
			rule{!slices.Contains(embed.Extensions(), extension), fmt.Sprintf("--output is %q: its extension says how vectors are written, and must be one of %s", output, strings.Join(embed.Extensions(), ", "))},
			rule{matrix && o.Fields.LabelColumn+o.Fields.LabelField != "", "--id-column and --id-field: a .npy file has vectors alone"},
			rule{matrix && (changed("as") || o.NoText), "--as and --no-text: a .npy file has vectors alone"},
			rule{o.Fields.LabelColumn != "" && o.Fields.TextColumn == "", "--id-column needs --text-column"},
			rule{o.Fields.LabelField != "" && o.Fields.TextField == "", "--id-field needs --json-field"},
		)
	})
	checked(c, func([]string) error { return o.Validate() })
	return c
}

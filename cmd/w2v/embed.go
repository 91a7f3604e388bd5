package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/embed"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors/pooling"
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
		err := broken(
			rule{output == "", "no output: say where the vectors go with -o FILE"},
			rule{output == "-", "vectors of a corpus go to a file: w2v sentence prints vectors"},
			rule{!slices.Contains(embed.Extensions(), extension), fmt.Sprintf("--output is %q: its extension says how vectors are written, and must be one of %s", output, strings.Join(embed.Extensions(), ", "))},
			rule{matrix && o.Fields.LabelColumn+o.Fields.LabelField != "", "--id-column and --id-field: a .npy file has vectors alone"},
			rule{matrix && (changed("as") || o.NoText), "--as and --no-text: a .npy file has vectors alone"},
			rule{o.Fields.LabelColumn != "" && o.Fields.TextColumn == "", "--id-column needs --text-column"},
			rule{o.Fields.LabelField != "" && o.Fields.TextField == "", "--id-field needs --json-field"},
		)
		if err != nil {
			return err
		}
		return o.Validate()
	})
	return c
}

// textFlags say where texts are, and how they are cut.
type textFlags struct {
	fields    corpus.Fields
	tokenizer string
	vectors   string // column of a Parquet table that has vectors already
	letters   caseFlag
}

func (f *textFlags) add(c *cobra.Command, ids bool) {
	flags := c.Flags()
	grouped(flags, "Text", func() {
		flags.StringVar(&f.fields.TextColumn, "text-column", "", "`COLUMN` of a table (TSV, CSV, Parquet) that has the text, by number, or by name in Parquet and with --header")
		flags.BoolVar(&f.fields.Header, "header", false, "the first row of each table has the names of the columns")
		flags.StringVar(&f.fields.TextField, "json-field", "", "`FIELD` of JSON lines that has the text; a.b is field b of the object in field a")
		if ids {
			flags.StringVar(&f.fields.LabelColumn, "id-column", "", "`COLUMN` of a table that has the name of a text; without one, a text is its own name")
			flags.StringVar(&f.fields.LabelField, "id-field", "", "`FIELD` of JSON lines that has the name of a text")
		}
		flags.StringVar(&f.tokenizer, "tokenizer", "", "the `FILE` tokenizer.json that the model was trained with, if the model does not hold it")
		f.letters.add(c)
	})
	checked(c, func([]string) error {
		err := broken(
			rule{f.fields.LabelColumn != "" && f.fields.TextColumn == "" && f.vectors == "", "--id-column needs --text-column"},
			rule{f.fields.LabelField != "" && f.fields.TextField == "", "--id-field needs --json-field"},
			rule{f.fields.TextColumn != "" && f.fields.TextField != "", "--text-column is for tables and --json-field for JSON lines: give one of them"},
			rule{f.fields.Header && f.fields.TextColumn == "", "--header is for tables: give --text-column too"},
		)
		f.fields.Unlabelled = f.fields.LabelColumn+f.fields.LabelField == ""
		return err
	})
}

func (f *textFlags) opening() opening { return opening{rule: f.letters.rule(), file: &f.tokenizer} }

// pooler returns how a model makes vectors of texts.
func (s streams) pooler(words *finder) (*pooling.Pooler, error) {
	cut, err := words.Pipeline()
	if err != nil {
		return nil, noTokenizer(words.path, err)
	}
	s.noteIf(cut.Lacks != "", "%s: %s", words.path, cut.Lacks)
	p, err := pooling.New(words.set, pooling.Options{})
	return p, ofModel(words.path, err)
}

// A textRow is a row of a corpus that has a text.
type textRow struct {
	corpus.Row
	text string
}

func (r textRow) content() []byte { return []byte(r.text) }

// ofTexts names the model if an error is about how it makes vectors of texts.
func ofTexts(model string, err error) error {
	if errors.Is(err, embed.ErrSequences) {
		return ofModel(model, err)
	}
	return unprefixed(err, "corpus: ")
}

// noteJSON notes the first file that looks like JSON lines, although no field of them is named. What says how it is read,
// and how a field is, whose name may be in it as %s.
func (s streams) noteJSON(paths []string, what string) {
	for _, path := range paths {
		if path == "-" {
			continue
		}
		of, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			continue // reading reports it
		}
		sample := of.Sample()
		layout := sample.Layout(corpus.Options{})
		if layout.Kind != corpus.LayoutJSON {
			continue
		}
		field := sample.Advice(corpus.Options{}, layout).Options.JSONField
		s.notes(path + " looks like JSON lines, " + strings.ReplaceAll(what, "%s", cmp.Or(field, "NAME")))
		return
	}
}

const asText = "whose names and braces become words: --json-field %s reads a field"

// rows yields the rows of files that have a text, and the heads of tables are passed to head, which may be nil.
func (f *textFlags) rows(ctx context.Context, s streams, paths []string, head func([]byte) error, more []corpus.Added) iter.Seq2[textRow, error] {
	return func(yield func(textRow, error) bool) {
		of, err := corpus.FilesContext(ctx, paths, s.in, corpus.Options{})
		if err != nil {
			yield(textRow{}, err)
			return
		}
		if f.fields.TextField+f.fields.TextColumn == "" {
			s.noteJSON(paths, asText)
		}
		rows := of.Rows(ctx, f.fields)
		defer rows.Close() // only reading: Close loses nothing
		meter, n := newTextMeter(s), uint64(0)
		defer meter.countingDone()
		if head != nil && f.fields.Header {
			line, err := rows.Head(more)
			if err = cmp.Or(err, head(line)); err != nil {
				yield(textRow{}, err)
				return
			}
		}
		for row, err := range rows.All() {
			if err != nil {
				yield(textRow{}, err)
				return
			}
			if row.Blank && !row.IsLine() {
				continue
			}
			if !yield(textRow{*row, string(row.Text)}, nil) {
				return
			}
			if n++; n%256 == 0 {
				meter.at(n, rows.Fraction())
			}
		}
	}
}

// A textMeter shows how many texts were read: by a bar with the speed and the time that is left on a terminal, by nothing elsewhere.
type textMeter struct {
	*reporter
	began, drawn time.Time
	first        uint64  // texts that an interrupted run had
	part         float64 // of the files, when the first text of this run was done
}

func newTextMeter(s streams) *textMeter {
	return &textMeter{reporter: newReporter(s, progressAuto)}
}

// at says that so many texts are done, and which part of the files was read; NaN if that is not known.
func (m *textMeter) at(done uint64, fraction float64) {
	now := time.Now()
	if !m.bar || now.Sub(m.drawn) < m.every() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	const parts = 1000
	total, shown := int64(parts), int64(parts*fraction)
	if math.IsNaN(fraction) {
		total, shown = -1, int64(done)
	}
	if m.current == nil {
		m.current, m.began, m.first, m.part = m.newBar(total), now, done, fraction
	}
	m.drawn = now
	m.draw(min(shown, parts-1), total, func() string {
		line := wording.Count(done, "text", "texts")
		if passed := now.Sub(m.began).Seconds(); passed > 0 && done > m.first {
			line += fmt.Sprintf(", %s/s", wording.Thousands(uint64(float64(done-m.first)/passed)))
			if fraction > m.part {
				line += fmt.Sprintf(", ETA %s", time.Duration(float64(time.Second)*passed*(1-fraction)/(fraction-m.part)).Round(time.Second))
			}
		}
		return line
	})
}

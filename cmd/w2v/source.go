package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
)

func (s streams) note(texts ...string) {
	for _, text := range texts {
		fmt.Fprintf(s.err, "note: %s\n", text)
	}
}

// files returns how a command reads a model for a conversion. Once it is open, the first signal ends the context.
func (s streams) files(ctx context.Context, path string, skip skipFlag) (of context.Context, name string, files convert.Files, end func()) {
	of, cancel := context.WithCancel(ctx)
	stop := func() {}
	files = convert.Files{
		SkipUnwritable: skip.on,
		Whole: func(reason string) {
			s.note(fmt.Sprintf("%s %s, so all of it is read into memory", path, reason))
		},
		Opened: func(set *vectors.Set) error {
			s.noteWords(name, set)
			var heard context.Context
			heard, stop = untilSignal(of, s.err)
			context.AfterFunc(heard, cancel)
			return nil
		},
	}
	name = path
	if path == "-" {
		s.note("standard input cannot be read twice, so all of it is read into memory")
		name, files.In = "standard input", s.in
	}
	return of, name, files, func() { stop(); cancel() }
}

func fullDisk(err error) error {
	if _, full := errors.AsType[*sysinfo.DiskFullError](err); full {
		return fmt.Errorf("%w; --force tries anyway", err)
	}
	return err
}

func formatChoices() []choice { return choicesOf(format.All(), nil) }

// extensions are the extensions of all writable formats, sorted.
var extensions = sync.OnceValue(func() []string {
	var all []string
	for _, f := range format.All() {
		if can, err := format.Describe(f); err == nil {
			all = append(all, can.Extensions...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
})

// outputFormat returns the named format, or else the format of the extension.
func outputFormat(path, name string, subwords bool) (format.Format, error) {
	if name == "" {
		return format.ForPath(path, subwords)
	}
	return format.Parse(name)
}

// checkTarget returns an error if a model cannot be written to path in the named format, or that of the extension.
func checkTarget(path, name string) error {
	outFormat, err := outputFormat(path, name, false) // subwords do not change the kind of target
	if err != nil {
		outFormat = format.W2V // the error is reported later, when the format is needed
	}
	return format.CheckTarget(path, outFormat)
}

type skipFlag struct{ on bool }

const skipName = "skip-unwritable"

func (f *skipFlag) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, skipName, false, "skip words that the output format cannot hold, such as empty ones, and name them")
}

func (f *skipFlag) notes(skipped []*format.UnwritableWord, outFormat format.Format) []string {
	if len(skipped) == 0 {
		return nil
	}
	const shown = 5
	list := mapped(skipped[:min(shown, len(skipped))], func(word *format.UnwritableWord) string { return fmt.Sprintf("%.40q %v", word.Word, word.Reason) })
	text := strings.Join(list, "; ")
	text += when(len(skipped) > shown, "; and %d more", len(skipped)-shown)
	return []string{fmt.Sprintf("%s left out, which the format %s cannot hold: %s", wording.Count(len(skipped), "word is", "words are"), outFormat, text)}
}

// advise adds to an error about an unwritable word the flag that skips such words.
func (f *skipFlag) advise(err error) error {
	if _, ok := errors.AsType[*format.UnwritableWord](err); ok && !f.on {
		return fmt.Errorf("%w; --%s leaves such words out", err, skipName)
	}
	return err
}

type unwritable struct {
	ID     int    `json:"id"` // id in the input model
	Word   string `json:"word"`
	Reason string `json:"reason"`
}

// inJSON converts the words for JSON, in which invalid UTF-8 becomes U+FFFD.
func inJSON(skipped []*format.UnwritableWord) []unwritable {
	return mapped(skipped, func(word *format.UnwritableWord) unwritable {
		return unwritable{word.ID, word.Word, word.Reason.Error()}
	})
}

type unfinite struct {
	path  string
	set   *vectors.Set
	in    vectors.NotFinite // counts of the model
	count int
	first string
}

// add checks a vector that is printed for a text. It is an error if a sum of finite rows has overflowed.
func (u *unfinite) add(text string, v []float32) (err error) {
	if vectors.Finite(v) {
		return nil
	}
	if u.count == 0 {
		u.first = text
		u.in, err = u.set.NotFinite()
	}
	if err == nil && u.in.Rows == 0 {
		err = fmt.Errorf("%s: the vector of %.40q has numbers beyond those of float32, though all rows of the model are finite", u.path, text)
	}
	if err == nil {
		u.count++
	}
	return err
}

func (u *unfinite) note(s streams) {
	s.noteIf(u.count > 0, "%s numbers that are not finite, first that of %.40q: in %s, %s", wording.Count(u.count, "of the vectors has", "of the vectors have"), u.first, u.path, u.in)
}

const corpusHelp = `CORPUS is any number of files, folders or globs; "-" is standard input. Plain text,
gzip, bzip2, xz and Zstandard are detected from file contents. A newline ends a sentence.
--text-column reads a column of tables, --json-field a field of JSON lines, --split a list;
--group-by makes sentences of rows with the same user, session or the like.
A token of more than 16384 bytes is skipped and reported with its line.`

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/serve/lessons"
)

type lessonsRun struct {
	output, sweep string
	asJSON        bool
	options       lessons.Options
}

// A lessonsReport is what w2v lessons prints. Its JSON is read by scripts.
type lessonsReport struct {
	Output string   `json:"output"`
	Model  string   `json:"model,omitempty"` // whose words the pages show
	Pages  []string `json:"pages"`
}

func newLessons(s streams) *cobra.Command {
	var f lessonsRun
	c := command("lessons", cobra.MaximumNArgs(1), func(c *cobra.Command, args []string) error {
		ctx, stop := untilSignal(c.Context(), s.err)
		defer stop()
		if err := atomicfile.CheckFolder(f.output, lessons.Files()...); err != nil {
			return err
		}
		if len(args) == 0 {
			return f.run(ctx, s)
		}
		var path string
		f.options.Model, path = nameAndPath(args[0])
		return s.open(ctx, path, opening{whole: true, empty: errNoAnswers}, func(words *finder) error {
			f.options.Set = words.set
			return f.run(ctx, s)
		})
	})
	c.Flags().StringVarP(&f.output, "output", "o", "", "write the pages to this `FOLDER`")
	c.Flags().StringVar(&f.sweep, "sweep", "", "show the scores in this `FILE`, results.jsonl of a w2v sweep over dim")
	addJSON(c, &f.asJSON)
	checked(c, func(args []string) error {
		return broken(
			rule{f.output == "", "say -o FOLDER, which the pages are written to"},
			rule{f.output == "-", "the pages are several files: say -o FOLDER"},
		)
	})
	return c
}

func (f *lessonsRun) run(ctx context.Context, s streams) (err error) {
	if f.sweep != "" {
		results, openErr := os.Open(f.sweep)
		if openErr != nil {
			return openErr
		}
		defer func() { err = errors.Join(err, results.Close()) }()
		f.options.Sweep = results
	}
	pages, err := lessons.New(f.options)
	if err != nil && f.sweep != "" {
		err = fmt.Errorf("--sweep %s: %w", f.sweep, err)
	}
	if err != nil {
		return err
	}
	if err := pages.Write(ctx, f.output); err != nil {
		return err
	}
	report := lessonsReport{f.output, f.options.Model, lessons.Files()}
	return s.print(f.asJSON, report, func(w io.Writer) {
		fmt.Fprintf(w, "%s: open %s in a browser\n", wording.Count(len(report.Pages), "page", "pages"), filepath.Join(f.output, "index.html"))
	})
}

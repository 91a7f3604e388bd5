package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval/report"
	"github.com/w2v-go/w2v/internal/atomicfile"
)

// reportFlags say in which form results are printed, and whether a page is written besides.
type reportFlags struct {
	json, csv, markdown bool
	html                string
}

// reportHelp is the part of a command's help about the forms of a report.
const reportHelp = `--markdown and --csv print the scores and intervals as tables to paste or to load, one
row a set and one a part. --html FILE also writes a page with charts, which is one file
and loads nothing; with FILE -, the page is printed instead of the tables.`

// add adds the flags, --json among them.
func (f *reportFlags) add(c *cobra.Command) {
	grouped(c.Flags(), "Report", func() {
		addJSON(c, &f.json)
		c.Flags().BoolVar(&f.csv, "csv", false, "print results as CSV with a header")
		c.Flags().BoolVar(&f.markdown, "markdown", false, "print results as Markdown tables")
		c.Flags().StringVar(&f.html, "html", "", "also write the results as a page of HTML to `FILE`; - is standard output")
	})
}

// check returns an error if the flags exclude each other, or if the page cannot be written. It is
// meant to be called before anything is computed.
func (f *reportFlags) check(c *cobra.Command) error {
	if c.Flags().Changed("html") && f.html == "" {
		return &usageError{c.CommandPath(), errors.New("--html is empty, want the name of a file, or - for standard output")}
	}
	var forms []string
	for _, form := range []struct {
		flag  string
		asked bool
	}{{"--json", f.json}, {"--csv", f.csv}, {"--markdown", f.markdown}, {"--html -", f.html == "-"}} {
		if form.asked {
			forms = append(forms, form.flag)
		}
	}
	if len(forms) > 1 {
		return &usageError{c.CommandPath(), fmt.Errorf("%s exclude each other: each is what is printed", strings.Join(forms, " and "))}
	}
	if f.html == "" || f.html == "-" {
		return nil
	}
	return atomicfile.Check(f.html)
}

// write writes the page, and prints the results in the form that is asked for: asJSON prints them
// for programs, asTable for people.
func (f *reportFlags) write(out io.Writer, doc report.Document, asJSON, asTable func(io.Writer) error) error {
	var page error
	if f.html != "" && f.html != "-" {
		page = atomicfile.Write(f.html, doc.HTML)
	}
	print := asTable
	switch {
	case f.json:
		print = asJSON
	case f.csv:
		print = doc.CSV
	case f.markdown:
		print = doc.Markdown
	case f.html == "-":
		print = doc.HTML
	}
	return errors.Join(print(out), page)
}

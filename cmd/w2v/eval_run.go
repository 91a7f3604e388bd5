package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/report"
	"github.com/w2v-go/w2v/internal/spelling"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// evalCommand is w2v eval, or one of the commands below it that are for one task.
type evalCommand struct {
	options     eval.Options
	task        eval.Task // of all sets; any if empty
	words       spellingFlags
	post        postFlags
	tasks       *taskFlags // nil in commands for one task
	answers     answersFlags
	report      reportFlags
	showMissing bool
	bands       []int // nil unless asked for

	// read reads the sets that the arguments name; nil for files and folders.
	read func(s streams, args []string) (sets []eval.SetFile, unread, err error)
	// print prints the records for people; nil for printRecords.
	print func(w io.Writer, records []eval.Record) error
}

// add adds the flags that evaluations of all tasks have.
func (f *evalCommand) add(c *cobra.Command) {
	f.post.add(c)
	f.words.add(c)
	c.Flags().BoolVar(&f.showMissing, "show-missing", false, "list the words of each set that have no vector")
	f.addBands(c)
	f.report.add(c)
}

// addOptions adds the flags of commands for any task.
func (f *evalCommand) addOptions(c *cobra.Command) {
	f.tasks.add(c, &f.options)
	f.answers.add(c, eval.RelationMethods())
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals, clusterings, permutations, and of the other words of lrcos")
	addRestrict(c, &f.options.Restrict, ", in sets and as answers")
}

func (f *evalCommand) run(c *cobra.Command, s streams, args []string) error {
	words, err := f.words.spelling(c)
	if err := errors.Join(f.post.check(c), checkRestrict(f.options.Restrict), err, f.checkBands(), f.tasks.check(&f.options)); err != nil {
		return &usageError{c.CommandPath(), err}
	}
	f.options.Spelling, f.options.Bands = words, f.bands
	f.answers.apply(&f.options)
	model := args[0]
	if _, none := os.Stat(model); none != nil && nearCommand(c, model) {
		return &usageError{c.CommandPath(), unknownCommand(c, model)}
	}
	if err := errors.Join(f.report.check(c), f.answers.check(c)); err != nil {
		return err
	}
	read := f.read
	if read == nil {
		read = func(s streams, args []string) ([]eval.SetFile, error, error) { return readSets(s, args[1:], f.task) }
	}
	sets, unread, err := read(s, args)
	if err != nil {
		return err
	}
	f.answers.split(s, &f.options, sets)
	return f.post.withModel(c.Context(), s, model, func(set *vectors.Set) error {
		records, err := f.measure(c, model, set, sets)
		if err != nil {
			return err
		}
		asJSON := func(w io.Writer) error { return f.printLines(w, records) }
		asTable := func(w io.Writer) error { return f.printTable(w, records) }
		if err := f.report.write(s.out, f.evaluation(model, records), asJSON, asTable); err != nil {
			return err
		}
		if err := f.answers.write(records); err != nil {
			return err
		}
		notes(s, "", records)
		var none unusable
		for _, r := range records {
			none.add(r)
		}
		return errors.Join(none.err(), unread)
	})
}

// evaluation is what pages and tables are made of.
func (f *evalCommand) evaluation(model string, records []eval.Record) report.Evaluation {
	e := report.NewEvaluation(filepath.Base(model), records)
	e.ListMissing = f.showMissing
	return e
}

// measure scores a model on all sets.
func (f *evalCommand) measure(c *cobra.Command, model string, set *vectors.Set, sets []eval.SetFile) ([]eval.Record, error) {
	if err := f.tasks.tokens(&f.options, model, set, sets); err != nil {
		return nil, err
	}
	hash := hashModel(model, set)
	var records []eval.Record
	for _, of := range sets {
		if t := of.Set.Task(); set.Len() == 0 && (t == eval.TaskAnalogy || t == eval.TaskRelation) {
			return nil, errNoAnswers(model)
		}
		r, err := eval.Measure(c.Context(), set, of, f.options)
		if err != nil {
			return nil, err
		}
		r.Version = version()
		if post := f.post.settings(); post != (postSettings{}) {
			r.Settings.Vectors = post
		}
		records = append(records, r)
	}
	source, err := hash()
	for i := range records {
		records[i].ModelFile = source
	}
	return records, err
}

// fileCalled is an error about a command's arguments that also tells of a file with the command's
// name, which may be meant.
func fileCalled(c *cobra.Command, args []string, err error) error {
	if _, none := os.Stat(c.Name()); err == nil || none != nil {
		return err
	}
	if len(args) > 1 {
		if _, foreign := format.Detect(args[0]); foreign == nil {
			return err // the arguments are as they should be
		}
	}
	return fmt.Errorf("%w; for the model in the file %s, say w2v eval ./%[2]s", err, c.Name())
}

// modelAndSets checks the arguments of a command for one task.
func modelAndSets(c *cobra.Command, args []string) error {
	return fileCalled(c, args, usage(cobra.MinimumNArgs(2))(c, args))
}

// resultsOf returns the results of records of one task.
func resultsOf[R eval.Result](records []eval.Record) []R {
	var all []R
	for _, r := range records {
		all = append(all, r.Result.(R)) // the sets are of that task
	}
	return all
}

// nearCommand reports whether what should be a model is rather a command below c, misspelt.
func nearCommand(c *cobra.Command, model string) bool {
	return !strings.ContainsAny(model, `./\`) && slices.ContainsFunc(c.Commands(), func(sub *cobra.Command) bool {
		return spelling.Nearest(model, []string{sub.Name()}) != ""
	})
}

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/demo"
)

func newEvalBuiltin(s streams) *cobra.Command {
	var folder string
	f := &evalCommand{tasks: new(taskFlags)}
	f.read = func(streams, []string) ([]eval.SetFile, error, error) {
		sets, err := builtinSets(f.task)
		return sets, nil, err
	}
	c := &cobra.Command{
		Use:   "builtin [flags] MODEL",
		Short: "Score a model on the built-in sets",
		Long: `Score MODEL on sets that are part of w2v, one of each task: English words of every day,
their kinds, forms and attributes. They are made of the tables of facts that the demo's
text is made of. No person judged the pairs of the similarity set: the number of a pair
counts what its words have in common. docs/evaluation.md says how. The sets show in
seconds whether a model has learned English words; published sets are for comparing
models.

--write FOLDER writes the sets as files, for other programs. With it, MODEL may be left
out.

` + taskHelp + "\n\n" + foldHelp + "\n\n" + postHelp + "\n\n" + reportHelp,
		Example: `  w2v eval builtin model.w2v
  w2v eval builtin --write sets`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && folder != "" {
				return nil
			}
			return fileCalled(c, args, usage(cobra.ExactArgs(1))(c, args))
		},
		RunE: func(c *cobra.Command, args []string) error {
			if folder != "" {
				if err := writeBuiltin(folder); err != nil {
					return err
				}
			}
			if len(args) == 0 {
				return nil
			}
			return fileCalled(c, args, f.run(c, s, args))
		},
	}
	f.add(c)
	f.addOptions(c)
	addEnum(c.Flags(), &f.task, "task", "score the set of this task alone", choicesOf(eval.Tasks(), nil))
	c.Flags().StringVar(&folder, "write", "", "write the sets as files to `FOLDER`")
	return c
}

// builtinSets reads the built-in sets, or the one of a task.
func builtinSets(task eval.Task) ([]eval.SetFile, error) {
	var contents []eval.Content
	for _, s := range demo.Sets() {
		contents = append(contents, eval.Content{Path: "builtin/" + s.Path, Text: []byte(s.Text)})
	}
	all, err := eval.ReadContents(contents, "")
	if err != nil || task == "" {
		return all, err
	}
	for _, s := range all {
		if s.Set.Task() == task {
			return []eval.SetFile{s}, nil
		}
	}
	return nil, fmt.Errorf("there is no built-in set of the task %s", task)
}

// writeBuiltin writes the built-in sets to a folder.
func writeBuiltin(folder string) error {
	for _, set := range demo.Sets() {
		path := filepath.Join(folder, filepath.FromSlash(set.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return named(folder, err)
		}
		err := atomicfile.Write(path, func(w io.Writer) error {
			_, err := io.WriteString(w, set.Text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// builtinFiles are those that writeBuiltin writes.
func builtinFiles(_ *cobra.Command, folder string) (all []string) {
	for _, set := range demo.Sets() {
		all = append(all, filepath.Join(folder, filepath.FromSlash(set.Path)))
	}
	return all
}

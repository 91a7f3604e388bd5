package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors/format"
)

// pathsFlag is a flag that is followed by any number of paths: all arguments after it are paths,
// too. Without it, the arguments after the models are.
type pathsFlag struct {
	flags *pflag.FlagSet
	name  string
	first []string // after the flag itself
	from  int      // the number of arguments before the flag
}

func (f *pathsFlag) add(c *cobra.Command, name, usage string) {
	f.flags, f.name, f.from = c.Flags(), name, -1
	c.Flags().Var(f, name, usage)
}

// Set takes the path that follows the flag.
func (f *pathsFlag) Set(path string) error {
	if path == "" {
		return errors.New("want a file or a folder, not an empty name")
	}
	if f.from < 0 {
		f.from = f.flags.NArg()
	}
	f.first = append(f.first, path)
	return nil
}

// String returns the paths, for the flag's default in the help, which is none.
func (f *pathsFlag) String() string { return strings.Join(f.first, " ") }

// Type says in the help what follows the flag.
func (f *pathsFlag) Type() string { return "FILE|FOLDER..." }

// split returns which arguments are models and which are paths of sets.
func (f *pathsFlag) split(args []string) (models, paths []string, err error) {
	if f.from >= 0 {
		if f.from == 0 {
			return nil, nil, fmt.Errorf("name the models before --%s: all arguments after it are sets", f.name)
		}
		return args[:f.from], append(f.first, args[f.from:]...), nil
	}
	n := 0
	for n < len(args) && !isSet(args[n]) {
		n++
	}
	if n == len(args) {
		for _, path := range args {
			if _, err := os.Stat(path); err != nil {
				return nil, nil, named(path, err)
			}
		}
		return nil, nil, fmt.Errorf("there are no sets to score the models on: add --%s FILE|FOLDER", f.name)
	}
	return args[:n], args[n:], nil
}

// isSet reports whether a path is that of evaluation sets, and not that of a model.
func isSet(path string) bool {
	is, err := format.Detect(path)
	if err == nil && is != format.GloVe {
		return false
	}
	if err == nil { // pairs of words with numbers look like vectors of words that have spaces
		const most = 16 << 20 // bytes, which sets do not have
		if info, err := os.Stat(path); err != nil || info.Size() > most {
			return false
		}
	}
	_, _, err = eval.ReadSets([]string{path}, eval.ReadOptions{})
	return err == nil
}

// Command same runs two binaries of w2v with the same arguments, and compares every file that
// they write, byte for byte: models of every variant in every format, checkpoints, converted,
// quantized and factorized models, and the answers to queries. With it one sees whether a
// change of the code has changed what the program computes.
//
//	cd lab && go run ./same -old /path/to/w2v-of-before
//
// The exit code is 1 if anything differs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/w2v-go/w2v/lab/product"
)

// options are the flags.
type options struct {
	old, new string
	text     string
	keep     string
	only     string
	skip     string
	workers  int
	list     bool
	verbose  bool
}

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("same", flag.ContinueOnError)
	flags.StringVar(&o.old, "old", "", "the `binary` of before (required)")
	flags.StringVar(&o.new, "new", "", "the `binary` to compare it with (default is built from this repository)")
	flags.StringVar(&o.text, "text", "", "the text to train on, a plain `file` (default is generated)")
	flags.StringVar(&o.keep, "keep", "", "the `folder` to leave all files in (default a temporary one, which is removed)")
	flags.StringVar(&o.only, "only", "", "run only the cases whose names match this `regexp`")
	flags.StringVar(&o.skip, "skip", "", "leave out the cases whose names match this `regexp`")
	flags.IntVar(&o.workers, "workers", runtime.NumCPU(), "how many cases run at once")
	flags.BoolVar(&o.list, "list", false, "list the cases, and do nothing")
	flags.BoolVar(&o.verbose, "v", false, "print what both binaries refuse, and why")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.old == "" && !o.list {
		return o, errors.New("-old is missing: the binary to compare with")
	}
	if o.workers < 1 {
		return o, errors.New("-workers must be at least 1")
	}
	return o, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	same, err := run(ctx, os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "same:", err)
		os.Exit(1)
	case !same:
		os.Exit(1)
	}
}

// run compares the binaries, and reports whether all that they wrote was the same.
func run(ctx context.Context, args []string) (same bool, err error) {
	o, err := parseOptions(args)
	if err != nil {
		return false, err
	}
	chosen, err := choose(cases(), o.only, o.skip)
	if err != nil {
		return false, err
	}
	if o.list {
		for _, c := range chosen {
			fmt.Println(c.name)
		}
		return true, nil
	}
	begin := time.Now()
	folder := o.keep
	if folder == "" {
		if folder, err = os.MkdirTemp("", "w2v-same-*"); err != nil {
			return false, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return false, err
	}
	w := &workshop{folder: folder, verbose: o.verbose, made: map[string]func() (string, error){}}
	if w.programs[0], err = filepath.Abs(o.old); err != nil {
		return false, err
	}
	if w.programs[1], err = filepath.Abs(o.new); err != nil {
		return false, err
	}
	if o.new == "" {
		w.programs[1] = filepath.Join(folder, "w2v-new")
		if err := product.Build(ctx, w.programs[1]); err != nil {
			return false, err
		}
	}
	if err := w.writeInputs(o.text); err != nil {
		return false, err
	}
	total, different := w.runAll(ctx, chosen, o.workers)
	if err := ctx.Err(); err != nil {
		return false, err
	}
	fmt.Printf("%d cases, %d files, %d runs that both refuse, in %.0f s: ", len(chosen), total.files, total.refused, time.Since(begin).Seconds())
	if different > 0 {
		fmt.Printf("%d cases differ\n", different)
		return false, nil
	}
	fmt.Println("all the same")
	return true, nil
}

// choose returns the cases whose names match only, if there is one, and do not match skip.
func choose(all []testCase, only, skip string) ([]testCase, error) {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	unwanted, err := regexp.Compile(skip)
	if err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(all, func(c testCase) bool {
		return !wanted.MatchString(c.name) || skip != "" && unwanted.MatchString(c.name)
	})
	if len(chosen) == 0 {
		return nil, errors.New("no case has such a name; -list lists them all")
	}
	return chosen, nil
}

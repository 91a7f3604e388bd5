// Command quality judges w2v: on several texts, for words and n-grams, it trains w2v and the
// programs that it is compared with, each with its own defaults, scores all vectors on a battery
// of evaluation sets, and says how much sooner w2v reaches the quality of the others.
// docs/benchmarks.md says how to read the tables.
//
//	cd lab && go run ./quality -seeds 1 -kinds words -dims 100
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/w2v-go/w2v/lab/machine"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.cache, 0o777); err != nil {
		return err
	}
	// Models are large, and the folder for temporary files may be in memory.
	folder, err := os.MkdirTemp(o.cache, "running-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	texts, err := prepareTexts(o.texts, o.only.texts, o.piece, folder)
	if err != nil {
		return err
	}
	j := &judge{
		options: o, folder: folder, texts: texts, cache: cache{folder: o.cache},
		processor: machine.Describe().Processor(),
	}
	if err := j.readBatteries(ctx); err != nil {
		return err
	}
	if err := j.findPrograms(ctx); err != nil {
		return err
	}
	contests, stopped := j.runAll(ctx)
	all := report{machine.Describe(), append([]string{"quality"}, args...), j.versions(), contests}
	fmt.Print(all.markdown())
	if o.json != "" {
		stopped = errors.Join(stopped, all.save(o.json))
	}
	return stopped
}

// logf says on stderr what is going on.
func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// defaultCache is the folder of results, unless -cache says otherwise.
func defaultCache() string {
	folder, err := os.UserCacheDir()
	if err != nil { // there is no home
		folder = os.TempDir()
	}
	return filepath.Join(folder, "w2v-quality")
}

// Command scale measures how time, memory and disk grow with the text and the vocabulary. It makes up
// texts that are like English (package synthetic), trains on each with the real program, and says
// where the time went. docs/benchmarks.md has results.
//
//	cd lab && go run ./scale -cases 1e7:1e5,1e8:1e6 -train '--threads 2'
//	cd lab && go run ./scale -make text.txt -cases 1e8:1e6
//	cd lab && go run ./scale -make text.txt -make-vocabulary words.txt -cases 2e8:1e7:2e7
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/lab/product"
	"github.com/w2v-go/w2v/lab/synthetic"
	"github.com/w2v-go/w2v/lab/trainers"
)

// options are the flags.
type options struct {
	cases  []synthetic.Options
	train  []string
	make   string
	words  string
	folder string
	w2v    string
}

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	cases := flags.String("cases", "1e7:1e5,1e7:1e6,1e8:1e6", "`texts` to train on, each as tokens:words; 0 words are as many as English has; tokens:words:first is the beginning of a text, with the vocabulary of all of it")
	train := flags.String("train", "--epochs 1 --min-count 1", "more `flags` of w2v train, with spaces between them")
	seed := flags.Uint64("seed", 1, "of the texts")
	flags.StringVar(&o.make, "make", "", "write the text of the first case to `file`, - for standard output, and do not train")
	flags.StringVar(&o.words, "make-vocabulary", "", "write the vocabulary of the first case to `file`, and do not train")
	flags.StringVar(&o.folder, "folder", "", "`folder` for texts, caches and models (default the system's for temporary files)")
	flags.StringVar(&o.w2v, "w2v", "", "the w2v `binary` to measure (default is built from this repository)")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	o.train = strings.Fields(*train)
	var err error
	o.cases, err = parseCases(*cases, *seed)
	return o, err
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	if o.words != "" {
		if err := makeVocabulary(o.words, o.cases[0]); err != nil {
			return err
		}
		if o.make == "" {
			return nil
		}
	}
	switch o.make {
	case "":
	case "-":
		_, err := synthetic.Write(out, o.cases[0])
		return err
	default:
		return makeText(o.make, o.cases[0])
	}
	folder, err := os.MkdirTemp(o.folder, "w2v-scale-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if o.w2v == "" {
		o.w2v = filepath.Join(folder, product.FileName())
		if err := product.Build(ctx, o.w2v); err != nil {
			return err
		}
	}
	w := &trainers.W2V{Path: o.w2v}
	fmt.Fprintf(out, "%v\n\n    w2v train %s\n\n", machine.Describe(), strings.Join(o.train, " "))
	table := figures.Table{head()}
	for _, c := range o.cases {
		m, err := measure(ctx, w, o, c, folder)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%d tokens of %d words: %.0f s\n", m.Tokens, m.Vocab, m.used.Wall.Seconds())
		table = append(table, m.cells())
	}
	_, err = io.WriteString(out, table.Markdown())
	return err
}

// makeText writes a text to a file.
func makeText(path string, o synthetic.Options) error {
	return makeFile(path, func(w io.Writer) error {
		_, err := synthetic.Write(w, o)
		return err
	})
}

// makeVocabulary writes the words of a text to a file.
func makeVocabulary(path string, o synthetic.Options) error {
	return makeFile(path, func(w io.Writer) error { return synthetic.WriteVocabulary(w, o) })
}

func makeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

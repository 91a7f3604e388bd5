package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/w2v-go/w2v/lab/trainers"
)

// options are the flags.
type options struct {
	texts    []textFile
	eval     string
	piece    int
	dims     []int
	seeds    []uint64
	epochs   []int
	settings []setting
	threads  int
	limit    time.Duration
	w2v      string
	cache    string
	cached   bool
	json     string
	only     selection
}

// A selection says what is judged of all there is. An empty list chooses all.
type selection struct{ texts, kinds, programs []string }

// A setting is w2v with flags.
type setting struct {
	label string
	flags []string
}

// The kinds of models.
const (
	words  = "words"
	ngrams = "n-grams"
)

// defaultTexts are those beside the repository, as seen from the folder lab.
var defaultTexts = []string{
	"en/norm=en:../../shared/data/en/norm.txt.gz",
	"en/mix=en:../../shared/data/en/mix.txt.gz",
	"de/norm=de:../../shared/data/de/norm.txt.gz",
}

func parseOptions(args []string) (options, error) {
	var o options
	var texts, settings []string
	flags := flag.NewFlagSet("quality", flag.ContinueOnError)
	list := func(name, value, help string) *string { return flags.String(name, value, help) }
	flags.Func("text", "a text `NAME=LANGUAGE:FILE`, plain or compressed, of the language en or de; may be given several times (default en/norm, en/mix and de/norm of ../shared/data)", func(s string) error {
		texts = append(texts, s)
		return nil
	})
	flags.Func("setting", "w2v with flags of w2v train, `LABEL=FLAGS`, beside w2v without; may be given several times", func(s string) error {
		settings = append(settings, s)
		return nil
	})
	flags.StringVar(&o.eval, "eval", "../../shared/data/eval", "`folder` of evaluation sets, with en/sim/ws353.tsv, de/analogy/questions-de.txt and so on")
	flags.IntVar(&o.piece, "piece", 2_000_000, "judge pieces of so many `tokens` of each text, too; 0 for none")
	dims := list("dims", "100,300", "dimensions")
	seeds := list("seeds", "1,2,3", "seeds")
	epochs := list("epochs", "1,2,3,5,8", "epochs that w2v is trained for to see when it reaches the others; empty for none but its default")
	kinds := list("kinds", words+","+ngrams, "models")
	only := list("only", "", "`rows` of the tables: programs, and labels of settings (default all)")
	names := list("texts", "", "`names` of texts and pieces, en/norm,en/norm-2M for example (default all)")
	flags.IntVar(&o.threads, "threads", 1, "threads of training. fastText has at least 12: with fewer than 10 it begins with rows of zeros")
	flags.DurationVar(&o.limit, "limit", 6*time.Hour, "the longest that one process may take")
	flags.StringVar(&o.w2v, "w2v", "", "the w2v `binary` to judge (default is built from this repository)")
	flags.StringVar(&o.cache, "cache", defaultCache(), "`folder` of results; what is there is not trained again")
	flags.BoolVar(&o.cached, "cached", false, "train nothing: make the tables of the results that are there")
	flags.StringVar(&o.json, "json", "", "write all results to `file` too")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if texts == nil {
		texts = defaultTexts
	}
	var errs []error
	for _, s := range texts {
		t, err := parseText(s)
		o.texts, errs = append(o.texts, t), append(errs, err)
	}
	taken := append(trainers.PeerNames(), "w2v")
	for _, s := range settings {
		x, err := parseSetting(s)
		if slices.Contains(taken, x.label) {
			err = fmt.Errorf("-setting: %q is the name of another row", x.label)
		}
		taken = append(taken, x.label)
		o.settings, errs = append(o.settings, x), append(errs, err)
	}
	var err error
	if o.dims, err = parseNumbers[int](*dims); err != nil || len(o.dims) == 0 {
		errs = append(errs, fmt.Errorf("-dims: %q is not a list of numbers, as 100,300 is", *dims))
	}
	if o.seeds, err = parseNumbers[uint64](*seeds); err != nil || len(o.seeds) == 0 {
		errs = append(errs, fmt.Errorf("-seeds: %q is not a list of numbers, as 1,2,3 is", *seeds))
	}
	if o.epochs, err = parseNumbers[int](*epochs); err != nil {
		errs = append(errs, fmt.Errorf("-epochs: %q is not a list of numbers, as 1,2,5 is", *epochs))
	}
	o.only = selection{parseNames(*names), parseNames(*kinds), parseNames(*only)}
	for _, kind := range o.only.kinds {
		if kind != words && kind != ngrams {
			errs = append(errs, fmt.Errorf("-kinds: %q is neither %s nor %s", kind, words, ngrams))
		}
	}
	if o.threads < 1 || o.piece < 0 {
		errs = append(errs, errors.New("-threads must be at least 1, and -piece at least 0"))
	}
	return o, errors.Join(errs...)
}

// parseNames reads a list of names; an empty text has none.
func parseNames(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

// parseNumbers reads a list of numbers of at least 1; an empty text has none.
func parseNumbers[T int | uint64](text string) ([]T, error) {
	var all []T
	for _, name := range parseNames(text) {
		n, err := strconv.ParseUint(strings.TrimSpace(name), 10, 31)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, errors.New("0 is too small")
		}
		all = append(all, T(n))
	}
	return all, nil
}

// parseSetting reads what -setting says.
func parseSetting(text string) (setting, error) {
	label, flags, ok := strings.Cut(text, "=")
	if !ok || label == "" {
		return setting{}, fmt.Errorf("-setting: %q is not like LABEL=FLAGS", text)
	}
	return setting{label, strings.Fields(flags)}, nil
}

// has reports whether a list chooses a name.
func has(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }

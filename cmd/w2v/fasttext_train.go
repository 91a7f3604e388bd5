package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/fasttext"
	"github.com/w2v-go/w2v/internal/spelling"
	"github.com/w2v-go/w2v/train"
)

// refusedCommands are the commands of fastText that w2v fasttext does not have, and what to do
// instead.
var refusedCommands = map[string]string{
	"supervised":   noClassifier,
	"test":         noClassifier,
	"test-label":   noClassifier,
	"predict":      noClassifier,
	"predict-prob": noClassifier,
	"quantize":     "fastText quantizes classifiers alone; w2v quantize makes word vectors small",
}

const noClassifier = "w2v trains no classifiers; w2v sentence prints vectors of texts for one of another library"

// refusedArguments are those that w2v fasttext does not take with another value than fastText's
// default, and what to do instead.
var refusedArguments = map[string]string{
	"minCountLabel": "labels are for classifiers, which w2v does not train",
	"wordNgrams":    "fastText has runs of words in classifiers alone; w2v train --arch cbow --word-ngrams trains them for word vectors",
	"ws":            "no word has a context; w2v train --window 0 draws contexts from whole lines",
	"lrUpdateRate":  "w2v lowers the learning rate with every block of words",
	"loss":          "losses are ns and hs",
	"autotune":      "w2v sweep compares settings of word vectors",
	"cutoff":        "it belongs to quantize; w2v quantize makes word vectors small",
}

// instead says what to do in place of an argument that is not supported.
func instead(name string) string {
	switch {
	case strings.HasPrefix(name, "autotune"):
		name = "autotune"
	case refusedArguments[name] == "":
		name = "cutoff"
	}
	return refusedArguments[name]
}

// asFastText returns an error of training with settings named as fastText names them.
func asFastText(err error) error { return train.Spell(err, asFastTextArgument) }

func asFastTextArgument(name, value string) string {
	argument, ok := fasttext.ArgumentOf(name)
	if !ok {
		flag := asFlag(name, value)
		if strings.HasPrefix(flag, "--") {
			flag += " of w2v train"
		}
		return flag
	}
	if value != "" {
		return "-" + argument + " " + value
	}
	return "-" + argument
}

// fastTextTraining runs skipgram or cbow.
func fastTextTraining(command string) func(*cobra.Command, streams, []string) error {
	return func(c *cobra.Command, s streams, args []string) error {
		o, err := fasttext.NewOptions(command)
		if err != nil {
			return err
		}
		for len(args) > 0 {
			if asksForHelp(args[0]) {
				return c.Help()
			}
			if args, err = takeArgument(o, args); err != nil {
				return &usageError{c.CommandPath(), err}
			}
		}
		return runFastText(c, s, o)
	}
}

// takeArgument takes the first argument, with its value, and returns the others.
func takeArgument(o *fasttext.Options, args []string) ([]string, error) {
	name, dashed := strings.CutPrefix(args[0], "-")
	if !dashed {
		return nil, fmt.Errorf("expected an argument with a dash, as -dim, found %q", args[0])
	}
	of, known := fasttext.Find(name)
	value, used := "true", 1
	if known && !of.Switch {
		if len(args) < 2 {
			return nil, fmt.Errorf("-%s needs a value", name)
		}
		value, used = args[1], 2
	}
	err := o.Set(name, value)
	if _, refused := errors.AsType[*fasttext.UnsupportedError](err); refused {
		err = fmt.Errorf("%w: %s", err, instead(name))
	}
	if _, unknown := errors.AsType[*fasttext.UnknownError](err); unknown {
		err = fmt.Errorf("%w%s", err, didYouMean("-", nearArgument(name)))
	}
	return args[used:], err
}

// nearArgument returns the supported argument that is spelled most like the name, or nothing.
func nearArgument(name string) string {
	var names []string
	for _, a := range fasttext.Arguments() {
		if !a.Unsupported {
			names = append(names, a.Name)
		}
	}
	return spelling.Nearest(name, names)
}

// runFastText trains as fastText's arguments say.
func runFastText(c *cobra.Command, s streams, o *fasttext.Options) (err error) {
	progress := progressNever
	switch {
	case o.Verbose() >= 2:
		progress = progressAuto
	case o.Verbose() <= 0:
		s.err = io.Discard
	}
	report := newReporter(s, progress)
	report.spell = asFastTextArgument
	defer func() { err = errors.Join(err, report.close()) }()
	ctx, saving, stop := untilSignals(c.Context(), s.err)
	defer stop()
	o.Stdin, o.Saving = s.in, saving
	hooks := report.hooks(s, &skipFlag{})
	hooks.Ready = func() error {
		collectEarly()
		return nil
	}
	result, err := fasttext.Train(ctx, o, hooks)
	_, missing := errors.AsType[*fasttext.MissingError](err)
	_, misused := errors.AsType[*train.OptionError](err)
	if err = asFastText(err); missing || misused {
		return &usageError{c.CommandPath(), err}
	}
	if result == nil {
		return err
	}
	sum := newSummary(result.Result, report.spell)
	sum.LeftOut = nil // fastText's own files have no more either
	sum.why = "stopped"
	if ctx.Err() != nil {
		sum.why = "interrupted"
	}
	report.done(sum)
	for _, path := range result.Files {
		report.note("wrote %s", path)
	}
	return err
}

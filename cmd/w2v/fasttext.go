package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/fasttext"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

type fastTextCommand struct {
	name, args string
	short      string
	least      int // arguments
	most       int
	run        func(c *cobra.Command, s streams, args []string) error
}

func fastTextCommands() []fastTextCommand {
	return []fastTextCommand{
		{"skipgram", "-input FILE -output NAME …", "train by skip-gram, to NAME.bin and NAME.vec", 0, -1, fastTextTraining("skipgram")},
		{"cbow", "-input FILE -output NAME …", "train by CBOW", 0, -1, fastTextTraining("cbow")},
		{"print-word-vectors", "MODEL", "print the vectors of the words of standard input", 1, 1, ofFastText(func(m *fasttext.Model, s streams, _ []string) error { return m.WordVectors(s.out, s.in) })},
		{"print-sentence-vectors", "MODEL", "print the vectors of the lines of standard input", 1, 1, ofFastText(func(m *fasttext.Model, s streams, _ []string) error { return m.SentenceVectors(s.out, s.in) })},
		{"print-ngrams", "MODEL WORD", "print the n-grams of a word with their vectors", 2, 2, ofFastText(func(m *fasttext.Model, s streams, args []string) error { return m.Ngrams(s.out, args[1]) })},
		{"nn", "MODEL [K]", "ask for words, and print their K nearest (10)", 1, 2, withAnswerCount(func(m *fasttext.Model, s streams, _ string, k int) error { return m.Nearest(s.out, s.in, k) })},
		{"analogies", "MODEL [K]", "ask for A, B and C, and print the K nearest to A-B+C", 1, 2, withAnswerCount(func(m *fasttext.Model, s streams, path string, k int) error {
			return m.Analogies(s.out, s.in, path, k)
		})},
		{"dump", "MODEL PART", "print args, dict, input or output of a file of fastText", 2, 2, fastTextDump},
	}
}

func fastTextNames() []string {
	var names []string
	for _, of := range fastTextCommands() {
		names = append(names, of.name)
	}
	return names
}

func newFastText(s streams) *cobra.Command {
	long := `Take the command line of fastText 0.9.2, so that a script changes one word: fasttext
becomes w2v fasttext. Arguments, defaults, files and output are fastText's; training is
that of w2v. MODEL may be a file of any format that w2v reads.

The commands are:
`
	for _, of := range fastTextCommands() {
		long += fmt.Sprintf("  %-24s%s\n", of.name, of.short)
	}
	long += "\nThe arguments of skipgram and cbow are, with their defaults:\n"
	for _, a := range fasttext.Arguments() {
		if !a.Unsupported {
			standard := ""
			if a.Default != "" && !a.Switch {
				standard = " [" + a.Default + "]"
			}
			long += fmt.Sprintf("  %-24s%s%s\n", "-"+a.Name, a.Help, standard)
		}
	}
	long += `
Classification (supervised, test, predict, quantize …) and its arguments are refused
by name. The project's page docs/from-fasttext.md lists what differs.`
	return &cobra.Command{
		Use:   "fasttext COMMAND [ARGUMENT...]",
		Short: "Take fastText's command line",
		Long:  long,
		Example: `  w2v fasttext skipgram -input corpus.txt -output model -minn 2 -maxn 5 -bucket 50000
  echo "paris berlin" | w2v fasttext print-word-vectors model.bin
  echo "paris" | w2v fasttext nn model.bin 5
  w2v fasttext dump model.bin args`,
		DisableFlagParsing:    true, // fastText's arguments have one dash
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeFastText,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || slices.ContainsFunc(args[:min(2, len(args))], asksForHelp) {
				return c.Help()
			}
			for _, of := range fastTextCommands() {
				if of.name != args[0] {
					continue
				}
				if n := len(args) - 1; n < of.least || of.most >= 0 && n > of.most {
					return misuse(fmt.Errorf("expected %s %s", of.name, of.args))
				}
				return of.run(c, s, args[1:])
			}
			if instead, ok := refusedCommands[args[0]]; ok {
				return misuse(fmt.Errorf("%s is not supported: %s", args[0], instead))
			}
			near := wording.Nearest(args[0], fastTextNames())
			return misuse(fmt.Errorf("unknown command of fastText: %s%s", args[0], didYouMean("", near)))
		},
	}
}

func asksForHelp(arg string) bool { return slices.Contains([]string{"-h", "-help", "--help"}, arg) }

// ofFastText runs a command on the model that its first argument names.
func ofFastText(run func(m *fasttext.Model, s streams, args []string) error) func(*cobra.Command, streams, []string) error {
	return func(c *cobra.Command, s streams, args []string) error {
		return s.open(c.Context(), args[0], opening{}, func(words *finder) error {
			if err := run(fasttext.NewModel(words.set), s, args); err != nil {
				return ofModel(args[0], err)
			}
			return nil
		})
	}
}

// withAnswerCount runs a command whose second argument, if there is one, is a number of answers.
func withAnswerCount(run func(m *fasttext.Model, s streams, path string, k int) error) func(*cobra.Command, streams, []string) error {
	return func(c *cobra.Command, s streams, args []string) error {
		k := 10
		if len(args) > 1 {
			var err error
			if k, err = strconv.Atoi(args[1]); err != nil || k < 1 {
				return misuse(fmt.Errorf("the number of answers must be 1 or more, is %q", args[1]))
			}
		}
		return ofFastText(func(m *fasttext.Model, s streams, args []string) error { return run(m, s, args[0], k) })(c, s, args)
	}
}

func fastTextDump(c *cobra.Command, s streams, args []string) error {
	part := fasttext.Part(args[1])
	if !slices.Contains(fasttext.Parts(), part) {
		return misuse(fmt.Errorf("dump: %q is not args, dict, input or output", args[1]))
	}
	switch is, err := format.Detect(args[0]); {
	case err != nil:
		return err
	case is != format.FastText:
		return fmt.Errorf("%s: has the format %s, and dump prints what is in a file of fastText: w2v info describes other models", args[0], is)
	}
	return fasttext.Dump(s.out, args[0], part)
}

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
				return misuse(err)
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
	return wording.Nearest(name, names)
}

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
	o.Stdin, o.GiveUp = s.in, saving.Done()
	hooks := report.hooks(s, &skipFlag{})
	hooks.Ready = func() error {
		collectEarly()
		return nil
	}
	result, err := fasttext.Train(ctx, o, hooks)
	_, missing := errors.AsType[*fasttext.MissingError](err)
	_, misused := errors.AsType[*train.OptionError](err)
	if err = asFastText(err); missing || misused {
		return misuse(err)
	}
	if result == nil {
		return err
	}
	sum := newSummary(ctx, result.Result, report.spell)
	sum.LeftOut = nil // fastText's own files have no more either
	report.done(sum)
	for _, path := range result.Files {
		report.note("wrote %s", path)
	}
	return err
}

func completeFastText(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	if len(args) == 0 {
		for _, of := range fastTextCommands() {
			found = append(found, cobra.CompletionWithDesc(of.name, of.short))
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
	if slices.Contains(fasttext.Architectures(), args[0]) {
		return completeFastTextArgument(c, args, typed)
	}
	if args[0] == "dump" && len(args) == 2 {
		for _, part := range fasttext.Parts() {
			found = append(found, cobra.Completion(part))
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
	return inTurn(cobra.NoFileCompletions, files(modelExtensions()...), cobra.NoFileCompletions)(c, args, typed)
}

func completeFastTextArgument(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	last := strings.TrimPrefix(args[len(args)-1], "-")
	if of, ok := fasttext.Find(last); ok && !of.Switch && last != args[len(args)-1] {
		switch last {
		case "input":
			return files(textExtensions()...)(c, args, typed)
		case "output":
			return files()(c, args, typed)
		case "pretrainedVectors":
			return files(modelExtensions()...)(c, args, typed)
		case "loss":
			return []cobra.Completion{"ns", "hs"}, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []cobra.Completion
	for _, a := range fasttext.Arguments() {
		if !a.Unsupported {
			found = append(found, cobra.CompletionWithDesc("-"+a.Name, a.Help))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/fasttext"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/parquet"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

type fastTextCommand struct {
	name, args  string
	short       string
	least, most int // arguments
	run         func(c *cobra.Command, s streams, name string, args []string) error
}

func fastTextCommands() []fastTextCommand {
	return []fastTextCommand{
		{"skipgram", "-input FILE -output NAME …", "train by skip-gram, to NAME.bin and NAME.vec", 0, -1, trainFastText},
		{"cbow", "-input FILE -output NAME …", "train by CBOW", 0, -1, trainFastText},
		{"supervised", "-input FILE -output NAME …", "train a classifier of lines with labels, to NAME.bin and NAME.vec", 0, -1, trainSupervised},
		{"print-word-vectors", "MODEL", "print the vectors of the words of standard input", 1, 1, askFastText},
		{"print-sentence-vectors", "MODEL", "print the vectors of the lines of standard input", 1, 1, askFastText},
		{"print-ngrams", "MODEL WORD", "print the n-grams of a word with their vectors", 2, 2, askFastText},
		{"nn", "MODEL [K]", "ask for words, and print their K nearest (10)", 1, 2, askFastText},
		{"analogies", "MODEL [K]", "ask for A, B and C, and print the K nearest to A-B+C", 1, 2, askFastText},
		{"predict", "MODEL FILE [K] [THRESHOLD]", "print the K most probable labels (1) of each line of a file, or - for standard input", 2, 4, classifyFastText},
		{"predict-prob", "MODEL FILE [K] [THRESHOLD]", "the same, with probabilities", 2, 4, classifyFastText},
		{"test", "MODEL FILE [K] [THRESHOLD]", "print precision and recall of lines with labels of their own", 2, 4, classifyFastText},
		{"test-label", "MODEL FILE [K] [THRESHOLD]", "the same, for each label too", 2, 4, classifyFastText},
		{"quantize", "-output NAME …", "make NAME.ftz, a smaller classifier, of NAME.bin", 0, -1, quantizeFastText},
		{"dump", "MODEL PART", "print args, dict, input or output of a file of fastText", 2, 2, dumpFastText},
	}
}

func askFastText(c *cobra.Command, s streams, command string, args []string) error {
	k := 10
	if len(args) > 1 && command != "print-ngrams" {
		var err error
		if k, err = strconv.Atoi(args[1]); err != nil || k < 1 {
			return misuse(fmt.Errorf("the number of answers must be 1 or more, is %q", args[1]))
		}
	}
	return s.open(c.Context(), args[0], opening{}, func(words *finder) (err error) {
		switch m := fasttext.NewModel(words.set); command {
		case "print-word-vectors":
			err = m.WordVectors(s.out, s.in)
		case "print-sentence-vectors":
			err = m.SentenceVectors(c.Context(), s.out, s.in)
		case "print-ngrams":
			err = m.Ngrams(s.out, args[1])
		case "nn":
			err = m.Nearest(s.out, s.in, k)
		case "analogies":
			err = m.Analogies(s.out, s.in, args[0], k)
		}
		return ofModel(args[0], err)
	})
}

// quantizeFastText takes the arguments of quantize. Those of training have a meaning with -retrain alone. The retraining
// is done by one thread, and does not depend on -thread.
func quantizeFastText(c *cobra.Command, s streams, _ string, args []string) (err error) {
	var output string
	var training fasttext.Supervised
	opt := fasttext.QuantizeOptions{Stdin: s.in}
	if err := training.Set("lr", "0.05"); err != nil { // the default of quantize
		return err
	}
	for len(args) > 0 {
		if asksForHelp(args[0]) {
			return c.Help()
		}
		name, dashed := strings.CutPrefix(args[0], "-")
		of, known := fasttext.Find(name)
		used := 1
		var value string
		switch {
		case !dashed:
			return misuse(fmt.Errorf("expected an argument with a dash, as -output, found %q", args[0]))
		case !known:
			names := wording.Map(fasttext.Arguments(), func(a fasttext.Argument) string { return a.Name })
			return misuse(fmt.Errorf("%w%s", &fasttext.UnknownError{Name: name}, didYouMean("-", wording.Nearest(name, names))))
		case !of.Switch && len(args) < 2:
			return misuse(fmt.Errorf("-%s needs a value", name))
		case !of.Switch:
			value, used = args[1], 2
		}
		switch name {
		case "output":
			output = value
		case "cutoff":
			opt.Cutoff, err = strconv.Atoi(value)
			opt.Cutoff = max(opt.Cutoff, 0) // as in fastText
		case "dsub":
			if opt.Part, err = strconv.Atoi(value); err == nil && opt.Part < 1 {
				err = strconv.ErrRange
			}
		case "qnorm":
			opt.Norms = true
		case "qout":
			opt.Output = true
		case "retrain":
			opt.Retrain = true
		default: // an argument of training: those that quantize makes nothing of are checked alone
			if !of.Switch {
				err = training.Set(name, value)
			}
		}
		if _, told := errors.AsType[*strconv.NumError](err); told || errors.Is(err, strconv.ErrRange) {
			return misuse(fmt.Errorf("-%s: %q is not a number that fits", name, value))
		}
		if err != nil {
			return misuse(err)
		}
		args = args[used:]
	}
	opt.Input, opt.Again.Fields.Prefix = training.Value("input"), training.Value("label")
	opt.Seed = uint64(training.Int("seed"))
	opt.Again.Seed, opt.Again.Epochs = opt.Seed, training.Int("epoch")
	opt.Again.LearningRate, _ = strconv.ParseFloat(training.Value("lr"), 64) // checked by Set
	if opt.Again.Epochs < 1 || opt.Again.LearningRate == 0 {
		opt.Retrain = false // nothing would change
	}
	if output == "" {
		return misuse(&fasttext.MissingError{Name: "output"})
	}
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	err = fasttext.Quantize(ctx, output, opt)
	if _, missing := errors.AsType[*fasttext.MissingError](err); missing {
		return misuse(err)
	}
	return classifyError(err)
}

// classifyFastText runs the commands that predict labels.
func classifyFastText(c *cobra.Command, s streams, command string, args []string) (err error) {
	by := fasttext.Classifier{K: 1}
	if len(args) > 2 {
		if by.K, err = strconv.Atoi(args[2]); err != nil || by.K < 1 && by.K != -1 {
			return misuse(fmt.Errorf("the number of labels must be 1 or more, or -1 for all, is %q", args[2]))
		}
	}
	if len(args) > 3 {
		threshold, err := strconv.ParseFloat(args[3], 32)
		if err != nil || threshold != threshold {
			return misuse(fmt.Errorf("the threshold must be a number, is %q", args[3]))
		}
		by.Threshold = float32(threshold)
	}
	if by.Model, err = classify.Open(args[0]); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, by.Model.Close()) }()
	from, name, instead := s.in, "standard input", "predict"
	if args[1] != "-" {
		name = args[1]
		file, err := os.Open(name)
		if err != nil {
			return compression.Named(name, err)
		}
		defer file.Close()
		from = file
	}
	plain, _, err := compression.NewReader(from)
	if err != nil {
		return compression.Named(name, err)
	}
	defer plain.Close()
	text := bufio.NewReader(plain)
	tests := command == "test" || command == "test-label"
	if tests {
		instead = "test"
	}
	_, _ = text.Peek(1)                                              // an error comes again when the text is read
	if head, _ := text.Peek(text.Buffered()); parquet.Begins(head) { // no more: who sends a short line may wait for the answer
		return fmt.Errorf("%s: is a Parquet table, and fastText's commands read lines: w2v classify %s reads a table's columns, with --text-column%s",
			name, instead, either(tests, " and --label-column", ""))
	}
	if tests {
		return by.Test(c.Context(), s.out, text, command == "test-label")
	}
	return by.Predict(c.Context(), s.out, text, command == "predict-prob")
}

func dumpFastText(_ *cobra.Command, s streams, _ string, args []string) error {
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

func newFastText(s streams) *cobra.Command {
	var commands, arguments strings.Builder
	for _, of := range fastTextCommands() {
		fmt.Fprintf(&commands, "  %-24s%s\n", of.name, of.short)
	}
	for _, a := range supported() {
		standard := either(a.Default != "" && !a.Switch, " ["+a.Default+"]", "")
		fmt.Fprintf(&arguments, "  %-24s%s%s\n", "-"+a.Name, a.Help, standard)
	}
	c := command("fasttext", cobra.ArbitraryArgs, func(c *cobra.Command, args []string) error {
		if len(args) == 0 || slices.ContainsFunc(args[:min(2, len(args))], asksForHelp) {
			return c.Help()
		}
		var names []string
		for _, of := range fastTextCommands() {
			names = append(names, of.name)
			switch n := len(args) - 1; {
			case of.name != args[0]:
			case n < of.least || of.most >= 0 && n > of.most:
				return misuse(fmt.Errorf("expected %s %s", of.name, of.args))
			default:
				return of.run(c, s, of.name, args[1:])
			}
		}
		return misuse(fmt.Errorf("unknown command of fastText: %s%s", args[0], didYouMean("", wording.Nearest(args[0], names))))
	})
	c.Long = fmt.Sprintf(c.Long, &commands, &arguments)
	c.DisableFlagParsing, c.DisableFlagsInUseLine = true, true // fastText's arguments have one dash
	c.ValidArgsFunction = completeFastText
	return c
}

func asksForHelp(arg string) bool { return slices.Contains([]string{"-h", "-help", "--help"}, arg) }

// trainSupervised trains a classifier.
func trainSupervised(c *cobra.Command, s streams, _ string, args []string) (err error) {
	var o fasttext.Supervised
	for len(args) > 0 {
		if asksForHelp(args[0]) {
			return c.Help()
		}
		if args, err = takeArgument(&o, args); err != nil {
			return misuse(err)
		}
	}
	if err := o.Check(); err != nil {
		return misuse(err)
	}
	progress := progressNever
	switch verbose := o.Int("verbose"); {
	case verbose >= 2:
		progress = progressAuto
	case verbose <= 0:
		s.err = io.Discard
	}
	report := newReporter(s, progress)
	defer func() { err = errors.Join(err, report.close()) }()
	ctx, givingUp, stop := untilSignals(c.Context(), s.err)
	defer stop()
	if o.Tunes() { // the first signal ends the search alone
		o.Enough, ctx = ctx.Done(), givingUp
	}
	collectEarly()
	o.Stdin, o.GiveUp = s.in, givingUp.Done()
	r := classifierRun{classifyTrainFlags: &classifyTrainFlags{init: o.Value("pretrainedVectors")}, streams: s, modelFiles: modelFiles{report: report}}
	_, written, err := o.Train(ctx, tellTrials(report, o.Value("autotune-metric"), r.hooks()))
	report.countingDone()
	for _, path := range written {
		report.note("wrote %s", path)
	}
	return classifyError(err)
}

// refusedArguments may have fastText's default alone; they say what to do instead.
var refusedArguments = map[string]string{
	"minCountLabel": "word vectors have no labels; w2v fasttext supervised trains classifiers",
	"wordNgrams":    "fastText has runs of words in classifiers alone; w2v train --arch cbow --word-ngrams trains them for word vectors",
	"ws":            "no word has a context; w2v train --window 0 draws contexts from whole lines",
	"lrUpdateRate":  "w2v lowers the learning rate with every block of words",
	"loss":          "losses are ns, hs and softmax",
	"autotune":      "w2v sweep compares settings of word vectors; w2v fasttext supervised takes it for classifiers",
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

func asFastText(name, value string) string {
	argument, ok := fasttext.ArgumentOf(name)
	if !ok {
		flag := asFlag(name, value)
		flag += when(strings.HasPrefix(flag, "--"), " of w2v train")
		return flag
	}
	return strings.TrimSuffix("-"+argument+" "+value, " ")
}

func supported() []fasttext.Argument {
	return slices.DeleteFunc(fasttext.Arguments(), func(a fasttext.Argument) bool { return a.Unsupported })
}

// takeArgument takes the first argument, with its value, and returns the others.
func takeArgument(o interface {
	Set(name, value string) error
}, args []string) ([]string, error) {
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
		hint := instead(name)
		if _, classifies := o.(*fasttext.Supervised); classifies {
			hint = "it belongs to w2v fasttext quantize"
		}
		err = fmt.Errorf("%w: %s", err, hint)
	}
	if _, unknown := errors.AsType[*fasttext.UnknownError](err); unknown {
		all := supported()
		if _, classifies := o.(*fasttext.Supervised); classifies {
			all = fasttext.Arguments() // some of them are for classifiers alone
		}
		names := wording.Map(all, func(a fasttext.Argument) string { return a.Name })
		err = fmt.Errorf("%w%s", err, didYouMean("-", wording.Nearest(name, names)))
	}
	return args[used:], err
}

func trainFastText(c *cobra.Command, s streams, command string, args []string) (err error) {
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
	progress := progressNever
	switch {
	case o.Verbose() >= 2:
		progress = progressAuto
	case o.Verbose() <= 0:
		s.err = io.Discard
	}
	report := newReporter(s, progress)
	report.spell = asFastText
	defer func() { err = errors.Join(err, report.close()) }()
	ctx, saving, stop := untilSignals(c.Context(), s.err)
	defer stop()
	o.Stdin, o.GiveUp = s.in, saving.Done()
	hooks := report.hooks(s)
	hooks.Ready = func() error {
		collectEarly()
		return nil
	}
	result, err := fasttext.Train(ctx, o, hooks)
	_, missing := errors.AsType[*fasttext.MissingError](err)
	_, misused := errors.AsType[*train.OptionError](err)
	if err = train.Spell(err, asFastText); missing || misused {
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

func completeFastText(c *cobra.Command, args []string, typed string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		found = wording.Map(fastTextCommands(), func(of fastTextCommand) cobra.Completion { return cobra.CompletionWithDesc(of.name, of.short) })
	case args[0] == "dump" && len(args) == 2:
		found = wording.Map(fasttext.Parts(), func(part fasttext.Part) cobra.Completion { return cobra.Completion(part) })
	case !slices.Contains(fasttext.Architectures(), args[0]):
		return inTurn(cobra.NoFileCompletions, files(modelExtensions()...), cobra.NoFileCompletions)(c, args, typed)
	default:
		last, dashed := strings.CutPrefix(args[len(args)-1], "-")
		if of, ok := fasttext.Find(last); !ok || of.Switch || !dashed {
			found = wording.Map(supported(), func(a fasttext.Argument) cobra.Completion { return cobra.CompletionWithDesc("-"+a.Name, a.Help) })
			break
		}
		switch last {
		case "input":
			return files(textExtensions()...)(c, args, typed)
		case "output":
			return files()(c, args, typed)
		case "pretrainedVectors":
			return files(modelExtensions()...)(c, args, typed)
		case "loss":
			found = []cobra.Completion{"ns", "hs", "softmax"}
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

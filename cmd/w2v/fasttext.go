package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/fasttext"
	"github.com/w2v-go/w2v/internal/spelling"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A fastTextCommand is a command of fastText.
type fastTextCommand struct {
	name, args string
	short      string
	least      int // arguments
	most       int
	run        func(c *cobra.Command, s streams, args []string) error
}

// fastTextCommands are those that w2v fasttext has.
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

// fastTextNames are the names of fastTextCommands.
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
					return &usageError{c.CommandPath(), fmt.Errorf("expected %s %s", of.name, of.args)}
				}
				return of.run(c, s, args[1:])
			}
			if instead, ok := refusedCommands[args[0]]; ok {
				return &usageError{c.CommandPath(), fmt.Errorf("%s is not supported: %s", args[0], instead)}
			}
			near := spelling.Nearest(args[0], fastTextNames())
			return &usageError{c.CommandPath(), fmt.Errorf("unknown command of fastText: %s%s", args[0], didYouMean("", near))}
		},
	}
}

func asksForHelp(arg string) bool { return slices.Contains([]string{"-h", "-help", "--help"}, arg) }

// ofFastText runs a command on the model that its first argument names.
func ofFastText(run func(m *fasttext.Model, s streams, args []string) error) func(*cobra.Command, streams, []string) error {
	return func(_ *cobra.Command, s streams, args []string) error {
		return s.withModel(args[0], func(set *vectors.Set) error {
			if err := run(fasttext.NewModel(set), s, args); err != nil {
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
				return &usageError{c.CommandPath(), fmt.Errorf("the number of answers must be 1 or more, is %q", args[1])}
			}
		}
		return ofFastText(func(m *fasttext.Model, s streams, args []string) error { return run(m, s, args[0], k) })(c, s, args)
	}
}

func fastTextDump(c *cobra.Command, s streams, args []string) error {
	part := fasttext.Part(args[1])
	if !slices.Contains(fasttext.Parts(), part) {
		return &usageError{c.CommandPath(), fmt.Errorf("dump: %q is not args, dict, input or output", args[1])}
	}
	switch is, err := format.Detect(args[0]); {
	case err != nil:
		return err
	case is != format.FastText:
		return fmt.Errorf("%s: has the format %s, and dump prints what is in a file of fastText: w2v info describes other models", args[0], is)
	}
	return fasttext.Dump(s.out, args[0], part)
}

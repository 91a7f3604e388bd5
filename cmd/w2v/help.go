package main

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/terminal"
	"github.com/w2v-go/w2v/internal/wording"
)

// helpTexts are what commands say of themselves. ${NAME} stands for the text of shared/NAME.txt.
//
//go:embed help
var helpTexts embed.FS

func helpText(name string) string {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // every run makes every command
	}
	return os.Expand(strings.TrimSpace(string(text)), func(shared string) string { return helpText("shared/" + shared) })
}

func command(name string, args cobra.PositionalArgs, run func(c *cobra.Command, args []string) error) *cobra.Command {
	head, rest, _ := strings.Cut(helpText(name), "\n\n")
	use, short, _ := strings.Cut(head, "\n")
	long, example, _ := strings.Cut(rest, "\n\nExamples:\n")
	return &cobra.Command{Use: use, Short: short, Long: long, Example: example, Args: usage(args), RunE: run}
}

func setHelp(root *cobra.Command, width int) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { printHelp(c, c.OutOrStdout(), width) })
	root.SetUsageFunc(func(c *cobra.Command) error { return printHelp(c, c.OutOrStdout(), width) })
	help := newHelp()
	root.SetHelpCommand(help)
	var each func(all ...*cobra.Command)
	each = func(all ...*cobra.Command) {
		for _, c := range all {
			c.Flags().BoolP("help", "h", false, "print this help")
			each(c.Commands()...)
		}
	}
	each(root, help)
}

func newHelp() *cobra.Command {
	c := command("help", cobra.ArbitraryArgs, func(c *cobra.Command, args []string) error {
		of := c.Root()
		for _, name := range args {
			all := of.Commands()
			i := slices.IndexFunc(all, func(sub *cobra.Command) bool { return sub.Name() == name })
			if i < 0 {
				return &usageError{of.CommandPath(), unknownCommand(of, name)}
			}
			of = all[i]
		}
		return of.Help()
	})
	c.ValidArgsFunction = func(c *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
		if of, _, err := c.Root().Find(args); err == nil {
			names = wording.Map(subcommands(of), func(sub *cobra.Command) cobra.Completion { return cobra.CompletionWithDesc(sub.Name(), sub.Short) })
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return c
}

func subcommands(c *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(c.Commands()), func(sub *cobra.Command) bool { return !sub.IsAvailableCommand() })
}

func printHelp(c *cobra.Command, w io.Writer, width int) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\nUsage:\n  %s\n", reflow(strings.TrimSpace(cmp.Or(c.Long, c.Short+".")), width), usageLine(c))
	for _, group := range commandGroups(c) {
		longest := 0
		for _, sub := range group.commands {
			longest = max(longest, utf8.RuneCountInString(sub.Name()))
		}
		fmt.Fprintf(&text, "\n%s:\n", group.title)
		for _, sub := range group.commands {
			fmt.Fprintln(&text, wrapRow(fmt.Sprintf("  %-*s  ", longest, sub.Name()), sub.Short, width))
		}
	}
	if c.HasExample() {
		fmt.Fprintf(&text, "\nExamples:\n%s\n", wrapCommands(c.Example, width))
	}
	writeFlags(&text, c.Flags(), width)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&text, "\n%s COMMAND --help explains a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(w, painted(terminalOf(w), text.String()))
	return err
}

// What help has in colours: headings, and the first columns of its tables.
var (
	helpHeading = regexp.MustCompile(`(?m)^[A-Z][^.\n]*:$`)
	helpName    = regexp.MustCompile(`(?m)^  ( *)(-[^\n]*?|[a-z][a-z-]*)(  |$)`)
)

// painted returns help in colours, if the terminal has some. Prose is not indented by two.
func painted(w *terminal.Writer, text string) string {
	if w.Paint(terminal.Name, "x") == "x" {
		return text
	}
	begin := max(0, strings.Index(text, "\nUsage:\n"))
	about, rest := text[:begin], text[begin:]
	rest = helpName.ReplaceAllStringFunc(rest, func(found string) string {
		parts := helpName.FindStringSubmatch(found)
		return "  " + parts[1] + w.Paint(terminal.Name, parts[2]) + parts[3]
	})
	return about + helpHeading.ReplaceAllStringFunc(rest, func(found string) string { return w.Paint(terminal.Heading, found) })
}

func writeFlags(w io.Writer, flags *pflag.FlagSet, width int) {
	const widest = 27 // first column: what is wider has a line of its own
	groups := groupsOfFlags(flags)
	column := 0
	first := func(f *pflag.Flag) (row, text string) {
		name, value, text := flagName(f)
		if f.Shorthand == "" {
			name = "    " + name
		}
		return strings.TrimRight("  "+name+" "+value, " ") + "  ", text
	}
	for _, group := range groups {
		for _, f := range group.flags {
			row, _ := first(f)
			if n := utf8.RuneCountInString(row); n <= widest {
				column = max(column, n)
			}
		}
	}
	for _, group := range groups {
		fmt.Fprintf(w, "\n%s:\n", group.title)
		for _, f := range group.flags {
			row, text := first(f)
			text += when(flagDefault(f) != "", " (default %s)", flagDefault(f))
			if utf8.RuneCountInString(row) > column {
				fmt.Fprintln(w, strings.TrimRight(row, " "))
				row = ""
			}
			fmt.Fprintln(w, wrapRow(fmt.Sprintf("%-*s", column, row), text, width))
		}
	}
}

func usageLine(c *cobra.Command) string {
	switch below := c.CommandPath() + " COMMAND [flags]"; {
	case !c.HasAvailableSubCommands():
		return c.UseLine()
	case arguments(c) != "":
		return c.UseLine() + "\n  " + below
	default:
		return below
	}
}

type commandGroup struct {
	title    string
	commands []*cobra.Command
}

func commandGroups(c *cobra.Command) (groups []commandGroup) {
	groups = wording.Map(c.Groups(), func(g *cobra.Group) commandGroup { return commandGroup{title: g.Title} })
	others := commandGroup{title: "Commands"}
	if len(groups) > 0 {
		others.title = "Other commands"
	}
	groups = append(groups, others)
	for _, sub := range subcommands(c) {
		i := slices.IndexFunc(c.Groups(), func(g *cobra.Group) bool { return g.ID == sub.GroupID })
		if i < 0 {
			i = len(groups) - 1
		}
		groups[i].commands = append(groups[i].commands, sub)
	}
	return slices.DeleteFunc(groups, func(g commandGroup) bool { return len(g.commands) == 0 })
}

// columns returns how wide help is where the terminal has so many columns; 0 if there is no terminal.
func columns(terminal int) int {
	const usual, least, most = 80, 40, 120
	return min(max(cmp.Or(max(terminal, 0), usual), least), most)
}

var tableRow = regexp.MustCompile(`^( +\S.*?  +)(\S.*)$`)

// reflow breaks paragraphs anew, for so many columns, and the second columns of tables, which stay in place. Other
// indented lines are kept.
func reflow(text string, width int) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, wrapWords(strings.Fields(strings.Join(paragraph, " ")), width)...)
			paragraph = nil
		}
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch row := tableRow.FindStringSubmatch(line); {
		case strings.TrimSpace(line) == "":
			end()
			out = append(out, "")
		case line[0] != ' ':
			paragraph = append(paragraph, line)
		case row == nil:
			end()
			out = append(out, line)
		default:
			end()
			rest := []string{row[2]}
			for i+1 < len(lines) && indent(lines[i+1]) == utf8.RuneCountInString(row[1]) {
				i++
				rest = append(rest, strings.TrimSpace(lines[i]))
			}
			out = append(out, wrapRow(row[1], strings.Join(rest, " "), width))
		}
	}
	end()
	return strings.Join(out, "\n")
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// wrapRow breaks the second column, which stays in place if it has room there. Each line of a comment has its mark.
func wrapRow(first, second string, width int) string {
	const least = 24
	mark := ""
	if strings.HasPrefix(second, "# ") {
		mark, second = "# ", strings.TrimPrefix(second, "# ")
	}
	at := utf8.RuneCountInString(first)
	if at+len(mark)+utf8.RuneCountInString(second) <= width {
		return first + mark + second
	}
	var out []string
	if width-at < least {
		out = append(out, strings.TrimRight(first, " "))
		at = indent(first) + 4
		first = strings.Repeat(" ", at)
	}
	for _, line := range wrapWords(strings.Fields(second), width-at-len(mark)) {
		out = append(out, first+mark+line)
		first = strings.Repeat(" ", at)
	}
	return strings.Join(out, "\n")
}

func wrapWords(words []string, width int) []string {
	var lines []string
	line := ""
	for _, word := range words {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// wrapCommands breaks long command lines between words, as a shell allows.
func wrapCommands(text string, width int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if utf8.RuneCountInString(line) <= width {
			out = append(out, line)
			continue
		}
		before := strings.Repeat(" ", indent(line))
		for i, part := range wrapWords(commandWords(line), width-len(before)-len("    ")-len(` \`)) {
			if i > 0 {
				out[len(out)-1] += ` \`
				part = "    " + part
			}
			out = append(out, before+part)
		}
	}
	return strings.Join(out, "\n")
}

// commandWords cuts a command line into what must stay on one line: words, quotations, and a comment.
func commandWords(line string) []string { return commandWord.FindAllString(line, -1) }

var commandWord = regexp.MustCompile(`#.*|(?:[^ '"]|'[^']*'|"[^"]*")+`)

func newCompletion(s streams) *cobra.Command {
	var plain bool
	names := []string{"bash", "zsh", "fish", "powershell"}
	c := command("completion", cobra.ExactArgs(1), func(c *cobra.Command, args []string) error {
		root := c.Root()
		switch shell := args[0]; {
		case shell == "bash":
			return root.GenBashCompletionV2(s.out, !plain)
		case shell == "zsh" && plain:
			return root.GenZshCompletionNoDesc(s.out)
		case shell == "zsh":
			return root.GenZshCompletion(s.out)
		case shell == "fish":
			return root.GenFishCompletion(s.out, !plain)
		case shell == "powershell" && plain:
			return root.GenPowerShellCompletion(s.out)
		case shell == "powershell":
			return root.GenPowerShellCompletionWithDesc(s.out)
		}
		return misuse(fmt.Errorf("%q is not %s%s", args[0], setting.Or(names), didYouMean("", wording.Nearest(args[0], names))))
	})
	c.ValidArgsFunction = cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
	c.Flags().BoolVar(&plain, "no-descriptions", false, "complete names without descriptions")
	return c
}

func setCompletion(c *cobra.Command) {
	c.CompletionOptions.DisableDefaultCmd = true // replaced by newCompletion
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if _, ok := c.GetFlagCompletionFunc(f.Name); ok || f.Value.Type() == "bool" {
			return
		}
		if complete := flagCompletion(c, f); complete != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, complete) // fails for unknown flags
		}
	})
	if complete := argumentCompletion(c); c.ValidArgsFunction == nil {
		c.ValidArgsFunction = complete
	}
	for _, sub := range c.Commands() {
		setCompletion(sub)
	}
}

func flagCompletion(c *cobra.Command, f *pflag.Flag) cobra.CompletionFunc {
	if e, ok := f.Value.(*enum); ok {
		return e.complete
	}
	switch f.Value.Type() {
	case "int", "intSlice", "uint64", "float64", "duration", "tokens", "numbers", "size":
		return cobra.NoFileCompletions
	}
	return flagRole(c, f).complete
}

func argumentCompletion(c *cobra.Command) cobra.CompletionFunc {
	each := wording.Map(argumentRoles(c), func(r role) cobra.CompletionFunc { return r.complete })
	if each == nil {
		return nil
	}
	return inTurn(each...)
}

func (e *enum) complete(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	goesOn := true // every choice is a prefix of more text
	for _, c := range e.choices {
		value, _, more := strings.Cut(c.value, "=")
		value += when(more, "=")
		if strings.HasPrefix(value, typed) {
			found = append(found, cobra.CompletionWithDesc(value, c.meaning))
			goesOn = goesOn && more
		}
	}
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if goesOn {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return found, directive
}

// inTurn completes the first argument with the first function and so on, and all further ones with the last.
func inTurn(each ...cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return each[min(len(args), len(each)-1)](c, args, typed)
	}
}

func folders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func textExtensions() []string { return []string{"txt", "text", "gz", "zst", "bz2"} }

func setExtensions() []string { return []string{"txt", "tsv", "csv", "gz", "zst", "bz2"} }

// modelExtensions includes the extensions of checkpoints, read-only formats and compressed files.
var modelExtensions = sync.OnceValue(func() []string {
	all := []string{"ckpt", "ck", "ftz", "gz", "zst", "bz2"}
	for _, e := range extensions() {
		if e = strings.TrimPrefix(e, "."); e != "" {
			all = append(all, e)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
})

// files completes names with one of the extensions, or any if none fits: no command insists on extensions.
func files(extensions ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if !anyFile(typed, extensions) {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

func anyFile(typed string, extensions []string) bool {
	folder, begin := filepath.Split(typed)
	if folder == "" {
		folder = "."
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), begin) && slices.Contains(extensions, strings.TrimPrefix(filepath.Ext(e.Name()), "."))
	})
}

func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if _, ours := errors.AsType[*usageError](err); err == nil || ours {
			return err
		}
		return misuse(explainArguments(c, args))
	}
}

func explainArguments(c *cobra.Command, args []string) error {
	wanted := arguments(c)
	switch n := len(args); {
	case c.HasSubCommands() && wanted == "" && n > 0:
		return unknownCommand(c, args[0])
	case wanted == "":
		return fmt.Errorf("%s takes no arguments: what is %q?", c.CommandPath(), args[0])
	case n == 0:
		return fmt.Errorf("expected %s, but there are no arguments", wanted)
	case n == 1:
		return fmt.Errorf("expected %s, but there is only %q", wanted, args[0])
	default:
		return fmt.Errorf("expected %s, but there are %d arguments", wanted, n)
	}
}

func arguments(c *cobra.Command) string {
	_, wanted, _ := strings.Cut(c.Use, " ")
	return strings.TrimSpace(strings.TrimPrefix(wanted, "[flags]"))
}

func unknownCommand(c *cobra.Command, name string) error {
	names := wording.Map(subcommands(c), func(sub *cobra.Command) string { return sub.Name() })
	_, before, _ := strings.Cut(c.CommandPath()+" ", " ")
	return fmt.Errorf("unknown command: %s%s%s", before, name, didYouMean(before, wording.Nearest(name, names)))
}

func explainFlag(known *pflag.FlagSet, err error) error {
	switch e := err.(type) { //nolint:errorlint // pflag wraps none of them
	case *pflag.InvalidValueError:
		return fmt.Errorf("--%s: %q %w", e.GetFlag().Name, e.GetValue(), whyNot(e.GetFlag().Value.Type(), e.Unwrap()))
	case *pflag.ValueRequiredError:
		return fmt.Errorf("--%s needs a value", e.GetFlag().Name)
	case *pflag.InvalidSyntaxError:
		return fmt.Errorf("%q is not a flag", e.GetSpecifiedFlag())
	case *pflag.NotExistError:
		return unknownFlag(known, e)
	}
	return err
}

func unknownFlag(known *pflag.FlagSet, e *pflag.NotExistError) error {
	short, _, _ := strings.Cut(e.GetSpecifiedShortnames(), "=")
	name := cmp.Or(short, e.GetSpecifiedName())
	var names []string
	known.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	meant := wording.Nearest(name, names)
	switch {
	case short == "":
		return fmt.Errorf("unknown flag: --%s%s", name, didYouMean("--", meant))
	case strings.HasPrefix(short, " "):
		return fmt.Errorf("%q looks like a flag: write -- before the words", "-"+e.GetSpecifiedShortnames())
	case meant != "" && len(name) > 1:
		return fmt.Errorf("unknown flag: -%s; did you mean --%s, with two dashes?", name, meant)
	}
	return fmt.Errorf("unknown flag: -%s", name)
}

// whyNot returns why a value is invalid for a type of flag. err is usually from package strconv.
func whyNot(kind string, err error) error {
	why := map[string]string{
		"int": "is not a whole number", "int64": "is not a whole number", "uint": "is not a whole number from 0", "uint64": "is not a whole number from 0",
		"float64": "is not a number", "bool": "is neither true nor false", "duration": "is not a time, as 90s, 10m and 1h30m are",
	}[kind]
	switch {
	case errors.Is(err, strconv.ErrRange):
		why = "is too large a number"
	case kind == "stringSlice":
		why = "is not a list with commas: a quotation mark begins or ends nothing"
	case why == "" || !errors.Is(err, strconv.ErrSyntax) && kind != "duration":
		return err
	}
	return errors.New(why)
}

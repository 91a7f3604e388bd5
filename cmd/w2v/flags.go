package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

const flagRange = "w2v_range"

// whole adds a flag for a whole number of least or more.
func whole(flags *pflag.FlagSet, least int, to *int, name, short string, usual int, usage string) {
	flags.IntVarP(to, name, short, usual, usage)
	limit(flags, float64(least), math.Inf(1), name)
}

// limit sets the range of numeric flags: see checkLimits. A duration must be above 0.
func limit(flags *pflag.FlagSet, least, most float64, names ...string) {
	text := []string{strconv.FormatFloat(least, 'f', -1, 64), strconv.FormatFloat(most, 'f', -1, 64)}
	for _, name := range names {
		_ = flags.SetAnnotation(name, flagRange, text) // fails for flags that are not there
	}
}

func checkLimits(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		limits := f.Annotations[flagRange]
		if limits == nil {
			return
		}
		name := either(f.Shorthand != "", "-"+f.Shorthand, "--"+f.Name)
		least, _ := strconv.ParseFloat(limits[0], 64)
		most, _ := strconv.ParseFloat(limits[1], 64)
		x, notNumber := strconv.ParseFloat(f.Value.String(), 64)
		wanted := "from " + limits[0] + " to " + limits[1]
		switch d, notTime := time.ParseDuration(f.Value.String()); {
		case f.Value.Type() == "duration" && notTime == nil && d <= 0:
			wanted = "above 0"
		case f.Value.Type() == "duration", notNumber == nil && least <= x && x <= most:
			return
		case math.IsInf(most, 1):
			wanted = "at least " + limits[0]
		}
		err = errors.Join(err, fmt.Errorf("%s must be %s, is %s", name, wanted, f.Value))
	})
	return err
}

const flagGroup = "w2v_group"

const withoutGroup = "Flags"

// grouped puts the flags that add adds into a group of the help, unless add has done so.
func grouped(flags *pflag.FlagSet, title string, add func()) {
	before := map[string]bool{}
	flags.VisitAll(func(f *pflag.Flag) { before[f.Name] = true })
	add()
	flags.VisitAll(func(f *pflag.Flag) {
		if !before[f.Name] && f.Annotations[flagGroup] == nil {
			_ = flags.SetAnnotation(f.Name, flagGroup, []string{title}) // fails for flags that are not there
		}
	})
}

type flagsOfGroup struct {
	title string
	flags []*pflag.Flag
}

// groupsOfFlags returns the visible flags: those without a group, then each group in the order of first flags.
func groupsOfFlags(flags *pflag.FlagSet) []flagsOfGroup {
	groups := []flagsOfGroup{{title: withoutGroup}}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		title := withoutGroup
		if own := f.Annotations[flagGroup]; len(own) > 0 {
			title = own[0] + " flags"
		}
		at := slices.IndexFunc(groups, func(g flagsOfGroup) bool { return g.title == title })
		if at < 0 {
			at = len(groups)
			groups = append(groups, flagsOfGroup{title: title})
		}
		groups[at].flags = append(groups[at].flags, f)
	})
	return slices.DeleteFunc(groups, func(g flagsOfGroup) bool { return len(g.flags) == 0 })
}

// flagName returns how the help calls a flag, as in "-o, --output", and its value. Switches have no value.
func flagName(f *pflag.Flag) (name, value, text string) {
	value, text = pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if f.NoOptDefVal != "" && value != "" { // a value as a separate word would be an argument
		return name + "[=" + value + "]", "", text
	}
	return name, value, text
}

// flagDefault returns the default of a flag, or "" if the help does not mention it.
func flagDefault(f *pflag.Flag) string {
	return either(slices.Contains([]string{"0", "0s", "false", "[]"}, f.DefValue), "", f.DefValue)
}

// sizeUnits are the units of a size. Those of one letter are powers of 1,024, as elsewhere.
var sizeUnits = map[string]float64{
	"": 1, "b": 1,
	"k": 1 << 10, "kib": 1 << 10, "kb": 1e3,
	"m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
	"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
	"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
}

// pathsFlag is a flag after which all arguments are paths. Without it, those after the models are.
type pathsFlag struct {
	flags *pflag.FlagSet
	name  string
	first []string // after the flag itself
	from  int      // number of arguments before the flag
}

func (f *pathsFlag) add(c *cobra.Command, name, usage string) {
	f.flags, f.name, f.from = c.Flags(), name, -1
	c.Flags().Var(f, name, usage)
}

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

func (f *pathsFlag) String() string { return strings.Join(f.first, " ") }

func (f *pathsFlag) Type() string { return "FILE|FOLDER..." }

func (f *pathsFlag) split(args []string) (models, paths []string, err error) {
	switch {
	case f.from == 0:
		return nil, nil, fmt.Errorf("name the models before --%s: all arguments after it are sets", f.name)
	case f.from > 0:
		return args[:f.from], append(f.first, args[f.from:]...), nil
	}
	if n := slices.IndexFunc(args, isSet); n >= 0 {
		return args[:n], args[n:], nil
	}
	for _, path := range args {
		if _, err := os.Stat(path); err != nil {
			return nil, nil, compression.Named(path, err)
		}
	}
	return nil, nil, fmt.Errorf("there are no sets to score the models on: add --%s FILE|FOLDER", f.name)
}

func isSet(path string) bool {
	is, err := format.Detect(path)
	if err == nil { // pairs of words with scores look like vectors of words with spaces
		const most = 16 << 20 // bytes, which sets do not have
		if info, err := os.Stat(path); err != nil || info.Size() > most || is != format.GloVe {
			return false
		}
	}
	_, _, err = eval.ReadSets([]string{path}, eval.ReadOptions{})
	return err == nil
}

func addCache(flags *pflag.FlagSet, folder *string, memory *uint64) {
	flags.StringVar(folder, "cache", "", "keep the tokenised corpus in this `folder`, so that the next run on the same files begins training at once; about 2 bytes a token, and twice that while it is made (default: a temporary file)")
	addVocabMemory(flags, memory)
}

func addVocabMemory(flags *pflag.FlagSet, to *uint64) {
	flags.Var(&sizeFlag{to, vocab.LeastMemory}, "vocab-memory", "memory for counting, such as 256MiB; counts beyond that go to disk, and the result is the same (default: a quarter of the memory that the process may have)")
}

type sizeFlag struct {
	to    *uint64
	least uint64 // for counting; 0 for a size of anything else
}

func (s *sizeFlag) Type() string { return "size" }

func (s *sizeFlag) String() string {
	switch {
	case s.to == nil || *s.to == 0: // pflag asks a zero value for its default
		return ""
	case *s.to%1e6 == 0:
		return strconv.FormatUint(*s.to/1e6, 10) + "MB"
	}
	return strconv.FormatUint(*s.to, 10)
}

func (s *sizeFlag) Set(text string) error {
	number := strings.TrimRight(text, "bBiIkKmMgGtT ")
	unit, ok := sizeUnits[strings.ToLower(strings.TrimSpace(text[len(number):]))]
	n, err := strconv.ParseFloat(number, 64)
	switch {
	case !ok || err != nil || !(n >= 0) || n*unit > math.MaxInt64:
		return errors.New("is not a size, as 256MiB and 2G are")
	case uint64(n*unit) < s.least:
		return fmt.Errorf("is too little: counting needs %d MiB", s.least>>20)
	}
	*s.to = uint64(n * unit)
	return nil
}

func addForce(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "force", false, "go on even if disk space or memory seem too small")
}

type choice struct{ value, meaning string }

// An enum is the value of a flag with a few known values: its choices make the flag's check, help and completion.
type enum struct {
	choices  []choice
	get      func() string
	set      func(string)
	further  func(value string) error // accepts other values; nil for none
	refused  map[string]string        // why another value is none; nil for no such values
	optional bool                     // the empty string is a value: the default
	given    string                   // by the command line
}

// addEnum adds a flag that sets to. The current value of to is the default.
func addEnum[T ~string](flags *pflag.FlagSet, to *T, name, usage string, choices []choice) *enum {
	e := &enum{
		choices:  choices,
		get:      func() string { return string(*to) },
		set:      func(value string) { *to = T(value) },
		optional: *to == "",
	}
	e.add(flags, name, usage)
	return e
}

func (e *enum) add(flags *pflag.FlagSet, name, usage string) { flags.Var(e, name, usage+": "+e.list()) }

func choicesOf[T ~string](values []T, meanings map[T]string) (choices []choice) {
	return wording.Map(values, func(v T) choice { return choice{string(v), meanings[v]} })
}

func (e *enum) list() string {
	var parts []string
	for _, c := range e.choices {
		if c.meaning != "" {
			c.value += " (" + c.meaning + ")"
		}
		parts = append(parts, c.value)
	}
	return strings.Join(parts, ", ")
}

func (e *enum) values() (names []string) {
	return wording.Map(e.choices, func(c choice) string { return c.value })
}

func (e *enum) String() string {
	if e.get == nil { // pflag asks a zero value for its default
		return ""
	}
	return e.get()
}

func (e *enum) Type() string { return "name" }

func (e *enum) Set(value string) error {
	known := slices.Contains(e.values(), value) || e.optional && value == ""
	if why := e.refused[value]; why != "" && !known {
		return errors.New(why)
	}
	if !known && (e.further == nil || e.further(value) != nil) {
		return fmt.Errorf("is not %s%s", setting.Or(e.values()), didYouMean("", wording.Nearest(value, e.values())))
	}
	e.given = value
	e.set(value)
	return nil
}

func didYouMean(before, name string) string {
	return when(name != "", "; did you mean %s%s?", before, name)
}

func addAnalogyMethod(c *cobra.Command, to *vectors.AnalogyMethod) {
	*to = vectors.CosAdd
	addEnum(c.Flags(), to, "method", "how answers are scored", choicesOf(vectors.AnalogyMethods(), nil))
}

// When a progress bar is shown.
const (
	progressAuto   = "auto"
	progressAlways = "always"
	progressNever  = "never"
)

func addProgress(flags *pflag.FlagSet, to *string) {
	*to = progressAuto
	addEnum(flags, to, "progress", "progress bar on stderr", []choice{
		{progressAuto, "on a terminal"},
		{progressAlways, ""},
		{progressNever, ""},
	})
}

// before runs do before a command, whose error joins those of what ran earlier.
func before(c *cobra.Command, do func(args []string) error) {
	earlier := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if earlier == nil {
			return do(args)
		}
		err := earlier(c, args)
		return errors.Join(err, do(args))
	}
}

// checked makes an error of check a usage error of a command.
func checked(c *cobra.Command, check func(args []string) error) {
	before(c, func(args []string) error { return misuse(check(args)) })
}

func refuse(flags *pflag.FlagSet, format string, names ...string) error {
	for _, name := range names {
		if flags.Changed(name) {
			return fmt.Errorf(format, name)
		}
	}
	return nil
}

// A rule is one that a command line may break, and what to say then.
type rule struct {
	broken bool
	why    string
}

func broken(rules ...rule) error {
	for _, r := range rules {
		if r.broken {
			return errors.New(r.why)
		}
	}
	return nil
}

const readTwice = "standard input can be read only once, which is too little: name a file"

// addSettings adds a flag for each setting of these groups. What a setting is now is its default.
func addSettings(flags *pflag.FlagSet, to *train.Settings, groups ...string) {
	titles := map[string]string{
		sgns.GroupModel: "Model", train.GroupSubwords: "Subword", train.GroupText: "Text",
		sgns.GroupFreeze: "Starting", sgns.GroupRun: "Run", sgns.GroupEvaluate: "Evaluation",
	}
	for _, row := range train.Table() {
		title := either(strings.HasPrefix(row.Name, "phrase"), "Phrase", titles[row.Group])
		if slices.Contains(groups, row.Group) {
			grouped(flags, title, func() { addSettingRow(flags, to, row) })
		}
	}
}

func addSetting(flags *pflag.FlagSet, to *train.Settings, name string) {
	for _, row := range train.Table() {
		if row.Name == name {
			addSettingRow(flags, to, row)
		}
	}
}

// ofClassifiers are values of --arch and --loss that w2v train has no text for.
var ofClassifiers = map[string]string{
	string(sgns.Supervised): forLabels, string(sgns.Softmax): forLabels, string(sgns.OneVersusAll): forLabels,
}

const forLabels = "is for texts with labels: see w2v classify train"

func addSettingRow(flags *pflag.FlagSet, to *train.Settings, row train.Setting) {
	standard := either(to.Given(row.Name), to.Value(row.Name), row.Default)
	if len(row.Choices) == 0 {
		flags.Var(&settingFlag{to, row}, row.Name, row.Help)
		flags.Lookup(row.Name).DefValue = standard
	} else {
		e := &enum{
			get: func() string { return cmp.Or(to.Value(row.Name), standard) },
			set: func(value string) { _ = to.Set(row.Name, value) }, // it is one of the choices
		}
		e.choices = wording.Map(row.Choices, func(c train.Choice) choice { return choice{c.Value, c.Meaning} })
		if row.Name == "arch" || row.Name == "loss" {
			e.refused = ofClassifiers
		}
		if row.Open {
			e.further = func(value string) error { return to.Set(row.Name, value) }
		}
		e.add(flags, row.Name, row.Help)
	}
	if row.Type == "bool" {
		flags.Lookup(row.Name).NoOptDefVal = "true"
	}
}

type settingFlag struct {
	settings *train.Settings
	row      train.Setting
}

func (f *settingFlag) String() string {
	if f.settings == nil { // pflag asks a zero value what its default is
		return ""
	}
	return f.settings.Value(f.row.Name)
}

func (f *settingFlag) Type() string { return f.row.Type }

// Set sets the setting. An error is the reason alone: see explainFlag.
func (f *settingFlag) Set(text string) error {
	err := f.settings.Set(f.row.Name, text)
	if e, ok := errors.AsType[*train.ValueError](err); ok {
		return e.Err
	}
	return err
}

// asFlags returns an error of package train with settings and options named as flags.
func asFlags(err error) error { return train.Spell(err, asFlag) }

func asFlag(name, value string) string {
	switch name {
	case "reduce":
		return "w2v convert --dim"
	case "convert":
		return "w2v convert"
	case "factorize":
		return "w2v factorize --rank " + value
	case "classify":
		return "w2v classify train"
	}
	space := " "
	switch {
	case value == "", value == "true":
		return "--" + name
	case isSwitch(name):
		space = "="
	}
	return "--" + name + space + wording.Quoted(value)
}

// isSwitch reports whether a flag is a setting that takes a value behind = only.
func isSwitch(name string) bool {
	return slices.ContainsFunc(train.Table(), func(row train.Setting) bool { return row.Name == name && row.Type == "bool" })
}

// checkSwitches returns an error if an argument was meant as the value of a switch: it is one, and no file.
func checkSwitches(flags *pflag.FlagSet, args []string) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal == "" || f.Value.String() != f.NoOptDefVal || !isSwitch(f.Name) {
			return
		}
		values := []string{"false", "true"}
		if e, ok := f.Value.(*enum); ok {
			values = e.values()
		}
		for _, arg := range args {
			if _, missing := os.Stat(arg); missing != nil && slices.Contains(values, arg) {
				err = fmt.Errorf("%s: no such file: if it is a value, say --%s=%s", arg, f.Name, arg)
			}
		}
	})
	return err
}

// givenFlags returns the flags that are given, as they stand on a command line, without some.
func givenFlags(flags *pflag.FlagSet, without []string) (words []string) {
	flags.Visit(func(flag *pflag.Flag) {
		values, several := flag.Value.(pflag.SliceValue)
		switch {
		case slices.Contains(without, flag.Name):
		case several:
			for _, value := range values.GetSlice() {
				words = append(words, "--"+flag.Name, value)
			}
		case flag.NoOptDefVal != "":
			words = append(words, "--"+flag.Name+"="+flag.Value.String())
		default:
			words = append(words, "--"+flag.Name, flag.Value.String())
		}
	})
	return words
}

// commandLine returns a command as a shell takes it.
func commandLine(words []string) string { return strings.Join(wording.Map(words, wording.Quoted), " ") }

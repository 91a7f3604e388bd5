package fasttext

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/train"
)

// An Argument is an argument of fastText's training commands.
type Argument struct {
	Name    string // without the dash
	Default string // fastText's default
	Help    string
	// Setting is the corresponding setting of package train. It is empty if Train handles the argument
	// itself, or if the argument is not supported.
	Setting string
	Switch  bool // takes no value
	// Unsupported says that only the default is accepted.
	Unsupported bool
}

var arguments = []Argument{
	{Name: "input", Help: "file of the text"},
	{Name: "output", Help: "where the model goes, without .bin and .vec"},
	{Name: "verbose", Default: "2", Help: "2 shows progress, 1 what was done, 0 errors alone"},

	{Name: "minCount", Default: "5", Setting: "min-count", Help: "words that occur less often are left out"},
	{Name: "minCountLabel", Default: "0", Unsupported: true, Help: "the same of labels"},
	{Name: "wordNgrams", Default: "1", Unsupported: true, Help: "longest run of words, of classifiers"},
	{Name: "bucket", Default: "2000000", Setting: "buckets", Help: "hash buckets of the n-grams"},
	{Name: "minn", Default: "3", Setting: "minn", Help: "shortest n-gram, in characters"},
	{Name: "maxn", Default: "6", Setting: "maxn", Help: "longest n-gram; 0 for words alone"},
	{Name: "t", Default: "0.0001", Setting: "sample", Help: "threshold above which frequent words are sampled"},
	{Name: "label", Default: "__label__", Help: "tokens that begin so are not words"},

	{Name: "lr", Default: "0.05", Setting: "lr", Help: "learning rate at the start"},
	{Name: "lrUpdateRate", Default: "100", Unsupported: true, Help: "tokens between updates of the learning rate"},
	{Name: "dim", Default: "100", Setting: "dim", Help: "dimensions"},
	{Name: "ws", Default: "5", Setting: "window", Help: "largest distance between centre and context"},
	{Name: "epoch", Default: "5", Setting: "epochs", Help: "passes over the text"},
	{Name: "neg", Default: "5", Setting: "negatives", Help: "negative samples of a pair"},
	{Name: "loss", Default: "ns", Setting: "loss", Help: "ns (negative sampling) or hs (hierarchical softmax)"},
	{Name: "thread", Default: "12", Setting: "threads", Help: "threads; with 1 the same seed gives the same bits"},
	{Name: "pretrainedVectors", Help: "file of vectors to start from"},
	{Name: "saveOutput", Default: "false", Switch: true, Help: "write the context vectors too, to OUTPUT.output"},
	{Name: "seed", Default: "0", Setting: "seed", Help: "seed of the random numbers"},

	{Name: "autotune-validation", Unsupported: true},
	{Name: "autotune-metric", Default: "f1", Unsupported: true},
	{Name: "autotune-predictions", Default: "1", Unsupported: true},
	{Name: "autotune-duration", Default: "300", Unsupported: true},
	{Name: "autotune-modelsize", Unsupported: true},

	{Name: "cutoff", Default: "0", Unsupported: true},
	{Name: "retrain", Default: "false", Switch: true, Unsupported: true},
	{Name: "qnorm", Default: "false", Switch: true, Unsupported: true},
	{Name: "qout", Default: "false", Switch: true, Unsupported: true},
	{Name: "dsub", Default: "2", Unsupported: true},
}

// Arguments returns all arguments in fastText's order.
func Arguments() []Argument { return slices.Clone(arguments) }

// Find returns the argument of that name.
func Find(name string) (Argument, bool) {
	for _, a := range arguments {
		if a.Name == name {
			return a, true
		}
	}
	return Argument{}, false
}

// ArgumentOf returns the argument that corresponds to a setting of package train.
func ArgumentOf(setting string) (name string, ok bool) {
	if setting == "init" {
		return "pretrainedVectors", true
	}
	for _, a := range arguments {
		if a.Setting == setting {
			return a.Name, true
		}
	}
	return "", false
}

// An UnknownError says that fastText has no such argument.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown argument: -%s", e.Name) }

// An UnsupportedError says that an argument of fastText, or its value, is not supported.
type UnsupportedError struct{ Name, Value string }

func (e *UnsupportedError) Error() string {
	text := "-" + e.Name
	if e.Value != "" {
		text += " " + e.Value
	}
	return text + " is not supported"
}

// A MissingError says that a required argument is missing.
type MissingError struct{ Name string }

func (e *MissingError) Error() string { return fmt.Sprintf("-%s is missing", e.Name) }

const noiseExponent = "0.5"

// Options are the arguments of a training command of fastText. NewOptions makes Options.
type Options struct {
	Stdin  io.Reader       // read as the input "-"; nil for nothing
	GiveUp <-chan struct{} // see train.Options.GiveUp

	arch  string
	given map[string]string // values of the given arguments
}

// Architectures returns the commands of fastText that train word vectors.
func Architectures() []string { return []string{"skipgram", "cbow"} }

// NewOptions returns the options of a command, which is one of Architectures, without arguments.
func NewOptions(command string) (*Options, error) {
	if !slices.Contains(Architectures(), command) {
		return nil, fmt.Errorf("fasttext: %q trains no word vectors: skipgram and cbow do", command)
	}
	return &Options{arch: command, given: make(map[string]string)}, nil
}

// Set sets an argument. The value of a switch is "true". The error is an *UnknownError, an *UnsupportedError,
// or describes an invalid value.
func (o *Options) Set(name, value string) error {
	a, ok := Find(name)
	switch {
	case !ok:
		return &UnknownError{name}
	case a.Switch && a.Unsupported:
		return &UnsupportedError{Name: name}
	case a.Unsupported && value != a.Default:
		return &UnsupportedError{name, value}
	case name == "loss" && slices.Contains([]string{"softmax", "one-vs-all", "ova"}, value):
		return &UnsupportedError{name, value}
	case name == "ws" && value == "0": // fastText draws from an empty range, w2v would use the whole line
		return &UnsupportedError{name, value}
	case name == "verbose":
		if _, err := strconv.Atoi(value); err != nil {
			return fmt.Errorf("-verbose: %q is not a whole number", value)
		}
	case a.Setting != "" && !(name == "minn" && value == "0"): // see settings
		s := train.Defaults()
		if err := s.Set(a.Setting, value); err != nil {
			return Spell(err)
		}
	}
	if o.given == nil {
		o.given = make(map[string]string)
	}
	o.given[name] = value
	return nil
}

// Value returns the value of an argument, or fastText's default if it was not given.
func (o *Options) Value(name string) string {
	if value, ok := o.given[name]; ok {
		return value
	}
	a, _ := Find(name)
	return a.Default
}

// Verbose returns the verbosity: 0 prints nothing, 2 and above print progress.
func (o *Options) Verbose() int {
	level, _ := strconv.Atoi(o.Value("verbose")) // checked by Set
	return level
}

func (o *Options) check() error {
	if !slices.Contains(Architectures(), o.arch) {
		return errors.New("fasttext: the options name no command: NewOptions makes them")
	}
	for _, name := range []string{"input", "output"} {
		if o.Value(name) == "" {
			return &MissingError{name}
		}
	}
	return nil
}

func (o *Options) settings() (train.Settings, error) {
	s := train.Defaults()
	subwords, sampled := "fasttext", o.Value("loss") == "ns"
	if o.Value("maxn") == "0" {
		subwords = "none"
	}
	err := errors.Join(s.Set("arch", o.arch), s.Set("subwords", subwords))
	if sampled {
		err = errors.Join(err, s.Set("ns-exponent", noiseExponent))
	}
	for _, a := range arguments {
		value := o.Value(a.Name)
		switch a.Setting {
		case "":
			continue
		case "dim":
			if _, given := o.given["dim"]; !given && o.Value("pretrainedVectors") != "" {
				continue // the warm-start vectors decide this
			}
		case "negatives":
			if !sampled && value == a.Default {
				continue
			}
		case "minn", "maxn", "buckets":
			if subwords == "none" {
				continue
			}
			if value == "0" && a.Setting == "minn" {
				value = "1" // n-grams have at least one character
			}
		}
		err = errors.Join(err, s.Set(a.Setting, value))
	}
	return s, err
}

// Spell renames settings and options in an error of package train to fastText's arguments. Settings without
// an argument keep their names of package train.
func Spell(err error) error {
	return train.Spell(err, func(name, value string) string {
		if argument, ok := ArgumentOf(name); ok {
			name = "-" + argument
		}
		if value != "" && value != "true" {
			return name + " " + value
		}
		return name
	})
}

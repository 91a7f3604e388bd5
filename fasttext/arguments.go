package fasttext

import (
	"fmt"
	"slices"
)

// An Argument is an argument of fastText's commands that train.
type Argument struct {
	Name    string // without the dash
	Default string // what fastText does without it
	Help    string
	// Setting is the setting of package train that the argument gives; empty for one that Train
	// deals with itself, or that is not supported.
	Setting string
	Switch  bool // it has no value
	// Unsupported says that only the default is possible, which changes nothing.
	Unsupported bool
}

// arguments is the one table of fastText's arguments, in the order in which fastText lists them.
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
	{Name: "label", Default: "__label__", Help: "tokens that begin so are no words"},

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

// Arguments returns all arguments, in the order in which fastText lists them.
func Arguments() []Argument { return slices.Clone(arguments) }

// Find returns the argument of that name.
func Find(name string) (Argument, bool) {
	at := slices.IndexFunc(arguments, func(a Argument) bool { return a.Name == name })
	if at < 0 {
		return Argument{}, false
	}
	return arguments[at], true
}

// ArgumentOf returns the name of the argument that gives a setting of package train.
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

// An UnsupportedError says that an argument of fastText, or that value of it, is not supported.
type UnsupportedError struct{ Name, Value string }

func (e *UnsupportedError) Error() string {
	text := "-" + e.Name
	if e.Value != "" {
		text += " " + e.Value
	}
	return text + " is not supported"
}

// A MissingError says that an argument is missing without which nothing can be trained.
type MissingError struct{ Name string }

func (e *MissingError) Error() string { return fmt.Sprintf("-%s is missing", e.Name) }

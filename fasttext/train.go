// Package fasttext does what the program fastText 0.9.2 does with word vectors, in fastText's terms: it knows
// fastText's arguments and their defaults, reads text like fastText, writes fastText's files, and prints
// fastText's output lines.
//
// Train trains, with the arguments of "fasttext skipgram" and "fasttext cbow":
//
//	o, err := fasttext.NewOptions("skipgram")
//	err = errors.Join(o.Set("input", "corpus.txt"), o.Set("output", "model"), o.Set("minCount", "2"))
//	result, err := fasttext.Train(ctx, o, train.Hooks{}) // model.bin and model.vec
//
// A Model prints vectors, n-grams, neighbours and analogies, and a Classifier prints labels. They compute in
// fastText's order, so both programs print the same bytes for the same file. Dump prints the content of a file.
//
// Training is w2v's own, so vectors and classifiers are as good as fastText's but not identical. Supervised are the
// arguments of its command that trains classifiers.
package fasttext

import (
	"bytes"
	"context"
	_ "embed" // of the table of arguments
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// EndOfSentence is the token that fastText reads at the end of each line.
const EndOfSentence = "</s>"

// Result is the result of Train.
type Result struct {
	*train.Result
	Files []string // text files with vectors
}

// Train trains word vectors with the given options. It writes OUTPUT.bin, OUTPUT.vec and, with saveOutput,
// OUTPUT.output. If ctx ends before training does, Train writes only OUTPUT.bin, with what was trained so
// far: see train.Run.
//
// A *MissingError says that the input or the output is missing. A *train.OptionError says that arguments
// exclude each other.
func Train(ctx context.Context, o *Options, h train.Hooks) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
	output := o.Value("output")
	files := []train.File{{Name: "output", Path: output + ".vec"}}
	if o.Value("saveOutput") == "true" {
		files = append(files, train.File{Name: "output", Path: output + ".output"})
	}
	text := train.FilesAndInput(o.Stdin, o.Value("input")).Through(func() corpus.Stage { return &lineReader{label: []byte(o.Value("label"))} })
	trained, err := train.Run(ctx, text, train.Options{
		Settings: settings,
		Output:   output + ".bin",
		Format:   format.FastText,
		Init:     train.Init{File: o.Value("pretrainedVectors"), UpdateVocab: o.Value("pretrainedVectors") != ""},
		Files:    files,
		GiveUp:   o.GiveUp,
	}, h)
	if trained == nil {
		return nil, err
	}
	result := &Result{Result: trained}
	if err != nil || !trained.Complete {
		return result, err
	}
	for i, write := range []func(io.Writer, *vectors.Set) error{writeVectors, writeContexts}[:len(files)] {
		path := files[i].Path
		err := atomicfile.Write(path, func(w io.Writer) error { return write(w, trained.Vectors) })
		if err != nil {
			return result, fmt.Errorf("%s: %w", path, err)
		}
		result.Files = append(result.Files, path)
	}
	return result, nil
}

// A lineReader turns a line into fastText's tokens: no labels, and EndOfSentence at the end.
type lineReader struct{ label []byte }

func (l *lineReader) Token(out *corpus.Staged, token []byte) {
	if !bytes.HasPrefix(token, l.label) {
		out.Add(token)
	}
}

func (l *lineReader) End(out *corpus.Staged) { out.Add([]byte(EndOfSentence)) }

func writeVectors(w io.Writer, s *vectors.Set) error { return writeLines(w, s, s.All()) }

// writeContexts writes the context vectors of all words in the format of fastText's .output file. With
// hierarchical softmax these are the vectors of the tree's nodes, one fewer than words.
func writeContexts(w io.Writer, s *vectors.Set) error {
	rows := s.Output()
	if nodes := s.Matrix(vectors.MatrixNodes); nodes.Rows > 0 {
		rows = nodes
	}
	return writeLines(w, s, func(yield func(int, []float32) bool) {
		for id, v := range s.RowsOf(rows) {
			if !yield(id, v) {
				return
			}
		}
		for id := rows.Rows; id < s.Len() && yield(id, make([]float32, s.Dim())); id++ {
		}
	})
}

func writeLines(w io.Writer, s *vectors.Set, rows iter.Seq2[int, []float32]) error {
	if _, err := fmt.Fprintf(w, "%d %d\n", s.Len(), s.Dim()); err != nil {
		return err
	}
	var text []byte
	const atOnce = 1 << 16 // bytes
	for id, v := range rows {
		text = appendLine(text, s.Words().At(id), v)
		if len(text) < atOnce {
			continue
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		text = text[:0]
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	return s.Err()
}

// An Argument is an argument of fastText's training commands.
type Argument struct {
	Name    string // without the dash
	Default string // fastText's default
	Help    string
	// Setting is the setting of package train; empty if Train handles the argument, or if it is not supported.
	Setting string
	Switch  bool // takes no value
	// Unsupported says that only the default is accepted.
	Unsupported bool
}

//go:embed arguments.tsv
var table string

// arguments are the lines of the table behind its first, which names the columns.
var arguments = sync.OnceValue(func() (all []Argument) {
	for line := range strings.Lines(table) {
		of := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		all = append(all, Argument{
			Name: of[0], Default: of[1], Setting: of[2], Help: of[4],
			Switch: strings.Contains(of[3], "switch"), Unsupported: strings.Contains(of[3], "unsupported"),
		})
	}
	return all[1:]
})

// Arguments returns all arguments in fastText's order.
func Arguments() []Argument { return slices.Clone(arguments()) }

// Find returns the argument of that name.
func Find(name string) (Argument, bool) { return find(func(a Argument) bool { return a.Name == name }) }

// ArgumentOf returns the argument that corresponds to a setting of package train.
func ArgumentOf(setting string) (name string, ok bool) {
	if setting == "init" {
		return "pretrainedVectors", true
	}
	a, ok := find(func(a Argument) bool { return a.Setting == setting })
	return a.Name, ok
}

func find(is func(Argument) bool) (a Argument, ok bool) {
	if i := slices.IndexFunc(arguments(), is); i >= 0 {
		return arguments()[i], true
	}
	return a, false
}

// An UnknownError says that fastText has no such argument.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown argument: -%s", e.Name) }

// An UnsupportedError says that an argument of fastText, or its value, is not supported.
type UnsupportedError struct{ Name, Value string }

func (e *UnsupportedError) Error() string {
	return strings.TrimSpace("-"+e.Name+" "+e.Value) + " is not supported"
}

// A MissingError says that a required argument is missing, or that argument For needs it.
type MissingError struct{ Name, For string }

func (e *MissingError) Error() string {
	if e.For != "" {
		return fmt.Sprintf("-%s needs -%s", e.For, e.Name)
	}
	return fmt.Sprintf("-%s is missing", e.Name)
}

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
	case a.Unsupported && value != a.Default, name == "loss" && slices.Contains([]string{"one-vs-all", "ova"}, value),
		name == "ws" && value == "0": // fastText draws from an empty range, w2v would use the whole line
		return &UnsupportedError{name, value}
	case name == "loss" && !slices.Contains([]string{"ns", "hs", "softmax"}, value):
		return fmt.Errorf("-loss: %q is not ns, hs or softmax", value)
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
			return &MissingError{Name: name}
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
		err = errors.Join(err, s.Set("ns-exponent", "0.5"))
	}
	for _, a := range arguments() {
		value := o.Value(a.Name)
		switch a.Setting {
		case "":
			continue
		case "dim":
			if _, given := o.given["dim"]; !given && o.Value("pretrainedVectors") != "" {
				continue // the warm-start vectors decide this
			}
		case "negatives":
			switch {
			case sampled:
			case value == a.Default:
				continue
			default: // package train knows more losses with negatives
				return s, &MissingError{Name: "loss ns", For: a.Name}
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

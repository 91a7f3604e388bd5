package fasttext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/train"
)

// noiseExponent is the power of a word's count by which fastText draws negatives.
const noiseExponent = "0.5"

// Options are what one of fastText's commands that train is told. NewOptions makes them.
type Options struct {
	Stdin  io.Reader       // what the input "-" reads; nil for nothing
	Saving context.Context // see train.Options.Saving

	arch  string
	given map[string]string // values of arguments
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

// Set gives an argument a value, in place of one that it was given before. The value of a switch is
// "true". The error is an *UnknownError, an *UnsupportedError, or says what is wrong with the value.
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
	case name == "ws" && value == "0": // fastText draws from an empty range, w2v from the whole line
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

// Value returns the value of an argument: fastText's default if it was not given.
func (o *Options) Value(name string) string {
	if value, ok := o.given[name]; ok {
		return value
	}
	a, _ := Find(name)
	return a.Default
}

// Verbose returns how much is to be said: nothing from 0, progress from 2.
func (o *Options) Verbose() int {
	level, _ := strconv.Atoi(o.Value("verbose")) // as Set has seen
	return level
}

// check reports an argument that is missing.
func (o *Options) check() error {
	if o == nil || !slices.Contains(Architectures(), o.arch) {
		return errors.New("fasttext: the options name no command: NewOptions makes them")
	}
	for _, name := range []string{"input", "output"} {
		if o.Value(name) == "" {
			return &MissingError{name}
		}
	}
	return nil
}

// settings are those of package train that the arguments give.
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
				continue // the vectors say it
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
				value = "1" // no n-gram has no characters
			}
		}
		err = errors.Join(err, s.Set(a.Setting, value))
	}
	return s, err
}

// Spell returns an error of package train with settings and options named as fastText's arguments;
// others keep the name that they have in package train's table.
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

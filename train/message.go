package train

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns"
)

// A Message is a text that names options, for example options to change. String names options as
// fields of Options. A program whose users know other names, such as flags, calls Spell.
type Message struct {
	format string
	args   []any
}

// A name is the name of an option in the command: "min-count".
type name string

// A setTo is an option and a value for it.
type setTo struct {
	name  name
	value string
}

func (n name) to(value any) setTo { return setTo{n, fmt.Sprint(value)} }

// messagef returns a message; args that are names are options.
func messagef(format string, args ...any) Message { return Message{format, args} }

func messages(all []Message) Message {
	args := make([]any, len(all))
	for i, m := range all {
		args[i] = m
	}
	return Message{strings.TrimSuffix(strings.Repeat("%v ", len(all)), " "), args}
}

// String returns the text. Options are named as fields: "Settings.MinCount".
func (m Message) String() string { return m.Spell(field) }

// Spell returns the text with options named by spell. It calls spell with the name of the option,
// such as "min-count", and with the suggested value, which may be empty. Names are those of the
// table of settings or of package train's options.
func (m Message) Spell(spell func(name, value string) string) string {
	args := slices.Clone(m.args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case name:
			args[i] = spell(string(arg), "")
		case setTo:
			args[i] = spell(string(arg.name), arg.value)
		case Message:
			args[i] = arg.Spell(spell)
		case error:
			args[i] = Spell(arg, spell)
		}
	}
	return fmt.Sprintf(m.format, args...)
}

// field returns the name of an option as a field of Options.
func field(option, value string) string {
	text := cmp.Or(fields[name(option)], settingField(option))
	if text == "" {
		text = option
	}
	switch value {
	case "":
		return text
	case "true":
		return text + ": true"
	}
	return text + ": " + value
}

// An OptionError says that options contradict each other, the files that they name, or the run to
// be resumed.
type OptionError struct{ Message }

func (e *OptionError) Error() string { return e.String() }

func optionErrorf(format string, args ...any) error {
	return &OptionError{messagef(format, args...)}
}

// An Error is an error whose text says which options would help.
type Error struct {
	Message
	Err error // what went wrong; nil if the text says everything
}

func (e *Error) Error() string { return e.String() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// errorf returns an Error, whose Err is the first error of args.
func errorf(format string, args ...any) error {
	e := &Error{Message: messagef(format, args...)}
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			e.Err = err
			break
		}
	}
	return e
}

// Spell returns an error of this package with options named as spell names them: see Message.Spell.
// errors.Is and errors.As still find all wrapped errors. An error that names no options is returned
// unchanged.
func Spell(err error, spell func(name, value string) string) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(interface { //nolint:errorlint // the tree is walked by hand
		Spell(func(name, value string) string) string
	}); ok {
		return &spelled{e.Spell(spell), err, Spell(errors.Unwrap(err), spell)}
	}
	switch e := err.(type) { //nolint:errorlint // likewise
	case interface{ Unwrap() []error }:
		text, again := err.Error(), slices.Clone(e.Unwrap())
		for i, part := range again {
			again[i] = Spell(part, spell)
			text = strings.Replace(text, part.Error(), again[i].Error(), 1)
		}
		if text == err.Error() {
			return err
		}
		return &spelled{text, err, errors.Join(again...)}
	case interface{ Unwrap() error }:
		inner := e.Unwrap()
		if inner == nil {
			return err
		}
		again := Spell(inner, spell)
		if text := strings.Replace(err.Error(), inner.Error(), again.Error(), 1); text != err.Error() {
			return &spelled{text, err, again}
		}
	}
	return err
}

// spelled is an error with its text replaced.
type spelled struct {
	text  string
	whole error // the original error
	inner error // the wrapped error, spelled too; nil if there is none
}

func (e *spelled) Error() string        { return e.text }
func (e *spelled) Unwrap() error        { return e.inner }
func (e *spelled) Is(target error) bool { return errors.Is(e.whole, target) }
func (e *spelled) As(target any) bool   { return errors.As(e.whole, target) }

// explainTraining adds the settings that help to an error of training.
func explainTraining(err error, s *Settings, rate float64) error {
	if _, ok := errors.AsType[*sgns.MemoryError](err); ok && !s.Model.Force {
		return errorf("%v: see %v, %v, %v and %v; %v tries anyway",
			err, name("dim"), name("min-count"), name("max-vocab"), name("buckets"), name("force"))
	}
	e, diverged := errors.AsType[*sgns.DivergedError](err)
	if !diverged {
		return err
	}
	tooHigh := rate > 0 && e.UsualRate < e.LastRate
	if e.Apart > 0 && (e.Apart > 2*e.UsualApart || !tooHigh) {
		return errorf("%v: ranks that exchange changes more often diverge less: %v, or fewer ranks", err, name("sync-every").to(min(e.UsualApart, e.Apart/2)))
	}
	if tooHigh {
		return errorf("%v: leave out %v, or make it lower", err, name("lr"))
	}
	c, usual := s.Model, sgns.Defaults()
	help := messagef("%v", name("lr").to(fmt.Sprintf("%.1g", e.LastRate/2)))
	add := func(format string, args ...any) {
		help = messagef("%v, "+format, slices.Insert(args, 0, any(help))...)
	}
	if row, ok := table().Find("negatives"); ok && row.Needs != nil && row.Needs.Met(s) && c.Negatives > usual.Negatives {
		add("fewer %v than %d", name("negatives"), c.Negatives)
	}
	if c.Window > usual.Window {
		add("a smaller %v than %d", name("window"), c.Window)
	}
	if c.Sample == 0 {
		add("%v", name("sample").to(usual.Sample))
	}
	return errorf("%v: what makes steps smaller is %v", err, help)
}

func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func checkBytes(path string, bytes uint64) error {
	if err := sysinfo.CheckDisk(path, bytes); err != nil {
		return errorf("%v; %v tries anyway", err, name("force"))
	}
	return nil
}

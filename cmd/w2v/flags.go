package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/spelling"
)

// usage makes the complaints of an argument check usage errors, in words of our own.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if check(c, args) == nil {
			return nil
		}
		return &usageError{c.CommandPath(), explainArguments(c, args)}
	}
}

// explainArguments says in plain words what is wrong with the arguments of a command.
func explainArguments(c *cobra.Command, args []string) error {
	if c.HasSubCommands() && arguments(c) == "" && len(args) > 0 {
		return unknownCommand(c, args[0])
	}
	found := fmt.Sprintf("there are %d arguments", len(args))
	switch len(args) {
	case 0:
		found = "there are no arguments"
	case 1:
		found = fmt.Sprintf("there is only %q", args[0])
	}
	wanted := arguments(c)
	if wanted == "" {
		return fmt.Errorf("%s takes no arguments: what is %q?", c.CommandPath(), args[0])
	}
	return fmt.Errorf("expected %s, but %s", wanted, found)
}

// arguments is what a command's usage line says of its arguments.
func arguments(c *cobra.Command) string {
	_, wanted, _ := strings.Cut(c.Use, " ")
	return strings.TrimSpace(strings.TrimPrefix(wanted, "[flags]"))
}

// unknownCommand is the complaint about a name that is none of the commands of c.
func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	_, before, _ := strings.Cut(c.CommandPath()+" ", " ")
	return fmt.Errorf("unknown command: %s%s%s", before, name, didYouMean(before, spelling.Nearest(name, names)))
}

// explainFlag says in plain words what is wrong with a flag.
func explainFlag(known *pflag.FlagSet, err error) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("--%s: %q %w", e.GetFlag().Name, e.GetValue(), whyNot(e.GetFlag().Value.Type(), e.Unwrap()))
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("--%s needs a value", e.GetFlag().Name)
	}
	if e, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		return fmt.Errorf("%q is not a flag", e.GetSpecifiedFlag())
	}
	e, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	if short := e.GetSpecifiedShortnames(); short != "" {
		if strings.HasPrefix(short, " ") {
			return fmt.Errorf("%q begins as a flag does: write -- before the words", "-"+short)
		}
		name, _, _ := strings.Cut(short, "=")
		if meant := nearestFlag(known, name); meant != "" && len(name) > 1 {
			return fmt.Errorf("unknown flag: -%s; did you mean --%s, with two dashes?", name, meant)
		}
		return fmt.Errorf("unknown flag: -%s", name)
	}
	name := e.GetSpecifiedName()
	return fmt.Errorf("unknown flag: --%s%s", name, didYouMean("--", nearestFlag(known, name)))
}

// whyNot says why a value is none of a type, for err, which is of package strconv as a
// rule.
func whyNot(kind string, err error) error {
	if errors.Is(err, strconv.ErrRange) {
		return errors.New("is too large a number")
	}
	if kind == "stringSlice" {
		return errors.New("is not a list with commas: a quotation mark begins or ends nothing")
	}
	if !errors.Is(err, strconv.ErrSyntax) && kind != "duration" {
		return err
	}
	switch kind {
	case "int", "int64":
		return errors.New("is not a whole number")
	case "uint", "uint64":
		return errors.New("is not a whole number from 0")
	case "float64":
		return errors.New("is not a number")
	case "bool":
		return errors.New("is neither true nor false")
	case "duration":
		return errors.New("is not a time, as 90s, 10m and 1h30m are")
	}
	return err
}

// nearestFlag returns the flag whose name is nearest to name, or nothing if none is near.
func nearestFlag(known *pflag.FlagSet, name string) string {
	var names []string
	known.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return spelling.Nearest(name, names)
}

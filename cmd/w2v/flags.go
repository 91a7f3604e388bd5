package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// explainFlag says in plain words what is wrong with a flag.
func explainFlag(known *pflag.FlagSet, err error) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("--%s: %q %w", e.GetFlag().Name, e.GetValue(), whyNot(e.GetFlag().Value.Type(), e.Unwrap()))
	}
	e, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	if short := e.GetSpecifiedShortnames(); len(short) > 1 {
		name, _, _ := strings.Cut(short, "=")
		if near := nearestFlag(known, name); near != "" {
			return fmt.Errorf("unknown flag: -%s; did you mean --%s, with two dashes?", name, near)
		}
		return err
	}
	if near := nearestFlag(known, e.GetSpecifiedName()); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

// whyNot says why a value is none of a type, for err, which is of package strconv as a
// rule.
func whyNot(kind string, err error) error {
	if errors.Is(err, strconv.ErrRange) {
		return errors.New("is too large a number")
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
	best, least := "", 1+len(name)/3 // changes
	known.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if n := changes(name, f.Name); n < least || n == least && best == "" {
			best, least = f.Name, n
		}
	})
	return best
}

// changes returns how many bytes have to be added, dropped or replaced to make b of a.
func changes(a, b string) int {
	row := make([]int, len(b)+1) // from what has been seen of a to every beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // row[j] of the last round
		row[0] = i + 1
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

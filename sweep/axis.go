package sweep

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// read makes of a value in TOML what the axis may be.
func (a *Axis) read(value any) error {
	switch v := value.(type) {
	case map[string]any:
		in, err := readRange(v)
		a.Range = in
		return err
	case []any:
		for _, one := range v {
			text, err := literal(one)
			if err != nil {
				return err
			}
			a.Values = append(a.Values, text)
		}
		return nil
	}
	text, err := literal(value)
	a.Values = []string{text}
	return err
}

// literal formats a value as train.Settings.Set takes it. The numbers of a list within a list get
// commas between them.
func literal(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		var parts []string
		for _, one := range v {
			if _, nested := one.([]any); nested {
				return "", errors.New("lists in lists in lists mean nothing")
			}
			text, err := literal(one)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ","), nil
	}
	return "", fmt.Errorf("%v is neither a number, nor a text, nor true or false, nor a list of them", value)
}

func readRange(table map[string]any) (*Range, error) {
	in := &Range{Whole: true}
	end := func(key string) (x float64, err error) {
		switch v := table[key].(type) {
		case int64:
			return float64(v), nil
		case float64:
			in.Whole = false
			if math.IsNaN(v) || math.IsInf(v, 0) {
				break
			}
			return v, nil
		}
		return 0, fmt.Errorf("a range is { min = 0.02, max = 0.1, log = true }: %s must be a number", key)
	}
	for key, value := range table {
		switch key {
		case "min", "max":
		case "log":
			var ok bool
			if in.Log, ok = value.(bool); !ok {
				return nil, errors.New("log is true or false")
			}
		default:
			return nil, fmt.Errorf("%q is no key of a range, which are min, max and log", key)
		}
	}
	var err error
	if in.Min, err = end("min"); err != nil {
		return nil, err
	}
	if in.Max, err = end("max"); err != nil {
		return nil, err
	}
	return in, nil
}

// check reports an axis that no points can be chosen from by a search.
func (a Axis) check(search Search) error {
	in := a.Range
	switch {
	case in == nil && len(a.Values) == 0:
		return errors.New("there is nothing in the list")
	case in == nil:
		return nil
	case len(a.Values) > 0:
		return errors.New("it has values and a range: only one of them is possible")
	case !(in.Min < in.Max) || math.IsInf(in.Max-in.Min, 0):
		return fmt.Errorf("min, %v, is not below max, %v", in.Min, in.Max)
	case in.Log && in.Min <= 0:
		return fmt.Errorf("log needs min above 0, is %v", in.Min)
	case search == Grid:
		return fmt.Errorf("a range has no end of values for a grid: give a list, or say search = %q", Random)
	}
	return nil
}

// draw returns a random value of the axis. A number from a range is whole if both ends are, and
// else rounded to four digits.
func (a Axis) draw(r *rand.Rand) string {
	if a.Range == nil {
		return a.Values[r.IntN(len(a.Values))]
	}
	in, share := *a.Range, r.Float64()
	low, high := in.Min, in.Max
	if in.Whole { // each number has the same room
		low, high = low-0.5, high+0.5
	}
	x := low + share*(high-low)
	if in.Log { // low is above 0
		x = low * math.Pow(high/low, share)
	}
	if in.Whole {
		return strconv.FormatFloat(min(max(math.Round(x), in.Min), in.Max), 'f', 0, 64)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64) // it has just been written
	return strconv.FormatFloat(min(max(short, in.Min), in.Max), 'g', -1, 64)
}

package sweep

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// An interval is a range of numbers, its ends included.
type interval struct {
	min, max float64
	log      bool // all orders of magnitude are equally likely
	whole    bool // whole numbers alone
}

// read makes of a value in TOML what the axis may be.
func (a *axis) read(value any) error {
	switch v := value.(type) {
	case map[string]any:
		in, err := readInterval(v)
		a.in = in
		return err
	case []any:
		if len(v) == 0 {
			return errors.New("there is nothing in the list")
		}
		for _, one := range v {
			text, err := literal(one)
			if err != nil {
				return err
			}
			a.values = append(a.values, text)
		}
		return nil
	}
	text, err := literal(value)
	a.values = []string{text}
	return err
}

// literal writes a value as a flag takes it: a list within a list with commas.
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

func readInterval(table map[string]any) (*interval, error) {
	in := &interval{whole: true}
	end := func(key string) (x float64, err error) {
		switch v := table[key].(type) {
		case int64:
			return float64(v), nil
		case float64:
			in.whole = false
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
			if in.log, ok = value.(bool); !ok {
				return nil, errors.New("log is true or false")
			}
		default:
			return nil, fmt.Errorf("%q is no key of a range, which are min, max and log", key)
		}
	}
	var err error
	if in.min, err = end("min"); err != nil {
		return nil, err
	}
	if in.max, err = end("max"); err != nil {
		return nil, err
	}
	switch {
	case !(in.min < in.max):
		return nil, fmt.Errorf("min, %v, is not below max, %v", in.min, in.max)
	case in.log && in.min <= 0:
		return nil, fmt.Errorf("log needs min above 0, is %v", in.min)
	}
	return in, nil
}

// draw returns one of the values of the axis, or a number of its range: a whole one where both
// ends are, or else of four digits, which tell it from others well enough.
func (a axis) draw(r *rand.Rand) string {
	if a.in == nil {
		return a.values[r.IntN(len(a.values))]
	}
	in, share := *a.in, r.Float64()
	low, high := in.min, in.max
	if in.whole { // each number has the same room
		low, high = low-0.5, high+0.5
	}
	x := low + share*(high-low)
	if in.log { // low is above 0
		x = low * math.Pow(high/low, share)
	}
	if in.whole {
		return strconv.FormatFloat(min(max(math.Round(x), in.min), in.max), 'f', 0, 64)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64) // it has just been written
	return strconv.FormatFloat(min(max(short, in.min), in.max), 'g', -1, 64)
}

package metadata

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/wording"
)

// Where returns which words meet a condition: a column, one of the signs = != < <= > >= and a value, as in
// "country=France" or "population>=100000". Numbers are compared as numbers, other texts letter by letter and only by
// = and !=. Words whose value is unknown do not meet any condition.
func (t *Table) Where(condition string) (func(word string) bool, error) {
	c, sign, value, err := t.parse(condition)
	if err != nil {
		return nil, err
	}
	if c.Kind == Category {
		if sign != "=" && sign != "!=" {
			text := slices.IndexFunc(c.values, func(v string) bool { _, err := decimal.Float(v); return v != "" && err != nil })
			such := ""
			if text >= 0 {
				such = fmt.Sprintf(", such as %.40q in line %d", c.values[text], t.lines[text])
			}
			return nil, fmt.Errorf("%q: the column %q has texts%s, which are not ordered: want = or !=", condition, c.Name, such)
		}
		return t.where(c, func(v string) bool { return (v == value) == (sign == "=") }), nil
	}
	than, err := decimal.Float(value)
	if err != nil {
		return nil, fmt.Errorf("%q: the column %q has numbers, and %q is none", condition, c.Name, value)
	}
	return t.where(c, func(v string) bool {
		x, err := decimal.Float(v)
		if err != nil {
			return false
		}
		return map[string]bool{"=": x == than, "!=": x != than && x == x, "<": x < than, "<=": x <= than, ">": x > than, ">=": x >= than}[sign]
	}), nil
}

// WhyNone says why no row of the table meets a condition: that a column has other texts, of which it names the nearest, or
// between which numbers its values are. It is empty if a row meets the condition, or if the condition is wrong.
func (t *Table) WhyNone(condition string) string {
	c, sign, value, err := t.parse(condition)
	if err != nil {
		return ""
	}
	if meets, err := t.Where(condition); err != nil || slices.ContainsFunc(slices.Collect(maps.Keys(t.rows)), meets) {
		return ""
	}
	if c.Kind == Number {
		least, most := math.Inf(1), math.Inf(-1)
		for _, v := range c.values {
			if x, err := decimal.Float(v); err == nil && !math.IsNaN(x) {
				least, most = min(least, x), max(most, x)
			}
		}
		return fmt.Sprintf("the values of the column %q are from %v to %v", c.Name, least, most)
	}
	names, _, _ := categoriesOf(c.values)
	if sign != "=" || len(names) == 0 {
		return fmt.Sprintf("the column %q has no other value", c.Name)
	}
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(name)
	}
	if near := wording.Nearest(strings.ToLower(value), lower); near != "" {
		return fmt.Sprintf("the column %q has no value %q; did you mean %q?", c.Name, value, names[slices.Index(lower, near)])
	}
	return fmt.Sprintf("the column %q has no value %q; its values are %s", c.Name, value, listed(names))
}

func listed(names []string) string {
	const shown = 5
	if len(names) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	return strings.Join(names, ", ")
}

func (t *Table) parse(condition string) (c column, sign, value string, err error) {
	at := strings.IndexAny(condition, "=!<>")
	if at < 1 {
		return c, "", "", fmt.Errorf("%q is no condition: want a column, a sign and a value, as in country=France", condition)
	}
	name, rest := strings.TrimSpace(condition[:at]), condition[at:]
	sign = rest[:1]
	if len(rest) > 1 && rest[1] == '=' && sign != "=" {
		sign = rest[:2]
	}
	value = strings.TrimSpace(rest[len(sign):])
	i := slices.IndexFunc(t.columns, func(c column) bool { return c.Name == name })
	switch {
	case i < 0:
		var names []string
		for _, c := range t.columns {
			names = append(names, c.Name)
		}
		return c, "", "", fmt.Errorf("%q: there is no column %q, only %s", condition, name, strings.Join(names, ", "))
	case sign == "!":
		return c, "", "", fmt.Errorf("%q: the sign ! is none: want = != < <= > or >=", condition)
	}
	return t.columns[i], sign, value, nil
}

func (t *Table) where(c column, meets func(value string) bool) func(word string) bool {
	return func(word string) bool {
		row, ok := t.rows[word]
		return ok && row < len(c.values) && c.values[row] != "" && meets(c.values[row])
	}
}

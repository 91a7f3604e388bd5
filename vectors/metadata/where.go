package metadata

import (
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
)

// Where returns which words meet a condition: a column, one of the signs = != < <= > >= and a value, as in
// "country=France" or "population>=100000". Numbers are compared as numbers, other texts letter by letter and only by
// = and !=. Words whose value is unknown do not meet any condition.
func (t *Table) Where(condition string) (func(word string) bool, error) {
	at := strings.IndexAny(condition, "=!<>")
	if at < 1 {
		return nil, fmt.Errorf("%q is no condition: want a column, a sign and a value, as in country=France", condition)
	}
	name, rest := strings.TrimSpace(condition[:at]), condition[at:]
	sign := rest[:1]
	if len(rest) > 1 && rest[1] == '=' && sign != "=" {
		sign = rest[:2]
	}
	value := strings.TrimSpace(rest[len(sign):])
	i := slices.IndexFunc(t.columns, func(c column) bool { return c.Name == name })
	switch {
	case i < 0:
		var names []string
		for _, c := range t.columns {
			names = append(names, c.Name)
		}
		return nil, fmt.Errorf("%q: there is no column %q, only %s", condition, name, strings.Join(names, ", "))
	case sign == "!":
		return nil, fmt.Errorf("%q: the sign ! is none: want = != < <= > or >=", condition)
	}
	c := t.columns[i]
	if c.Kind == Category {
		if sign != "=" && sign != "!=" {
			return nil, fmt.Errorf("%q: the column %q has texts, which are not ordered: want = or !=", condition, name)
		}
		return t.where(c, func(v string) bool { return (v == value) == (sign == "=") }), nil
	}
	than, err := decimal.Float(value)
	if err != nil {
		return nil, fmt.Errorf("%q: the column %q has numbers, and %q is none", condition, name, value)
	}
	return t.where(c, func(v string) bool {
		x, err := decimal.Float(v)
		if err != nil {
			return false
		}
		return map[string]bool{"=": x == than, "!=": x != than && x == x, "<": x < than, "<=": x <= than, ">": x > than, ">=": x >= than}[sign]
	}), nil
}

func (t *Table) where(c column, meets func(value string) bool) func(word string) bool {
	return func(word string) bool {
		row, ok := t.rows[word]
		return ok && row < len(c.values) && c.values[row] != "" && meets(c.values[row])
	}
}

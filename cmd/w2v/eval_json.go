package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// joinedJSON is one JSON object with the fields of two objects: those of a, and those of b that a has not.
func joinedJSON(a, b any) (any, error) {
	var has, more map[string]json.RawMessage
	first, err := json.Marshal(a)
	second, errSecond := json.Marshal(b)
	if err := errors.Join(err, errSecond); err != nil {
		return nil, fmt.Errorf("writing results: %w", err)
	}
	if err := errors.Join(json.Unmarshal(first, &has), json.Unmarshal(second, &more)); err != nil {
		return nil, fmt.Errorf("writing results: %w", err)
	}
	maps.DeleteFunc(more, func(name string, _ json.RawMessage) bool { return has[name] != nil })
	rest, err := json.Marshal(more)
	if err != nil || len(more) == 0 || len(has) == 0 {
		return json.RawMessage(first), err
	}
	first[len(first)-1] = ','
	return json.RawMessage(append(first, rest[1:]...)), nil
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// joinedJSON is one JSON object with the fields of two objects, in their order: those of a, and those
// of b that a has not.
func joinedJSON(a, b any) (any, error) {
	var has map[string]json.RawMessage
	joined, err := json.Marshal(a)
	more, errMore := json.Marshal(b)
	if err := errors.Join(err, errMore); err != nil {
		return nil, fmt.Errorf("writing results: %w", err)
	}
	if err := json.Unmarshal(joined, &has); err != nil {
		return nil, fmt.Errorf("writing results: %w", err)
	}
	joined = joined[:len(joined)-1]
	fields := json.NewDecoder(bytes.NewReader(more))
	_, err = fields.Token() // the brace
	for err == nil && fields.More() {
		var value json.RawMessage
		name, _ := fields.Token()
		if err = fields.Decode(&value); err == nil && has[name.(string)] == nil {
			if len(joined) > 1 {
				joined = append(joined, ',')
			}
			joined = fmt.Appendf(joined, "%q:%s", name, value)
		}
	}
	return json.RawMessage(append(joined, '}')), err
}

package main

import (
	"encoding/json"
	"fmt"
)

// joinedJSON is one JSON object with the fields of two, those of a first.
func joinedJSON(a, b any) (any, error) {
	first, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("writing results: %w", err)
	}
	second, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("writing results: %w", err)
	}
	if len(first) > 2 { // has fields
		first[len(first)-1] = ','
		second = append(first, second[1:]...)
	}
	return json.RawMessage(second), nil
}

//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// scoreOf returns the score in the first line that w2v eval --json prints.
func scoreOf(text []byte) (float64, error) {
	var result struct {
		Score *float64 `json:"score"`
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if err := json.Unmarshal(line, &result); err != nil {
		return 0, fmt.Errorf("w2v eval: %w", err)
	}
	if result.Score == nil {
		return 0, errors.New("w2v eval gives no score")
	}
	return *result.Score, nil
}

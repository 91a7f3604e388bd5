package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
)

// printTraining prints what is known of a model's training, by the names that
// JSON has for it.
func printTraining(w io.Writer, training vectors.Training) error {
	text, err := json.Marshal(training)
	if err != nil {
		return err
	}
	var known map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // and print them as they are
	if err := decoder.Decode(&known); err != nil {
		return err
	}
	var names []string
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%s %v", name, known[name]))
	}
	if len(list) == 0 {
		list = []string{"unknown"}
	}
	_, err = fmt.Fprintf(w, "training\t%s\n", strings.Join(list, ", "))
	return err
}

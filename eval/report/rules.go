package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/eval"
)

// Rules says in words how the scores of records came about: the rules, the settings, the version
// and the model. What differs between tasks has a line for each.
func Rules(records []eval.Record) []Fact {
	if len(records) == 0 {
		return nil
	}
	s := records[0].Settings // the records of an evaluation differ by task alone
	facts := []Fact{
		{"words", lookedUp(s)},
		{"vocabulary", vocabulary(s)},
		{"words outside it", outside(s)},
	}
	if vectors := spelledOut(s.Vectors); vectors != "" {
		facts = append(facts, Fact{"vectors", vectors})
	}
	var tasks []eval.Task
	for _, r := range records {
		if slices.Contains(tasks, r.Task) {
			continue
		}
		tasks = append(tasks, r.Task)
		if rule := ruleOf(r); rule != "" {
			facts = append(facts, Fact{string(r.Task), rule})
		}
	}
	facts = append(facts, Fact{"intervals", intervals(s)})
	if m := records[0].ModelFile; m.SHA256 != "" {
		facts = append(facts, Fact{"model", "SHA-256 " + m.SHA256})
	}
	if v := records[0].Version; v != "" {
		facts = append(facts, Fact{"w2v", v})
	}
	return facts
}

func lookedUp(s eval.Settings) string {
	switch {
	case s.FoldVocab:
		return "in upper case, as is the vocabulary"
	case s.IgnoreCase:
		return "looked up as they are, then in lower case"
	}
	return "looked up as they are"
}

func vocabulary(s eval.Settings) string {
	if s.Restrict > 0 {
		return fmt.Sprintf("the first %d words of the model", s.Restrict)
	}
	return "all words of the model"
}

func outside(s eval.Settings) string {
	if s.Composes {
		return "composed of n-grams; what has no vector is left out"
	}
	return "left out"
}

func intervals(s eval.Settings) string {
	if s.Resamples == 0 {
		return "none"
	}
	return fmt.Sprintf("95 %%, bootstrap of %d resamples, seed %d", s.Resamples, s.Seed)
}

// ruleOf is what holds for the task of a record.
func ruleOf(r eval.Record) string {
	rule := r.Metric
	for _, part := range []struct{ name, value string }{
		{"normalisation: ", r.Settings.Normalization}, {"ties: ", r.Settings.Ties}, {"", spelledOut(r.Settings.Options)},
	} {
		if part.value != "" {
			rule += "; " + part.name + part.value
		}
	}
	return rule
}

// spelledOut has the fields of a struct, by their names in JSON: "max_lost 0.2; permutations 1000".
// It is empty for nil.
func spelledOut(v any) string {
	text, err := json.Marshal(v)
	if v == nil || err != nil {
		return ""
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return string(text)
	}
	var parts []string
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err = errors.Join(err, dec.Decode(&value)); err != nil {
			return string(text)
		}
		var plain string
		if json.Unmarshal(value, &plain) != nil {
			plain = string(value)
		}
		parts = append(parts, fmt.Sprintf("%s %s", name, plain))
	}
	return strings.Join(parts, "; ")
}

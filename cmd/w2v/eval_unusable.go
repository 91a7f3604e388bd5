package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
)

// unusable collects the sets of which nothing could be scored.
type unusable struct {
	unknown []string // sets without a pair or question whose words all have vectors
	unequal []string // sets of too few pairs, or of pairs that are all the same, for a correlation
	noted   []string // sets whose results have notes that say why
}

// add looks at a result.
func (u *unusable) add(r eval.Record) {
	items := itemsOf(r.Task)
	if r.Items == 1 {
		items = strings.TrimSuffix(items, "s")
	}
	described := fmt.Sprintf("%s (%s %s)", r.Set, wording.Thousands(r.Items), items)
	noted, _ := r.Result.(eval.Noted)
	switch {
	case !r.Score.Defined() && r.Task != eval.TaskSentences && noted != nil && len(noted.Notes()) > 0:
		u.noted = append(u.noted, described)
	case r.Used == 0:
		u.unknown = append(u.unknown, described)
	case !r.Score.Defined():
		u.unequal = append(u.unequal, described)
	}
}

// itemsOf is what the items of a task are called.
func itemsOf(t eval.Task) string {
	switch t {
	case eval.TaskSimilarity, eval.TaskSentences:
		return "pairs"
	case eval.TaskAnalogy, eval.TaskRelation:
		return "questions"
	case eval.TaskCategorization:
		return "words"
	}
	return "items"
}

// err is an error if there are any.
func (u unusable) err() error {
	var all error
	if len(u.unknown) > 0 {
		all = fmt.Errorf("nothing could be scored of %s: each has a word that the model has no vector for, or that --restrict leaves out", strings.Join(u.unknown, ", "))
	}
	if len(u.unequal) > 0 {
		all = errors.Join(all, fmt.Errorf("there is no correlation in %s: it takes two pairs with vectors, with different numbers and cosines", strings.Join(u.unequal, ", ")))
	}
	if len(u.noted) > 0 {
		all = errors.Join(all, fmt.Errorf("there is no score of %s: the notes say why", strings.Join(u.noted, ", ")))
	}
	return all
}

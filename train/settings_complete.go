package train

import (
	"strings"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
)

// Validate reports the first setting that is not within its bounds. Complete reports more.
func (s *Settings) Validate() error {
	for _, row := range table() {
		err := row.Check(s)
		if err != nil && row.Bounds.Least == 0 && row.Group != sgns.GroupModel {
			return optionErrorf("%s must not be negative, is %s", name(row.Name), row.Text(s))
		}
		if err != nil {
			return optionErrorf("%s", err)
		}
	}
	return nil
}

// Complete makes of what was set by name, and of what is usual for the rest, the fields
// that train. It reports settings that mean nothing, alone or together, as an *OptionError.
func (s *Settings) Complete() error {
	table := table()
	for _, row := range table {
		switch need := row.Needs; {
		case need == nil:
		case s.named.given[row.Name] && !need.Met(s):
			first, _, _ := strings.Cut(strings.ReplaceAll(need.Values, ",", " "), " ") // "fasttext, floret or hash"
			return optionErrorf("%v needs %v%s", name(row.Name), name(need.Setting).to(first), need.Values[len(first):])
		case row.Usual != "" && !s.Given(row.Name) && !s.named.taken[row.Name] && need.Met(s):
			if err := row.Set(s, row.Usual); err != nil {
				return err
			}
			s.named.taken = with(s.named.taken, row.Name, true)
		}
	}
	if rate := s.Model.LearningRate; s.named.given["lr"] && !(rate > 0) {
		return optionErrorf("%s must be above 0, is %v", name("lr"), rate)
	}
	s.completeDim()
	if err := s.completeSubword(); err != nil {
		return err
	}
	if err := s.completeText(); err != nil {
		return err
	}
	if err := s.Validate(); err != nil {
		return err
	}
	if err := s.validateInput(); err != nil {
		return err
	}
	if err := s.Phrases.validate(s.Text); err != nil {
		return err
	}
	if err := s.Model.Validate(); err != nil {
		return optionErrorf("%s", strings.TrimPrefix(err.Error(), "sgns: "))
	}
	return nil
}

// completeDim makes all of nested dimensions those of the model, unless these are given.
func (s *Settings) completeDim() {
	if n := len(s.Model.Nested); n > 0 && !s.Given("dim") {
		s.Model.Dim = s.Model.Nested[n-1]
	}
}

// Describe adds to what a model says of its training what the settings say of the text.
func (s *Settings) Describe(t *vectors.Training) {
	for key, value := range textSettings().Records(s) {
		t.Set(key, value)
	}
	t.Set("lowercase_language", s.Text.Language)
}

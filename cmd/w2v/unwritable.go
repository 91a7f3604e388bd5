package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors/format"
)

// A skipFlag says whether words that a format cannot hold are left out.
type skipFlag struct{ on bool }

// skipName is the name of the flag.
const skipName = "skip-unwritable"

func (f *skipFlag) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, skipName, false, "skip words that the output format cannot hold, such as empty ones, and name them")
}

// notes says which words are left out.
func (f *skipFlag) notes(skipped []*format.UnwritableWord, outFormat format.Format) []string {
	if len(skipped) == 0 {
		return nil
	}
	const shown = 5
	var list []string
	for _, word := range skipped[:min(shown, len(skipped))] {
		list = append(list, fmt.Sprintf("%.40q %v", word.Word, word.Reason))
	}
	text := strings.Join(list, "; ")
	if n := len(skipped) - shown; n > 0 {
		text += fmt.Sprintf("; and %d more", n)
	}
	return []string{fmt.Sprintf("%s left out, which the format %s cannot hold: %s", wording.Count(len(skipped), "word is", "words are"), outFormat, text)}
}

// advise names the flag that goes on without the word that err is about, if it is about
// one.
func (f *skipFlag) advise(err error) error {
	if _, ok := errors.AsType[*format.UnwritableWord](err); ok && !f.on {
		return fmt.Errorf("%w; --%s leaves such words out", err, skipName)
	}
	return err
}

// unwritable is an UnwritableWord in JSON.
type unwritable struct {
	ID     int    `json:"id"` // in the model before
	Word   string `json:"word"`
	Reason string `json:"reason"`
}

// inJSON returns the words as they are printed in JSON, which shows bytes that are not
// UTF-8 as U+FFFD.
func inJSON(skipped []*format.UnwritableWord) []unwritable {
	var list []unwritable
	for _, word := range skipped {
		list = append(list, unwritable{word.ID, word.Word, word.Reason.Error()})
	}
	return list
}

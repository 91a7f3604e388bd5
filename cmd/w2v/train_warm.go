package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
)

// printWarm says what training starts from, with settings named by spell.
func printWarm(to io.Writer, w train.Warm, spell func(name, value string) string) {
	file := cmp.Or(w.File, "vectors")
	text := fmt.Sprintf("started from %s: %s of %s words known", file, wording.Thousands(w.Known), wording.Thousands(w.Words))
	if w.Ngrams > 0 {
		text += fmt.Sprintf(", %s n-gram rows kept", wording.Thousands(w.Ngrams))
	}
	switch {
	case !w.NeedsContext: // there are no others
	case w.Warm.Context:
		text += ", context vectors too"
	case w.HadContext:
		text += "; its context vectors do not fit, they start as zeros"
	default:
		text += "; it has no context vectors, they start as zeros"
	}
	fmt.Fprintf(to, "%s; learning rate %v\n", text, w.LearningRate)
	for _, note := range w.Notes {
		fmt.Fprintf(to, "note: %s\n", note.Spell(spell))
	}
}

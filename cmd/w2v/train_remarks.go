package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
)

// remarks are those of a run, with the flags that help. More epochs do not help a corpus that
// is not sentences.
func (f *trainFlags) remarks(model *sgns.Model, layout corpus.LayoutKind) []remark {
	all := []remark{}
	for _, r := range model.Remarks {
		text := r.String()
		switch r.Kind {
		case sgns.RemarkOneWord:
			text += ": look whether white space separates the words of the text, or --tokenizer unicode does, and whether --min-count and --max-vocab leave more than one"
		case sgns.RemarkUntrained, sgns.RemarkCollapsed:
			if layout == corpus.LayoutText {
				text += f.moreTraining(model.Progress.Total, r.Epochs)
			}
		case sgns.RemarkHalved:
			text += fmt.Sprintf("; with --lr %v it begins there", r.Value)
			if usual := f.config.RateFor(model.Progress.Total); usual < r.Value {
				text += fmt.Sprintf(", and without --lr at %v", usual)
			}
		}
		all = append(all, remark{string(r.Kind), text})
	}
	return all
}

// moreTraining names what trains vectors more: a usual learning rate, or so many epochs.
func (f *trainFlags) moreTraining(tokens uint64, epochs int) string {
	const sensible = 1000 // epochs; with so little text, vectors learn it by heart
	usual := f.config.RateFor(tokens)
	switch {
	case f.rate > 0 && f.rate < usual/2:
		return fmt.Sprintf("; --lr %v is low, and %v is usual for a corpus of this size", f.rate, usual)
	case epochs > sensible:
		return "; more text helps"
	case epochs > 0:
		return fmt.Sprintf("; more text helps, or --epochs %d", epochs)
	}
	return ""
}

// explainDivergence adds to the error of a run that diverged until it gave up the flags that
// make its steps smaller.
func (f *trainFlags) explainDivergence(err error) error {
	e, ok := errors.AsType[*sgns.DivergedError](err)
	if !ok {
		return err
	}
	if f.rate > 0 && e.UsualRate < e.LastRate {
		return fmt.Errorf("%w: leave out --lr, or make it lower", err)
	}
	usual := sgns.Defaults()
	help := []string{fmt.Sprintf("--lr %.1g", e.LastRate/2)}
	if c := f.config; c.Loss != sgns.HierarchicalSoftmax && c.Negatives > usual.Negatives {
		help = append(help, fmt.Sprintf("fewer --negatives than %d", c.Negatives))
	}
	if f.config.Window > usual.Window {
		help = append(help, fmt.Sprintf("a smaller --window than %d", f.config.Window))
	}
	if f.config.Sample == 0 {
		help = append(help, fmt.Sprintf("--sample %v", usual.Sample))
	}
	return fmt.Errorf("%w: what makes steps smaller is %s", err, strings.Join(help, ", "))
}

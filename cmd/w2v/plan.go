package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/train"
)

// printPlan prints what a run will take.
func (f *trainFlags) printPlan(c *cobra.Command, s streams, text train.Corpus, o train.Options) error {
	ranks := f.planRanks
	if _, size := launched(); size > 1 {
		if s.ranks.rank > 0 { // the first rank plans
			return nil
		}
		if ranks == 0 {
			ranks = size
		}
	}
	ctx, stop := untilSignal(c.Context(), s.err)
	defer stop()
	collectEarly()
	plan, err := train.PlanRun(ctx, text, o, train.PlanOptions{Ranks: ranks})
	if _, misused := errors.AsType[*train.OptionError](err); misused {
		return misuse(asFlags(err))
	}
	if err != nil {
		return asFlags(err)
	}
	for _, note := range plan.Notes {
		s.notes(note.Spell(asFlag))
	}
	if f.json {
		return printJSON(s.out, plan)
	}
	return writePlan(s.out, plan)
}

func writePlan(w io.Writer, p *train.RunPlan) error {
	var rows [][2]string
	row := func(name, format string, args ...any) {
		rows = append(rows, [2]string{name, fmt.Sprintf(format, args...)})
	}
	sample := "all of it was read"
	if !p.Whole && !p.Counted {
		sample = fmt.Sprintf("estimated from %s", wording.Count(p.Sampled, "token", "tokens"))
		if p.Reached < 1 {
			sample += fmt.Sprintf(" of the first %.0f %%", 100*p.Reached)
		}
	}
	if p.Nodes > 0 {
		row("graph", "%s nodes, %s; %s", wording.Thousands(p.Nodes), wording.Count(p.Edges, "edge", "edges"), sample)
		row("walks", "%s nodes", wording.Thousands(p.Tokens))
	} else {
		row("corpus", "%s; %s", wording.Count(p.Tokens, "token", "tokens"), sample)
	}
	row("vocabulary", "%s of %s different words", wording.Thousands(p.Words), wording.Thousands(max(p.Words, p.Distinct)))
	for _, part := range p.Parts {
		row("epochs", "%d%s%s", part.Epochs, when(part.Auto, " (--epochs auto)"), when(part.Name != "", " of %s, %d dimensions", part.Name, part.Dim))
	}
	row("memory", "%s at the peak%s", megabytes(int64(p.Memory)), when(p.Counting >= p.Memory, ", while the corpus is counted"))
	disk := ""
	add := func(bytes uint64, format string) {
		if bytes > 0 {
			disk += when(disk != "", ", ") + fmt.Sprintf(format, megabytes(int64(bytes)))
		}
	}
	add(p.Model, "%s the model")
	add(p.CheckpointMost, "%s "+cmp.Or(when(len(p.Parts) > 1, "checkpoints of all parts, and an old one"), "the old and the new checkpoint"))
	add(p.CacheMost, "%s temporary files while the corpus is counted")
	add(p.Cache, "%s of them while training")
	add(p.Pairs, "%s counts of pairs of words while training")
	add(p.Graph, "%s the graph")
	row("disk", "%s", disk)
	row("time", "%s with %s of this machine to itself", lasting(p.Seconds), wording.Count(p.Threads, "processor", "processors"))
	row("processor time", "%s: counting %s, training %s, saving %s", lasting(p.CPU), lasting(p.CountCPU), lasting(p.TrainCPU), lasting(p.SaveCPU))
	for _, part := range p.Parts {
		if part.TokensPerSecond > 0 {
			row("speed", "%s tokens a second of a processor, measured on %s%s", wording.Thousands(uint64(part.TokensPerSecond)), wording.Count(part.Tried, "token", "tokens"), when(part.Name != "", " (%s)", part.Name))
		}
	}
	if r := p.Ranks; r != nil {
		row("ranks", "%d, each with the memory and processors above: %s without what exchanging takes", r.Ranks, lasting(r.Seconds))
		row("turns", "%s, each %s tokens of a rank", wording.Thousands(r.Turns), wording.Thousands(r.Between))
		if r.Sent > 0 {
			row("traffic", "%s sent by a rank that has a machine of its own, %s of it in %s; %s a second if exchanging takes no time", megabytes(int64(r.RankSent)), megabytes(int64(r.Times*r.Complete)),
				wording.Count(r.Times, "complete turn", "complete turns"), megabytes(int64(r.Rate)))
		} else {
			row("traffic", "not planned for a model that is divided, that has frozen rows, or that does not fit into this machine")
		}
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(w, "%-15s %s\n", r[0], r[1]); err != nil {
			return err
		}
	}
	return nil
}

// lasting writes a time shortly.
func lasting(seconds float64) string {
	switch d := time.Duration(seconds * float64(time.Second)); {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", seconds)
	case d < 100*time.Second:
		return fmt.Sprintf("%.0f s", seconds)
	case d < 100*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 72*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	default:
		return fmt.Sprintf("%.1f days", d.Hours()/24)
	}
}

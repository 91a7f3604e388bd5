package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

// hooks tell of a run of w2v train.
func (r *reporter) hooks(s streams, skip *skipFlag) train.Hooks {
	return train.Hooks{
		Reading: r.counted,
		Read: func(t *train.Text) {
			r.countingDone()
			fmt.Fprintf(r.err, "%s of %s\n", wording.Count(t.Tokens, "token", "tokens"), wording.Count(t.Vocab.Len(), "word", "words"))
		},
		Remark:       r.remark,
		Start:        r.started,
		Plan:         r.planned,
		Warm:         func(w train.Warm) { printWarm(s.err, w, r.spell) },
		Progress:     r.trained,
		Every:        r.every(),
		Evaluated:    r.evaluated,
		Checkpointed: r.checkpointed,
		Diverged:     r.diverged,
		Saving:       r.saving,
		Skipped: func(words []*format.UnwritableWord, outFormat format.Format) {
			for _, text := range skip.notes(words, outFormat) {
				fmt.Fprintf(s.err, "note: %s\n", text)
			}
		},
		Note: func(m train.Message) { r.note("note: %s", m.Spell(r.spell)) },
	}
}

// remark prints and logs a remark.
func (r *reporter) remark(made train.Remark) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.remarks++
	text := made.Spell(r.spell)
	r.encode(noteEvent{"note", made.Kind, text})
	r.tell("note: %s", text)
}

// started logs that training begins, or goes on.
func (r *reporter) started(start train.Start) {
	r.mu.Lock()
	r.encode(startEvent{
		Event:   "start",
		Time:    time.Now().Format(time.RFC3339),
		Tokens:  start.Tokens,
		Total:   start.Total,
		Words:   start.Words,
		Resumed: start.Resumed,
	})
	r.mu.Unlock()
	debug.FreeOSMemory() // what counting took: see collected
}

// planned says what the run takes of memory: as much as training is going to, or as counting
// did if that was more. From now on the program keeps to it.
func (r *reporter) planned(p train.Plan) {
	debug.FreeOSMemory()
	sysinfo.KeepMemoryBelow(withRoom(max(p.Bytes, p.Counting)))
	counted := ""
	if p.Counting > p.Bytes {
		counted = fmt.Sprintf(", which counting took (from now on %s)", megabytes(int64(p.Bytes)))
	}
	fmt.Fprintf(r.err, "training takes %s of memory%s: %s\n", megabytes(int64(max(p.Bytes, p.Counting))), counted, rowsOf(p))
	if on := p.Resumed; on != nil {
		r.note("going on from %s: %s of %s tokens are trained", on.File, wording.Thousands(on.Tokens), wording.Thousands(on.Total))
		switch {
		case on.Ended:
			r.note("that run is at its end; --extend-epochs trains on")
		case on.Extended > 0:
			r.note("it has been extended by %s already, and is not by more", wording.Count(on.Extended, "epoch", "epochs"))
		}
	}
	if c := p.Settings.Model; c.Deterministic && p.Threads == 1 && c.Threads != 1 && runtime.GOMAXPROCS(0) > 1 {
		r.note("--deterministic trains such a model with one thread")
	}
}

// rowsOf names the rows that are going to be trained.
func rowsOf(p train.Plan) string {
	text, further := "rows", ""
	for _, m := range p.Matrices {
		switch rows := wording.Thousands(m.Rows); {
		case m.Name == "input":
		case m.Name == "output" && m.SameAs != "":
			text = "rows, which are the output rows too"
		case m.Name == "output":
			text = "and " + rows + " output rows"
		default:
			further += fmt.Sprintf(", %s: %s", m.Title, rows)
		}
	}
	return fmt.Sprintf("%s input %s%s", wording.Thousands(p.Rows), text, further)
}

// evaluated tells of an evaluation.
func (r *reporter) evaluated(e train.Evaluated) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(evaluationEvent{
		Event:   "evaluation",
		Tokens:  e.Tokens,
		Elapsed: e.Elapsed.Seconds(),
		HeldOut: number(e.Loss),
		Scores:  e.Scores,
		Best:    e.Best,
		Seconds: e.Took.Seconds(),
	})
	text := fmt.Sprintf("after %s tokens:", wording.Thousands(e.Tokens))
	if !math.IsNaN(e.Loss) {
		text += fmt.Sprintf(" held-out loss %.4f,", e.Loss)
	}
	for _, s := range e.Scores {
		text += fmt.Sprintf(" %s %s,", s.Set, score(s.Score))
	}
	best := "no better"
	if e.Best {
		best = "the best so far"
	}
	r.tell("%s %s", text, best)
}

// checkpointed tells of a checkpoint. What went wrong with one is said, because training
// goes on.
func (r *reporter) checkpointed(c train.Checkpointed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	event := checkpointEvent{
		Event:  "checkpoint",
		Tokens: c.Tokens,
		Pause:  c.Pause.Seconds(),
		Write:  c.Took.Seconds(),
		Bytes:  c.Bytes,
		Path:   c.File,
	}
	if c.Kept != nil {
		r.say("note: %s %s: it is kept as %s", c.File, describeKept(c.Kept), c.Kept.File)
	}
	if c.Err == nil {
		r.last.file, r.last.tokens = c.File, c.Tokens
	} else {
		event.Error = c.Err.Error()
		before := "there is none"
		if _, err := os.Stat(c.File); err == nil {
			before = "the previous one is kept"
		}
		r.tell("note: no checkpoint of %s tokens could be written, %s: %v", wording.Thousands(c.Tokens), before, c.Err)
	}
	r.encode(event)
}

// describeKept says what was where a checkpoint is now.
func describeKept(k *train.Kept) string {
	switch {
	case !k.Checkpoint:
		return "was not written by this run"
	case k.Ended:
		return "was of another run, which is at its end"
	}
	return fmt.Sprintf("was of a run at %s of %s tokens", wording.Thousands(k.Tokens), wording.Thousands(k.Total))
}

// diverged tells that training diverged and went back.
func (r *reporter) diverged(d sgns.Divergence) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encode(divergenceEvent{"divergence", d.Tokens, d.BackTo, d.LearningRate})
	r.tell("training diverged at %s tokens: back to %s, and on at half the learning rate, %v",
		wording.Thousands(d.Tokens), wording.Thousands(d.BackTo), d.LearningRate)
}

// saving tells what is being saved, so that it can be given up.
func (r *reporter) saving(s train.Saving) {
	switch {
	case s.Checkpoint:
		r.note("interrupted: saving the checkpoint %s; interrupt again to give it up", s.File)
	case s.Complete:
		r.note("interrupted: training is done, saving %s; interrupt again to give it up", s.File)
	case s.Interrupted:
		r.note("interrupted: saving what is trained to %s; interrupt again to give it up", s.File)
	default:
		r.note("stopped: saving what is trained to %s; interrupt to give it up", s.File)
	}
}

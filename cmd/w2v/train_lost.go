package main

import (
	"cmp"
	"fmt"

	"github.com/w2v-go/w2v/internal/wording"
)

// lastCheckpoint says how to go on after a run of several processes has lost one.
func (f *trainFlags) lastCheckpoint(r *reporter, silent bool) string {
	file, tokens := r.lastCheckpoint()
	path := cmp.Or(f.checkpoint, f.resume)
	switch {
	case silent && path != "": // rank 0 alone knows which checkpoints it has written
		return "; to go on from the last checkpoint, with any number of ranks: " + f.goOn(path)
	case file != "":
		return fmt.Sprintf("; the last checkpoint has %s tokens; to go on, with any number of ranks: %s", wording.Thousands(tokens), f.goOn(file))
	case f.resume != "" && !f.grow:
		return "; there is no newer checkpoint than the one that it began with; to go on, with any number of ranks: " + f.goOn(f.resume)
	}
	if f.checkpoint != "" {
		return "; there is no checkpoint yet"
	}
	return "; there is no checkpoint: see --checkpoint"
}

// lastCheckpoint returns the last checkpoint of this run, and what it has trained.
func (r *reporter) lastCheckpoint() (file string, tokens uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last.file, r.last.tokens
}

package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/w2v-go/w2v/internal/memory"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vocab"
)

// Counting makes tables larger again and again, and the heap of training is nearly all
// matrices, in which Go finds no pointers: to look for garbage often costs nothing, and
// waiting would cost as much memory as there is garbage.

// garbagePercent is how much garbage there may be, of what is in use.
const garbagePercent = 25

// collectEarly makes Go look for garbage early enough, unless GOGC says when.
func collectEarly() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if have, _ := memory.Limit(); have > 0 {
		memory.KeepBelow(have)
	}
}

// runBytes is what a run takes of memory in all: what training is going to, or what reading the
// text has taken if that is more.
func runBytes(p sgns.Plan) (bytes, counting uint64) {
	counting = memory.Peak()
	return max(p.Bytes, counting), counting
}

// lessMemory adds to an error of memory which flags need less.
func lessMemory(err error) error {
	if _, ok := errors.AsType[*sgns.MemoryError](err); ok {
		return fmt.Errorf("%w: see --dim, --min-count, --max-vocab and --buckets; --force tries all the same", err)
	}
	if _, ok := errors.AsType[*vocab.MemoryError](err); ok {
		return fmt.Errorf("%w: --threads 1 and --lowercase need less, or there has to be more memory (--min-count and --max-vocab drop tokens when all are counted); train --force tries all the same", err)
	}
	return err
}

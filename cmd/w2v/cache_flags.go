package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/vocab"
)

// cacheFlags say what of a corpus is kept on disk, and what in memory.
type cacheFlags struct {
	cache  string
	memory sizeFlag
}

func (f *cacheFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.cache, "cache", "", "keep the tokenised corpus in this `folder`, so that the next run on the same files begins training at once; about 2 bytes a token, and twice that while it is made (default: a temporary file)")
	addVocabMemory(flags, &f.memory)
}

func addVocabMemory(flags *pflag.FlagSet, to *sizeFlag) {
	flags.Var(to, "vocab-memory", "memory for counting, such as 256MiB; counts beyond that go to disk, and the result is the same (default: a quarter of the memory that the process may have)")
}

// A sizeFlag is a number of bytes that counting may take; 0 if it is not given.
type sizeFlag uint64

func (s *sizeFlag) Type() string { return "size" }

func (s *sizeFlag) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(*s), 10)
}

// sizeUnits are the units of a size. Those of one letter are powers of 1,024, as elsewhere.
var sizeUnits = map[string]float64{
	"": 1, "b": 1,
	"k": 1 << 10, "kib": 1 << 10, "kb": 1e3,
	"m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
	"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
	"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
}

func (s *sizeFlag) Set(text string) error {
	number := strings.TrimRight(text, "bBiIkKmMgGtT ")
	unit, ok := sizeUnits[strings.ToLower(strings.TrimSpace(text[len(number):]))]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(n >= 0) || n*unit > math.MaxInt64 {
		return errors.New("is not a size, as 256MiB and 2G are")
	}
	if n*unit < vocab.LeastMemory {
		return fmt.Errorf("is too little: counting needs %d MiB", vocab.LeastMemory>>20)
	}
	*s = sizeFlag(n * unit)
	return nil
}

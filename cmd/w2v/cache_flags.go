package main

import (
	"fmt"
	"strconv"

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

func (s *sizeFlag) Set(text string) error {
	n, err := parseBytes(text)
	if err != nil {
		return err
	}
	if n < vocab.LeastMemory {
		return fmt.Errorf("is too little: counting needs %d MiB", vocab.LeastMemory>>20)
	}
	*s = sizeFlag(n)
	return nil
}

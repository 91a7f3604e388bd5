package corpus

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// A Stage changes the tokens of sentences while a shard is read: it takes one token after the
// other and puts out what it makes of them.
type Stage interface {
	// Token takes the next token of a sentence, which is valid until Token returns.
	Token(out *Staged, token []byte)
	// End takes the end of a sentence.
	End(out *Staged)
}

// Staged are the tokens that a Stage has put out.
type Staged struct {
	bytes []byte
	ends  []int // of tokens in bytes; an empty one ends a sentence
	next  int   // to be read
}

// Add puts out a token, which is copied. It must not be empty, nor longer than MaxToken.
func (s *Staged) Add(token []byte) {
	if n := len(token); n == 0 || n > MaxToken {
		panic(fmt.Sprintf("corpus: a stage puts out a token of %d bytes, which is not from 1 to %d", n, MaxToken))
	}
	s.bytes = append(s.bytes, token...)
	s.ends = append(s.ends, len(s.bytes))
}

// take returns the next token, if there is one.
func (s *Staged) take() (token []byte, ok bool) {
	if s.next == len(s.ends) {
		s.bytes, s.ends, s.next = s.bytes[:0], s.ends[:0], 0
		return nil, false
	}
	first := 0
	if s.next > 0 {
		first = s.ends[s.next-1]
	}
	token = s.bytes[first:s.ends[s.next]]
	s.next++
	return token, true
}

// Through returns the corpus with its tokens changed by a stage, behind all stages that it has
// already. Each shard that is read has a stage of its own, which new makes.
func (s *Source) Through(stage func() Stage) *Source {
	if s == nil {
		return nil
	}
	through := *s
	through.stages = append(slices.Clone(s.stages), stage)
	if s.numbered != nil && s.err == nil {
		through.numbered, through.err = nil, fmt.Errorf("%s: this corpus is numbers, and has no tokens that could be changed", s.Name())
	}
	return &through
}

// Again returns an error that names the input if the corpus can be read only once.
func (s *Source) Again() error {
	for _, in := range s.inputs {
		once := in.seq != nil || in.once
		if in.file {
			info, err := os.Stat(in.name)
			if err != nil {
				return named(in.name, err)
			}
			once = !info.Mode().IsRegular()
		}
		if once {
			return fmt.Errorf("%s: can be read only once", in.name)
		}
	}
	return nil
}

// A stagedReader reads the tokens that a stage makes of those of another reader.
type stagedReader struct {
	from  *Reader
	stage Stage
	out   Staged
	open  bool // a sentence has begun
	ended bool
}

// newStaged returns a reader of what a stage makes of the tokens of a reader.
func newStaged(from *Reader, stage Stage) *Reader {
	return &Reader{name: from.name, staged: &stagedReader{from: from, stage: stage}, closers: []io.Closer{from}, counted: from.counted}
}

// read is Reader.Next of a shard that has a stage.
func (s *stagedReader) read() ([]byte, error) {
	for {
		if token, ok := s.out.take(); ok {
			return token, nil
		}
		if s.ended {
			return nil, io.EOF
		}
		token, err := s.from.Next()
		switch {
		case errors.Is(err, io.EOF):
			s.ended = true
			if s.open {
				s.stage.End(&s.out)
			}
		case err != nil:
			return nil, err
		case len(token) > 0:
			s.open = true
			s.stage.Token(&s.out, token)
		default:
			s.open = false
			s.stage.End(&s.out)
			s.out.ends = append(s.out.ends, len(s.out.bytes))
		}
	}
}

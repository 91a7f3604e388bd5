package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
)

// note says something for a person.
func (s streams) note(text string) { fmt.Fprintf(s.err, "note: %s\n", text) }

// withSource opens the model at path, or on standard input, for as long as use takes
// to walk through it a few times, and notes why it has to be in memory if it has.
func withSource(path string, s streams, use func(*vectors.Set) error) error {
	if path != "-" {
		return convert.WithSource(path, func(reason string) {
			s.note(fmt.Sprintf("%s %s, so all of it is read into memory", path, reason))
		}, func(set *vectors.Set) error {
			s.noteWords(path, set)
			return use(set)
		})
	}
	s.note("standard input cannot be read twice, so all of it is read into memory")
	set, err := format.Read(s.in)
	if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	s.noteWords("standard input", set)
	return use(set)
}

// noteUnread says what of the file at path is not in the set.
func noteUnread(s streams, path string, set *vectors.Set) {
	if len(set.Unread()) > 0 {
		s.note(fmt.Sprintf("what is not read of %s: %s", path, strings.Join(set.Unread(), "; ")))
	}
}

// writeModel writes a set to the file or folder at path, unless it is sure not to fit there and
// force is not set, or to standard output if path is "-".
func writeModel(ctx context.Context, path string, to streams, s *vectors.Set, f format.Format, force bool) error {
	for _, note := range format.Misread(s, f) {
		to.note(note)
	}
	if path == "-" {
		return format.Encode(to.out, s, f)
	}
	ctx, stop := untilSignal(ctx, to.err)
	defer stop()
	err := convert.Write(ctx, path, s, f, force)
	if _, full := errors.AsType[*sysinfo.DiskFullError](err); full {
		return fmt.Errorf("%w; --force tries anyway", err)
	}
	return err
}

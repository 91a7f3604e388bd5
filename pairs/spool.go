package pairs

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"github.com/w2v-go/w2v/internal/scratch"
)

// blockTexts is how many texts, which follow each other, are read at a time.
const blockTexts = 512

// A spool has texts as numbers of words in a temporary file, in blocks, so that memory does not grow with them.
type spool struct {
	file   *scratch.File
	to     *bufio.Writer
	sum    hash.Hash // of what is written
	n      int64     // texts
	starts []int64   // of the blocks in the file, and the end of the last
	open   texts     // the block that is not written yet
	number []uint32
	raw    []byte
}

func newSpool(sum hash.Hash) (*spool, error) {
	file, err := scratch.Create("", "w2v-texts-")
	if err != nil {
		return nil, fmt.Errorf("a temporary file for texts: %w", err)
	}
	return &spool{file: file, to: bufio.NewWriterSize(file, 1<<20), sum: sum, starts: []int64{0}, open: texts{starts: []uint64{0}}}, nil
}

func (s *spool) Close() error { return s.file.Close() }

// add adds a text.
func (s *spool) add(words []uint32) error {
	s.n++
	s.open.words = append(s.open.words, words...)
	s.open.starts = append(s.open.starts, uint64(len(s.open.words)))
	if s.open.len() == blockTexts {
		return s.write()
	}
	return nil
}

// end writes what is left, after which texts can be read.
func (s *spool) end() error {
	if s.open.len() > 0 {
		if err := s.write(); err != nil {
			return err
		}
	}
	return s.failed(s.to.Flush())
}

func (s *spool) failed(err error) error {
	if err != nil {
		err = fmt.Errorf("a temporary file for texts in %s: %w", s.file.Folder, scratch.Cause(err))
	}
	return err
}

func (s *spool) write() error {
	s.raw = s.raw[:0]
	for i := range s.open.len() {
		s.raw = binary.LittleEndian.AppendUint32(s.raw, uint32(len(s.open.of(uint32(i)))))
	}
	for _, word := range s.open.words {
		s.raw = binary.LittleEndian.AppendUint32(s.raw, word)
	}
	_, _ = s.sum.Write(s.raw) // a hash has no errors
	_, err := s.to.Write(s.raw)
	s.starts = append(s.starts, s.starts[len(s.starts)-1]+int64(len(s.raw)))
	s.open.words, s.open.starts = s.open.words[:0], s.open.starts[:1]
	return s.failed(err)
}

func (s *spool) blocks() int { return len(s.starts) - 1 }

// first returns the number of the first text of a block.
func (s *spool) first(block int) int64 { return int64(block) * blockTexts }

// textsOf returns how many texts a block has.
func (s *spool) textsOf(block int) int { return int(min(blockTexts, s.n-s.first(block))) }

// read appends the texts of a block to t, by the words that have rows.
func (s *spool) read(t *texts, block int) error {
	s.raw = grown(s.raw, int(s.starts[block+1]-s.starts[block]))
	if _, err := io.ReadFull(io.NewSectionReader(s.file, s.starts[block], int64(len(s.raw))), s.raw); err != nil {
		return s.failed(err)
	}
	n := s.textsOf(block)
	words := s.raw[4*n:]
	for i := range n {
		for range binary.LittleEndian.Uint32(s.raw[4*i:]) {
			if word := s.number[binary.LittleEndian.Uint32(words)]; word != none {
				t.words = append(t.words, word)
			}
			words = words[4:]
		}
		t.starts = append(t.starts, uint64(len(t.words)))
	}
	return nil
}

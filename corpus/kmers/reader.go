package kmers

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A Reader reads sequences and hands out text: a line for each record, or for each part of one
// between ambiguous letters, with spaces between its k-mers. Make it with NewReader.
type Reader struct {
	options Options
	letters [256]byte
	in      *bufio.Reader
	name    string
	line    int // from 1
	stats   Stats

	part   []byte             // of the line, that was read and not taken
	take   func([]byte) error // takes the parts of the line
	within bool               // the line goes on
	more   bool               // behind part
	last   bool               // the file ends behind part

	state   state
	fastq   bool
	length  int    // letters of the record
	quality int    // of which the qualities were read, in FASTQ
	kmers   uint64 // of the record

	window  []byte // letters in a row, of which the last K count
	wait    int    // letters until a k-mer may end
	tokens  int    // in the line of text
	reverse []byte

	text []byte // made
	at   int    // of it, handed out
	err  error
}

// A state is what a Reader expects.
type state int

const (
	atStart    state = iota // nothing was read
	inSequence              // of a record, whose header was read
	inQuality               // of a record of FASTQ
)

// NewReader returns a reader of the sequences of in. Errors begin with its name, if it is not empty,
// and have the line.
func NewReader(name string, in io.Reader, o Options) *Reader {
	if o.Stride == 0 {
		o.Stride = 1
	}
	return &Reader{
		options: o, letters: o.Alphabet.letters(), name: name, in: bufio.NewReader(in), err: o.Validate(),
		reverse: make([]byte, max(0, min(o.K, MaxK))),
	}
}

const buffer = 1 << 16 // bytes that are made at a time, or some more

// Stats returns what has been read so far.
func (r *Reader) Stats() Stats { return r.stats }

// Read hands out text.
func (r *Reader) Read(p []byte) (int, error) {
	for r.at == len(r.text) {
		if r.err != nil {
			return 0, r.err
		}
		r.text, r.at = r.text[:0], 0
		for r.err == nil && len(r.text) < buffer {
			r.err = r.readPart()
		}
		if r.err != nil && !errors.Is(r.err, io.EOF) {
			return 0, r.err
		}
	}
	n := copy(p, r.text[r.at:])
	r.at += n
	return n, nil
}

// readPart reads a part of a line: a line may be a genome.
func (r *Reader) readPart() error {
	if !r.within {
		r.line++
	}
	if len(r.part) == 0 {
		part, err := r.in.ReadSlice('\n')
		r.more, r.last = errors.Is(err, bufio.ErrBufferFull), errors.Is(err, io.EOF)
		if err != nil && !r.more && !r.last {
			return r.of(err)
		}
		r.part = bytes.TrimSuffix(part, []byte("\n"))
		if !r.within {
			if r.take, err = r.begin(r.part); err != nil {
				return r.of(fmt.Errorf("line %d: %w", r.line, err))
			}
		}
	}
	n := min(len(r.part), 1+buffer/r.options.K) // a letter may end a k-mer
	if err := r.take(r.part[:n]); err != nil {
		return r.of(fmt.Errorf("line %d: %w", r.line, err))
	}
	r.part = r.part[n:]
	r.within = r.more || len(r.part) > 0
	if r.last && !r.within {
		return r.end()
	}
	return nil
}

// begin looks at how a line begins, and returns what takes its parts.
func (r *Reader) begin(part []byte) (take func([]byte) error, err error) {
	first := byte(0)
	if part = bytes.TrimRight(part, "\r"); len(part) > 0 {
		first = part[0]
	}
	switch {
	case r.state == inQuality && (r.quality < r.length || first == 0):
		return r.takeQuality, nil
	case first == 0, first == ';' && !r.fastq:
		return r.takeNothing, nil // an empty line, or a comment as old files have them
	case r.state == inSequence && r.fastq && first == '+':
		r.endRecord()
		r.state, r.quality = inQuality, 0
		return r.takeNothing, nil
	case r.state == inSequence && r.fastq:
		return r.takeSequence, nil
	case first == '>' && !r.fastq, first == '@' && (r.fastq || r.state == atStart):
		if r.state == inSequence {
			r.endRecord()
		}
		r.state, r.fastq, r.length, r.kmers = inSequence, first == '@', 0, 0
		r.stats.Records++
		return r.takeNothing, nil
	case r.state == inSequence:
		return r.takeSequence, nil
	case r.state == inQuality:
		return nil, fmt.Errorf("a record of FASTQ begins with @, and this line with %q", first)
	}
	return nil, fmt.Errorf("a record of FASTA begins with >, one of FASTQ with @, and this line with %q", first)
}

func (r *Reader) takeNothing([]byte) error { return nil }

// takeQuality counts the qualities of letters.
func (r *Reader) takeQuality(part []byte) error {
	if r.quality += len(bytes.TrimRight(part, "\r")); r.quality > r.length {
		return fmt.Errorf("there are more qualities than the %d letters of the record", r.length)
	}
	return nil
}

// takeSequence takes letters.
func (r *Reader) takeSequence(part []byte) error {
	for _, c := range part {
		letter := r.letters[c]
		switch letter {
		case space:
			continue
		case foreign:
			alphabet := r.options.Alphabet
			if alphabet == "" {
				alphabet = DNA
			}
			return fmt.Errorf("%q is no letter of a sequence of %s", c, alphabet)
		}
		r.length++
		r.stats.Letters++
		if letter == ambiguous {
			r.stats.Ambiguous++
			r.endRun()
			continue
		}
		if len(r.window) == 0 {
			r.wait = r.options.K
		}
		if r.window = append(r.window, letter); len(r.window) >= buffer {
			r.window = r.window[:copy(r.window, r.window[len(r.window)-r.options.K:])]
		}
		if r.wait--; r.wait == 0 {
			r.wait = r.options.Stride
			r.add(r.window[len(r.window)-r.options.K:])
		}
	}
	return nil
}

// add adds a k-mer to the text.
func (r *Reader) add(kmer []byte) {
	if r.options.Canonical {
		for i, base := range kmer {
			r.reverse[len(kmer)-1-i] = complement(base)
		}
		if bytes.Compare(r.reverse, kmer) < 0 {
			kmer = r.reverse
		}
	}
	if r.tokens > 0 {
		r.text = append(r.text, ' ')
	}
	r.text = append(r.text, kmer...)
	r.tokens++
	r.kmers++
	r.stats.Kmers++
}

// endRun ends letters in a row.
func (r *Reader) endRun() {
	r.window = r.window[:0]
	if !r.options.Join {
		r.endText()
	}
}

// endText ends a line of text, if it has begun.
func (r *Reader) endText() {
	if r.tokens > 0 {
		r.text = append(r.text, '\n')
		r.tokens = 0
	}
}

// endRecord ends a record's sequence.
func (r *Reader) endRecord() {
	r.endRun()
	r.endText()
	if r.kmers == 0 {
		r.stats.Short++
	}
}

// of names the input of an error.
func (r *Reader) of(err error) error {
	if r.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", r.name, err)
}

// end ends the file. It returns io.EOF, or an error if a record is not whole.
func (r *Reader) end() error {
	switch {
	case r.state == atStart:
		return r.of(errors.New("there is no sequence in it: a record of FASTA begins with >, one of FASTQ with @"))
	case r.fastq && r.state == inSequence:
		return r.of(fmt.Errorf("line %d: the last record of FASTQ has no qualities: the file is cut short", r.line))
	case r.fastq && r.quality < r.length:
		return r.of(fmt.Errorf("line %d: the last record of FASTQ has %d letters and %d qualities: the file is cut short", r.line, r.length, r.quality))
	case r.state == inSequence:
		r.endRecord()
	}
	return io.EOF
}

// Package kmers turns biological sequences into text: the tokens of a record are its k-mers, the substrings
// of K letters, and a record is a sentence. It reads FASTA and FASTQ.
package kmers

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/w2v-go/w2v/corpus"
)

// An Alphabet is the set of letters of sequences.
type Alphabet string

// The alphabets. Lower-case letters are the same as upper-case ones.
const (
	// DNA has A, C, G and T; the U of RNA is read as T. The other IUPAC letters, which stand for several
	// bases, and gaps are ambiguous.
	DNA Alphabet = "dna"
	// Protein has the letters of the 20 amino acids, and U and O. B, J, X and Z, gaps and stops
	// are ambiguous.
	Protein Alphabet = "protein"
)

// Options say how to cut a sequence into k-mers. K must be set.
type Options struct {
	K        int      // number of letters in a k-mer
	Stride   int      // distance between the beginnings of k-mers in letters; 0 means 1
	Alphabet Alphabet // empty means DNA
	// Canonical replaces each k-mer by the alphabetically first of the k-mer and its reverse complement, so
	// that both strands of DNA have the same k-mers. Proteins have no strands.
	Canonical bool
	// Join continues the sentence after ambiguous letters. Without Join, ambiguous letters end a sentence.
	// K-mers never contain ambiguous letters.
	Join bool
}

// MaxK is the largest K.
const MaxK = 1024

// Validate returns an error if an option has an invalid value.
func (o Options) Validate() error {
	switch {
	case o.K < 1 || o.K > MaxK:
		return fmt.Errorf("k-mers: K is %d, must be from 1 to %d", o.K, MaxK)
	case o.Stride < 0:
		return fmt.Errorf("k-mers: Stride is %d, must not be negative", o.Stride)
	case o.Alphabet != "" && o.Alphabet != DNA && o.Alphabet != Protein:
		return fmt.Errorf("k-mers: the alphabet %q is not %s or %s", o.Alphabet, DNA, Protein)
	case o.Canonical && o.Alphabet == Protein:
		return errors.New("k-mers: canonical k-mers are those of both strands of DNA, and proteins have no strands")
	}
	return nil
}

// Stats describe the sequences that were read.
type Stats struct {
	Records   uint64 `json:"records"`
	Letters   uint64 `json:"letters"` // in all sequences
	Kmers     uint64 `json:"kmers"`
	Ambiguous uint64 `json:"ambiguous"` // letters that are not in any k-mer
	Short     uint64 `json:"short"`     // records without a k-mer, because no K consecutive letters are unambiguous
}

// Add adds the statistics of other sequences.
func (s *Stats) Add(other Stats) {
	s.Records += other.Records
	s.Letters += other.Letters
	s.Kmers += other.Kmers
	s.Ambiguous += other.Ambiguous
	s.Short += other.Short
}

// Classes of bytes that are not letters of the alphabet.
const (
	foreign   = 0
	ambiguous = 1
	space     = 2
)

// letters returns, for each byte, the letter in upper case or its class.
func (a Alphabet) letters() (of [256]byte) {
	whole, unclear := "ACGT", "RYSWKMBDHVN"
	if a == Protein {
		whole, unclear = "ACDEFGHIKLMNPQRSTVWYUO", "BJXZ"
	}
	const lower = 'a' - 'A'
	for _, c := range []byte(whole) {
		of[c], of[c+lower] = c, c
	}
	for _, c := range []byte(unclear + strings.ToLower(unclear) + "-.*") {
		of[c] = ambiguous
	}
	for _, c := range []byte(" \t\r\v\f") {
		of[c] = space
	}
	if a != Protein {
		of['U'], of['u'] = 'T', 'T'
	}
	return of
}

// complements are the bases that pair with bases.
var complements = [...]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}

// A Reader reads sequences and returns text: a line for each record, or for each part of a record between
// ambiguous letters, with spaces between k-mers. NewReader makes a Reader.
type Reader struct {
	options Options
	letters [256]byte
	in      *bufio.Reader
	name    string
	line    int // from 1
	stats   Stats

	take   func([]byte) error // handles the parts of the line
	within bool               // the line continues after the part that was read last

	state   state
	fastq   bool
	length  int    // number of letters of the record
	quality int    // number of qualities that were read, in FASTQ
	kmers   uint64 // number of k-mers of the record

	window  []byte // consecutive letters, of which the last K count
	wait    int    // number of letters until the next k-mer may end
	tokens  int    // number of tokens in the line of text
	reverse []byte

	text []byte // text that was made
	at   int    // number of bytes of text that were returned
	err  error
	done func() // called at the end of the file, if not nil
}

// A state is what a Reader expects next.
type state int

const (
	atStart    state = iota // nothing was read yet
	inSequence              // in a sequence, after its header
	inQuality               // in the qualities of a FASTQ record
)

// NewReader returns a reader of the sequences of in. Errors begin with name, if it is not empty, and contain
// the line.
func NewReader(name string, in io.Reader, o Options) *Reader {
	o.Stride = cmp.Or(o.Stride, 1)
	// Each letter of a part may end a k-mer, so that parts are small if k-mers are large.
	parts := bufio.NewReaderSize(struct{ io.Reader }{bufio.NewReader(in)}, min(4096, buffer/max(1, o.K)))
	return &Reader{
		options: o, letters: o.Alphabet.letters(), name: name, in: parts, err: o.Validate(),
		reverse: make([]byte, max(0, min(o.K, MaxK))),
	}
}

// NewSequence is NewReader for the letters of one sequence without a header, in one line or several.
func NewSequence(name string, in io.Reader, o Options) *Reader {
	r := NewReader(name, in, o)
	r.state, r.stats.Records = inSequence, 1
	return r
}

const buffer = 1 << 16 // minimum number of bytes that are made at a time

// Stats returns what has been read so far.
func (r *Reader) Stats() Stats { return r.stats }

// Read returns text.
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

// readPart reads a part of a line: a line may be a whole genome.
func (r *Reader) readPart() error {
	part, err := r.in.ReadSlice('\n')
	more, last := errors.Is(err, bufio.ErrBufferFull), errors.Is(err, io.EOF)
	if err != nil && !more && !last {
		return r.of(err)
	}
	part, err = bytes.TrimSuffix(part, []byte("\n")), nil
	if !r.within {
		r.line++
		r.take, err = r.begin(part)
	}
	if err == nil {
		err = r.take(part)
	}
	if err != nil {
		return r.of(fmt.Errorf("line %d: %w", r.line, err))
	}
	r.within = more
	if last {
		return r.end()
	}
	return nil
}

// begin inspects the beginning of a line and returns the function that handles its parts.
func (r *Reader) begin(part []byte) (take func([]byte) error, err error) {
	first := byte(0)
	if part = bytes.TrimRight(part, "\r"); len(part) > 0 {
		first = part[0]
	}
	switch {
	case r.state == inQuality && (r.quality < r.length || first == 0):
		return r.takeQuality, nil
	case first == 0, first == ';' && !r.fastq:
		return r.takeNothing, nil // an empty line, or a comment as in old files
	case r.state == inSequence && r.fastq && first == '+':
		r.endRecord()
		r.state, r.quality = inQuality, 0
		return r.takeNothing, nil
	case first == '>' && !r.fastq, first == '@' && (r.fastq && r.state != inSequence || r.state == atStart):
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

func (r *Reader) takeQuality(part []byte) error {
	if r.quality += len(bytes.TrimRight(part, "\r")); r.quality > r.length {
		return fmt.Errorf("there are more qualities than the %d letters of the record", r.length)
	}
	return nil
}

func (r *Reader) takeSequence(part []byte) error {
	for i, c := range part {
		letter := r.letters[c]
		switch letter {
		case space:
			continue
		case foreign:
			other, _ := utf8.DecodeRune(part[i:])
			return fmt.Errorf("%q is not a letter of a sequence of %s", other, cmp.Or(r.options.Alphabet, DNA))
		}
		r.length++
		r.stats.Letters++
		if letter == ambiguous {
			r.stats.Ambiguous++
			r.window = r.window[:0]
			if !r.options.Join {
				r.endText()
			}
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

func (r *Reader) add(kmer []byte) {
	if r.options.Canonical {
		for i, base := range kmer {
			r.reverse[len(kmer)-1-i] = complements[base]
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

// endText ends a line of text that has begun.
func (r *Reader) endText() {
	if r.tokens > 0 {
		r.text = append(r.text, '\n')
		r.tokens = 0
	}
}

func (r *Reader) endRecord() {
	r.window = r.window[:0]
	r.endText()
	if r.kmers == 0 {
		r.stats.Short++
	}
}

// of adds the input's name to an error.
func (r *Reader) of(err error) error {
	if r.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", r.name, err)
}

// end handles the end of the file. It returns io.EOF, or an error if a record is incomplete.
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
	if r.done != nil {
		r.done()
	}
	return io.EOF
}

// Source returns the k-mers of sequences as a corpus. The sequences are files, streams or both, compressed or
// not. If done is not nil, it is called after each input has been read, never concurrently.
func Source(sequences *corpus.Source, o Options, done func(name string, s Stats)) (*corpus.Source, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var turn sync.Mutex
	return sequences.Derived(func(name string, text io.Reader) io.Reader {
		r := NewReader("", text, o) // the corpus adds the names of inputs to errors
		if done != nil {
			r.done = func() {
				turn.Lock()
				defer turn.Unlock()
				done(name, r.stats)
			}
		}
		return r
	}), nil
}

// Write writes the k-mers of sequences, one input after the other.
func Write(ctx context.Context, w io.Writer, sequences *corpus.Source, o Options) (sum Stats, err error) {
	buf := make([]byte, buffer)
	for i := range sequences.Inputs() {
		text, err := sequences.Open(ctx, i)
		if err != nil {
			return sum, err
		}
		r := NewReader(text.Name(), text, o)
		_, err = io.CopyBuffer(w, r, buf)
		sum.Add(r.Stats())
		if err := errors.Join(err, text.Close()); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

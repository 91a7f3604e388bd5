// Package kmers turns biological sequences into text: the tokens of a record are its k-mers, the
// runs of K letters, and a record is a sentence. It reads FASTA and FASTQ.
package kmers

import (
	"errors"
	"fmt"
)

// An Alphabet is what the letters of sequences are.
type Alphabet string

// The alphabets. Lower-case letters are the same as upper-case ones.
const (
	// DNA has A, C, G and T; U of RNA is T. The other letters of IUPAC, which stand for several
	// bases, and gaps are ambiguous.
	DNA Alphabet = "dna"
	// Protein has the letters of the 20 amino acids, and U and O. B, J, X and Z, gaps and stops
	// are ambiguous.
	Protein Alphabet = "protein"
)

// Options say which k-mers a sequence has. K must be set.
type Options struct {
	K        int      // letters of a k-mer
	Stride   int      // letters from the beginning of a k-mer to that of the next one; 0 means 1
	Alphabet Alphabet // empty means DNA
	// Canonical takes, of each k-mer and its reverse complement, the one that is first by the
	// alphabet, so that both strands of DNA have the same k-mers. Proteins have no strands.
	Canonical bool
	// Join goes on in the same sentence behind ambiguous letters. Without it, they end a sentence.
	// No k-mer has an ambiguous letter in either case.
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

// Stats say what was read.
type Stats struct {
	Records   uint64 `json:"records"`
	Letters   uint64 `json:"letters"` // of all sequences
	Kmers     uint64 `json:"kmers"`
	Ambiguous uint64 `json:"ambiguous"` // letters that are in no k-mer
	Short     uint64 `json:"short"`     // records without a k-mer, because no K letters in a row are unambiguous
}

// Add adds the numbers of other sequences.
func (s *Stats) Add(other Stats) {
	s.Records += other.Records
	s.Letters += other.Letters
	s.Kmers += other.Kmers
	s.Ambiguous += other.Ambiguous
	s.Short += other.Short
}

// What a byte of a sequence is, where it is no letter of the alphabet.
const (
	foreign   = 0
	ambiguous = 1
	space     = 2
)

// letters returns the letter that each byte is, in upper case, or what else it is.
func (a Alphabet) letters() (of [256]byte) {
	whole, unclear := "ACGT", "RYSWKMBDHVN"
	if a == Protein {
		whole, unclear = "ACDEFGHIKLMNPQRSTVWYUO", "BJXZ"
	}
	const lower = 'a' - 'A'
	for _, c := range []byte(whole) {
		of[c], of[c+lower] = c, c
	}
	for _, c := range []byte(unclear) {
		of[c], of[c+lower] = ambiguous, ambiguous
	}
	for _, c := range []byte("-.*") {
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

// complement returns the base that pairs with a base.
func complement(base byte) byte {
	switch base {
	case 'A':
		return 'T'
	case 'C':
		return 'G'
	case 'G':
		return 'C'
	}
	return 'A'
}

package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// A Normalization is a normal form of Unicode that text is brought into.
type Normalization int

const (
	// AsWritten leaves characters as they are.
	AsWritten Normalization = iota
	// NFC joins letters and their marks where Unicode has a character for both.
	NFC
	// NFKC is NFC that also replaces characters by those that they are a variant of: "ﬁ" by
	// "fi", "²" by "2", full width by half width, no-break spaces by spaces.
	NFKC
)

// Digits say what happens to numbers.
type Digits int

const (
	// KeepDigits leaves digits as they are.
	KeepDigits Digits = iota
	// ZeroDigits makes every decimal digit of any script a 0, so that 1987 becomes 0000.
	ZeroDigits
	// DropNumbers leaves out tokens that have a number and no letter.
	DropNumbers
)

// Punctuation says what happens to punctuation, which are the characters of Unicode's category P
// and its symbols, except for pictographs and the like (category So).
type Punctuation int

const (
	// UsualPunctuation is KeepPunctuation, or DropPunctuation with the Unicode tokenizer.
	UsualPunctuation Punctuation = iota
	// KeepPunctuation leaves punctuation in the text. The Unicode tokenizer makes tokens of it.
	KeepPunctuation
	// DropPunctuation takes punctuation off both ends of tokens, and leaves out tokens that have
	// nothing else. Punctuation between other characters stays.
	DropPunctuation
)

// Breaks say where sentences end.
type Breaks int

const (
	// Lines are sentences: each ends at a newline.
	Lines Breaks = iota
	// UnicodeSentences end at a newline and at the sentence boundaries of UAX #29.
	UnicodeSentences
)

var (
	normalizationNames = []string{"none", "nfc", "nfkc"}
	digitsNames        = []string{"keep", "zero", "drop"}
	punctuationNames   = []string{"auto", "keep", "drop"}
	breaksNames        = []string{"line", "unicode"}
)

// String returns the name: none, nfc or nfkc.
func (n Normalization) String() string {
	return choiceName("Normalization", normalizationNames, int(n))
}

// MarshalText returns the name, or an error if there is none.
func (n Normalization) MarshalText() ([]byte, error) { return []byte(n.String()), n.validate() }

// UnmarshalText sets n to the normal form of that name.
func (n *Normalization) UnmarshalText(text []byte) error {
	i, err := choiceNamed("normal form", normalizationNames, text)
	*n = Normalization(i)
	return err
}

func (n Normalization) validate() error {
	return checkChoice("Normalization", normalizationNames, int(n))
}

// String returns the name: keep, zero or drop.
func (d Digits) String() string { return choiceName("Digits", digitsNames, int(d)) }

// MarshalText returns the name, or an error if there is none.
func (d Digits) MarshalText() ([]byte, error) { return []byte(d.String()), d.validate() }

// UnmarshalText sets d to the choice of that name.
func (d *Digits) UnmarshalText(text []byte) error {
	i, err := choiceNamed("choice for digits", digitsNames, text)
	*d = Digits(i)
	return err
}

func (d Digits) validate() error { return checkChoice("Digits", digitsNames, int(d)) }

// String returns the name: auto, keep or drop.
func (p Punctuation) String() string { return choiceName("Punctuation", punctuationNames, int(p)) }

// MarshalText returns the name, or an error if there is none.
func (p Punctuation) MarshalText() ([]byte, error) { return []byte(p.String()), p.validate() }

// UnmarshalText sets p to the choice of that name.
func (p *Punctuation) UnmarshalText(text []byte) error {
	i, err := choiceNamed("choice for punctuation", punctuationNames, text)
	*p = Punctuation(i)
	return err
}

func (p Punctuation) validate() error { return checkChoice("Punctuation", punctuationNames, int(p)) }

// String returns the name: line or unicode.
func (b Breaks) String() string { return choiceName("Breaks", breaksNames, int(b)) }

// MarshalText returns the name, or an error if there is none.
func (b Breaks) MarshalText() ([]byte, error) { return []byte(b.String()), b.validate() }

// UnmarshalText sets b to the choice of that name.
func (b *Breaks) UnmarshalText(text []byte) error {
	i, err := choiceNamed("end of sentences", breaksNames, text)
	*b = Breaks(i)
	return err
}

func (b Breaks) validate() error { return checkChoice("Breaks", breaksNames, int(b)) }

func choiceName(kind string, names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, i)
	}
	return names[i]
}

func checkChoice(kind string, names []string, i int) error {
	if i < 0 || i >= len(names) {
		return fmt.Errorf("corpus: %s is none of its choices, which are 0 to %d", choiceName(kind, names, i), len(names)-1)
	}
	return nil
}

func choiceNamed(what string, names []string, text []byte) (int, error) {
	i := slices.Index(names, string(text))
	if i < 0 {
		return 0, fmt.Errorf("unknown %s %q: %s are known", what, text, strings.Join(names, ", "))
	}
	return i, nil
}

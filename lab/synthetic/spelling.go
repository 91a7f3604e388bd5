package synthetic

import (
	"encoding/binary"
	"strings"
)

// Words are syllables and an ending: "strouleand". Every syllable is consonants and vowels, so no
// two words are spelt alike. Frequent words are short: those with one syllable come first.
const (
	onsets  = "b c d f l m n p r s t w br pl st th"
	nuclei  = "a e i o ea ou"
	endings = " n r s nd"
)

const (
	syllables   = 16 * 6
	codas       = 5
	mostLong    = 5 // syllables in a word, which are enough for mostWords
	longestWord = 4*mostLong + 2
)

// A part of a word is at most 8 bytes, so that it is written at once.
type part struct {
	text   uint64
	length int
}

// A spelling has what words are made of.
type spelling struct {
	syllables [syllables]part
	codas     [codas]part
	classes   [mostLong]class
}

// A class is the words of so many syllables.
type class struct {
	first, size uint64 // the first rank, and the number of words
	step        uint64 // words of neighbouring ranks are so many apart, so that they do not look alike
}

func newSpelling() *spelling {
	s := new(spelling)
	for i, onset := range strings.Fields(onsets) {
		for j, nucleus := range strings.Fields(nuclei) {
			s.syllables[6*i+j] = newPart(onset + nucleus)
		}
	}
	for i, coda := range strings.Split(endings, " ") {
		s.codas[i] = newPart(coda)
	}
	first, size := uint64(0), uint64(codas)
	for i := range s.classes {
		size *= syllables
		step := uint64(float64(min(size, mostWords))*0.618) | 1
		for step%3 == 0 || step%5 == 0 { // then it has a divisor in common with the size
			step += 2
		}
		s.classes[i] = class{first, size, step}
		first += size
	}
	return s
}

func newPart(text string) part {
	var bytes [8]byte
	copy(bytes[:], text)
	return part{binary.LittleEndian.Uint64(bytes[:]), len(text)}
}

// append appends a word, and may write some bytes behind it.
func (s *spelling) append(text []byte, rank uint32) []byte {
	n, at := 0, uint64(rank)
	for at >= s.classes[n].first+s.classes[n].size {
		n++
	}
	c := s.classes[n]
	x := (at - c.first) * c.step % c.size
	coda := s.codas[x%codas]
	x /= codas
	for range n + 1 {
		text = s.syllables[x%syllables].append(text)
		x /= syllables
	}
	return coda.append(text)
}

// append appends a part, and may write some bytes behind it.
func (p part) append(text []byte) []byte {
	return binary.LittleEndian.AppendUint64(text, p.text)[:len(text)+p.length]
}

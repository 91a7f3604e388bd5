package wordbreak

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/sentences"
	"golang.org/x/text/unicode/norm"

	"github.com/w2v-go/w2v/internal/longtest"
)

// tablesFile has the properties of characters by which the Python package cuts text as this program does,
// whatever Python's version of Unicode is. Python reads it in python/src/w2v/characters.py.
const tablesFile = "../../python/src/w2v/characters.bin"

// oneCluster and oneSentence tell whether there is no boundary in a text.
func oneCluster(text string) bool {
	segments := graphemes.FromString(text)
	return segments.Next() && segments.Value() == text
}

func oneSentence(text string) bool {
	segments := sentences.FromString(text)
	return segments.Next() && segments.Value() == text
}

// categoryNames are general categories. Python has the same list.
var categoryNames = strings.Fields("Cn Cc Cf Co Cs Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs")

func categoryOf(s string) int {
	r, _ := utf8.DecodeRuneInString(s)
	return max(0, slices.IndexFunc(categoryNames, func(name string) bool { return name != "Cn" && unicode.Is(unicode.Categories[name], r) }))
}

const pictograph = "\U0001f600"

// wordBreak is a character's property Word_Break as a number, found by what package words joins it to. Extend
// and Format are the same to all rules.
func wordBreak(s string) int {
	pictured := whole("\u200d" + s)
	switch {
	case !whole(s + "\u0301"):
		switch {
		case whole(s + "\n"):
			return 1 // CR
		case whole("\r" + s):
			return 2 // LF
		}
		return 3 // Newline
	case whole("." + s):
		if whole(s + pictograph) {
			return 5 // ZWJ
		}
		return 4 // Extend, Format
	case whole(" " + s):
		return 6 // WSegSpace
	case whole("a" + s):
		switch {
		case whole("ア" + s):
			return 10 // ExtendNumLet
		case whole("1." + s):
			return 9 // Numeric
		case whole(s + "'"):
			return 8 // Hebrew_Letter
		case pictured:
			return 19 // ALetter, and a pictograph
		}
		return 7 // ALetter
	case whole("ア" + s):
		return 11 // Katakana
	case whole("\U0001f1e6" + s):
		return 17 // Regional_Indicator
	case pictured:
		return 18 // Extended_Pictographic
	case whole("א" + s):
		return 15 // Single_Quote
	case whole("a" + s + "a"):
		if whole("1" + s + "1") {
			return 14 // MidNumLet
		}
		return 12 // MidLetter
	case whole("1" + s + "1"):
		return 13 // MidNum
	case whole("א" + s + "א"):
		return 16 // Double_Quote
	}
	return 0
}

// graphemeBreak is the property Grapheme_Cluster_Break, with Indic_Conjunct_Break times 32.
func graphemeBreak(s string) int {
	const consonant, linker = "\u0915", "\u094d"
	conjunct := 0
	switch {
	case oneCluster(consonant + s + consonant):
		conjunct = 2 // Linker
	case oneCluster(consonant + s + linker + consonant):
		conjunct = 1 // Extend
	case oneCluster(s+linker+consonant) && !oneCluster(s+consonant):
		conjunct = 3 // Consonant
	}
	return graphemeClass(s) + 32*conjunct
}

func graphemeClass(s string) int {
	const l, v, t, lv = "\u1100", "\u1161", "\u11a8", "\uac00"
	switch {
	case !oneCluster(s + "\u0301"):
		switch {
		case oneCluster(s + "\n"):
			return 1 // CR
		case oneCluster("\r" + s):
			return 2 // LF
		}
		return 3 // Control
	case oneCluster(pictograph + s + pictograph):
		return 5 // ZWJ
	case oneCluster(pictograph + s + "\u200d" + pictograph):
		return 4 // Extend
	case oneCluster("a" + s):
		return 7 // SpacingMark
	case oneCluster(s + "a"):
		return 6 // Prepend
	case oneCluster(l+s) && oneCluster(s+l):
		return 9 // L
	case oneCluster(lv+s) && oneCluster(s+v):
		return 10 // V
	case oneCluster(lv + s):
		return 11 // T
	case oneCluster(l+s) && oneCluster(s+v):
		return 12 // LV
	case oneCluster(l + s):
		return 13 // LVT
	case oneCluster(s + s):
		return 8 // Regional_Indicator
	case oneCluster(pictograph + "\u200d" + s):
		return 14 // Extended_Pictographic
	}
	return 0
}

// sentenceBreak is the property Sentence_Break. Extend and Format are the same to all rules.
func sentenceBreak(s string) int {
	switch {
	case !oneSentence(s + "\u0301"):
		switch {
		case oneSentence(s + "\n"):
			return 3 // CR
		case oneSentence("\r" + s):
			return 4 // LF
		}
		return 5 // Sep
	case !oneSentence(s + "A"):
		if oneSentence(s + "1") {
			return 1 // ATerm
		}
		return 2 // STerm
	case oneSentence("!" + s):
		switch {
		case !oneSentence("! " + s):
			return 6 // Close
		case oneSentence("!" + s + "A"):
			return 11 // SContinue
		case oneSentence("." + s + "1"):
			return 7 // Extend, Format
		}
		return 12 // Sp
	case oneSentence(". " + s):
		return 8 // Lower
	case oneSentence(",." + s):
		return 9 // Numeric
	case oneSentence("A." + s):
		return 13 // Upper
	case !oneSentence(". " + s + "a"):
		return 10 // OLetter
	}
	return 0
}

// sigma tells how a character decides which lower case a capital sigma beside it has: 1 for a letter with case,
// 2 for a character that is skipped.
func sigma(s string) (is int) {
	lower := func(text string) string { return string(LowerText("el", []byte(text))) }
	if strings.HasSuffix(lower(s+"Σ"), "ς") {
		is = 1
	}
	if strings.HasPrefix(lower("αΣ"+s+"α"), "ασ") && strings.HasPrefix(lower("αΣ"+s), "ας") {
		is += 2
	}
	return is
}

// forms is 1 for a character that a normal form may change, or that may change with its neighbours, and 2 more
// if it may change with what precedes it; and 8 more for a mark above a letter, or 4 for another mark of a letter.
func forms(s string) (is int) {
	for _, f := range []norm.Form{norm.NFC, norm.NFKC} {
		p := f.PropertiesString(s)
		if !p.BoundaryAfter() {
			is |= 1
		}
		if !p.BoundaryBefore() {
			is |= 3
		}
	}
	const above = 230
	switch norm.NFC.PropertiesString(s).CCC() {
	case 0:
	case above:
		is |= 8
	default:
		is |= 4
	}
	return is
}

// tables writes all properties: of each, the number of runs of characters with the same value, the lengths of
// the runs, and their values, as little-endian numbers of 32 bits. In planes without characters it looks at each 256th unless
// it looks at all.
func tables(all bool) []byte {
	var written []byte
	for _, property := range []func(s string) int{
		categoryOf, wordBreak, graphemeBreak, sentenceBreak, sigma, forms,
		func(s string) int {
			r, _ := utf8.DecodeRuneInString(s)
			return int(Lower(r) - r)
		},
	} {
		var lengths, values []int32
		for c := rune(0); c <= utf8.MaxRune; c++ {
			if plane := c >> 16; !all && plane > 3 && plane != 14 && c&0xff > 0 && c&0xffff < 0xfffe {
				lengths[len(lengths)-1]++ // of characters that Unicode has not given a meaning
				continue
			}
			value := int32(property(string(c)))
			if len(values) == 0 || values[len(values)-1] != value {
				lengths, values = append(lengths, 0), append(values, value)
			}
			lengths[len(lengths)-1]++
		}
		for _, numbers := range [][]int32{{int32(len(values))}, lengths, values} {
			for _, n := range numbers {
				written = binary.LittleEndian.AppendUint32(written, uint32(n))
			}
		}
	}
	return written
}

// The tables are those that packages uax29, unicode, norm and cases make. go test ./internal/wordbreak -run
// TestPythonTables -update writes them after a change of any.
func TestPythonTables(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at every character")
	}
	made := tables(*update || longtest.Enabled())
	if *update {
		var packed bytes.Buffer
		w, err := zlib.NewWriterLevel(&packed, zlib.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(made); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(tablesFile, packed.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	packed, err := os.Open(tablesFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }()
	r, err := zlib.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	if written, err := io.ReadAll(r); err != nil || !bytes.Equal(written, made) {
		t.Errorf("%s is not what the packages make: run this test with -update", tablesFile)
	}
}

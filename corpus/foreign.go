package corpus

import (
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/internal/wording"
)

// headSize is how many bytes at the beginning of an input are examined.
const headSize = 4096

// foreign lists kinds of files that are sometimes passed as text by mistake: their first
// bytes, what they are, and a command that extracts text from them, if there is one.
var foreign = []struct {
	at                int
	magic, what, text string
}{
	// The file begins with the length of its JSON header in 8 bytes. The upper four are
	// always zero, and the lower four can have any value.
	{4, "\x00\x00\x00\x00{\"", "a safetensors file, which is a model", ""},
	{0, "\x04\x22\x4d\x18", "compressed with lz4", "lz4 -dc %s"},
	{0, "LZIP\x01", "compressed with lzip", "lzip -dc %s"},
	{0, "PK\x03\x04", "a zip archive", "unzip -p %s"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so %s"},
	{0, "Rar!\x1a\x07", "a RAR archive", "unrar p -inul %s"},
	{257, "ustar", "a tar archive", "tar -xOf %s"},
	{0, "%PDF-", "a PDF document", "pdftotext %s -"},
	{0, "PAR1\x15", "a Parquet table", ""},
	{0, "ARROW1\x00\x00", "an Arrow table", ""},
	{0, "\xba\x16\x4f\x2f", "a fastText model", ""},
	{0, "FiFu", "a finalfusion model", ""},
	{0, "\x93NUMPY", "a numpy array", ""},
	{0, "\x80\x02", "a Python pickle", ""},
	{0, "\x80\x03", "a Python pickle", ""},
	{0, "\x80\x04", "a Python pickle", ""},
	{0, "\x80\x05", "a Python pickle", ""},
	{0, "\x89PNG\r\n\x1a\n", "a PNG image", ""},
	{0, "\xff\xd8\xff", "a JPEG image", ""},
}

// byteOrderMark is written by some editors at the beginning of a text in UTF-8.
const byteOrderMark = "\ufeff"

// markSize returns the length of the byte order mark at the beginning of a text, or 0.
func markSize(head []byte) int {
	if strings.HasPrefix(string(head), byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// checkText returns an error if an input is certainly not text that can be read. head is
// the first headSize bytes of the input, or all of a shorter one. Text in any encoding whose
// separators are ASCII is accepted.
func checkText(in input, head []byte) error {
	for _, f := range foreign {
		if len(head) >= f.at && strings.HasPrefix(string(head[f.at:]), f.magic) {
			return in.refuse("is "+f.what, f.text)
		}
	}
	if other := plaintext.Check(head); other != nil {
		return in.refuse(other.Is, other.Command+" %s")
	}
	if isBinary(head) {
		return in.refuse("is binary data and no text", "")
	}
	return nil
}

// A ForeignError says that an input is certainly not text that can be read.
type ForeignError struct {
	Name    string // of the input
	Is      string // what is wrong with it, as "is a zip archive"
	Command string // prints the text of the input, which is a file; empty where there is no such command
	advice  string
}

func (e *ForeignError) Error() string { return e.Name + ": " + e.Is + ": " + e.advice }

// refuse returns an error that says what an input is, and which command extracts text
// from it.
func (in input) refuse(is, command string) error {
	e := &ForeignError{Name: in.name, Is: is}
	switch {
	case command == "":
		e.advice = "give a corpus of text only"
	case in.file:
		e.Command = fmt.Sprintf(command, wording.Quoted(in.name))
		e.advice = "make it plain text first, for example with " + e.Command
	default:
		program := strings.TrimSuffix(strings.Join(strings.Fields(fmt.Sprintf(command, "")), " "), " <")
		e.advice = "make it plain text first, as " + program + " does"
	}
	return e
}

// fewest is the smallest number of bytes of one kind from which anything is concluded.
const fewest = 16

// isBinary reports whether head has too many zero bytes or control characters to be text.
// Zero bytes may separate tokens, so that some are allowed. White space, the characters that
// ISO 2022 uses (14, 15 and 27), and separators of records and fields (28 to 31) do not count
// as control characters.
func isBinary(head []byte) bool {
	zeros, controls := 0, 0
	for _, c := range head {
		switch {
		case c == 0:
			zeros++
		case c < '\t', 0x0f < c && c < 0x1b, c == 0x7f:
			controls++
		}
	}
	return zeros >= fewest && 2*zeros > len(head) || controls >= fewest && 50*controls > len(head)
}

package corpus

import (
	"fmt"
	"strings"
)

// headSize is how much of the beginning of an input is looked at.
const headSize = 4096

// foreign are the first bytes of what people take for text, what it is, and the program
// that makes text of it, if there is one.
var foreign = []struct {
	at                int
	magic, what, text string
}{
	// Only the lowest four bytes of the length of its JSON are ever used, and may be anything.
	{4, "\x00\x00\x00\x00{\"", "a safetensors file, which is a model", ""},
	{0, "\xfd7zXZ\x00", "compressed with xz", "xz -dc %s"},
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

// marks are the byte order marks of what is not read, the longer ones first.
var marks = []struct{ mark, encoding string }{
	{"\xff\xfe\x00\x00", "UTF-32"},
	{"\x00\x00\xfe\xff", "UTF-32"},
	{"\xff\xfe", "UTF-16"},
	{"\xfe\xff", "UTF-16"},
}

// byteOrderMark is what some editors begin a text in UTF-8 with.
const byteOrderMark = "\ufeff"

// markSize returns the length of the byte order mark that a text begins with.
func markSize(head []byte) int {
	if strings.HasPrefix(string(head), byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// checkText returns an error if an input that begins with head, of headSize bytes unless it
// is shorter, is surely no text that can be read. Text in any encoding that has ASCII for its
// separators is left alone.
func checkText(in input, head []byte) error {
	for _, f := range foreign {
		if len(head) >= f.at && strings.HasPrefix(string(head[f.at:]), f.magic) {
			return in.refuse("is "+f.what, f.text)
		}
	}
	encoding := ""
	for _, m := range marks {
		if strings.HasPrefix(string(head), m.mark) {
			encoding = m.encoding
			break
		}
	}
	if encoding == "" {
		encoding = wideEncoding(head)
	}
	if encoding != "" {
		return in.refuse("is in "+encoding+", and text is read in UTF-8", "iconv -f "+encoding+" -t UTF-8 %s")
	}
	if isBinary(head) {
		return in.refuse("is binary data and no text", "")
	}
	return nil
}

// refuse says what an input is, and what makes text of it.
func (in input) refuse(is, command string) error {
	switch {
	case command == "":
		return fmt.Errorf("%s: %s: give a corpus of text only", in.name, is)
	case in.file:
		return fmt.Errorf("%s: %s: make it plain text first, for example with %s | w2v train -", in.name, is, fmt.Sprintf(command, quoted(in.name)))
	}
	program := strings.Join(strings.Fields(fmt.Sprintf(command, "")), " ")
	return fmt.Errorf("%s: %s: make it plain text first, as %s does", in.name, is, program)
}

// quoted is a path as a shell takes it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t\n'\"\\$&|;<>()*?[]{}`!#~") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// fewest is the least number of bytes of a sort that says anything about a text.
const fewest = 16

// wideEncoding returns the encoding of a text without a byte order mark of which
// every other byte is zero, or three of four are; or nothing.
func wideEncoding(head []byte) string {
	var zeros [4]int // by place
	for i, c := range head {
		if c == 0 {
			zeros[i%4]++
		}
	}
	places := len(head) / 4
	if places < fewest {
		return ""
	}
	most := func(place int) bool { return zeros[place] > places-places/4 }
	few := func(place int) bool { return zeros[place] < places/16 }
	switch {
	case few(0) && most(1) && most(2) && most(3):
		return "UTF-32LE"
	case most(0) && most(1) && most(2) && few(3):
		return "UTF-32BE"
	case few(0) && most(1) && few(2) && most(3):
		return "UTF-16LE"
	case most(0) && few(1) && most(2) && few(3):
		return "UTF-16BE"
	}
	return ""
}

// isBinary reports whether head has more zero bytes than may separate tokens, or more
// control characters than stand in any text. White space, what ISO 2022 uses (14, 15 and
// 27), and separators of records and fields (28 to 31) are not counted.
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

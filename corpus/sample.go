package corpus

import (
	"bytes"
	"io"
	"os"
	"strings"
)

const (
	sampledInputs = 8       // inputs in a sample, spread over the corpus
	sampledBytes  = 1 << 16 // bytes taken of each
)

// A Sample holds some whole lines of a corpus's text as they are before they are cut into tokens:
// the first lines of up to eight inputs and, of plain files, some lines from the middle.
type Sample struct {
	Lines []string // without the newlines

	name string // of the first input, which says how a table is read
}

// Sample returns a sample of the corpus, which is the same every time. Inputs that are read as
// a stream, such as standard input and compressed files, are in the sample after they have
// been read. Inputs that cannot be read are left out.
func (s *Source) Sample() Sample {
	var sample Sample
	if len(s.inputs) > 0 {
		sample.name = s.inputs[0].name
	}
	for _, in := range s.sampled() {
		if in.size < 0 {
			kept := in.beginning
			if in.sentences != nil {
				kept = beginningOf(in.sentences)
			}
			sample.add(kept.text, false, len(kept.text) < sampledBytes)
			continue
		}
		_ = sample.addFile(in, s.options) // if it fails, the sample has the other inputs
	}
	return sample
}

// sampled returns the inputs that a sample is taken from.
func (s *Source) sampled() []input {
	if len(s.inputs) <= sampledInputs {
		return s.inputs
	}
	var some []input
	for i := range sampledInputs {
		some = append(some, s.inputs[i*(len(s.inputs)-1)/(sampledInputs-1)])
	}
	return some
}

// keepBeginnings makes inputs that are read as streams keep their first bytes for a sample.
func (s *Source) keepBeginnings() {
	for _, in := range s.sampled() {
		if in.beginning != nil {
			in.beginning.left = sampledBytes
		}
	}
}

// addFile adds lines from the beginning and from the middle of a plain file.
func (s *Sample) addFile(in input, o Options) error {
	file, err := os.Open(in.name)
	if err != nil {
		return err
	}
	defer file.Close()
	half := int64(sampledBytes / 2)
	places := []int64{in.text}
	from := len(s.Lines)
	if in.size-in.text > 4*sampledBytes {
		places = append(places, in.text+(in.size-in.text)/2)
	} else {
		half = sampledBytes
	}
	for _, at := range places {
		text := make([]byte, min(half, in.size-at))
		n, err := file.ReadAt(text, at)
		if err != nil && err != io.EOF { //nolint:errorlint // as ReadAt returns it
			return err
		}
		s.add(text[:n], at > in.text, at+int64(n) >= in.size)
	}
	if o.hasRecords() {
		lines := s.Lines[from:]
		s.Lines = s.Lines[:from]
		for _, line := range lines {
			if text, ok := o.textOf(line); ok {
				s.Lines = append(s.Lines, text)
			}
		}
	}
	return nil
}

// add adds the lines of a text. If the text begins within a line, that line is left out. The
// last line is left out too, unless the text reaches the end of the input or has only one line.
func (s *Sample) add(text []byte, within, end bool) {
	if len(text) == 0 {
		return
	}
	if within {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	if !end {
		if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
			text = text[:i]
		}
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		s.Lines = append(s.Lines, strings.TrimSuffix(line, "\r"))
	}
}

// A beginning keeps the first bytes of an input while it is read.
type beginning struct {
	left int // bytes that may still be kept
	text []byte
}

// of returns a reader of r that keeps the first bytes.
func (b *beginning) of(r io.Reader) io.Reader {
	if b == nil || b.left == 0 {
		return r
	}
	return &keepingReader{r, b}
}

type keepingReader struct {
	io.Reader
	kept *beginning
}

func (k *keepingReader) Read(p []byte) (int, error) {
	n, err := k.Reader.Read(p)
	if b := k.kept; b.left > 0 {
		keep := p[:min(n, b.left)]
		b.text = append(b.text, keep...)
		b.left -= len(keep)
	}
	return n, err
}

package corpus

import (
	"bytes"
	"io"
	"os"
	"strings"
)

const (
	sampledInputs = 8       // of a corpus, spread over all of them
	sampledBytes  = 1 << 16 // of each
)

// A Sample is some whole lines of a corpus, before tokens are made of them: the first ones of
// up to eight inputs and, of files that can be read anywhere, some from the middle.
type Sample struct {
	Lines []string // without the newlines
}

// Sample returns a sample of the corpus, the same every time. What can be read only once, such
// as standard input or a compressed file, is in it once it has been read; what cannot be read
// is not.
func (s *Source) Sample() Sample {
	var sample Sample
	for _, in := range s.sampled() {
		if in.size < 0 {
			kept := in.beginning
			if in.sentences != nil {
				kept = beginningOf(in.sentences)
			}
			sample.add(kept.text, false, len(kept.text) < sampledBytes)
			continue
		}
		_ = sample.addFile(in) // a sample without it will do
	}
	return sample
}

// sampled returns the inputs that a sample is of.
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

// keepBeginnings makes inputs that can be read only once keep what a sample takes of them.
func (s *Source) keepBeginnings() {
	for _, in := range s.sampled() {
		if in.beginning != nil {
			in.beginning.left = sampledBytes
		}
	}
}

// addFile adds the beginning and some of the middle of a plain file.
func (s *Sample) addFile(in input) error {
	file, err := os.Open(in.name)
	if err != nil {
		return err
	}
	defer file.Close()
	half := int64(sampledBytes / 2)
	places := []int64{in.text}
	if in.size > 4*sampledBytes {
		places = append(places, in.size/2)
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
	return nil
}

// add adds the lines of a text. The first one is left out if the text begins within it, and so
// is the last one unless the text is whole to the end of the input, or has no other.
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

// A beginning keeps the first bytes of what passes through it.
type beginning struct {
	left int // bytes that may still be kept
	text []byte
}

// of returns a reader of r that keeps what is read first.
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

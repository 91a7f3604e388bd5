package corpus

import (
	"context"
	"io"
)

// Derived returns the corpus of texts that a function makes of the texts of s, such as the k-mers
// of sequences. Each input is read by one worker, from its start. The names and files are those of s.
func (s *Source) Derived(of func(name string, text io.Reader) io.Reader) *Source {
	d := &Source{options: s.options, err: s.err}
	for i, in := range s.inputs {
		in.size, in.beginning = -1, new(beginning)
		in.open = func() (io.ReadCloser, error) {
			raw, err := s.Open(context.Background(), i) // the stream around this one looks at the context
			if err != nil {
				return nil, err
			}
			return derived{of(raw.Name(), raw), raw}, nil
		}
		d.inputs = append(d.inputs, in)
	}
	d.keepBeginnings()
	return d
}

// derived is a text that is made of another.
type derived struct {
	io.Reader
	io.Closer
}

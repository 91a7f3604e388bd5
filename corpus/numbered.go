package corpus

import "context"

// A Numbered is a corpus that is no text, and whose tokens have numbers already, such as the nodes
// of random walks over a graph. Record writes it to recorders of numbers. It may be called again, for
// the same corpus.
type Numbered interface {
	// Record calls new for each of at most so many workers, and records the corpus, so that it is
	// the same for any number of them. A recorder may be nil, and then the numbers are only
	// counted. It returns the recorders, and how often each number occurs. Progress is called from
	// several goroutines with the tokens so far. After an error the caller closes the recorders
	// that new returned.
	Record(ctx context.Context, workers int, new func() (*Recorder, error), progress func(tokens uint64)) (recorders []*Recorder, counts []uint64, err error)
	// Token returns the token of a number that Record counted.
	Token(number int) string
}

// FromNumbered returns a corpus of numbers. Errors speak of it as name. It is read from these
// files, if from any. It has no shards: package vocab reads it.
func FromNumbered(name string, files []string, n Numbered) *Source {
	s := &Source{numbered: n}
	for _, path := range files {
		s.inputs = append(s.inputs, input{name: path, size: -1, file: true, beginning: new(beginning)})
	}
	if len(files) == 0 {
		s.inputs = []input{{name: name, size: -1, beginning: new(beginning)}}
	}
	return s
}

// Numbered returns what FromNumbered was called with, or nil.
func (s *Source) Numbered() Numbered {
	if s == nil {
		return nil
	}
	return s.numbered
}

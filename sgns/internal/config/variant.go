package config

import (
	"cmp"
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/loss"
	"github.com/w2v-go/w2v/sgns/internal/settings"
)

// An Arch is an architecture: what predicts what. Its value is the name that the
// command line knows it by.
type Arch string

const (
	// SkipGram predicts every context from the centre (Mikolov et al. 2013).
	SkipGram Arch = "skipgram"
	// CBOW predicts the centre from the mean of its contexts. Each context gets its share
	// of the gradient, where word2vec.c gives it all (İrsoy et al. 2021, koan). Shares are
	// multiplied by how many contexts a centre has on the average, so that rates are those
	// of word2vec.c.
	CBOW Arch = "cbow"
	// Structured is skip-gram with an output matrix for each relative position (Ling et
	// al. 2015).
	Structured Arch = "structured"
)

// Archs returns every architecture, the default first.
func Archs() (all []Arch) {
	for _, k := range arch.Kinds() {
		all = append(all, Arch(k.Name))
	}
	return all
}

// Help says in a few words what the architecture is.
func (a Arch) Help() string {
	k, _ := arch.Find(string(a))
	return k.Help
}

// A Loss says how an output is told from others. Its value is the name that the command
// line knows it by.
type Loss string

const (
	// NegativeSampling tells it from random words (Mikolov et al. 2013).
	NegativeSampling Loss = "ns"
	// HierarchicalSoftmax tells it by the inner nodes on its path in a Huffman tree over
	// the vocabulary (Morin and Bengio 2005).
	HierarchicalSoftmax Loss = "hs"
)

// Losses returns every loss, the default first.
func Losses() (all []Loss) {
	for _, k := range loss.Kinds() {
		all = append(all, Loss(k.Name))
	}
	return all
}

// Help says in a few words what the loss is.
func (l Loss) Help() string {
	k, _ := loss.Find(string(l))
	return k.Help
}

// Samples reports whether the loss draws negatives, as Config.Negatives and NSExponent say.
func (l Loss) Samples() bool {
	k, _ := loss.Find(string(l))
	return k.Samples
}

// archOf and lossOf return what c names, or the default.
func archOf(c *Config) Arch { return cmp.Or(c.Arch, Archs()[0]) }
func lossOf(c *Config) Loss { return cmp.Or(c.Loss, Losses()[0]) }

// WindowMode and Precision are settings of variants.
type (
	WindowMode = settings.WindowMode
	Precision  = settings.Precision
)

// Values of WindowMode and Precision.
const (
	WindowDynamic  = settings.Dynamic
	WindowFixed    = settings.Fixed
	WindowHarmonic = settings.Harmonic
	F32            = settings.F32
	F16            = settings.F16
)

// A Freeze says what of the vectors that training starts from it leaves as they are.
// Its value is the name that the command line knows it by.
type Freeze string

const (
	// FreezeNone lets training change everything. It is the default.
	FreezeNone Freeze = ""
	// FreezeKnown keeps the vectors of the words that are known, with all rows that
	// they are made of, and the context vectors that came with them. New words are
	// trained into the space that these span.
	FreezeKnown Freeze = "known"
)

// Validate reports a value that means nothing.
func (f Freeze) Validate() error {
	if f != FreezeNone && f != FreezeKnown {
		return fmt.Errorf("sgns: freeze: %q is not known; %q is", string(f), string(FreezeKnown))
	}
	return nil
}

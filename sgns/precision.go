package sgns

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/internal/setting"
	"github.com/w2v-go/w2v/vectors"
)

// A Precision is the type of the numbers of input rows, those of words and those of n-grams, while they
// are trained. Its value is the name that the command line knows it by.
type Precision string

const (
	// F32 is float32. It is the default.
	F32 Precision = ""
	// F16 is float16, in about half of the memory. What is added to a row is rounded at random and without
	// bias (stochastic rounding, Gupta et al. 2015), so that updates are not lost that are smaller
	// than what two neighbouring float16 differ by. All else is computed in float32.
	F16 Precision = Precision(vectors.F16)
)

// precisionF32 is the name of F32.
const precisionF32 = string(vectors.F32)

func precisions() []setting.Choice {
	return []setting.Choice{
		{Value: precisionF32, Meaning: "float32"},
		{Value: string(F16), Meaning: "float16, rounded at random, in about half of the memory"},
	}
}

// Validate reports a value that means nothing.
func (p Precision) Validate() error {
	if p != F32 && p != F16 {
		return fmt.Errorf("sgns: precision: %q is not known; %q is", string(p), string(F16))
	}
	return nil
}

// precision is a Precision as text, which has a name for the default.
type precision Precision

func (p *precision) String() string { return cmp.Or(string(*p), precisionF32) }

// Type is how a flag's help calls the value.
func (p *precision) Type() string { return "name" }

// Set takes a name.
func (p *precision) Set(name string) error {
	if name == precisionF32 {
		name = string(F32)
	}
	if Precision(name).Validate() != nil {
		return errors.New("is not f32 or f16")
	}
	*p = precision(name)
	return nil
}

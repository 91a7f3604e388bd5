package settings

// A Precision is the type of the numbers of input rows. Its values are those of sgns.Precision.
type Precision string

// The types of numbers.
const (
	F32 Precision = ""
	F16 Precision = "f16"
)

// Halves reports whether input rows are float16.
func (r Run) Halves() bool { return r.Precision == F16 }

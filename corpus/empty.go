package corpus

import "fmt"

// Empty describes the inputs of a corpus without any text, next to others that have some.
type Empty struct {
	Inputs int    // number of inputs without text
	Of     int    // number of all inputs
	Name   string // of the first one without
}

// String describes the inputs in one line.
func (e Empty) String() string {
	if e.Inputs == 1 {
		return fmt.Sprintf("%s has no text, unlike the others of %d inputs", e.Name, e.Of)
	}
	return fmt.Sprintf("%d of %d inputs have no text, the first is %s", e.Inputs, e.Of, e.Name)
}

// EmptyIn returns which inputs of a corpus have no text but white space, if others have some. Of a
// corpus without any text it returns nothing. The shards must be as for TooLongIn.
func EmptyIn(source *Source, shards []Shard) Empty {
	return EmptyOf(source, Filled(source, shards))
}

// Filled reports for each input of a corpus whether shards of it, or of a part of it, have text.
func Filled(source *Source, shards []Shard) []bool {
	filled := make([]bool, len(source.inputs))
	for _, s := range shards {
		if s.sessions != nil {
			copy(filled, s.sessions.filled)
		} else if s.counted.some {
			filled[s.input.number] = true
		}
	}
	return filled
}

// EmptyOf is EmptyIn, of what Filled returned.
func EmptyOf(source *Source, filled []bool) Empty {
	all := Empty{Of: len(source.inputs)}
	for i, in := range source.inputs {
		if filled[i] {
			continue
		}
		if all.Inputs == 0 {
			all.Name = in.name
		}
		all.Inputs++
	}
	if all.Inputs == all.Of {
		return Empty{}
	}
	return all
}

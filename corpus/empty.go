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
	with := make(map[string]bool)
	for _, s := range shards {
		if s.counted.some {
			with[s.input.name] = true
		}
	}
	all := Empty{Of: len(source.inputs)}
	for _, in := range source.inputs {
		if with[in.name] {
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

package subword

import "slices"

// all returns the kinds of indexers, those that can be trained in the order in which they are
// offered. A new kind is a line here and a file of its own.
func all() []Kind {
	return []Kind{
		fastTextKind(),
		floretKind(),
		hashKind(),
		finalfusionKind(),
		explicitKind(),
	}
}

// Kinds returns the kinds of indexers that models are trained with. Others are those of
// files of other programs.
func Kinds() []Kind { return slices.DeleteFunc(all(), func(k Kind) bool { return k.Usual == nil }) }

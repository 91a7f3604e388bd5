package subword

// Kinds returns all kinds of indexers, those that can be trained in the order in which they
// are offered. A new kind is a line here and a file of its own: see docs/architecture.md.
func Kinds() []*Kind {
	return []*Kind{
		fastTextKind,
		floretKind,
		hashKind,
		finalfusionKind,
		explicitKind,
	}
}

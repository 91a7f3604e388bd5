package ranks

// Between returns how many tokens a rank trains between two turns of a run, if all ranks are equally fast.
func Between(tokens uint64, size int) uint64 { return everyOf(tokens, size) }

package embed

// WithGroups calls f while row groups of Parquet have about so many bytes.
func WithGroups(bytes int, f func()) {
	was := groupSize
	defer func() { groupSize = was }()
	groupSize = bytes
	f()
}

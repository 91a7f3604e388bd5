package graph

import "hash/crc32"

// Sum is the sum at the end of a graph file.
func Sum(text []byte) uint32 { return crc32.Checksum(text, castagnoli) }

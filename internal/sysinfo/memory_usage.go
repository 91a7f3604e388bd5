package memory

import "runtime/metrics"

// program is about how much of the program itself comes to be in memory.
const program = 13 << 20

// InUse returns the bytes that the process has now and does not have to spare: memory that the
// heap has free, or has given back, is not counted. Garbage is, until it is collected.
func InUse() uint64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	var values [3]uint64
	for i, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			values[i] = s.Value.Uint64()
		}
	}
	return program + values[0] - min(values[0], values[1]+values[2])
}

// Peak returns the most bytes that the process has ever had resident, pages of mapped files
// too, or 0 if that cannot be known.
func Peak() uint64 { return peak() }

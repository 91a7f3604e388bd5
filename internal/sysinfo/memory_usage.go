package sysinfo

import "runtime/metrics"

// program is about how many bytes of the program itself are in memory.
const program = 18 << 20

// MemoryInUse returns how many bytes the process uses now. Memory that the heap has free or has
// given back does not count. Garbage counts until it is collected.
func MemoryInUse() uint64 {
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

// PeakMemory returns the largest number of bytes that the process has had resident, including pages
// of mapped files, or 0 if it is not known.
func PeakMemory() uint64 { return peakMemory() }

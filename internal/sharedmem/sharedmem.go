// Package sharedmem has memory that processes of a machine share. Only Linux has it.
package sharedmem

// A Memory is memory that several processes map. It ends with the last of them.
type Memory struct {
	Data []float32 // zeros at first; it begins at a cache line, and stays mapped until the process ends or Unmap
	Name string    // for Open in other processes of the machine, until Settle; empty if Open has returned the memory

	file int
	all  []byte // what is mapped, with what is skipped before Data
}

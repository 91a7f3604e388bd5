package sharedmem

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// huge is the size of a huge page, at which maps begin.
const huge = 2 << 20

// bytesOf returns the size of memory for so many numbers: whole huge pages, if it has some.
func bytesOf(numbers int) int {
	size := 4 * numbers
	if size >= 2*huge {
		size = (size + huge - 1) &^ (huge - 1)
	}
	return size
}

// Create returns memory for so many numbers.
func Create(numbers int) (*Memory, error) {
	file, err := unix.MemfdCreate("w2v", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("shared memory: %w", err)
	}
	m := &Memory{file: file, Name: fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), file)}
	if err := unix.Ftruncate(file, int64(bytesOf(numbers))); err != nil {
		m.Settle()
		return nil, fmt.Errorf("shared memory: %w", err)
	}
	if err := m.mapped(numbers); err != nil {
		m.Settle()
		return nil, err
	}
	return m, nil
}

// Open returns the memory that another process of this machine has created with that name, for as many numbers.
func Open(name string, numbers int) (*Memory, error) {
	file, err := unix.Open(name, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("shared memory: %w", err)
	}
	m := &Memory{file: file}
	defer m.Settle()
	var is unix.Stat_t
	if err := unix.Fstat(file, &is); err != nil || is.Size != int64(bytesOf(numbers)) {
		return nil, fmt.Errorf("shared memory: %s has %d bytes, expected %d", name, is.Size, bytesOf(numbers))
	}
	return m, m.mapped(numbers)
}

// Settle ends the use of the name. Processes that have opened the memory keep it.
func (m *Memory) Settle() {
	_ = unix.Close(m.file)
	m.file, m.Name = -1, ""
}

// Unmap gives the memory back. Data must not be used any more.
func (m *Memory) Unmap() {
	if len(m.all) > 0 {
		_ = unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(m.all)), uintptr(len(m.all)))
	}
	m.all, m.Data = nil, nil
}

// mapped maps the memory, at an address where the system can give it huge pages.
func (m *Memory) mapped(numbers int) error {
	size := uintptr(bytesOf(numbers))
	if size == 0 {
		return nil
	}
	room, err := unix.MmapPtr(-1, 0, nil, size+huge, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
	if err != nil {
		return fmt.Errorf("shared memory: %w", err)
	}
	skip := -uintptr(room) & (huge - 1)
	at, err := unix.MmapPtr(m.file, 0, unsafe.Add(room, skip), size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_FIXED)
	if err != nil {
		_ = unix.MunmapPtr(room, size+huge)
		return fmt.Errorf("shared memory: %w", err)
	}
	m.all, m.Data = unsafe.Slice((*byte)(room), size+huge), unsafe.Slice((*float32)(at), numbers)
	if size%huge == 0 { // Linux gives shared memory huge pages only where there are pages already; without them it is slower
		here := m.all[skip:][:size]
		for at := 0; at < len(here) && m.Name != ""; at += huge {
			here[at] = 0
		}
		_ = unix.Madvise(here, unix.MADV_COLLAPSE)
	}
	return nil
}

// Package sysinfo says what the machine has and what this process uses: memory, room on a disk, and
// processor time.
//
// Memory means what only this process needs: the heap and what Go keeps besides it, stacks, and the
// pages of the program. Pages of mapped files do not count, because the system takes them back when
// memory is short.
package sysinfo

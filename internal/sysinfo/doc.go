// Package sysinfo says what the machine has and what this process uses: the processor and its time,
// memory, and room on a disk.
//
// Memory means what only this process needs: the heap and what Go keeps besides it, stacks, and the
// pages of the program. Pages of mapped files do not count, because the system takes them back when
// memory is short.
package sysinfo

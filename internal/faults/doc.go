// Package faults makes faults on purpose: writers that run out of room, readers that
// give little and then fail, disks that are full, and programs that are killed. Tests
// use it to see that nothing is lost.
package faults

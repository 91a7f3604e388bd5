// Package faults makes faults on purpose: writers that run out of room, readers that
// give little and then fail, and disks that are full. Tests use it to see that nothing is lost.
package faults

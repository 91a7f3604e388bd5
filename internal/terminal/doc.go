// Package terminal asks models questions on a terminal: neighbours appear while somebody types.
//
// A Screen is a model of Bubble Tea: Update takes messages and View draws, and neither does anything
// else. Questions go to a Source, outside of the loop that handles keys, at most one at a time for each source:
// a slow answer never holds up typing, and an older answer never takes the place of a newer one.
package terminal

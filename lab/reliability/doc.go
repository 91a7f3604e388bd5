// Package reliability holds a test for every promise of docs/reliability.md: that
// nothing is lost, whatever happens to a run. The tests run the real program and do to
// it what happens to programs: they kill it, fill its disk, take away its corpus.
package reliability

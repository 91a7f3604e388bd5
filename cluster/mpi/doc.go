// Package mpi joins the ranks of a run with MPI. It exists in builds with the tag mpi, which need cgo
// and an MPI library: on Debian the packages openmpi-bin and libopenmpi-dev, elsewhere a C compiler
// that finds mpi.h and libmpi, as CC=mpicc does.
//
// MPI runs in one thread of its own. While ranks wait for each other the thread sleeps longer and
// longer, up to 2 ms, so a rank that waits leaves the processor to others.
package mpi

// Package mpi joins the ranks of a run with MPI. It needs the build tag mpi, cgo and an MPI library: on
// Debian the packages openmpi-bin and libopenmpi-dev, elsewhere a C compiler that finds mpi.h and libmpi,
// such as CC=mpicc.
//
// MPI runs in one thread of its own. While ranks wait for each other, the thread sleeps for increasing times,
// up to 2 ms, so a waiting rank leaves the processor to others.
package mpi

//go:build !mpi

package main

// withoutMPI ends messages about flags that need MPI.
const withoutMPI = ", and build it for that with \"go build -tags mpi ./cmd/w2v\""

func joinWorld() (world, error) { return nil, errAlone }

//go:build !mpi

package main

import "errors"

// withoutMPI ends messages about flags that need MPI.
const withoutMPI = ", and build it for that with \"go build -tags mpi ./cmd/w2v\""

// errAlone says why a program without MPI does not train under mpirun.
var errAlone = errors.New("mpirun has started several processes, each of which would train a model of its own, because this w2v is built without MPI: build it with \"go build -tags mpi ./cmd/w2v\"")

func joinWorld() (world, error) { return nil, errAlone }

//go:build mpi

package main

import "github.com/w2v-go/w2v/cluster/mpi"

// withoutMPI ends messages about flags that need MPI, which this program has.
const withoutMPI = ""

func joinWorld() (world, error) {
	w, err := mpi.Start()
	if err != nil {
		return nil, err
	}
	return w, nil
}

//go:build mpi

package mpi_test

import (
	"context"
	"fmt"
	"log"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/cluster/mpi"
)

// A program that mpirun starts several times adds up a number of each process.
func Example() {
	ctx := context.Background()
	world, err := mpi.Start()
	if err != nil {
		log.Fatal(err)
	}
	fail := func(err error) { // ends all processes, of which the others do not know why
		log.Printf("rank %d: %v", world.Rank(), err)
		world.Abort(err)
	}
	sum := []float64{float64(world.Rank())}
	if err := world.AllReduce(ctx, cluster.Sum, sum); err != nil {
		fail(err)
	}
	if world.Rank() == 0 {
		fmt.Println(sum[0])
	}
	if err := world.Finish(ctx); err != nil {
		fail(err)
	}
}

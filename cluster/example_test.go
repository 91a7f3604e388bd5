package cluster_test

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/cluster"
)

// Three ranks add up what each has, and send their names to each other while they do other things.
func Example() {
	ctx := context.Background()
	err := cluster.Each(3, func(c cluster.Comm) error {
		tokens := []float64{float64(100 * (c.Rank() + 1))}
		if err := c.AllReduce(ctx, cluster.Sum, tokens); err != nil {
			return err
		}
		name := fmt.Sprintf("rank %d", c.Rank())
		exchange := c.AllToAll([][]byte{[]byte(name), []byte(name), []byte(name)})
		// What needs no other rank is computed here.
		names, err := exchange.Wait(ctx)
		if err != nil {
			return err
		}
		if c.Rank() == 0 {
			fmt.Printf("%q have %v tokens\n", names, tokens[0])
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// ["rank 0" "rank 1" "rank 2"] have 600 tokens
	// <nil>
}

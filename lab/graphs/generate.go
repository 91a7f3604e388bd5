package main

import (
	"bufio"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
)

// powerLaw writes the edges of a graph whose degrees follow a power law: the ends of an edge are
// drawn with a probability that falls with a node's rank, as in the model of Chung and Lu (2002).
// Weights are exponentially distributed. Names of nodes are in no order of rank.
func powerLaw(w io.Writer, nodes, edges int, seed uint64) error {
	const exponent = 2.5                   // of the distribution of degrees
	const slope = 1 / (1 - 1/(exponent-1)) // of the inverse of the cumulative ranks
	const odd = 0x9e3779b1                 // scatters ranks over names
	random := rand.New(rand.NewPCG(seed, 1))
	out := bufio.NewWriterSize(w, 1<<20)
	node := func() uint64 {
		rank := uint64(float64(nodes) * math.Pow(random.Float64(), slope))
		return rank * odd % uint64(nodes)
	}
	var line []byte
	for range edges {
		from, to := node(), node()
		for from == to {
			to = node()
		}
		line = append(strconv.AppendUint(append(line[:0], 'n'), from, 10), '\t')
		line = append(strconv.AppendUint(append(line, 'n'), to, 10), '\t')
		line = append(strconv.AppendFloat(line, 0.001+random.ExpFloat64(), 'f', 4, 64), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// communities writes the edges of a planted partition: each node has one of some labels, and most
// of its neighbours have the same one. It returns the labels by node.
func communities(w io.Writer, nodes, labels int, degree, inside float64, seed uint64) ([]int, error) {
	random := rand.New(rand.NewPCG(seed, 2))
	of, members := make([]int, nodes), make([][]int, labels)
	for node := range of {
		of[node] = random.IntN(labels)
		members[of[node]] = append(members[of[node]], node)
	}
	out := bufio.NewWriterSize(w, 1<<20)
	for from := range of {
		for range int(degree/2 + random.Float64()) {
			to := random.IntN(nodes)
			if same := members[of[from]]; random.Float64() < inside {
				to = same[random.IntN(len(same))]
			}
			if to == from {
				continue
			}
			if _, err := out.WriteString("n" + strconv.Itoa(from) + " n" + strconv.Itoa(to) + "\n"); err != nil {
				return nil, err
			}
		}
	}
	return of, out.Flush()
}

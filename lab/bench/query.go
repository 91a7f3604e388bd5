package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

const (
	queryWords     = 75_000 // the vocabulary of 100 MB of English
	queryDim       = 100
	queryNeighbors = 10

	// queryChild is the argument that makes this program answer queries instead of
	// comparing: a process of its own, whose threads can be limited.
	queryChild = "answer-queries"
)

// compareQueries measures nearest neighbours in a loaded model of random vectors,
// one query after the other, one thread each.
func (b *bench) compareQueries(ctx context.Context) (result, error) {
	const key = "seconds"
	r := result{
		Title:   fmt.Sprintf("A query in a loaded model, %d × %d, one thread", queryWords, queryDim),
		Metrics: []metric{{Key: key, Title: "wall", show: figures.Shown(figures.Seconds), ratio: smaller}},
		Notes:   []string{fmt.Sprintf("Mean of %d queries a round, %d neighbours each: w2v's Set.Nearest, gensim's most_similar.", b.queries, queryNeighbors)},
	}
	model := b.path("query.bin")
	if err := writeRandomModel(model); err != nil {
		return r, err
	}
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	ours := &row{Program: "w2v"}
	r.Rows = append(r.Rows, ours)
	theirs := &row{Program: "gensim", rival: ours}
	if b.gen != nil {
		r.Rows = append(r.Rows, theirs)
	}
	args := []string{model, strconv.Itoa(b.queries), strconv.Itoa(queryNeighbors)}
	var answer queryAnswer
	for range b.rounds {
		c, err := b.Run(ctx, command.Order{Name: self, Args: append([]string{queryChild}, args...), Env: command.Threads(1)})
		if err != nil {
			return r, err
		}
		if err := json.Unmarshal(c.Stdout, &answer); err != nil {
			return r, err
		}
		ours.add(key, answer.Seconds)
		if b.gen == nil {
			continue
		}
		if _, err := b.gen.Ask(ctx, gensimQuery, &answer, args...); err != nil {
			return r, err
		}
		theirs.add(key, answer.Seconds)
	}
	return r, nil
}

// writeRandomModel writes a model in word2vec's binary format, row by row: what
// this process holds in memory counts as its children's (see docs/benchmarks.md).
func writeRandomModel(path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriter(file)
	fmt.Fprintf(out, "%d %d\n", queryWords, queryDim)
	random := rand.New(rand.NewPCG(1, 1))
	line := make([]byte, 0, 4*queryDim+16)
	for i := range queryWords {
		line = fmt.Appendf(line[:0], "w%d ", i)
		for range queryDim {
			line = binary.LittleEndian.AppendUint32(line, math.Float32bits(float32(random.NormFloat64())))
		}
		if _, err := out.Write(line); err != nil { // and the errors of earlier writes
			return err
		}
	}
	return out.Flush()
}

// A queryAnswer is what the children print.
type queryAnswer struct {
	Seconds float64 `json:"seconds"` // a query, on the average
}

// answerQueries is the child for w2v: arguments are the model, the number of
// queries and the number of neighbours.
func answerQueries(w io.Writer, args []string) (err error) {
	if len(args) != 3 {
		return errors.New(queryChild + " wants a model and two numbers")
	}
	queries, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	k, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	set, err := format.Open(args[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	v := make([]float32, set.Dim())
	ask := func(word string) {
		id, _ := set.ID(word)
		set.Vector(v, word)
		near, failed := set.Nearest(context.Background(), vectors.Query{Vector: v, K: k, Skip: []int{id}})
		if failed != nil || len(near[0]) != k {
			err = fmt.Errorf("%s has not %d neighbours", word, k)
		}
	}
	step := max(1, set.Len()/queries)
	ask(set.Words().At(0))
	start := time.Now()
	for i := range queries {
		ask(set.Words().At(i * step % set.Len()))
	}
	seconds := time.Since(start).Seconds() / float64(queries)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(queryAnswer{seconds})
}

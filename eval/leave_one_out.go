package eval

import (
	"context"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/vectors"
)

// askEach adds a question for every pair. It returns the positions of those about usable pairs.
func (x *solver) askEach(relation PairedRelation, pairs []usablePair) []int {
	first := len(x.asked)
	for _, p := range relation.Pairs {
		x.ask(relation.Name, [4]string{"", "", p.Word, written(p)})
	}
	at := make([]int, len(pairs))
	for i, p := range pairs {
		at[i] = first + p.at
	}
	return at
}

// about returns the problem of a question about a pair.
func (p usablePair) about(section, question int) problem {
	return problem{
		a: -1, b: -1, c: p.a, own: [3]int{-1, -1, p.word.id}, accepted: p.accepted,
		section: section, question: question, composed: p.word.composed(),
	}
}

// addMeans adds a question for every pair: its word plus the mean of b − a over the other pairs.
func (x *solver) addMeans(section int, relation PairedRelation, pairs []usablePair) {
	at := x.askEach(relation, pairs)
	if len(pairs) < 2 {
		return // there are no other pairs
	}
	sum := make([]float64, x.words.set.Dim())
	for _, p := range pairs {
		for i := range sum {
			sum[i] += float64(x.units[p.b][i]) - float64(x.units[p.a][i])
		}
	}
	target := make([]float32, len(sum))
	for q, p := range pairs {
		for i, all := range sum {
			others := all - (float64(x.units[p.b][i]) - float64(x.units[p.a][i]))
			target[i] = float32(float64(x.units[p.a][i]) + others/float64(len(pairs)-1))
		}
		of := p.about(section, at[q])
		of.c = x.addUnit(target, -1)
		x.problems = append(x.problems, of)
	}
}

// addClasses adds a question for every pair, with a regression that tells the answers of the other
// pairs from their words and from words that are drawn from the vocabulary. It returns the latter.
func (x *solver) addClasses(ctx context.Context, section int, relation PairedRelation, pairs []usablePair, seed uint64) ([]string, error) {
	at := x.askEach(relation, pairs)
	negatives := x.draw(relation, len(pairs), seed)
	names := make([]string, len(negatives))
	for i, id := range negatives {
		names[i] = x.words.set.Words().At(id)
	}
	if len(pairs) < 2 {
		return names, nil
	}
	// Samples 2i and 2i+1 are the answer and the word of pair i. The negatives follow.
	var samples [][]float64
	var labels []bool
	for _, p := range pairs {
		samples = append(samples, direction64(x.words.set, x.ids[p.b]), normalized(p.word.vector))
		labels = append(labels, true, false)
	}
	for _, id := range negatives {
		samples, labels = append(samples, direction64(x.words.set, id)), append(labels, false)
	}
	of := newRegression(samples, labels)
	problems := make([]problem, len(pairs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range pairs {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			one := p.about(section, at[i])
			one.word = normalized(p.word.vector)
			one.normal, one.intercept = of.without(2*i, 2*i+1)
			problems[i] = one
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, p := range problems {
		normal := make([]float32, len(p.normal))
		for i, v := range p.normal {
			normal[i] = float32(v)
		}
		p.slope = norm64(p.normal)
		p.b = x.addUnit(normal, -1)
		x.problems = append(x.problems, p)
	}
	return names, nil
}

// draw returns up to n candidates with a direction that are no words of the relation. They depend
// only on the seed, the candidates and the words of the relation.
func (x *solver) draw(relation PairedRelation, n int, seed uint64) []int {
	taken := make(map[int]bool)
	for _, p := range relation.Pairs {
		taken[x.words.find(p.Word).id] = true
		for _, answer := range p.Answers {
			taken[x.words.find(answer).id] = true
		}
	}
	_, inverse := x.words.set.Directions()
	r := rand.New(rand.NewPCG(seed, negativesStream))
	var ids []int
	// A sparse Fisher-Yates shuffle: each candidate comes once, in random order.
	moved := make(map[int]int)
	for left := x.candidates; left > 0 && len(ids) < n; left-- {
		i := r.IntN(left)
		id, ok := moved[i]
		if !ok {
			id = i
		}
		last, ok := moved[left-1]
		if !ok {
			last = left - 1
		}
		moved[i] = last
		if inverse[id] == inverse[id] && !taken[x.words.same(id)] {
			ids = append(ids, id)
		}
	}
	return ids
}

// negativesStream keeps the random numbers of negatives apart from those of intervals.
const negativesStream = 0x6e656761

// direction64 returns the direction of a word in double precision.
func direction64(s *vectors.Set, id int) []float64 {
	v := make([]float32, s.Dim())
	s.Vector(v, s.Words().At(id))
	return normalized(v)
}

// normalized returns a vector scaled to length 1; zeros stay zeros.
func normalized(v []float32) []float64 {
	wide := make([]float64, len(v))
	for i, x := range v {
		wide[i] = float64(x)
	}
	if norm := norm64(wide); norm > 0 {
		for i := range wide {
			wide[i] /= norm
		}
	}
	return wide
}

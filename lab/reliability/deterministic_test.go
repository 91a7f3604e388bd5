package reliability

import (
	"fmt"
	"testing"
)

func TestDeterministicAtAnyThreads(t *testing.T) {
	for _, flags := range []string{
		"--deterministic --dim 50 --epochs 3",
		"--deterministic --dim 50 --epochs 1 --subwords fasttext --buckets 5000",
		"--deterministic --dim 50 --epochs 3 --sample 0 --validate 0.1",
		"--deterministic --dim 50 --epochs 3 --lr 0.5", // diverges
	} {
		if testing.Short() && flags != "--deterministic --dim 50 --epochs 3" {
			continue
		}
		want := uninterrupted(t, flags+" --threads 1").model
		p := newPlace(t)
		for _, threads := range []int{2, 5} {
			p.must(fmt.Sprintf("train corpus.txt -o model.w2v %s --threads %d", flags, threads))
			p.same("model.w2v", want)
		}
	}
}

func TestDeterministicResumeAtAnyThreads(t *testing.T) {
	needsSignals(t)
	random := dice(t)
	flags := "--deterministic --dim 50 --epochs 8 --threads 2"
	whole := uninterrupted(t, flags)
	p := newPlace(t)
	cut(p, random, flags, "", thorough(1, 2, 10), whole.took/4)
	p.same("model.w2v", whole.model)
}

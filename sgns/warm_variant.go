package sgns

import (
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// What runs take of the vectors that they start from beside rows of words and n-grams, and
// which vectors have no rows that they could take.

// taken is what of a set fits a run, beside input rows.
type taken struct {
	outputs   bool // those that there are: of words, of words by position, or of nodes
	byHead    bool // they are by position, as those of the run are
	positions bool // position weights
	runs      bool // rows of word n-grams
}

// composition is what words are made of.
func (c Config) composition() vectors.Composition {
	return vectors.Composition(subword.CompositionOf(c.Subword))
}

// rowSpace returns a set whose input rows are as wide as those of the run: before their
// projection, if the run has one.
func (c Config) rowSpace(from *vectors.Set) (*vectors.Set, error) {
	if c.Rank == 0 {
		return from, nil
	}
	input, _, ok := from.Input().Factors()
	if !ok {
		return nil, unfit("rows of %d numbers, and rows of %d times a projection are to be trained: w2v factorize --rank %d makes such of them, or train without a rank", from.Input().Cols, c.Rank, c.Rank)
	}
	rows, err := vectors.New(vectors.Parts{
		Words:       from.Words(),
		Input:       input,
		Subword:     from.Subword(),
		Composition: from.Composition(),
		WordRows:    from.WordRows(),
		BucketRows:  from.BucketRows(),
		Matrices:    []vectors.NamedMatrix{{Name: vectors.MatrixImportance, Matrix: from.Matrix(vectors.MatrixImportance)}},
	})
	if err != nil {
		return nil, err
	}
	if rows.Dim() != c.Rank {
		return nil, unfit("rank %d, and rank %d is to be trained: train rank %d", input.Cols, c.Rank, input.Cols)
	}
	return rows, nil
}

// composable reports words that have no rows of their own which could start as their
// vectors, if n-grams are not those of the set.
func (c Config) composable(s *start) error {
	switch t := s.from.Training(); {
	case c.Tied && t.Architecture != "" && !t.Tied:
		return unfit("they were trained against vectors of their own, and tied vectors against each other: their products would be far too large; start from tied vectors, or train without tying")
	case c.composition() == vectors.ComposeMean || s.share && c.composition() == s.from.Composition():
		return nil
	case c.composition() == vectors.ComposePieces:
		return unfit("words of a floret table are made of its shared rows and have none of their own that could start as their vectors: start from a floret table with the same settings, or train plain words or n-grams as fastText has them")
	}
	return unfit("words of hash embeddings are made of a shared pool and have no rows of their own that could start as their vectors: start from hash embeddings with the same settings, or train plain words or n-grams as fastText has them")
}

// takes tells what of the set fits the run.
func (c Config) takes(s *start, v *vocab.Vocab) taken {
	from := s.from
	_, _, factors := from.Input().Factors()
	space := factors == (c.Rank > 0) // rows have the same meaning
	t := taken{
		byHead:    c.arch() == Structured && from.Matrix(vectors.MatrixPositionOutput).Rows > 0 && from.Matrix(vectors.MatrixPositionOutput).Rows == from.Len()*c.heads(),
		positions: c.PositionWeights && space && from.Matrix(vectors.MatrixPositionWeights).Rows == 2*c.Window && from.Matrix(vectors.MatrixPositionWeights).Cols == c.width(),
		runs: c.WordNgrams > 1 && space && from.Training().WordNgrams == c.WordNgrams &&
			from.Matrix(vectors.MatrixWordNgrams).Rows == c.WordBuckets && from.Matrix(vectors.MatrixWordNgrams).Cols == c.width(),
	}
	switch {
	case c.Tied: // they are input vectors
		t.outputs = true
	case c.loss() == HierarchicalSoftmax:
		t.outputs = from.Matrix(vectors.MatrixNodes).Rows > 0 && s.sameTree(v)
	default:
		t.outputs = from.Output().Rows > 0 || t.byHead
	}
	return t
}

// sameTree reports whether the set's vocabulary gives the tree of the run's.
func (s *start) sameTree(v *vocab.Vocab) bool {
	if s.from.Len() != v.Len() || !slices.Equal(s.from.Counts(), v.Counts()) {
		return false
	}
	for w, id := range s.id {
		if int(id) != w {
			return false
		}
	}
	return true
}

// unused names what the set has beside input rows and the run does not take.
func (s *start) unused(c Config) (names []string) {
	from, takes := s.from, s.takes
	nodes := c.loss() == HierarchicalSoftmax
	for _, part := range []struct {
		name   string
		is, of bool
	}{
		{"context vectors", from.Output().Rows > 0 && !from.Training().Tied, nodes || c.Tied},
		{"context vectors by position, but for their mean", from.Matrix(vectors.MatrixPositionOutput).Rows > 0, !takes.byHead && !nodes && !c.Tied},
		{"vectors of a tree's nodes", from.Matrix(vectors.MatrixNodes).Rows > 0, !nodes || !takes.outputs},
		{"position weights", from.Matrix(vectors.MatrixPositionWeights).Rows > 0, !takes.positions},
		{"rows of word n-grams", from.Matrix(vectors.MatrixWordNgrams).Rows > 0, !takes.runs},
	} {
		if part.is && part.of {
			names = append(names, part.name)
		}
	}
	return names
}

// pool takes the rows of hash embeddings, and their weights but for those that were never
// trained.
func (s *start) pool(p *parameters) error {
	for r := range p.input.Rows {
		if err := s.read(p.input.Row(r), r, func() string { return fmt.Sprintf("row %d of the pool", r) }); err != nil {
			return err
		}
	}
	row := make([]float32, p.importance.Cols)
	for i := range p.importance.Rows {
		s.from.Matrix(vectors.MatrixImportance).Read(row, i)
		if err := s.readable(row, "row of weights", func() string { return fmt.Sprintf("number %d", i) }); err != nil {
			return err
		}
		if slices.ContainsFunc(row, func(x float32) bool { return x != 0 }) {
			copy(p.importance.Row(i), row)
		}
	}
	return nil
}

// inLists returns how many rows words are made of.
func inLists(t *subword.Table) (n int) {
	used := make([]bool, t.Rows())
	_, rows, _ := t.Lists()
	for _, r := range rows {
		if !used[r] {
			used[r] = true
			n++
		}
	}
	return n
}

// projection takes the projection.
func (s *start) projection(p *parameters) error {
	_, projection, _ := s.from.Input().Factors()
	if p.projection.Rows == 0 {
		return nil
	}
	return s.copy(p.projection, projection, "row", "projection")
}

// positions takes position weights, and runs the rows of word n-grams, if they fit.
func (s *start) positions(p *parameters) error {
	if !s.takes.positions {
		return nil
	}
	return s.copy(p.positions, s.from.Matrix(vectors.MatrixPositionWeights), "position", "position weights")
}

func (s *start) runs(p *parameters) error {
	if !s.takes.runs {
		return nil
	}
	return s.copy(p.runs, s.from.Matrix(vectors.MatrixWordNgrams), "row", "word n-grams")
}

// copy copies a matrix of the same shape. Part and whole name its rows, and it, in errors.
func (s *start) copy(to, from vectors.Matrix, part, whole string) error {
	for r := range to.Rows {
		from.Read(to.Row(r), r)
		if err := s.readable(to.Row(r), part, func() string { return fmt.Sprintf("number %d of the %s", r, whole) }); err != nil {
			return err
		}
	}
	return nil
}

// outputs takes output rows, if there are any that fit.
func (s *start) outputs(p *parameters) error {
	words := p.table.Words()
	switch {
	case !s.takes.outputs || p.tied():
		return nil
	case p.tree != nil:
		return s.copy(p.output, s.from.Matrix(vectors.MatrixNodes), "vector", "tree's nodes")
	case s.takes.byHead:
		for head := range p.output.Rows / words {
			if err := s.contexts(p, s.from.Matrix(vectors.MatrixPositionOutput), head*words, head*s.from.Len()); err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.contexts(p, s.from.Output(), 0, 0); err != nil {
		return err
	}
	for row := words; row < p.output.Rows; row++ { // of other heads
		copy(p.output.Row(row), p.output.Row(row%words))
	}
	return nil
}

// contexts takes the context vectors of words. Those of the run begin at row first of the
// output, and the set's at row begin of a matrix.
func (s *start) contexts(p *parameters, from vectors.Matrix, first, begin int) error {
	return s.known(func(w, id int) error {
		row := p.output.Row(first + w)
		from.Read(row, begin+id)
		return s.readable(row, "context vector", func() string { return s.word(id) })
	})
}

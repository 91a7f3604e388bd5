package vectors

import "fmt"

// MatrixNodes names the output rows of hierarchical softmax, of the inner nodes of the
// vocabulary's Huffman tree as vocab.Huffman numbers them.
const MatrixNodes = "nodes"

func nodesKind() MatrixKind {
	return MatrixKind{
		Name: MatrixNodes, Label: "nodes of the tree", Part: "nodes of hierarchical softmax",
		Output: true, Training: true, Tree: true, check: (*Set).checkNodes, fact: nodesFact,
	}
}

func nodesFact(_ *Set, m Matrix) Fact {
	return Fact{"nodes", m.Rows, outputRows, "%s, of the inner nodes of the vocabulary's tree", m.Rows}
}

func (s *Set) checkNodes(m Matrix) error {
	words, dim := s.Len(), s.Dim()
	switch {
	case m.Rows != words-1 || m.Cols != dim:
		return fmt.Errorf("nodes of %d×%d for %d words, must be %d×%d", m.Rows, m.Cols, words, words-1, dim)
	case s.output.Rows > 0:
		return fmt.Errorf("output vectors of %d words and of %d nodes: a model has one of both", s.output.Rows, m.Rows)
	}
	return nil
}

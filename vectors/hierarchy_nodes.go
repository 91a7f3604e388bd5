package vectors

import (
	"errors"
	"fmt"
)

// MatrixNodes names the output rows of hierarchical softmax, of the inner nodes of the
// vocabulary's Huffman tree as vocab.Huffman numbers them.
const MatrixNodes = "nodes"

func nodesKind() kind {
	return kind{
		name: MatrixNodes, label: "nodes of the tree", part: "nodes of hierarchical softmax",
		output: true, training: true, tree: true, check: (*Set).checkNodes,
		pick: func(*Set, Matrix, []uint32) Matrix { return Matrix{} }, // whose tree is that of all words
	}
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

// errNodes is the answer where context vectors are asked for, and they are those of a tree.
var errNodes = errors.New("the model was trained with hierarchical softmax, whose output vectors are those of the nodes of a tree and not of words: take the input vectors")

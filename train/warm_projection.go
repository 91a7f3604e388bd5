package train

import "github.com/w2v-go/w2v/sgns"

// projectionError returns the error of vectors that have no projection, with the option that
// makes one.
func projectionError(vectors string, e *sgns.ProjectionError) error {
	return &Error{messagef("%s: rows of %d numbers, and rows of %d times a projection are to be trained: %v makes such of them, or train without a rank",
		vectors, e.Cols, e.Rank, name("factorize").to(e.Rank)), e}
}

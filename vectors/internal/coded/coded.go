// Package coded holds rows that are stored in fewer bits than float32 takes: as whole
// numbers of 8 bits, or product-quantised.
package coded

// Rows are rows that are decoded when they are asked for.
type Rows interface {
	// Read writes row r to dst.
	Read(dst []float32, r int)
}

// weightOf returns the weight of row i of those that are added up, 1 without weights.
func weightOf(weights []float32, i int) float32 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

package settings

// A WindowMode says how the width of a block's window is drawn. Its values are those of
// sgns.WindowMode.
type WindowMode string

// The ways to draw a window of at most W. A context at distance d counts if the window is at
// least d wide.
const (
	Dynamic  WindowMode = ""         // uniformly from 1 to W: with probability (W−d+1)/W
	Fixed    WindowMode = "fixed"    // always W: with probability 1
	Harmonic WindowMode = "harmonic" // d or more with probability 1/d
)

// Reaches returns the probability that a window of at most most reaches a distance from 1 to most.
func (m WindowMode) Reaches(distance, most int) float64 {
	switch m {
	case Fixed:
		return 1
	case Harmonic:
		return 1 / float64(distance)
	}
	return float64(most-distance+1) / float64(most)
}

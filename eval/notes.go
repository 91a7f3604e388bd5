package eval

// Noted is implemented by results that have something to say that their scores do not show: which
// tests are refused, or how much a score varies between repetitions.
type Noted interface {
	// Notes returns sentences for people.
	Notes() []string
}

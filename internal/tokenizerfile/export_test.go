package tokenizerfile

import "time"

// SetLimit sets how long the regular expressions of the tokenizer may take for a text.
func (e *Encoder) SetLimit(d time.Duration) { e.limit = d }

package tokenizerfile

import (
	"encoding/json"
	"math"
	"strconv"
)

// readScore reads a number as the library does: its digits as far as they fit into 64 bits, times a
// power of ten. The last bit may be another one than that of the nearest number, and decides between
// cuts that are equally probable.
func readScore(text json.RawMessage) (float64, error) {
	var exact float64
	if err := json.Unmarshal(text, &exact); err != nil {
		return 0, err
	}
	var significand uint64
	exponent, sign, at := 0, 1.0, 0
	if text[0] == '-' {
		sign, at = -1, 1
	}
	behind, full := false, false // the point; there is no room for more digits
	for ; at < len(text) && text[at] != 'e' && text[at] != 'E'; at++ {
		if text[at] == '.' {
			behind = true
			continue
		}
		digit := uint64(text[at] - '0')
		full = full || significand > (math.MaxUint64-digit)/10
		switch {
		case full && !behind:
			exponent++
		case !full:
			significand = significand*10 + digit
			if behind {
				exponent--
			}
		}
	}
	if at < len(text) {
		n, err := strconv.Atoi(string(text[at+1:]))
		if err != nil {
			return exact, nil //nolint:nilerr // so large an exponent makes zero of it, as exact is
		}
		exponent += n
	}
	const largest = 308 // power of ten
	switch {
	case exponent < -largest || exponent > largest:
		return exact, nil
	case exponent < 0:
		return sign * (float64(significand) / math.Pow10(-exponent)), nil
	}
	return sign * (float64(significand) * math.Pow10(exponent)), nil
}

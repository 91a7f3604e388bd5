// Package spelling finds the name that was meant by one that is misspelt.
package spelling

// Nearest returns the name that is nearest to a misspelt one, or nothing if none is near.
func Nearest(misspelt string, names []string) string {
	best, least := "", 1+len(misspelt)/3 // changes
	for _, name := range names {
		if n := changes(misspelt, name); n < least || n == least && best == "" {
			best, least = name, n
		}
	}
	return best
}

// changes returns how many bytes have to be added, dropped or replaced to make b of a.
func changes(a, b string) int {
	row := make([]int, len(b)+1) // from what has been seen of a to every beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // row[j] of the last round
		row[0] = i + 1
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

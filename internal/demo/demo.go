// Package demo generates a small text in which words mean something, and the
// questions to ask of word vectors that were trained on it.
package demo

// Neighbours returns words whose nearest neighbours are worth showing.
func Neighbours() []string {
	return []string{"paris", "dog", "king", "bread", "carpenter", "violin", "bigger", "january"}
}

// Showcase returns analogies worth showing: the first word is to the second as
// the third is to the one that is asked for.
func Showcase() [][3]string {
	return [][3]string{
		{"france", "paris", "japan"},
		{"sweden", "swedish", "russia"},
		{"russia", "ruble", "japan"},
		{"man", "woman", "king"},
		{"waiter", "waitress", "actor"},
		{"cow", "calf", "horse"},
		{"baker", "bakery", "doctor"},
		{"dog", "dogs", "wolf"},
		{"quick", "quicker", "loud"},
		{"read", "reading", "write"},
		{"drive", "drove", "ride"},
		{"happy", "unhappy", "lucky"},
	}
}

// OutOfVocabulary returns words that [Corpus] never contains, though it contains
// their parts, for a model with subwords to place.
func OutOfVocabulary() []string {
	return []string{"unhappiness", "parisian", "gardening", "bakeries", "guitarist", "grandparent", "brightness", "sleepless"}
}

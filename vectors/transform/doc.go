// Package transform makes a set of vectors of another one: fewer words, fewer dimensions,
// fewer bits, another scale, vectors centred, freed of their first components, or whitened.
//
//	few := transform.Top(set, 50_000)                                   // the most frequent words
//	reduced, done, err := transform.Reduce(ctx, few, 100, transform.Computation{}) // principal components
//	small, err := transform.Quantize(ctx, reduced, transform.QuantizeOptions{})    // a byte for three numbers
//
// No function changes the set that it is given. Most results read the rows of that set when
// their own rows are asked for: they take no memory, and the first set must stay open as long
// as the last one is used. Functions that look at all rows beforehand take a context. They
// return its error within about a second after it ends, and a *MemoryError before they begin
// if the machine has too little memory.
//
// N-grams stay wherever what is made of them stays right: words outside of the vocabulary
// then have vectors in the result as well. Each function says what it leaves out.
//
// Package convert applies several of these functions in the order that makes sense, and
// writes the result.
package transform

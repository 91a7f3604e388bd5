// Package projection shows the words of a set as points in the plane, so that one can look at
// them.
//
//	few := transform.Top(set, 50_000)
//	m, err := projection.UMAP(ctx, few, projection.UMAPOptions{Seed: 1})
//	…
//	fmt.Println(m.Points[0].X, m.Points[0].Y) // of the first word
//
// PCA shows the two directions in which vectors vary most. It is exact and linear: distances in the
// plane are never larger than those of the vectors. UMAP (McInnes, Healy and Melville, "UMAP: Uniform
// Manifold Approximation and Projection for Dimension Reduction", 2018) keeps nearest neighbours
// together, by cosine, and so shows clusters; distances between clusters mean little.
// Trustworthiness says how far the neighbours on a map can be believed.
//
// A Graph is the fuzzy neighbourhood graph that UMAP lays out. Its Clusters are communities of
// words, which Describe names by their most central frequent words. A Cache keeps maps in files.
//
// All results are the same for the same set, options and seed, whatever the number of cores. Long
// computations take a context, and return its error within about a second after it ends. They
// tell a Progress function how far they are.
package projection

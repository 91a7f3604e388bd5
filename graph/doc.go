// Package graph reads edge lists of any size and walks over them at random: DeepWalk, node2vec
// and node2vec+. Vectors that are trained on walks place nodes near each other that are near in
// the graph.
//
//	source, err := corpus.Files([]string{"edges.tsv.gz"}, nil, corpus.Options{})
//	…
//	g, err := graph.Read(ctx, source, graph.ReadOptions{})
//	…
//	defer g.Close()
//	stats, err := g.WriteWalks(ctx, w, graph.WalkOptions{P: 0.5, Q: 2})
//
// A [Graph] is a file in compressed sparse rows that is mapped into memory. A neighbour takes as
// many bits as the number of nodes asks for, and its weight about 20 bits more: a weighted graph of
// a million nodes takes 5 to 6 bytes for each direction of an edge. [Read] makes that file by sorting
// on disk, so that it needs memory for the nodes only. [Open] opens it again, without reading the
// edges.
//
// Walks of one seed are the same on any number of threads.
package graph

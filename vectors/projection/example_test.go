package projection_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

// animalsAndNumbers is a set of words around two directions.
func animalsAndNumbers() *vectors.Set {
	words := []string{"cat", "one", "dog", "two", "cow", "three", "hen", "four"}
	rows := vectors.NewMatrix(len(words), 3)
	for i := range words {
		rows.Row(i)[i%2], rows.Row(i)[2] = 1, 0.1*float32(i)-0.3
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: rows})
	if err != nil {
		log.Fatal(err)
	}
	return set
}

func ExamplePCA() {
	set := animalsAndNumbers()
	m, err := projection.PCA(context.Background(), set, projection.PCAOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f%% of the variance is to be seen\n", 100*(m.Explained[0]+m.Explained[1]))
	for id, p := range m.Points[:2] {
		fmt.Printf("%s (%.1f, %.1f)\n", set.Words().At(id), p.X, p.Y)
	}
	// Output:
	// 100% of the variance is to be seen
	// cat (-0.7, -0.3)
	// one (0.7, -0.3)
}

func ExampleUMAP() {
	set := animalsAndNumbers()
	m, err := projection.UMAP(context.Background(), set, projection.UMAPOptions{Neighbors: 4, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	distance := func(a, b string) float64 {
		i, _ := set.ID(a)
		j, _ := set.ID(b)
		return math.Hypot(float64(m.Points[i].X-m.Points[j].X), float64(m.Points[i].Y-m.Points[j].Y))
	}
	fmt.Println("cat is nearer to dog than to two:", distance("cat", "dog") < distance("cat", "two"))
	// Output: cat is nearer to dog than to two: true
}

func ExampleGraph_Clusters() {
	set := animalsAndNumbers()
	graph, err := projection.NewGraph(context.Background(), set, projection.UMAPOptions{Neighbors: 4})
	if err != nil {
		log.Fatal(err)
	}
	clusters, err := graph.Clusters(context.Background(), projection.ClusterOptions{})
	if err != nil {
		log.Fatal(err)
	}
	m, err := graph.Layout(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	described, err := projection.Describe(context.Background(), set, m.Points, clusters, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range described {
		fmt.Printf("%d words: %s\n", c.Size, c.Label)
	}
	// Output:
	// 4 words: dog, cow
	// 4 words: two, three
}

func ExampleMake() {
	set := animalsAndNumbers()
	atlas, origin, err := projection.Make(context.Background(), set, projection.Options{Method: projection.MethodPCA})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d points, trustworthiness %.2f, %s\n", len(atlas.Points), atlas.Trust.Value, origin.Reason)
	// Output: 8 points, trustworthiness 1.00, no cache is used
}

func ExampleMap_Place() {
	set := animalsAndNumbers()
	m, err := projection.PCA(context.Background(), set, projection.PCAOptions{})
	if err != nil {
		log.Fatal(err)
	}
	bull := []float32{0.9, 0.1, 0.2} // not in the set
	near, err := set.Nearest(context.Background(), vectors.Query{Vector: bull, K: 3})
	if err != nil {
		log.Fatal(err)
	}
	p, ok := m.Place(near[0])
	fmt.Println(ok, p.X < 0) // with the animals
	// Output: true true
}

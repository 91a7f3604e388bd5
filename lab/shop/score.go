package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A score says what the vectors of a shop's items are worth.
type score struct {
	Baskets int     // that were asked about
	Hits    float64 // share of them whose last item is one of the ten nearest to the others
	New     int     // of them those whose last item is new
	NewHits float64 // share of these
	Topic   float64 // share of the ten nearest to an item that are of its topic, or of what goes with it
}

func (s score) String() string {
	text := fmt.Sprintf("hit rate at 10: %.4f of %d baskets; neighbours of the right topics: %.4f", s.Hits, s.Baskets, s.Topic)
	if s.New > 0 {
		text += fmt.Sprintf("; hit rate at 10 of new items: %.4f of %d", s.NewHits, s.New)
	}
	return text
}

// nearest is how many items a shop shows.
const nearest = 10

// scoreOf asks vectors for the last item of each basket of a file, given the others. An item
// without a vector is no hit.
func scoreOf(model, baskets string) (s score, err error) {
	set, err := format.Open(model)
	if err != nil {
		return s, err
	}
	defer set.Close()
	topics, fresh, err := readItems(filepath.Join(filepath.Dir(baskets), "items.tsv"))
	if err != nil {
		return s, err
	}
	text, err := os.ReadFile(baskets)
	if err != nil {
		return s, err
	}
	var queries []vectors.Query
	var wanted []string
	unit := set.Directions // rows and what makes them of length 1
	rows, inverse := unit()
	for line := range strings.Lines(string(text)) {
		items := strings.Fields(line)
		query, asked := make([]float32, set.Dim()), []int{}
		for _, item := range items[:len(items)-1] {
			if id, ok := set.ID(item); ok {
				asked = append(asked, id)
				for k, x := range rows.Row(id) {
					query[k] += x * inverse[id]
				}
			}
		}
		queries, wanted = append(queries, vectors.Query{Vector: query, K: nearest, Skip: asked}), append(wanted, items[len(items)-1])
	}
	s.Baskets = len(wanted)
	all, err := set.Nearest(context.Background(), queries...)
	if err != nil {
		return s, err
	}
	for i, found := range all {
		hit := 0.0
		for _, n := range found {
			if n.Word == wanted[i] {
				hit = 1
			}
		}
		s.Hits += hit
		if fresh[wanted[i]] {
			s.New++
			s.NewHits += hit
		}
	}
	s.Hits /= float64(max(s.Baskets, 1))
	s.NewHits /= float64(max(s.New, 1))
	return s, s.scoreTopics(set, topics)
}

// scoreTopics looks at the neighbours of every item.
func (s *score) scoreTopics(set *vectors.Set, topics map[string]int) error {
	var queries []vectors.Query
	var of []int
	rows, _ := set.Directions()
	for id := range set.Len() {
		topic, ok := topics[set.Words().At(id)]
		if !ok {
			continue // </s>, or what else is not an item
		}
		queries, of = append(queries, vectors.Query{Vector: rows.Row(id), K: nearest, Skip: []int{id}}), append(of, topic)
	}
	seen := 0
	all, err := set.Nearest(context.Background(), queries...)
	if err != nil {
		return err
	}
	for i, found := range all {
		for _, n := range found {
			seen++
			if topics[n.Word]|1 == of[i]|1 {
				s.Topic++
			}
		}
	}
	if seen == 0 {
		return fmt.Errorf("no item has a vector")
	}
	s.Topic /= float64(seen)
	return nil
}

// readItems reads which topics items are of, and which are new.
func readItems(path string) (topics map[string]int, fresh map[string]bool, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	topics, fresh = make(map[string]int), make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return nil, nil, fmt.Errorf("%s: expected an item, its topic and whether it is new, found %q", path, line)
		}
		if topics[fields[0]], err = strconv.Atoi(fields[1]); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		fresh[fields[0]] = fields[2] == "true"
	}
	return topics, fresh, nil
}

package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A shop has items of topics, and customers who put items of few topics into a basket. Topics come
// in pairs that go together, as printers and paper do: a basket of one often has items of the
// other. So it is known which items belong together.
type shop struct {
	topics, each int // items of a topic
	random       *rand.Rand
	weight       []float64 // of items: how popular each is
	last         int       // items that are sold; later ones are new tomorrow
}

func newShop(topics, each int, seed uint64) *shop {
	s := &shop{topics: topics, each: each, random: rand.New(rand.NewPCG(seed, 15))}
	s.last = topics * each
	s.weight = make([]float64, s.last)
	for rank, item := range s.random.Perm(s.last) {
		s.weight[item] = math.Pow(float64(rank+10), -0.9)
	}
	return s
}

// topic is that of an item.
func (s *shop) topic(item int) int { return item % s.topics }

// name is what baskets call an item.
func name(item int) string { return fmt.Sprintf("item%05d", item) }

// of draws an item of a topic, or of all if that is negative, by popularity.
func (s *shop) of(topic int) int {
	first, by := 0, 1
	if topic >= 0 {
		first, by = topic, s.topics
	}
	sum := 0.0
	for item := first; item < s.last; item += by {
		sum += s.weight[item]
	}
	x := s.random.Float64() * sum
	for item := first; item < s.last; item += by {
		if x -= s.weight[item]; x <= 0 {
			return item
		}
	}
	return first
}

// basket draws a basket: from 2 to 30 items, none twice, in no order.
func (s *shop) basket() []string {
	size := 2
	for size < 30 && s.random.Float64() < 0.83 {
		size++
	}
	topic := s.random.IntN(s.topics)
	taken := make(map[int]bool)
	var items []string
	for tries := 0; len(items) < size && tries < 20*size; tries++ {
		from := topic
		switch x := s.random.Float64(); {
		case x < 0.2:
			from = topic ^ 1 // what goes with it
		case x < 0.35:
			from = -1
		}
		if item := s.of(from); !taken[item] {
			taken[item] = true
			items = append(items, name(item))
		}
	}
	s.random.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

// write writes the shop into a folder: today's baskets, tomorrow's, in which a tenth of the items
// is new, other baskets of both days to test with, and what is known of each item.
func (s *shop) write(folder string, today, tomorrow, test int) error {
	all := s.last
	for _, file := range []struct {
		name    string
		baskets int
		items   int
	}{
		{"today.txt", today, all - all/10}, {"today.test", test, all - all/10},
		{"tomorrow.txt", tomorrow, all}, {"tomorrow.test", test, all},
	} {
		s.last = file.items
		if err := writeLines(filepath.Join(folder, file.name), file.baskets, func(int) string { return strings.Join(s.basket(), " ") }); err != nil {
			return err
		}
	}
	return writeLines(filepath.Join(folder, "items.tsv"), all, func(item int) string {
		return fmt.Sprintf("%s\t%d\t%t", name(item), s.topic(item), item >= all-all/10)
	})
}

func writeLines(path string, n int, line func(i int) string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	for i := range n {
		if _, err := io.WriteString(out, line(i)+"\n"); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

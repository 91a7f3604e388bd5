// Command shop makes up the baskets of a shop whose structure is known, and scores the vectors of
// its items. docs/howto/items.md shows how.
//
//	go run ./shop make FOLDER
//	go run ./shop score MODEL FOLDER/today.test
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the shop")
	topics := flag.Int("topics", 200, "topics, an even number")
	each := flag.Int("each", 20, "items of a topic")
	baskets := flag.Int("baskets", 100_000, "today's baskets; tomorrow has a fifth of them")
	test := flag.Int("test", 5000, "baskets to test with, of each day")
	flag.Parse()
	if err := run(flag.Args(), newShop(*topics, *each, *seed), *baskets, *test); err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		os.Exit(1)
	}
}

func run(args []string, s *shop, baskets, test int) error {
	switch {
	case len(args) == 2 && args[0] == "make":
		if err := os.MkdirAll(args[1], 0o777); err != nil {
			return err
		}
		return s.write(args[1], baskets, baskets/5, test)
	case len(args) == 3 && args[0] == "score":
		result, err := scoreOf(args[1], args[2])
		if err == nil {
			fmt.Println(result)
		}
		return err
	}
	return fmt.Errorf("expected make FOLDER, or score MODEL BASKETS")
}

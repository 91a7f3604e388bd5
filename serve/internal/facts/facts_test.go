package facts

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/metadata"
)

// about returns facts about 200 words: w0 of the age 0 and so on, and every third word has no age.
func about(t *testing.T) *Facts {
	t.Helper()
	var words []string
	text := "word\tage\n"
	for i := range 200 {
		words = append(words, fmt.Sprint("w", i))
		if i%3 > 0 {
			text += fmt.Sprintf("w%d\t%d\n", i, i)
		}
	}
	table, err := metadata.Read(strings.NewReader(text), "facts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(words), 1)})
	if err != nil {
		t.Fatal(err)
	}
	return New(table, set)
}

// Many who ask at a time get the words that meet their conditions. However many conditions are asked, few are kept.
func TestWhere(t *testing.T) {
	f := about(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for least := range 3 * kept {
				words, err := f.Where(fmt.Sprint("age>=", least))
				if err != nil {
					t.Error(err)
					return
				}
				for id := range 200 {
					if want := id >= least && id%3 > 0; words.Has(id) != want {
						t.Errorf("age>=%d: word %d: %v", least, id, !want)
					}
				}
				f.mu.Lock()
				if len(f.kept) > kept {
					t.Errorf("%d conditions are kept", len(f.kept))
				}
				f.mu.Unlock()
			}
		})
	}
	all.Wait()
	first, err := f.Where("age=1")
	again, errAgain := f.Where("age=1")
	if err != nil || errAgain != nil || first != again {
		t.Errorf("asked twice: %v, %v, and other words", err, errAgain)
	}
	for condition, want := range map[string]string{"size=1": `there is no column "size"`, "age": "is no condition"} {
		if _, err := f.Where(condition); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", condition, err, want)
		}
	}
}

// While the words are read for one condition, others have their answers.
func TestConditionsDoNotWaitForAnother(t *testing.T) {
	f := about(t)
	if _, err := f.Where("age=1"); err != nil {
		t.Fatal(err)
	}
	for _, c := range f.kept {
		c.scanning.Lock() // as if it took for ever
	}
	for _, condition := range []string{"age=2", "age=4"} {
		if _, err := f.Where(condition); err != nil {
			t.Error(err)
		}
	}
}

func TestAll(t *testing.T) {
	if All() != nil {
		t.Error("no rules are a rule")
	}
	even, large := func(id int) bool { return id%2 == 0 }, func(id int) bool { return id > 4 }
	meets := All(even, large)
	for id, want := range map[int]bool{4: false, 5: false, 6: true} {
		if meets(id) != want {
			t.Errorf("%d: %v", id, !want)
		}
	}
}

package ordered_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/ordered"
)

// Results come in the order of items, whatever parts they have, and end with the first error.
func TestEach(t *testing.T) {
	wrong := errors.New("wrong")
	for _, fails := range []int{-1, 0, 37} {
		next, want := 0, []int(nil)
		for item := range 100 {
			for range item%7 + 1 {
				want = append(want, item)
			}
			if item == fails {
				break
			}
		}
		var got []int
		err := ordered.Each(context.Background(), func() (int, error) {
			if next == 100 {
				return 0, io.EOF
			}
			next++
			return next - 1, nil
		}, func(item int, part func(int) error) (int, error) {
			for range item % 7 {
				if err := part(item); err != nil {
					return item, err
				}
			}
			if item == fails {
				return item, wrong
			}
			return item, nil
		}, func(item int) error {
			got = append(got, item)
			return nil
		})
		if !slices.Equal(got, want) || (fails >= 0) != errors.Is(err, wrong) {
			t.Errorf("an error at %d: %v, and %d results, want %d", fails, err, len(got), len(want))
		}
	}
}

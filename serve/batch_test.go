package serve

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A computation squares numbers when it is told to, and remembers what it was given together.
type computation struct {
	mu      sync.Mutex
	batches [][]int
	proceed chan struct{} // nil to never wait
}

func (c *computation) run(questions []int) ([]int, error) {
	c.mu.Lock()
	c.batches = append(c.batches, slices.Clone(questions))
	c.mu.Unlock()
	if c.proceed != nil {
		<-c.proceed
	}
	answers := make([]int, len(questions))
	for i, q := range questions {
		if q < 0 {
			return nil, errNegative
		}
		answers[i] = q * q
	}
	return answers, nil
}

var errNegative = errors.New("negative")

// ask asks in another goroutine, and waits until that can go on no further.
func askBatch(t *testing.T, ctx context.Context, b *batcher[int, int], want any, questions ...int) {
	go func() {
		answers, err := b.answers(ctx, questions)
		if wrong, ok := want.(error); ok {
			if !errors.Is(err, wrong) {
				t.Errorf("%v: error %v, want %v", questions, err, wrong)
			}
		} else if err != nil || !reflect.DeepEqual(answers, want) {
			t.Errorf("%v: %v, %v, want %v", questions, answers, err, want)
		}
	}()
	synctest.Wait()
}

func TestWhatComesMeanwhileIsAnsweredTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &computation{proceed: make(chan struct{})}
		b := newBatcher(4, c.run)
		askBatch(t, t.Context(), b, []int{1}, 1) // waits for nobody
		for i := 2; i < 8; i++ {
			askBatch(t, t.Context(), b, []int{i * i}, i)
		}
		for range 3 {
			c.proceed <- struct{}{}
			synctest.Wait()
		}
		want := [][]int{{1}, {2, 3, 4, 5}, {6, 7}}
		if !reflect.DeepEqual(c.batches, want) {
			t.Errorf("batches are %v, want %v", c.batches, want)
		}
	})
}

// One with very many questions does not keep others from theirs.
func TestRequestsShareBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &computation{proceed: make(chan struct{})}
		b := newBatcher(4, c.run)
		askBatch(t, t.Context(), b, []int{0}, 0)
		askBatch(t, t.Context(), b, []int{1, 4, 9, 16, 25, 36, 49, 64}, 1, 2, 3, 4, 5, 6, 7, 8)
		askBatch(t, t.Context(), b, []int{100}, 10)
		askBatch(t, t.Context(), b, []int{121, 144, 169}, 11, 12, 13)
		for range 4 {
			c.proceed <- struct{}{}
			synctest.Wait()
		}
		want := [][]int{{0}, {1, 10, 11, 2}, {12, 13, 3, 4}, {5, 6, 7, 8}}
		if !reflect.DeepEqual(c.batches, want) {
			t.Errorf("batches are %v, want %v", c.batches, want)
		}
	})
}

func TestWhoLeavesIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &computation{proceed: make(chan struct{})}
		b := newBatcher(2, c.run)
		askBatch(t, t.Context(), b, []int{1}, 1)
		ctx, cancel := context.WithCancel(t.Context())
		askBatch(t, ctx, b, context.Canceled, 2)
		askBatch(t, t.Context(), b, []int{9}, 3)
		askBatch(t, ctx, b, context.Canceled, 4, 5, 6)
		askBatch(t, t.Context(), b, []int{49}, 7)
		cancel()
		synctest.Wait()
		c.proceed <- struct{}{}
		synctest.Wait()
		c.proceed <- struct{}{}
		synctest.Wait()
		if want := [][]int{{1}, {3, 7}}; !reflect.DeepEqual(c.batches, want) {
			t.Errorf("batches are %v, want %v", c.batches, want)
		}
		if _, err := b.answers(ctx, []int{1}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// Clients that were answered together may ask again together: the first one waits a moment for the
// others. Time is that of the test's bubble.
func TestClientsStayTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type started struct {
			at        time.Duration
			questions []int
		}
		var batches []started
		begin := time.Now()
		b := newBatcher(4, func(questions []int) ([]int, error) {
			batches = append(batches, started{time.Since(begin), questions})
			time.Sleep(160 * time.Millisecond)
			return questions, nil
		})
		at := func(ms int) {
			time.Sleep(time.Duration(ms)*time.Millisecond - time.Since(begin))
			synctest.Wait()
		}
		askBatch(t, t.Context(), b, []int{1}, 1)
		askBatch(t, t.Context(), b, []int{2}, 2)
		askBatch(t, t.Context(), b, []int{3}, 3) // the first batch ends at 160, and 2 and 3 wait for one more
		at(331)                                  // the second has ended
		askBatch(t, t.Context(), b, []int{4}, 4)
		at(335)
		askBatch(t, t.Context(), b, []int{5}, 5) // as many as last time
		at(600)
		askBatch(t, t.Context(), b, []int{6}, 6) // alone
		at(762)
		askBatch(t, t.Context(), b, []int{7}, 7) // alone again
		at(1000)
		const ms = time.Millisecond
		want := []started{{0, []int{1}}, {170 * ms, []int{2, 3}}, {335 * ms, []int{4, 5}}, {600 * ms, []int{6}}, {762 * ms, []int{7}}}
		if !reflect.DeepEqual(batches, want) {
			t.Errorf("batches are %v, want %v", batches, want)
		}
	})
}

func TestAnErrorIsThatOfItsBatchAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &computation{proceed: make(chan struct{})}
		b := newBatcher(3, c.run)
		askBatch(t, t.Context(), b, []int{1}, 1)
		askBatch(t, t.Context(), b, errNegative, 2, -1, 3, 4, 5)
		askBatch(t, t.Context(), b, []int{36}, 6)
		askBatch(t, t.Context(), b, errNegative, 7, 8)
		for range 3 {
			c.proceed <- struct{}{}
			synctest.Wait()
		}
		askBatch(t, t.Context(), b, []int{81}, 9)
		c.proceed <- struct{}{}
		synctest.Wait()
		if want := [][]int{{1}, {2, 6, 7}, {8, -1, 3}, {9}}; !reflect.DeepEqual(c.batches, want) {
			t.Errorf("batches are %v, want %v", c.batches, want)
		}
	})
}

func TestPanicEndsItsBatchAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		proceed := make(chan struct{})
		b := newBatcher(2, func(questions []int) ([]int, error) {
			<-proceed
			if slices.Contains(questions, 13) {
				panic("13")
			}
			return questions, nil
		})
		askBatch(t, t.Context(), b, []int{1}, 1)
		panicked := make(chan any, 1)
		go func() {
			defer func() { panicked <- recover() }()
			_, _ = b.answers(t.Context(), []int{13})
		}()
		synctest.Wait()
		askBatch(t, t.Context(), b, errBatch, 2)
		askBatch(t, t.Context(), b, []int{3}, 3)
		close(proceed)
		if fault := <-panicked; fault != "13" {
			t.Errorf("recovered %v", fault)
		}
		synctest.Wait()
	})
}

func TestNoQuestions(t *testing.T) {
	b := newBatcher(1, func([]int) ([]int, error) { panic("was asked") })
	if answers, err := b.answers(t.Context(), nil); len(answers) > 0 || err != nil {
		t.Errorf("%v, %v", answers, err)
	}
}

// Whatever comes and goes, everybody gets the answers to their own questions.
func TestManyRequests(t *testing.T) {
	c := &computation{}
	b := newBatcher(7, c.run)
	var g sync.WaitGroup
	for client := range 32 {
		g.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(client), 17))
			for range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				questions := make([]int, rng.IntN(20))
				want := make([]int, len(questions))
				for i := range questions {
					questions[i] = rng.IntN(1000)
					want[i] = questions[i] * questions[i]
				}
				leaves := rng.IntN(3) == 0
				if leaves {
					go cancel()
				}
				answers, err := b.answers(ctx, questions)
				cancel()
				switch {
				case leaves && errors.Is(err, context.Canceled):
				case err != nil || len(want) > 0 && !reflect.DeepEqual(answers, want):
					t.Errorf("%v: %v, %v", questions, answers, err)
				}
			}
		})
	}
	g.Wait()
	for _, questions := range c.batches {
		if len(questions) > 7 {
			t.Errorf("a batch has %d questions", len(questions))
		}
	}
}

func newBatcher[Q, A any](most int, run func([]Q) ([]A, error)) *batcher[Q, A] {
	return &batcher[Q, A]{most: most, run: run}
}

package serve

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// errBatch is what requests get whose questions were answered together with those of a request
// in which the computation panicked.
var errBatch = errors.New("the computation of several requests together failed")

// A batcher answers questions of concurrent requests together, where many at once are cheaper than one after the
// other. A question that comes while nothing is computed is answered at once. Questions that come meanwhile wait for
// the end of that computation, and are then answered together. So a lone request waits for nobody, and the busier a
// server is the larger its batches are.
// Its methods may be called by several goroutines. It has no goroutine of
// its own: one of the requests that wait computes for all.
type batcher[Q, A any] struct {
	most int
	run  func([]Q) ([]A, error)

	mu       sync.Mutex
	queue    []*job[Q, A] // with questions that nobody took
	waiting  int          // questions in the queue
	led      bool         // a request computes, or is about to
	expected int          // requests that the next batch may soon have
	until    time.Time    // it waits no longer for these
	enough   chan struct{}
}

// newBatcher returns a batcher that gives run no more than so many questions at a time. Run returns an answer for
// each, in their order; its error is that of all requests with questions among them. It is called by
// one goroutine at a time, by one that is in Answers.
func newBatcher[Q, A any](most int, run func(questions []Q) (answers []A, err error)) *batcher[Q, A] {
	return &batcher[Q, A]{most: max(1, most), run: run}
}

// A job is the questions of one request.
type job[Q, A any] struct {
	questions []Q
	answers   []A
	taken     int // questions that are answered or being answered
	answered  int
	err       error
	done      chan struct{} // closed when all is answered, or with an error
	turn      chan struct{} // has something when this request is to compute
}

// answers returns the answers to some questions of one request, in their order, or the error of run. Several
// requests with many questions get a part of each batch. If the context ends before, its error is
// returned, and questions that no batch took are forgotten.
func (b *batcher[Q, A]) answers(ctx context.Context, questions []Q) ([]A, error) {
	if err := ctx.Err(); err != nil || len(questions) == 0 {
		return nil, err
	}
	j := &job[Q, A]{questions: questions, answers: make([]A, len(questions)), done: make(chan struct{}), turn: make(chan struct{}, 1)}
	b.enter(j)
	for {
		select {
		case <-j.done:
			return j.answers, j.err
		case <-ctx.Done():
			b.leave(j)
			return nil, ctx.Err()
		case <-j.turn:
			if !b.gather(ctx) {
				b.leave(j)
				b.pass()
				return nil, ctx.Err()
			}
			b.compute()
		}
	}
}

// enter adds a job to the queue. It is its turn if nobody else computes.
func (b *batcher[Q, A]) enter(j *job[Q, A]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, j)
	b.waiting += len(j.questions)
	if b.enough != nil && b.complete() {
		close(b.enough)
		b.enough = nil
	}
	if !b.led {
		b.led = true
		j.turn <- struct{}{}
	}
}

// leave takes a job from the queue. If it is its turn, that goes to another one.
func (b *batcher[Q, A]) leave(j *job[Q, A]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(j)
	select {
	case <-j.turn:
		b.next()
	default:
	}
}

// remove takes a job from the queue if it is there.
func (b *batcher[Q, A]) remove(j *job[Q, A]) {
	if at := slices.Index(b.queue, j); at >= 0 {
		b.queue = slices.Delete(b.queue, at, at+1)
		b.waiting -= len(j.questions) - j.taken
	}
}

// next makes it the turn of the first job, if there is one.
func (b *batcher[Q, A]) next() {
	if b.led = len(b.queue) > 0; b.led {
		b.queue[0].turn <- struct{}{}
	}
}

// pass is next for one whose turn it is.
func (b *batcher[Q, A]) pass() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next()
}

// complete tells whether nobody else is expected for the next batch, or has a place in it.
func (b *batcher[Q, A]) complete() bool { return len(b.queue) >= b.expected || b.waiting >= b.most }

// gather waits until there are as many requests as are expected, but not for long. Clients that were just
// answered together ask again together: without that, the first of them would get a batch of its own. It
// is false if the context ended meanwhile.
func (b *batcher[Q, A]) gather(ctx context.Context) bool {
	b.mu.Lock()
	wait := time.Until(b.until)
	if b.complete() || wait <= 0 {
		b.mu.Unlock()
		return true
	}
	enough := make(chan struct{})
	b.enough = enough
	b.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	defer func() {
		b.mu.Lock()
		b.enough = nil
		b.mu.Unlock()
	}()
	select {
	case <-enough:
	case <-timer.C:
	case <-ctx.Done():
		return false
	}
	return true
}

// A batchShare is some questions of a job in a batch.
type batchShare[Q, A any] struct {
	job   *job[Q, A]
	first int
	n     int
}

// take takes a batch from the queue: a fair part of each job, in turn, and what is left over from
// the first ones.
func (b *batcher[Q, A]) take() (shares []batchShare[Q, A], questions []Q) {
	left := b.most
	part := max(1, left/max(1, len(b.queue)))
	for _, most := range []int{part, b.most} {
		for _, j := range b.queue {
			n := min(most, left, len(j.questions)-j.taken)
			if n == 0 {
				continue
			}
			shares = append(shares, batchShare[Q, A]{j, j.taken, n})
			questions = append(questions, j.questions[j.taken:j.taken+n]...)
			j.taken += n
			left -= n
		}
	}
	b.waiting -= len(questions)
	b.queue = slices.DeleteFunc(b.queue, func(j *job[Q, A]) bool { return j.taken == len(j.questions) })
	if n := len(b.queue); n > 1 && b.queue[0].taken > 0 { // the others come first in the next batch
		b.queue = append(b.queue[1:n:n], b.queue[0])
	}
	return shares, questions
}

// compute answers a batch, and passes the turn on.
func (b *batcher[Q, A]) compute() {
	b.mu.Lock()
	shares, questions := b.take()
	b.mu.Unlock()
	start := time.Now()
	var answers []A
	err := errBatch // if run panics
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		done := 0 // requests
		for _, s := range shares {
			if b.deliver(s, &answers, err) {
				done++
			}
		}
		b.expected = 0
		if together := done + len(b.queue); together > 1 {
			took := time.Since(start)
			b.expected, b.until = together, start.Add(took+min(took/batchPatience, batchLongest))
		}
		b.next()
	}()
	answers, err = b.run(questions)
}

const (
	batchPatience = 16                    // a batch waits for requests no longer than that part of what the last one took
	batchLongest  = 20 * time.Millisecond // nor longer than this
)

// deliver gives a job the next answers, or the error. It is true if that was all it waited for.
func (b *batcher[Q, A]) deliver(s batchShare[Q, A], answers *[]A, err error) (done bool) {
	j := s.job
	if j.err != nil {
		return false // another part of it failed before
	}
	if err != nil {
		j.err = err
		b.remove(j)
		close(j.done)
		return true
	}
	copy(j.answers[s.first:], (*answers)[:s.n])
	*answers = (*answers)[s.n:]
	if j.answered += s.n; j.answered < len(j.questions) {
		return false
	}
	close(j.done)
	return true
}

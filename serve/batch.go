package serve

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// errBatch is the error of requests whose questions shared a batch with a request whose computation
// panicked.
var errBatch = errors.New("the computation of several requests together failed")

// A batcher answers questions of concurrent requests together, where a batch is cheaper than single
// answers. A question that arrives while nothing is computed is answered at once. Questions that
// arrive during a computation wait for its end, and are then answered together. So a lone request
// waits for nobody, and a busier server has larger batches. Several goroutines may call the
// methods. A batcher has no goroutine of its own: a waiting request computes for all.
type batcher[Q, A any] struct {
	most int
	run  func([]Q) ([]A, error)

	mu       sync.Mutex
	queue    []*job[Q, A] // jobs with questions that no batch has taken
	waiting  int          // questions in the queue
	led      bool         // a request computes, or is about to compute
	expected int          // number of requests that may soon join the next batch
	until    time.Time    // when to stop waiting for expected requests
	enough   chan struct{}
}

// newBatcher returns a batcher that gives run at most so many questions at a time. Run returns one
// answer per question, in order. An error of run goes to all requests with questions in the batch.
// One goroutine at a time calls run, from within answers.
func newBatcher[Q, A any](most int, run func(questions []Q) (answers []A, err error)) *batcher[Q, A] {
	return &batcher[Q, A]{most: max(1, most), run: run}
}

// A job is the list of questions of one request.
type job[Q, A any] struct {
	questions []Q
	answers   []A
	taken     int // questions that are answered or being answered
	answered  int
	err       error
	done      chan struct{} // closed when all questions are answered, or with an error
	turn      chan struct{} // receives when this request is to compute
}

// answers returns the answers to some questions of one request, in their order, or the error of
// run. Each of several large requests gets a part of each batch. If the context ends first, answers
// returns its error and drops questions that no batch has taken.
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
				j.turn <- struct{}{} // for leave to pass on
				b.leave(j)
				return nil, ctx.Err()
			}
			b.compute()
		}
	}
}

// enter adds a job to the queue. The job gets the turn if nobody else computes.
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

// leave removes a job from the queue. If the job had the turn, another job gets it.
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

// remove removes a job from the queue, if present.
func (b *batcher[Q, A]) remove(j *job[Q, A]) {
	if at := slices.Index(b.queue, j); at >= 0 {
		b.queue = slices.Delete(b.queue, at, at+1)
		b.waiting -= len(j.questions) - j.taken
	}
}

// next gives the turn to the first job, if there is one.
func (b *batcher[Q, A]) next() {
	if b.led = len(b.queue) > 0; b.led {
		b.queue[0].turn <- struct{}{}
	}
}

// complete reports whether no further request is expected for the next batch, or fits into it.
func (b *batcher[Q, A]) complete() bool { return len(b.queue) >= b.expected || b.waiting >= b.most }

// gather waits briefly for the expected requests. Clients that were just answered together ask
// again together: without gather, the first client would get a batch of its own. gather returns
// false if the context ended meanwhile.
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

// A batchShare is a job's part of a batch.
type batchShare[Q, A any] struct {
	job   *job[Q, A]
	first int
	n     int
}

// take takes a batch from the queue: an equal part of each job, in turn, and then more from the
// first jobs.
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
	if n := len(b.queue); n > 1 && b.queue[0].taken > 0 { // other jobs come first in the next batch
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
		done := 0 // number of requests
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
	batchPatience = 16                    // a batch waits at most this fraction of the last batch's duration
	batchLongest  = 20 * time.Millisecond // and at most this long
)

// deliver gives a job its next answers, or the error. It reports whether the job is then done.
func (b *batcher[Q, A]) deliver(s batchShare[Q, A], answers *[]A, err error) (done bool) {
	j := s.job
	if j.err != nil {
		return false // an earlier part of the job failed
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

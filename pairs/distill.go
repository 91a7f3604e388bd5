package pairs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/w2v-go/w2v/vectors"
)

// A Loss says how vectors of texts are compared with those of the teacher.
type Loss string

// The losses.
const (
	// Cosine is 1 − cos. Vectors of texts have length 1.
	Cosine Loss = "cosine"
	// SquaredError is the mean of the squares of the differences of numbers. Vectors of texts are means, and have lengths.
	SquaredError Loss = "mse"
)

// DistillOptions say how vectors are trained to be those of a teacher.
type DistillOptions struct {
	// Settings are as for pairs of texts, but that Dim may be 0: the teacher's dimensions, at most UsualDim. With fewer
	// dimensions than the teacher has, its principal components are trained.
	Settings
	Loss Loss
}

// UsualDim is the largest number of dimensions of a model that does not say how many it has.
const UsualDim = 256

// DistillDefaults returns the usual options. docs/distill.md says how they were chosen.
func DistillDefaults() DistillOptions {
	o := DistillOptions{Settings: Defaults().Settings, Loss: Cosine}
	o.Dim, o.BatchSize, o.LearningRate = 0, 256, 0.03
	return o
}

// Validate returns an error if options are invalid or do not fit together.
func (o DistillOptions) Validate() error {
	if o.Loss != Cosine && o.Loss != SquaredError {
		return fmt.Errorf("pairs: the loss is %q, must be %s or %s", o.Loss, Cosine, SquaredError)
	}
	if o.Dim == 0 { // what the teacher says
		o.Dim = math.MaxInt32
	}
	return o.validate(1, []Metric{LossMetric, CosineMetric})
}

// Distill trains vectors of texts to be those of a teacher. Texts are read once, and kept as numbers in a temporary file, in the system's folder;
// vectors are read where they stand. Memory grows with the words of the texts, and not with the texts. The same options,
// texts and vectors give the same bits with any number of threads.
//
// If ctx ends before training does, Distill returns what is trained so far and the error of ctx.
//
// Source: Tulkens and van Dongen, "Tokenlearn", 2024, which trains the vectors of tokens in this way on means of the output of
// a sentence transformer, reduced by principal components.
func Distill(ctx context.Context, of Texts, teacher Teacher, o DistillOptions, h Hooks) (*Trained, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return startDistill(ctx, of, teacher, o, h, nil)
}

// A distillState is what a checkpoint of a distillation keeps beside matrices: JSON in a set's State.
type distillState struct {
	Distill int // revision
	Options DistillOptions
	position
}

// ResumeDistill goes on with the run of a checkpoint, on the same texts and vectors, and comes to the same bits as if it
// had never stopped. Epochs, if above 0, is another number of epochs.
func ResumeDistill(ctx context.Context, of Texts, teacher Teacher, from *vectors.Set, epochs, threads int, h Hooks) (*Trained, error) {
	k, err := openDistill(from)
	if err != nil {
		return nil, err
	}
	o := k.state.Options
	if err := k.goOn(&o.Settings, epochs, threads); err != nil {
		return nil, err
	}
	return startDistill(ctx, of, teacher, o, h, k)
}

// DistillCheckpoint returns the options of the run of a checkpoint, and how many epochs it has trained.
func DistillCheckpoint(set *vectors.Set) (o DistillOptions, epochs int, err error) {
	k, err := openDistill(set)
	if err != nil {
		return o, 0, err
	}
	return k.state.Options, k.Epoch, nil
}

func openDistill(set *vectors.Set) (*checkpoint[distillState], error) {
	k := &checkpoint[distillState]{set: set, rows: set.StateRows()}
	if err := readState(set, archDistill, &k.state); err != nil {
		return nil, err
	}
	k.position = k.state.position
	if err := k.state.Options.Validate(); err != nil {
		return nil, fmt.Errorf("the state of training: %w", err)
	}
	return k, k.fits(k.state.Options.Settings)
}

// startDistill reads texts and vectors and trains on them, from the beginning or from a checkpoint.
func startDistill(ctx context.Context, of Texts, teacher Teacher, o DistillOptions, h Hooks, from *checkpoint[distillState]) (trained *Trained, err error) {
	t, err := teacher.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	switch {
	case t.n == 0:
		return nil, fmt.Errorf("pairs: %s has no vectors", t.name)
	case o.Dim == 0:
		o.Dim = min(t.dim, UsualDim)
	case o.Dim > t.dim:
		return nil, fmt.Errorf("pairs: the model has %d dimensions, and the teacher %d: at most these are possible", o.Dim, t.dim)
	}
	if err := o.Validate(); err != nil { // dimensions are known
		return nil, err
	}
	sum := sha256.New()
	if err := t.study(ctx, o.Dim, o.Force, sum, h.Teacher); err != nil {
		return nil, err
	}
	words := census{ids: map[string]uint32{}}
	s, err := newSpool(sum)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.fill(ctx, of, o.Settings, &words, h.Reading); err != nil {
		return nil, err
	}
	if s.n != t.n {
		return nil, fmt.Errorf("pairs: %d texts in %s, and %d vectors in %s: a vector belongs to each text, in the same order", s.n, of.name(), t.n, t.name)
	}
	for _, word := range words.words {
		_, _ = io.WriteString(sum, word+"\x00") // a hash has no errors
	}
	r := &run{Settings: o.Settings, hooks: h}
	r.Corpus = fmt.Sprintf("sha256:%x", sum.Sum(nil))
	if from != nil && from.Corpus != r.Corpus {
		return nil, errors.New("the texts or their vectors are others than in the checkpoint")
	}
	if r.lexicon, s.number, err = words.newLexicon(o.Settings, from != nil); err != nil {
		return nil, err
	}
	l := &lesson{o: o, spool: s, teacher: t}
	if err := l.count(&r.contents); err != nil {
		return nil, err
	}
	c := &r.contents
	c.Texts, c.TeacherDim, c.Explained = int(s.n), t.dim, t.explained
	switch {
	case c.Pairs == 0:
		return nil, errors.New("pairs: no text to train on has a word with a row")
	case o.Patience > 0 && o.HeldOut == 0:
		return nil, errors.New("pairs: early stopping needs texts that are held out")
	case o.HeldOut > 0 && c.HeldOut == 0:
		return nil, errors.New("pairs: no text is held out")
	}
	if err := r.plan(0, l.bytesOf(*c)); err != nil {
		return nil, err
	}
	r.allocate()
	if r.stepper.mean = o.Loss == SquaredError; r.stepper.mean && t.length > 0 {
		r.stepper.scale = float32(t.length) // whatever the lengths of the teacher's vectors are, rates and starts fit to those of length 1
	}
	r.stepper.texts = &l.batch
	l.stepper = r.stepper
	r.task = l
	if from != nil {
		err = from.restore(r, nil)
	} else {
		err = r.table.start(r.lexicon, o.Settings)
		if was := o.Init; r.stepper.mean && was != nil && was.Training().Text("arch") == archDistill && was.Training().Text("loss") == string(SquaredError) {
			for row := range r.table.weights { // which have the lengths of a teacher already
				r.table.weights[row] /= r.stepper.scale
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return r.train(ctx)
}

// cutBytes is about how much text is cut at the same time.
const cutBytes = 4 << 20

// fill cuts texts into words.
func (s *spool) fill(ctx context.Context, of Texts, o Settings, words *census, progress func(uint64)) error {
	work := parallel{threadsOf(o.Threads)}
	var held []string
	size := 0
	var ids []uint32
	cut, errs := make([][]string, readAtOnce), make([]error, readAtOnce)
	cutHeld := func() error {
		work.each(len(held), 16, func(_, first, last int) {
			for i := first; i < last; i++ {
				cut[i], _, errs[i] = o.Text.Cut(held[i])
			}
		})
		for i := range held {
			if errs[i] != nil {
				return fmt.Errorf("text %d: %w", s.n+1, errs[i])
			}
			ids = ids[:0]
			for _, word := range cut[i] {
				ids = append(ids, words.count(word))
			}
			if err := s.add(ids); err != nil {
				return err
			}
		}
		held, size = held[:0], 0
		if progress != nil {
			progress(uint64(s.n))
		}
		return ctx.Err()
	}
	for text, err := range of.read(ctx) {
		if err != nil {
			return err
		}
		held = append(held, text)
		if size += len(text); len(held) == readAtOnce || size > cutBytes {
			if err := cutHeld(); err != nil {
				return err
			}
		}
	}
	if err := cutHeld(); err != nil {
		return err
	}
	return s.end()
}

// A lesson is the task of texts and the vectors of their teacher. It trains texts in an order that is random within a pool of
// blocks, and of the blocks.
type lesson struct {
	o       DistillOptions
	spool   *spool
	teacher *taught
	stepper *stepper
	trained []uint16 // texts of each block
	held    []uint16

	epoch  int
	order  []uint32 // of blocks
	next   int      // pool
	pool   pool
	choice []uint32 // of the pool, in the order of training
	at     int      // in choice

	batch    texts
	goals    []float32 // of the batch
	left     []float32
	right    []float32
	lengths  []float32
	scale    []float32
	changes  []float32
	losses   []float64
	cosines  []float64
	vectors  []float32
	unpooled texts
}

// A pool is texts that are in memory, with the vectors that theirs are to become.
type pool struct {
	texts texts
	goals []float32
}

// poolBlocks is the least number of blocks of a pool.
const poolBlocks = 32

func (l *lesson) blocksOfPool() int {
	return max(poolBlocks, (4*l.o.BatchSize+blockTexts-1)/blockTexts)
}

// count counts the texts of each block that are trained and that are held out.
func (l *lesson) count(c *Contents) error {
	l.trained, l.held = make([]uint16, l.spool.blocks()), make([]uint16, l.spool.blocks())
	for b := range l.trained {
		t := &l.unpooled
		t.words, t.starts = t.words[:0], append(t.starts[:0], 0)
		if err := l.spool.read(t, b); err != nil {
			return err
		}
		c.Tokens += uint64(len(t.words))
		for i := range t.len() {
			switch l.isOf(t, b, i) {
			case isTrained:
				l.trained[b]++
				c.Pairs++
			case isMeasured:
				l.held[b]++
				c.HeldOut++
			default:
				c.Empty++
			}
		}
	}
	return nil
}

const (
	isEmpty = iota
	isTrained
	isMeasured
)

// isOf returns what text i of a block is, which is text i of t.
func (l *lesson) isOf(t *texts, block, i int) int {
	switch {
	case len(t.of(uint32(i))) == 0:
		return isEmpty
	case isHeld(uint64(l.spool.first(block))+uint64(i), l.o.HeldOut):
		return isMeasured
	}
	return isTrained
}

// bytesOf returns about how much memory the task takes.
func (l *lesson) bytesOf(c Contents) float64 {
	dim, batch := float64(l.o.Dim), float64(l.o.BatchSize)
	tokens := float64(c.Tokens) / float64(max(c.Texts, 1))
	pool := float64(min(l.blocksOfPool()*blockTexts, c.Texts)) * (4*dim + 4*tokens + 12)
	block := blockTexts * (4*float64(c.TeacherDim) + 12*tokens)
	return pool + block + batch*(dim*24+tokens*(dim*8+52)) + 4*float64(len(l.teacher.basis))
}

func (l *lesson) begin(epoch, first int) error {
	l.epoch, l.next = epoch, 0
	l.order = grown(l.order, l.spool.blocks())
	for i := range l.order {
		l.order[i] = uint32(i)
	}
	rand.New(rand.NewPCG(l.o.Seed, uint64(epoch)+1)).Shuffle(len(l.order), func(i, j int) { l.order[i], l.order[j] = l.order[j], l.order[i] })
	for {
		n := 0
		for _, b := range l.blocksAt(l.next) {
			n += int(l.trained[b])
		}
		if first < n || n == 0 && len(l.blocksAt(l.next)) == 0 {
			break
		}
		first -= n
		l.next++
	}
	if err := l.fill(); err != nil {
		return err
	}
	l.at = first
	return nil
}

// blocksAt returns the blocks of a pool of the epoch.
func (l *lesson) blocksAt(pool int) []uint32 {
	n := l.blocksOfPool()
	first := min(pool*n, len(l.order))
	return l.order[first:min(first+n, len(l.order))]
}

// fill reads the next pool.
func (l *lesson) fill() error {
	p := &l.pool
	p.texts.words, p.texts.starts, p.goals = p.texts.words[:0], append(p.texts.starts[:0], 0), p.goals[:0]
	for _, b := range l.blocksAt(l.next) {
		if err := l.add(p, int(b), isTrained); err != nil {
			return err
		}
	}
	l.choice, l.at = grown(l.choice, p.texts.len()), 0
	for i := range l.choice {
		l.choice[i] = uint32(i)
	}
	random := rand.New(rand.NewPCG(l.o.Seed, uint64(l.epoch+1)<<32|uint64(l.next+1)))
	random.Shuffle(len(l.choice), func(i, j int) { l.choice[i], l.choice[j] = l.choice[j], l.choice[i] })
	l.next++
	return nil
}

// add adds the texts of a block that are of a kind to a pool, and their goals.
func (l *lesson) add(p *pool, block, kind int) error {
	t, dim, d := &l.unpooled, l.o.Dim, l.teacher.dim
	t.words, t.starts = t.words[:0], append(t.starts[:0], 0)
	if err := l.spool.read(t, block); err != nil {
		return err
	}
	n := t.len()
	l.vectors = grown(l.vectors, n*d)
	if err := l.teacher.read(l.vectors, l.spool.first(block)); err != nil {
		return err
	}
	kept := 0
	for i := range n {
		if l.isOf(t, block, i) != kind {
			continue
		}
		copy(l.vectors[kept*d:][:d], l.vectors[i*d:][:d])
		kept++
		p.texts.words = append(p.texts.words, t.of(uint32(i))...)
		p.texts.starts = append(p.texts.starts, uint64(len(p.texts.words)))
	}
	from := len(p.goals)
	if need := from + kept*dim; cap(p.goals) < need {
		p.goals = append(make([]float32, 0, max(need, min(2*need, l.blocksOfPool()*blockTexts*dim))), p.goals...)
	}
	p.goals = p.goals[:from+kept*dim]
	goals := p.goals[from:]
	l.teacher.targets(l.stepper.parallel, goals, l.vectors[:kept*d], dim)
	if l.o.Loss == Cosine {
		for i := range kept {
			normalize(goals[i*dim:][:dim])
		}
		return nil
	}
	for i := range goals {
		goals[i] /= l.stepper.scale
	}
	return nil
}

// take makes text i of a pool one of the batch.
func (l *lesson) take(p *pool, i int) {
	l.batch.words = append(l.batch.words, p.texts.of(uint32(i))...)
	l.batch.starts = append(l.batch.starts, uint64(len(l.batch.words)))
	l.goals = append(l.goals, p.goals[i*l.o.Dim:][:l.o.Dim]...)
}

// clear begins a batch.
func (l *lesson) clear() {
	l.batch.words, l.batch.starts, l.goals = l.batch.words[:0], append(l.batch.starts[:0], 0), l.goals[:0]
}

func (l *lesson) step(first, last int) (loss float64, err error) {
	l.clear()
	for range last - first {
		for l.at == len(l.choice) {
			if err := l.fill(); err != nil {
				return 0, err
			}
		}
		l.take(&l.pool, int(l.choice[l.at]))
		l.at++
	}
	loss, _ = l.compare()
	return loss, nil
}

func (l *lesson) stepped() {}

func (l *lesson) examples() string { return "texts" }

// compare computes the vectors of the batch, and adds the gradients of the loss by them to those of the stepper. It returns the loss
// and the mean cosine, by all dimensions.
func (l *lesson) compare() (loss, cosine float64) {
	s, dim := l.stepper, l.o.Dim
	n := l.batch.len()
	s.forward(s.identity(n))
	l.losses, l.cosines = grown(l.losses, n), grown(l.cosines, n)
	dims := l.o.dims()
	for which, cols := range dims {
		share := 1 / (float64(len(dims)) * float64(n))
		l.left, l.right, l.changes = grown(l.left, n*cols), grown(l.right, n*cols), grown(l.changes, n*cols)
		var lengths []float32
		switch {
		case l.o.Loss == Cosine:
			l.lengths, l.scale = grown(l.lengths, n), grown(l.scale, n)
			lengths = l.lengths
			s.first(l.left, lengths, s.vectors, cols)
			s.first(l.right, l.scale, l.goals, cols)
		default:
			cut(l.left, s.vectors, cols, dim)
			cut(l.right, l.goals, cols, dim)
		}
		s.each(n, 64, func(_, first, last int) {
			for i := first; i < last; i++ {
				x, y, g := l.left[i*cols:][:cols], l.right[i*cols:][:cols], l.changes[i*cols:][:cols]
				if l.o.Loss == Cosine {
					of := float64(dot(x, y))
					l.losses[i], l.cosines[i] = 1-of, of
					for k, t := range y {
						g[k] = float32(-share) * t
					}
					continue
				}
				by := float32(2 * share / float64(cols))
				var sum float64
				for k, t := range y {
					off := x[k] - t
					sum += float64(off) * float64(off)
					g[k] = by * off
				}
				l.losses[i], l.cosines[i] = sum/float64(cols), 0
				if which == 0 {
					if lengths := float64(norm(x)) * float64(norm(y)); lengths > 0 {
						l.cosines[i] = float64(dot(x, y)) / lengths
					}
				}
			}
		})
		if which == 0 {
			for i := range n {
				loss, cosine = loss+l.losses[i], cosine+l.cosines[i]
			}
		}
		s.back(s.changes, l.changes, l.left, lengths, n, cols)
	}
	scale := float64(l.stepper.scale)
	return loss / float64(n) * (scale * scale), cosine / float64(n)
}

// cut sets dst to the first cols numbers of vectors of dim numbers.
func cut(dst, vectors []float32, cols, dim int) {
	for i := range len(vectors) / dim {
		copy(dst[i*cols:][:cols], vectors[i*dim:])
	}
}

// evaluate measures the texts that are held out.
func (l *lesson) evaluate() (e Evaluation, err error) {
	var held pool
	all := 0
	measure := func() {
		if n := l.batch.len(); n > 0 {
			loss, cosine := l.compare()
			e.Loss, e.Cosine = e.Loss+loss*float64(n), e.Cosine+cosine*float64(n)
			all += n
		}
		l.clear()
	}
	l.clear()
	for b, n := range l.held {
		if n == 0 {
			continue
		}
		held.texts.words, held.texts.starts, held.goals = held.texts.words[:0], append(held.texts.starts[:0], 0), held.goals[:0]
		if err := l.add(&held, b, isMeasured); err != nil {
			return e, err
		}
		for i := range int(n) {
			if l.take(&held, i); l.batch.len() == l.o.BatchSize {
				measure()
			}
		}
	}
	measure()
	e.Loss, e.Cosine = e.Loss/float64(all), e.Cosine/float64(all)
	return e, nil
}

func (l *lesson) describe(t *vectors.Training) {
	t.Set("arch", archDistill)
	t.Set("loss", string(l.o.Loss))
	t.Set("teacher_dim", l.teacher.dim)
	if l.teacher.basis != nil {
		t.Set("teacher_variance", math.Round(1e4*l.teacher.explained)/1e4)
	}
}

func (l *lesson) state(at position) (any, []vectors.Matrix) {
	o := l.o
	o.Settings = o.forCheckpoint()
	return distillState{distillRevision, o, at}, nil
}

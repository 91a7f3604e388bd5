// Package plan predicts what a run needs: the sizes of its matrices, its memory, and the division of its
// work.
package plan

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"runtime"
	"slices"

	"github.com/w2v-go/w2v/internal/counting"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/counts"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/sgns/internal/warmstart"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// A Plan says what a run will need, before it allocates memory.
type Plan struct {
	Words    int           // of the vocabulary
	Rows     int           // rows of the input matrix
	Bytes    uint64        // memory of the process, including pages of the corpus that it reads
	Added    uint64        // part of Bytes that is not in use yet
	Threads  int           // number of training threads; fewer than in Config if there is too little work to divide
	Matrices []MatrixShape // of the model
	Means    bool          // inputs are means of contexts
	Finishes bool          // vectors change when training has ended, so that evaluations before that need a copy
	Unshared string        // why ranks of a machine cannot share the model; empty if they do, or are not to

	touched iter.Seq2[int, []float32]
}

// Touched yields the numbers of a row of each matrix that has its own, and how often a process changes each row for each token
// that it trains.
func (p Plan) Touched() iter.Seq2[int, []float32] { return p.touched }

// A MatrixShape describes a matrix of the model.
type MatrixShape struct {
	Name       string // of its tensor in a native file: "input", "output", …
	Title      string // in words: "context vectors"
	Rows, Cols int
	Bytes      int    // of a number in a native file
	Output     bool   // the matrix is an output matrix; otherwise vectors are made of it
	SameAs     string // name of the matrix with the same storage; usually empty
	Passing    bool   // only checkpoints have the matrix, and the model has not
}

// A Planner computes a Plan.
type Planner struct {
	Config    config.Config
	Variant   *variant.Variant
	Vocab     *vocab.Vocab
	Outputs   *vocab.Vocab // Vocab, or labels
	Keep      []float64    // the probability with which each word is kept
	Sizes     *Sizes       // sizes of the resumed run; nil for a new run
	Start     *warmstart.Start
	Workers   int                       // number of training workers
	Readers   int                       // number of workers that measure losses
	Copies    int                       // copies of the parameters, in addition to the trained ones
	Tokens    uint64                    // that this process trains in an epoch
	Placement Placement                 // of the workers
	Sharing   int                       // processes that share the trained parameters; 0 means only this one
	Beside    func(params.List) float64 // bytes that exchanging matrices with other processes needs; nil means none

	Restore func() (*rowtable.Table, error) // returns the row table of the resumed run, or of texts; nil to make a new one

	// Results of Plan: the row table, the matrices, and the division of work.
	Table    *rowtable.Table
	List     params.List
	Division step.Division
}

// Plan predicts what the run needs, and checks that large allocations fit before it makes them.
func (p *Planner) Plan() (Plan, error) {
	c, v, words := p.Config, p.Variant, p.Vocab.Tokens()
	if err := numbered(p.Outputs.Len(), v.Heads()); err != nil {
		return Plan{}, err
	}
	threads := p.Workers
	if v.ColumnParallel() {
		segments := Given(c, p.Sizes).Segments
		if segments == nil {
			segments = engine.Segments(c.Dim, c.Subword != nil)
		}
		if threads = engine.Goroutines(config.Threads(c), segments); threads > 1 {
			p.Copies++ // copies of the goroutines
		}
	}
	runtime.GC() // collects garbage, for example of an earlier run, before memory is measured
	inUse := float64(sysinfo.MemoryInUse())
	least := inUse + v.Matrices(p.Outputs.Len(), subword.LeastRows(c.Subword, len(words)), nil).Bytes()*(p.shared(1)+float64(p.Copies)) + p.numberingBytes(words)
	if err := Fits(c, least, true); err != nil && c.Subword != nil {
		return Plan{}, err
	}
	if err := p.number(words); err != nil {
		return Plan{}, err
	}
	list := v.Matrices(p.Outputs.Len(), p.Table.Rows(), p.Table)
	p.List = list
	p.copy()
	each := engine.Bytes(v, p.Division, list, p.Outputs, p.Table)
	corpus := min(2*float64(p.Vocab.Total()), vocab.ResidentBytes) // most ids take less than two bytes
	bytes := inUse + list.Bytes()*(p.shared(1)+float64(p.Copies)) + float64(p.Workers+p.Readers)*each + p.indexBytes() + corpus + p.Start.MarkBytes()
	if v.Counts() {
		memory, _ := CountBytes(c, p.Tokens, len(words))
		bytes += float64(memory) - float64(p.Workers)*each
		if in, ok := list.Find(v.Input()); ok { // the sums of both sides
			bytes += float64(in.Rows) * in.RowBytes()
		}
	}
	if p.Beside != nil {
		bytes += p.shared(p.Beside(list))
	}
	bytes = max(bytes, least) // memory for training, and for numbering rows
	if p.Start != nil {
		var editing float64 // memory for starting from vectors
		for m := range list.Owned() {
			editing += m.EditBytes()
		}
		bytes = max(bytes, inUse+p.shared(list.Bytes())+p.indexBytes()+p.Start.MarkBytes()+editing)
	}
	if copies := p.shared(list.CopiedBytes()); Fits(c, bytes+copies, false) == nil {
		bytes += copies
	} else { // groups only make training faster
		for i := range list {
			list[i].Copied = nil
		}
	}
	plan := Plan{
		Words:    len(words),
		Rows:     p.Table.Rows(),
		Bytes:    uint64(bytes),
		Added:    uint64(bytes - inUse),
		Threads:  threads,
		Matrices: Shapes(list),
		Means:    v.Around(),
		Finishes: v.Finishes(),
		touched:  touched(c, p.Vocab, p.Keep, list),
	}
	return plan, Fits(c, bytes, false)
}

// shared returns the part of this process in bytes that several processes share.
func (p *Planner) shared(bytes float64) float64 { return bytes / float64(max(p.Sharing, 1)) }

func touched(c config.Config, v *vocab.Vocab, keep []float64, list params.List) iter.Seq2[int, []float32] {
	return func(yield func(int, []float32) bool) {
		words := WordsOf(c, v, keep)
		for m := range list.Owned() {
			touches := list.Touches(m, words)
			if touches == nil { // each token touches all
				touches = slices.Repeat([]float32{float32(words.Sum)}, m.Rows)
			}
			if !yield(m.Cols, touches) {
				return
			}
		}
	}
}

// CountBytes returns about how many bytes of memory and of temporary files counting pairs of words takes; 0 if the loss of c
// does not count.
func CountBytes(c config.Config, tokens uint64, words int) (memory, files uint64) {
	if !c.Counts() {
		return 0, 0
	}
	return uint64(counts.Bytes(tokens, words, c.Window, config.Threads(c))), uint64(counts.FileBytes(tokens, words, c.Window))
}

func (p *Planner) number(words []string) (err error) {
	if p.Restore != nil {
		if p.Table, err = p.Restore(); err != nil {
			return err
		}
	}
	if p.Table == nil {
		options := rowtable.Options{Separate: config.TuningOf(&p.Config).SeparateRows}
		if s := p.Start; s != nil {
			options.Marks = s.Marks
		}
		p.Table = rowtable.New(words, p.Config.Subword, options)
	}
	p.Division = Given(p.Config, p.Sizes)
	if p.Sizes == nil {
		p.Division = engine.Divide(p.Variant, p.Outputs, p.Table, p.Keep, p.Division)
	}
	return nil
}

// numbered reports too many output rows for 32-bit row numbers.
func numbered(words, heads int) error {
	if rows := float64(words) * float64(heads); rows > math.MaxUint32 {
		return fmt.Errorf("sgns: %d words for each of %d positions have more output rows than the %d that there can be: take a smaller window, or fewer words", words, heads, uint32(math.MaxUint32))
	}
	return nil
}

// numberingBytes is the memory for assigning rows to words and n-grams: the n-grams of all words, and a row
// and a signature for every bucket. Weighted words need weights and cells for each entry instead.
func (p *Planner) numberingBytes(words []string) float64 {
	indexer := p.Config.Subword
	bytes, pieces := p.Start.MarkBytes(), subword.CountPieces(indexer, words)
	if p.Variant.Texts() { // how texts use words and runs, and what that makes of words and buckets
		members := float64(len(words))
		if indexer != nil {
			members += float64(indexer.Rows())
		}
		return bytes + 16*float64(len(words)+p.Variant.RunBuckets()) + (16+1+4)*members + 12*(pieces+float64(len(words)))
	}
	switch {
	case indexer == nil:
		return bytes
	case subword.CompositionOf(indexer).Learned(indexer).Any():
		return bytes + 12*pieces
	}
	return bytes + 24*float64(indexer.Rows()) + 4*pieces
}

// indexBytes is the size of the row lists of words, and of temporary lists of their names.
func (p *Planner) indexBytes() float64 {
	const name = 80
	entries, words := float64(p.Table.Entries()), float64(p.Vocab.Len())
	bytes := name*words + 8*entries + 4*float64(len(p.Table.Cells())) + 4*float64(len(p.Table.BucketRow))
	if p.Config.Freeze != config.FreezeNone { // lists of rows that are not frozen
		bytes += 4*entries + 8*words
	}
	return bytes + p.Variant.PreparedBytes(p.Vocab, p.Outputs) + p.Variant.Composition.PreparedBytes(p.Table)
}

// Shapes describes all matrices of a list that have rows.
func Shapes(list params.List) (all []MatrixShape) {
	for _, m := range list {
		if m.Rows > 0 {
			all = append(all, MatrixShape{Name: m.Name, Title: m.Title, Rows: m.Rows, Cols: m.Cols, Bytes: m.NumberBytes(), Output: m.Role == params.Output, SameAs: m.SameAs, Passing: m.Passing})
		}
	}
	return all
}

// A MemoryError says that a run needs more memory than there is.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // source of Have: "this machine's memory", or a lower limit of the process
	AtLeast    bool   // Need is a lower bound, because n-grams, which also take memory, are not numbered yet
}

func (e *MemoryError) Error() string {
	needs := "about"
	if e.AtLeast {
		needs = "at least"
	}
	return fmt.Sprintf("training needs %s %s of memory, and %s is %s: fewer dimensions, words or buckets need less",
		needs, size(e.Need), e.Limit, size(e.Have))
}

func size(bytes uint64) string {
	if bytes < 999_950_000 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

const addressable = min(math.MaxInt, 1<<46)

// Fits returns a *MemoryError if the process cannot have so many bytes.
func Fits(c config.Config, bytes float64, atLeast bool) error {
	have, limit := sysinfo.MemoryLimit()
	if c.Force || have == 0 || have > addressable {
		have, limit = addressable, "all that a program can address"
	}
	if bytes > float64(have) {
		return &MemoryError{Need: uint64(min(bytes, 1<<62)), Have: have, Limit: limit, AtLeast: atLeast}
	}
	return nil
}

// WordsOf returns how often training uses each word, if it keeps each with such a probability.
func WordsOf(c config.Config, v *vocab.Vocab, keep []float64) params.Words {
	w := params.Words{Kept: slices.Clone(keep), Drawn: counting.Powers(v.Counts(), c.NSExponent)}
	for i := range w.Kept {
		w.Kept[i] *= float64(v.Count(i)) / float64(max(v.Total(), 1))
		w.Sum += w.Kept[i]
	}
	var all float64
	for _, x := range w.Drawn {
		all += x
	}
	for i := range w.Drawn {
		w.Drawn[i] = w.Drawn[i] / all * (negative * float64(c.Negatives) * w.Sum)
	}
	return w
}

// negative is the weight of a negative: it usually scores low already, and moves little.
const negative = 0.2

// Sizes are what the state of a run depends on besides its configuration: how the work was divided when the
// run began. Other programs may divide it differently. A resumed run keeps the sizes of its checkpoint, so
// that its result has the same bits. The names in JSON, such as round and stretch, are part of the file
// format and must not change.
type Sizes struct {
	step.Division
	Whole bool `json:"whole,omitempty"` // frequent words are not subsampled because the corpus is small

	// Sizes that are constants of this program.
	Text     int `json:"text"`     // most tokens in a text
	Sentence int `json:"sentence"` // most tokens in a sentence
	Chunk    int `json:"chunk"`    // least tokens in a chunk of the corpus
}

// LeastSubsampled is the smallest number of tokens of a corpus whose frequent words are subsampled, for any
// Config.Sample. In a smaller corpus, subsampling would leave too little to learn from.
const LeastSubsampled = 5000

// Sample returns the subsampling threshold for so many tokens; z are the sizes of a resumed run, or nil.
func Sample(c config.Config, z *Sizes, tokens uint64) float64 {
	whole := tokens < LeastSubsampled && !config.TuningOf(&c).Subsample
	if z != nil {
		whole = z.Whole
	}
	if whole {
		return 0
	}
	return c.Sample
}

// SizesOf returns the sizes of a run with the subsampling threshold sample.
func SizesOf(c config.Config, d step.Division, sample float64) *Sizes {
	return &Sizes{
		Division: d, Whole: sample != c.Sample,
		Text: step.MaxText, Sentence: vocab.MaxSentence, Chunk: vocab.ChunkTokens,
	}
}

// Given returns the division with the sizes that are given, by z or by the tuning; zeros are to be chosen.
func Given(c config.Config, z *Sizes) step.Division {
	if z != nil {
		return z.Division
	}
	return config.TuningOf(&c).Division
}

// Runnable returns an error if this program cannot train with the sizes.
func (z *Sizes) Runnable(v *variant.Variant) error {
	for _, fixed := range []struct {
		name       string
		was, known int
	}{
		{"texts", z.Text, step.MaxText},
		{"sentences", z.Sentence, vocab.MaxSentence},
		{"chunks of the corpus", z.Chunk, vocab.ChunkTokens},
	} {
		if fixed.was != fixed.known {
			return unrunnable("%s of %d tokens, and this program has %d", fixed.name, fixed.was, fixed.known)
		}
	}
	if z.Centres < 1 || z.Centres > engine.MaxCentres {
		return unrunnable("blocks of %d centres, and this program has from 1 to %d", z.Centres, engine.MaxCentres)
	}
	switch draws := z.Draws; {
	case v.Draws() == 0 && draws != 0:
		return unrunnable("%d negatives a block, and its loss has none", draws)
	case v.Draws() > 0 && (draws < 1 || draws > math.MaxInt32 || draws%v.Heads() != 0):
		return unrunnable("%d negatives a block, and this program draws a multiple of %d from 1 to %d", draws, v.Heads(), math.MaxInt32)
	}
	if n, window := z.Contexts, v.Run.Window; !(n >= 0 && n <= 2*float64(window)) || !v.Around() && n != 0 {
		return unrunnable("%v contexts for a centre, of windows of %d", n, window)
	}
	if v.ColumnParallel() != (z.SuperStep > 0) || z.SuperStep < 0 || z.SuperStep > step.MaxText/z.Centres {
		return unrunnable("steps of %d blocks, and this program has from 1 to %d where several threads train deterministically, and 0 elsewhere", z.SuperStep, step.MaxText/z.Centres)
	}
	if !(z.Threshold >= 0 && z.Threshold <= 1) {
		return unrunnable("errors rounded to %v, and this program rounds them to 0 to 1 of their weight", z.Threshold)
	}
	if !(z.Projection >= 0 && z.Projection <= 1) || !v.Composition.Projects() && z.Projection != 0 {
		return unrunnable("a projection that moves %v of what rows move, and this program has 0 to 1, and 0 without a rank", z.Projection)
	}
	most := z.Step()
	if (v.Run.Subword != nil || v.Texts()) != (z.Cached > 0) || z.Cached < 0 || z.Cached > step.MaxText || z.Cached%most != 0 {
		return unrunnable("words composed for %d tokens, and this program does so for a multiple of %d up to %d with n-grams, and for 0 without", z.Cached, most, step.MaxText)
	}
	return divisible(v, z.Segments)
}

func divisible(v *variant.Variant, segments []int) error {
	if !v.ColumnParallel() {
		if len(segments) > 0 {
			return unrunnable("columns that a group divides, and there is none")
		}
		return nil
	}
	dim := v.Run.Dim
	for i, first := range segments {
		last := i == len(segments)-1
		if i == 0 && first != 0 || i > 0 && first <= segments[i-1] || last && first != dim || !last && first%simd.Lanes != 0 {
			return unrunnable("columns divided at %d, and this program divides %d at multiples of %d", segments, dim, simd.Lanes)
		}
	}
	if len(segments) < 2 {
		return unrunnable("columns divided at %d, and this program divides them from 0 to %d", segments, dim)
	}
	return nil
}

// MeanContexts returns the mean number of contexts of a centre, if each word is kept with probability keep.
func MeanContexts(ids *vocab.IDs, words *vocab.Vocab, r settings.Run, keep []float64) float64 {
	return arch.MeanContexts(ids, r.Window, r.WindowMode, arch.KeptOf(words, keep))
}

// unrunnable is the error of sizes that this program cannot train with.
func unrunnable(format string, args ...any) error {
	return errors.New("the checkpoint began with " + fmt.Sprintf(format, args...) + ": resume it with the w2v that made it, or train again")
}

// A Placement says on which processors workers run, and which of them share copies of rows: see step.Copies.
type Placement struct {
	Groups     []int   // group of each worker; groups are in order
	Processors [][]int // on which each worker stays; nil if the system may move it

	// Of all processes, if several train the same rows; 0 for those of this process.
	Number  int // of groups
	Workers int
}

// mostGroups is the largest number of groups. In more of them, what a group has learned would take longer to
// reach the others.
const mostGroups = 8

// Place places so many workers, of which so many can run at the same time. domains are the processors that share a
// cache; nil if that is not known.
func Place(affinity config.Affinity, workers, atOnce int, domains [][]int) (Placement, error) {
	all := slices.Concat(domains...)
	switch {
	case affinity == config.AffinityNone, affinity == config.AffinityAuto && (len(domains) < 2 || workers < len(all)):
		if workers > atOnce { // those that take turns on a processor would share too little with those that run
			return Placement{}, nil
		}
		return Placement{Groups: divided(workers, groupsOf(workers))}, nil
	case len(all) == 0:
		return Placement{}, errors.New("sgns: affinity " + string(affinity) + ": this system does not say which processors share a cache; leave it to the system with affinity none")
	}
	// Workers fill one domain after the other.
	p := Placement{Processors: make([][]int, workers)}
	used := 0
	of := make([]int, workers)
	for k := range workers {
		at := all[k*len(all)/max(workers, len(all))]
		domain := slices.IndexFunc(domains, func(d []int) bool { return slices.Contains(d, at) })
		of[k], used = domain, domain+1
		if p.Processors[k] = domains[domain]; affinity == config.AffinityCores {
			p.Processors[k] = []int{at}
		}
	}
	groups := groupsOf(used)
	if workers > atOnce {
		return p, nil
	}
	for _, domain := range of {
		p.Groups = append(p.Groups, domain*groups/used)
	}
	return p, nil
}

// groupsOf returns the number of groups of so many workers or domains: a power of two, so that numbers of words are
// quickly divided among them.
func groupsOf(n int) int { return min(1<<(bits.Len(uint(n))-1), mostGroups) }

// divided divides workers into groups.
func divided(workers, groups int) (of []int) {
	for k := range workers {
		of = append(of, k*groups/workers)
	}
	return of
}

// Threads learn from each other through the rows of the model (Hogwild). Groups of threads have copies of the
// rows that change most.
const (
	// betweenMeetings is how many changes by a worker lie between two meetings of a copy and its row. With fewer,
	// more rows move between processors. docs/benchmarks.md has the measurements.
	betweenMeetings = 64
	// mostCopied is how many bytes the copies of a group may take: a part of a last-level cache.
	mostCopied = 16 << 20
	// leastMeetings is how often the copy of a group meets its row in the run, at least, and each worker lets them meet
	// at least once. If they met more seldom, groups would train rows of their own.
	leastMeetings = 4
	// mostApart is the largest part of the draws that may be of words without copies if groups draw different ones.
	// Otherwise a text would be told apart from too few words.
	mostApart = 0.5
)

// copy chooses the rows of which groups have copies: those that change most.
func (p *Planner) copy() {
	groups := p.Placement.groups()
	if groups < 2 || p.Variant.Counts() || p.Config.Sharing == config.SharingHogwild || p.Config.Freeze != config.FreezeNone {
		return
	}
	words := WordsOf(p.Config, p.Vocab, p.Keep)
	for i, m := range p.List {
		if m.Role != params.Output || m.SameAs != "" {
			continue
		}
		least := betweenMeetings * float64(max(leastMeetings*groups, max(len(p.Placement.Groups), p.Placement.Workers))) / (float64(p.Tokens) * float64(p.Config.Epochs))
		touches := p.List.StepTouches(m, words)
		rows := often(touches, least, int(mostCopied/(2*m.RowBytes())))
		if len(rows) == 0 || float64(len(touches)+2*len(rows)*groups) > math.MaxUint32 { // rows have numbers of 32 bits
			continue
		}
		c := params.NewCopied(rows, len(touches), groups, betweenMeetings)
		var cold, all float64
		for word, drawn := range words.Drawn {
			all += drawn
			if word < m.Rows && c.Slots[word] == uint32(len(rows)) {
				cold += drawn
			}
		}
		c.Apart = cold <= mostApart*all && groups == groupsOf(groups)
		p.List[i].Copied = c
	}
}

// often returns the rows that change at least so often, at most so many, in the order of how often they change.
func often(touches []float32, least float64, most int) (rows []uint32) {
	for row, x := range touches {
		if float64(x) >= least {
			rows = append(rows, uint32(row))
		}
	}
	slices.SortStableFunc(rows, func(a, b uint32) int { return cmp.Compare(touches[b], touches[a]) })
	return slices.Clone(rows[:min(len(rows), most)])
}

// groups returns the number of groups.
func (p Placement) groups() int {
	if len(p.Groups) == 0 || p.Number > 0 {
		return p.Number
	}
	return p.Groups[len(p.Groups)-1] + 1
}

// Beside places the workers beside those of other processes that train the same rows. Each process has groups of its own, as
// many as the others: at most so many. rank is the number of this process.
func (p *Placement) Beside(rank, processes, groups, workers int) {
	own := p.groups()
	each := groupsOf(max(min(groups, mostGroups/processes), 1))
	if own == 0 || groups == 0 || processes > mostGroups {
		p.Groups = nil
		return
	}
	for k, group := range p.Groups {
		p.Groups[k] = rank*each + group*each/own
	}
	p.Number, p.Workers = processes*each, workers
}

// Here places workers on this machine. If each is watched, it is placed as if it had a processor of its own.
func Here(c config.Config, workers int, watched bool) (Placement, error) {
	atOnce := runtime.GOMAXPROCS(0)
	if watched {
		atOnce = workers
	}
	return Place(c.Affinity, workers, atOnce, sysinfo.CacheDomains())
}

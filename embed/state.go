package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"time"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// A state says what is in a partial file.
type state struct {
	Format  string `json:"format"`
	Run     string `json:"run"` // see identity
	Rows    uint64 `json:"rows"`
	Without uint64 `json:"without"`
	Texts   uint32 `json:"texts"` // checksum of the texts
	Bytes   int64  `json:"bytes"`
	// Groups is what the metadata at the end of a Parquet file says of its row groups.
	Groups [][]byte `json:"groups,omitempty"`
}

const stateFormat = "w2v-embed-1"

// identity describes what the bytes of the file depend on, besides the texts.
func identity(words *query.Finder, pooler *pooling.Pooler, o Options) string {
	set := words.Set()
	sum := crc32.New(castagnoli)
	v := make([]float32, set.Dim())
	const sampled = 1000
	for i := range min(sampled, set.Len()) {
		id := i * set.Len() / min(sampled, set.Len())
		set.WordVector(v, id)
		codes, _ := F32.append(nil, v)
		_, _ = sum.Write(append(codes, set.Words().At(id)...)) // a checksum has no errors
	}
	training, _ := json.Marshal(set.Training())
	_, _ = sum.Write(training)
	_, _ = sum.Write(set.Training().Attached("tokenizer.json"))
	return fmt.Sprintf("model %d×%d %08x case %v pooling %s %v as %s name %q text %v fields %q", set.Len(), set.Dim(), sum.Sum32(), words.IgnoresCase(),
		pooler.Method(), pooler.Smoothing(), o.Code, o.As, !o.NoText, fmt.Sprintf("%+v", o.Fields))
}

// A sink writes blocks in order.
type sink struct {
	path, partial string
	form          form
	table         *table // of Parquet; nil for files whose blocks are written as they are
	every         time.Duration
	progress      func(uint64, float64)
	fraction      func() float64 // of the files that was read
	file          *atomicfile.Partial
	free          chan *block // that can be used again

	rows    state // of all rows so far
	done    state // what the file has, as far as a state may say it: of Parquet whole row groups
	resumed uint64
	result  Result
	saved   time.Time
	told    time.Time
	wrong   error // of writing
}

// begin opens the file, and what an interrupted run has left.
func begin(path string, layout form, dim int, o Options, run string) (*sink, error) {
	if path == "-" {
		return nil, errors.New("vectors of a corpus go to a file: w2v sentence writes to standard output")
	}
	partial, err := atomicfile.PartialPath(path)
	if err != nil {
		return nil, err
	}
	s := &sink{path: path, partial: partial, form: layout, every: o.SaveEvery, progress: o.Progress, saved: time.Now(), told: time.Now()}
	if s.every == 0 {
		s.every = 30 * time.Second
	}
	s.free = make(chan *block, 4*runtime.GOMAXPROCS(0))
	s.done = state{Format: stateFormat, Run: run}
	if f, ok := layout.(tabular); ok {
		if s.table, err = newTable(f, dim, toFile{s}); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	err = s.open(o.Restart)
	s.rows = s.done
	return s, err
}

// toFile writes to the file of a sink.
type toFile struct{ *sink }

func (s toFile) Write(b []byte) (int, error) { return s.file.Write(b) }

func (s *sink) statePath() string { return s.partial + ".json" }

func (s *sink) open(restart bool) (err error) {
	text, err := os.ReadFile(s.statePath())
	if _, missing := os.Stat(s.partial); errors.Is(missing, fs.ErrNotExist) { // the file took its place already
		restart = true
	}
	switch {
	case restart || errors.Is(err, fs.ErrNotExist):
		if err := os.Remove(s.statePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if s.file, err = atomicfile.OpenPartial(s.path, 0); err != nil {
			return err
		}
		head := s.form.head(0)
		s.done.Bytes = int64(len(head))
		_, err = s.file.Write(head)
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", s.path, err), s.file.Remove())
		}
		return nil
	case err != nil:
		return err
	}
	var was state
	if err := json.Unmarshal(text, &was); err != nil || was.Format != stateFormat || was.Rows > math.MaxInt64 || was.Bytes < int64(len(s.form.head(0))) {
		return fmt.Errorf("%s: says nothing of an interrupted run: remove it, or restart", s.statePath())
	}
	if was.Run != s.done.Run {
		return fmt.Errorf("%s: was written with another model or other options: remove it, or restart", s.partial)
	}
	if s.table != nil {
		if rows, err := s.table.to.Continue(was.Bytes, was.Groups); err != nil || uint64(rows) != was.Rows {
			return fmt.Errorf("%s: what it says of row groups is damaged: remove it, or restart", s.statePath())
		}
	}
	if s.file, err = atomicfile.OpenPartial(s.path, was.Bytes); err != nil {
		return fmt.Errorf("%w: remove %s, or restart", err, s.statePath())
	}
	s.done, s.resumed = was, was.Rows
	return nil
}

// block returns an empty block.
func (s *sink) block() *block {
	select {
	case b := <-s.free:
		b.reset()
		return b
	default:
		return new(block)
	}
}

// add writes a block.
func (s *sink) add(b *block) error {
	if b == nil {
		return nil
	}
	if b.left.Tokens > 0 {
		s.result.TooLong.Add(b.left)
	}
	err := s.write(b)
	select {
	case s.free <- b:
	default:
	}
	return err
}

// write writes the data of a block.
func (s *sink) write(b *block) error {
	if b.rows() == 0 {
		return nil
	}
	if s.table == nil {
		if _, err := s.file.Write(b.data); err != nil {
			return s.failed(err)
		}
		s.rows.Bytes += int64(len(b.data))
	}
	for i, sum := range b.sums {
		s.rows.Rows++
		s.rows.Texts = updated(s.rows.Texts, sum)
		if !b.some[i] {
			s.rows.Without++
		}
		if s.table == nil {
			continue
		}
		if s.table.add(b, i); s.table.full() {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	if s.table == nil {
		s.done = s.rows
	}
	now := time.Now()
	if s.progress != nil && now.Sub(s.told) > 100*time.Millisecond {
		s.told = now
		s.progress(s.rows.Rows, s.fraction())
	}
	if now.Sub(s.saved) >= s.every && s.done.Rows > 0 {
		s.saved = now
		return s.save()
	}
	return nil
}

// failed returns an error of writing, behind which nothing may be kept.
func (s *sink) failed(err error) error {
	s.wrong = err
	return fmt.Errorf("%s: %w", s.path, err)
}

// flush writes the row group of a table.
func (s *sink) flush() error {
	if err := s.table.flush(); err != nil {
		return s.failed(err)
	}
	s.rows.Bytes, s.rows.Groups = s.table.to.Size(), s.table.to.Groups()
	s.done = s.rows
	return nil
}

// finish writes the last row group and the metadata of a table.
func (s *sink) finish() error {
	if s.table == nil {
		return nil
	}
	if err := s.flush(); err != nil {
		return err
	}
	if err := s.table.to.Close(); err != nil {
		return s.failed(err)
	}
	return nil
}

// save puts what is done on the disk.
func (s *sink) save() error {
	if err := s.file.Sync(); err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	text, err := json.Marshal(s.done)
	if err != nil {
		return err
	}
	return atomicfile.Write(s.statePath(), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// end ends the run: the file takes its place, or is kept for the next run.
func (s *sink) end(err error) (*Result, error) {
	if err == nil {
		err = s.finish()
	}
	if err == nil {
		err = s.commit()
		if err == nil {
			s.result.Rows, s.result.Without, s.result.Resumed = s.done.Rows, s.done.Without, s.resumed
			return &s.result, nil
		}
		return nil, s.kept(err)
	}
	saveErr := s.wrong
	if saveErr == nil && s.done.Rows > 0 {
		saveErr = s.save()
	}
	closeErr := s.file.Close()
	if s.wrong == nil && saveErr == nil && s.done.Rows > 0 {
		return nil, errors.Join(s.kept(err), closeErr)
	}
	if _, missing := os.Stat(s.statePath()); missing != nil { // nothing says what is in the file
		_ = os.Remove(s.partial)
		return nil, err
	}
	return nil, s.kept(err)
}

func (s *sink) kept(err error) error {
	return &InterruptedError{s.partial, s.done.Rows, err}
}

func (s *sink) commit() error {
	if head := s.form.head(s.done.Rows); len(head) > 0 {
		if _, err := s.file.WriteAt(head, 0); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", s.path, err), s.file.Close())
		}
	}
	if err := s.file.Commit(); err != nil {
		return err
	}
	if err := os.Remove(s.statePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

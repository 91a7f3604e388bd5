package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/fileuse"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// save writes the model, and records its place in the result. If training was interrupted, a
// checkpoint is enough; without a checkpoint save writes the unfinished model, which never replaces
// a model that may be complete. A model that cannot be written to its place goes to the folder for
// temporary files. When the context saving ends, nothing more is saved.
func (r *run) save(ctx, saving context.Context, result *Result) error {
	var unsaved error
	if err := r.checkpoints.err; err != nil {
		unsaved = fmt.Errorf("the checkpoint could not be written: %w", err)
	}
	hasCheckpoint := r.checkpoints.file != "" && unsaved == nil
	if hasCheckpoint {
		result.Checkpoint = r.checkpoints.file
	}
	if !result.Complete && hasCheckpoint {
		result.Resumable = true
		return nil
	}
	if result.Progress.Tokens == 0 || saving.Err() != nil {
		return unsaved // there is nothing to save, or nowhere to save it
	}
	if err := r.warm.close(); err != nil { // the output may replace the file of these vectors
		return err
	}
	unsaved = errors.Join(unsaved, r.encode(result))
	if r.options.Output == "" {
		return unsaved
	}
	err := r.writeModel(ctx, saving, result)
	switch {
	case err == nil:
		return unsaved
	case saving.Err() != nil:
		return errors.Join(unsaved, err)
	case hasCheckpoint:
		result.Resumable = true
		return fmt.Errorf("the model could not be written: %w", err)
	}
	unsaved = errors.Join(unsaved, fmt.Errorf("the model could not be written: %w", err))
	refuge, err := format.Rescue(saving, result.Vectors)
	if err != nil {
		return unsaved
	}
	result.Output = refuge
	return errorf("%v; the model is saved as %s: %v puts it where it should be", unsaved, refuge, name("convert"))
}

// writeModel writes the model to its file, or next to it if training was interrupted.
func (r *run) writeModel(ctx, saving context.Context, result *Result) error {
	output := r.options.Output
	event := Saving{File: output, Complete: result.Complete, Interrupted: ctx.Err() != nil}
	if result.Complete {
		defer context.AfterFunc(ctx, func() {
			event.Interrupted = true
			r.hooks.Saving(event)
		})()
	} else {
		output = format.Unfinished(output, r.format)
		event.File = output
		r.hooks.Saving(event)
	}
	writable, err := r.writable(result.Vectors)
	if err != nil {
		return fmt.Errorf("%s: %w", output, err)
	}
	if err := format.Write(saving, output, writable, r.format); err != nil {
		return err
	}
	result.Output, result.Format = output, r.format
	result.LeftOut = format.LeavesOut(result.Vectors, r.format).List()
	return nil
}

// writeEpoch writes the model at the end of an epoch.
func (r *run) writeEpoch(ctx context.Context, set *vectors.Set, path string) error {
	set, _, err := r.inFileOrder(set)
	if err != nil {
		return err
	}
	return format.Write(ctx, path, set, format.W2V)
}

func (r *run) encode(result *Result) error {
	if r.options.Writer == nil || !result.Complete {
		return nil
	}
	writable, err := r.writable(result.Vectors)
	if err == nil {
		err = format.Encode(r.options.Writer, writable, r.format)
	}
	if err != nil {
		return fmt.Errorf("the model could not be written: %w", err)
	}
	result.Format = r.format
	return nil
}

// writable returns the model without the words that the options leave out. It notes misread ones.
func (r *run) writable(model *vectors.Set) (writable *vectors.Set, err error) {
	if writable = model; r.options.SkipUnwritable {
		var skipped []*format.UnwritableWord
		writable, skipped, err = convert.Writable(model, r.format)
		if err == nil && len(skipped) > 0 {
			r.hooks.Skipped(skipped, r.format)
		}
	}
	for _, note := range format.Misread(writable, r.format) {
		r.hooks.Note(messagef("%s", note))
	}
	return writable, err
}

func place(option name, use fileuse.Use, path string) fileuse.Place {
	return fileuse.Place{Role: option, Use: use, Path: path}
}

// checkTargets checks early that all files can be written where the options say.
func (r *run) checkTargets() error {
	if r.options.Output != "" {
		if err := format.CheckTarget(r.options.Output, r.format); err != nil {
			return err
		}
	}
	if folder := r.options.Evaluation.EpochModels; folder != "" {
		if err := r.checkEpochModels(folder); err != nil {
			return err
		}
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return compression.Named(folder, err)
		}
	}
	for _, path := range []string{r.options.Vocabulary.Save, r.checkpoints.file} {
		if path == "" {
			continue
		}
		if err := atomicfile.Check(path); err != nil {
			return err
		}
	}
	return nil
}

// checkEpochModels returns an error if a new run would write its models among those of another, which may have had more epochs.
func (r *run) checkEpochModels(folder string) error {
	if r.from != nil {
		return nil
	}
	found, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return compression.Named(folder, err)
	}
	for _, file := range found {
		if ofEpoch.MatchString(file.Name()) && !file.IsDir() {
			return optionErrorf("%v: the folder has the models of another run, such as %s: give a new folder, or go on with that run by %v", name("epoch-models").to(folder), file.Name(), name("resume").to("FILE"))
		}
	}
	return nil
}

// ofEpoch matches the names of Evaluation.epochModel.
var ofEpoch = regexp.MustCompile(`^epoch-[0-9]+\.w2v$`)

func (r *run) written() ([]fileuse.Place, error) {
	var all []fileuse.Place
	if output := r.options.Output; output != "" {
		files, err := format.TargetFiles(output, r.format)
		if err != nil {
			return nil, err
		}
		model := place("output", fileuse.Writes, "")
		model.Updates = []any{name("init")} // the vectors are in memory by then
		for _, model.Path = range files {
			all = append(all, model)
		}
		if d, err := format.Describe(r.format); err == nil && d.Folder {
			model.Use, model.Path = fileuse.Replaces, output
			all = append(all, model)
		}
	}
	checkpoint := place("checkpoint", fileuse.Writes, r.checkpoints.file)
	if r.from != nil {
		checkpoint.Updates = []any{name("resume")} // it holds the next checkpoint of the same run
	}
	others := []fileuse.Place{place("save-vocab", fileuse.Writes, r.options.Vocabulary.Save), checkpoint, place("cache", fileuse.Keeps, r.options.Cache), place("epoch-models", fileuse.Keeps, r.options.Evaluation.EpochModels)}
	for _, f := range r.options.Files {
		others = append(others, place(name(f.Name), fileuse.Writes, f.Path))
	}
	return append(all, slices.DeleteFunc(others, func(p fileuse.Place) bool { return p.Path == "" })...), nil
}

func (r *run) read(source *corpus.Source) (all []fileuse.Place) {
	o := &r.options
	all = append(all, place("vocab", fileuse.Reads, o.Vocabulary.File), place("phrase-table", fileuse.Reads, o.PhraseTable), place("resume", fileuse.Reads, o.Checkpoint.Resume))
	if file := o.Settings.Text.File; file != nil {
		all = append(all, place("tokenizer", fileuse.Reads, file.Path()))
	}
	if o.Init.File != "" && o.Init.File != o.Checkpoint.Resume {
		all = append(all, place("init", fileuse.Reads, o.Init.File))
		// The words of a matrix are in a file beside it.
		if beside, err := format.TargetFiles(o.Init.File, format.Npy); err == nil {
			all = append(all, place("init", fileuse.Reads, beside[1]))
		}
	}
	for _, set := range r.evaluator.sets {
		all = append(all, place("eval", fileuse.Reads, set.path))
	}
	add := func(role any, source *corpus.Source) {
		for _, path := range source.Files() {
			all = append(all, fileuse.Place{Role: role, Path: path})
		}
	}
	if r.evaluator.source != nil {
		add(name("validate"), r.evaluator.source)
	}
	add("the corpus", source)
	return all
}

func (r *run) checkDistinct(source *corpus.Source, stdin io.Reader) error {
	all, err := r.written()
	if err != nil {
		return err
	}
	all = append(all, r.read(source)...)
	if file, ok := stdin.(*os.File); ok {
		all = append(all, fileuse.Place{Role: "the corpus", Open: file})
	}
	if conflict := fileuse.Check(all); conflict != nil {
		return optionErrorf(conflict.Format, conflict.Args...)
	}
	return nil
}

func (r *run) checkReplaced() error {
	written, err := r.written()
	if err != nil {
		return err
	}
	taken := func(path string) bool {
		return slices.ContainsFunc(written, func(p fileuse.Place) bool { return atomicfile.Same(p.Path, path) })
	}
	own := r.from != nil && atomicfile.Same(r.checkpoints.file, r.resumed.file)
	if err := r.checkpoints.checkReplaced(own, taken); err != nil {
		return err
	}
	output := r.options.Output
	if info, err := os.Stat(output); output != "" && err == nil && info.Mode().IsRegular() {
		if state, err := format.HasState(output); err == nil && state {
			return errorf("%s: is a checkpoint, which the model would replace: name another file with %v, or move it away", output, name("output").to("FILE"))
		}
	}
	return nil
}

// lock locks the run's files against other processes, and notes files that have no lock.
func (r *run) lock() error {
	paths := []string{r.options.Output, r.checkpoints.file, r.options.Vocabulary.Save}
	for _, f := range r.options.Files {
		paths = append(paths, f.Path)
	}
	for _, path := range slices.DeleteFunc(paths, func(path string) bool { return path == "" }) {
		lock, err := atomicfile.NewLock(path)
		none, lockless := errors.AsType[*atomicfile.NoLockError](err)
		switch {
		case err == nil:
			r.locks = append(r.locks, lock)
		case !lockless:
			return err
		case !errors.Is(err, fs.ErrNotExist): // writing reports that the folder is missing
			r.hooks.Note(messagef("%v", none))
		}
	}
	if r.from == nil {
		return nil
	}
	return r.resumed.unchanged(r.checkpoints.file, r.hooks.Note)
}

func (r *run) unlock() {
	for _, lock := range r.locks {
		lock.Release()
	}
}

// ofModel prefixes an error with a model's path, unless the error names the file.
func ofModel(path string, err error) error {
	if err == nil || errors.Is(err, vectors.ErrChanged) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// planned passes on the plan of the run, and checks that the disk has room for the run's files.
func (r *run) planned(v *vocab.Vocab, p sgns.Plan) error {
	plan := Plan{Plan: p, Counting: sysinfo.PeakMemory(), Settings: r.settings}
	if r.from != nil {
		plan.Resumed = &Resumed{File: r.resumed.file, Tokens: r.from.Tokens, Total: r.from.Total, Ended: r.from.Ended()}
		if r.resumed.again {
			plan.Resumed.Extended = r.options.Checkpoint.ExtendEpochs
		}
	}
	r.hooks.Plan(plan)
	if _, files := sgns.CountBytes(r.settings.Model, v.Total(), p.Words); files > 0 && !r.options.Force {
		folder := cmp.Or(r.options.Cache, os.TempDir())
		if err := checkBytes(filepath.Join(folder, "counts of pairs of words"), files); err != nil {
			return err
		}
	}
	if r.options.Output == "" && r.checkpoints.file == "" {
		return nil
	}
	shape := shapeOf(r.settings.Model, v, p)
	r.remarkLargeFile(shape)
	if r.options.Force {
		return nil
	}
	return r.checkSizes(r.fileSizes(shape, p))
}

func parameterBytes(p sgns.Plan) (bytes int) {
	for _, m := range p.Matrices {
		if m.SameAs == "" {
			bytes += floatBytes * m.Rows * m.Cols
		}
	}
	return bytes
}

// fileSizes estimates the sizes of the model and of a checkpoint; 0 for what is not written.
func (r *run) fileSizes(shape vectors.Shape, p sgns.Plan) (model, checkpoint uint64) {
	if output := r.options.Output; output != "" {
		model = format.EstimateSize(output, shape, r.format)
	}
	if ck := r.checkpoints.file; ck != "" {
		state := shape
		for _, m := range p.Matrices {
			switch {
			case m.Passing:
				state.Beside += floatBytes * m.Rows * m.Cols
			case m.Name == outputMatrix && r.settings.Model.Counts():
				state.ContextBytes = floatBytes * m.Cols
			}
		}
		if r.settings.Model.Patience > 0 {
			state.State = parameterBytes(p) // the checkpoint also holds the best vectors
		}
		checkpoint = format.EstimateSize(ck, state, format.W2V)
	}
	return model, checkpoint
}

// checkSizes checks that the disks have room for files of such sizes.
func (r *run) checkSizes(model, checkpoint uint64) error {
	output, need := r.options.Output, model
	if ck := r.checkpoints.file; ck != "" {
		more := 2 * checkpoint // the old and the new checkpoint exist together for a while
		if _, err := os.Stat(ck); err == nil && !r.checkpoints.to.slot.Foreign() {
			more = checkpoint
		}
		if err := checkBytes(ck, more); err != nil {
			return err
		}
		if filepath.Dir(ck) == filepath.Dir(output) {
			need += more - checkpoint
		}
	}
	if output != "" {
		return checkBytes(output, need)
	}
	return nil
}

// A file is large from largeFile bytes on, if it has largeRatio times the size of a native one.
const (
	largeFile  = 100e6
	largeRatio = 4
)

// remarkLargeFile remarks on formats that store untrained buckets of n-grams.
func (r *run) remarkLargeFile(shape vectors.Shape) {
	output := r.options.Output
	if output == "" {
		return
	}
	plain, _ := compression.SplitExt(output)
	native := strings.TrimSuffix(plain, filepath.Ext(plain)) + ".w2v"
	bytes, least := format.EstimateSize(output, shape, r.format), format.EstimateSize(native, shape, format.W2V)
	if bytes >= largeFile && bytes >= largeRatio*least && format.KeepsSubword(r.settings.Model.Subword, nil, r.format) {
		r.remark(remarkf(RemarkLargeFile, "%s will take %.0f MB, because the format %s stores all %s buckets, trained or not; %s takes %.0f MB, and %v makes fewer",
			output, float64(bytes)/1e6, r.format, wording.Thousands(shape.Buckets), native, float64(least)/1e6, name("buckets")))
	}
}

// Names of matrices that most models have: see docs/format.md.
const (
	inputMatrix  = "input"
	outputMatrix = "output"
)

const floatBytes = 4 // the size of a number as training writes it

func shapeOf(c sgns.Config, v *vocab.Vocab, p sgns.Plan) vectors.Shape {
	composed := subword.CompositionOf(c.Subword)
	shape := vectors.Shape{
		Words:    p.Words,
		Counts:   true,
		Dim:      c.Dim,
		Rows:     p.Rows,
		Pieces:   !composed.OwnRows(),
		Weighted: composed.Learned(c.Subword).Any(),
		Trained:  true,
	}
	var further vectors.Parts
	for _, m := range p.Matrices {
		switch {
		case m.Passing || m.Name == outputMatrix && c.Counts(): // no part of the model
		case m.Name == inputMatrix:
			shape.RowBytes = m.Bytes * m.Cols
		case m.Name == outputMatrix:
			shape.ContextBytes, shape.ContextMade = floatBytes*m.Cols, m.SameAs != ""
		default:
			shape.Beside += floatBytes * m.Rows * m.Cols
			further.Matrices = append(further.Matrices, vectors.NamedMatrix{Name: m.Name, Matrix: vectors.Matrix{Rows: m.Rows, Cols: m.Cols}})
		}
	}
	if _, made := further.MadeOutput(); made {
		shape.ContextBytes, shape.ContextMade = floatBytes*c.Dim, true
	}
	for _, token := range v.Tokens() {
		shape.Text += len(token)
	}
	if c.Subword != nil {
		shape.Buckets = c.Subword.Rows()
	}
	if c.Subword != nil && !shape.Weighted { // the file lists the rows shared by words and buckets
		shape.Listed = shape.Buckets
		if !shape.Pieces {
			shape.Listed += p.Words
		}
	}
	return shape
}

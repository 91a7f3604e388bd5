// Package corpus reads text and cuts it into sentences of tokens.
//
// A [Source] is a corpus: files, folders and globs ([Files], [FS]), a stream ([Stream]), or
// sentences that are in memory or come from an iterator ([Sentences], [Seq]). Compressed input
// is recognized by its content. [Options] choose the tokenizer.
//
// Source.Shards divides a corpus among workers, and each reads the tokens of its shards:
//
//	shards, err := source.Shards(workers)
//	…
//	for token, err := range shards[0].Tokens(ctx) { // a token is empty at the end of a sentence
//
// Training reads text once, however many epochs it has: [github.com/w2v-go/w2v/vocab.Index] turns a corpus
// into ids on disk. A [Numbered] is a corpus whose tokens are numbers from the start.
package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/parquet"
)

// A Source is a corpus: a sequence of inputs.
type Source struct {
	inputs  []input
	options Options
	stages  []func() Stage
	err     error // why the corpus cannot be read
	noText  error // why it has no shards, though it may have Rows
	files   bool  // made by Files

	part *portion // nil for the whole corpus

	numbered Numbered // used in place of text; else nil
}

// An input is one file or stream of a corpus.
type input struct {
	name   string
	number int // index in the corpus
	// size is where the text ends in a plain regular file, which allows random access. It is -1 for inputs
	// that can only be read from their start.
	size int64
	info fs.FileInfo // of a file, as of opening the corpus
	text int64       // where the text of a plain file begins, after the byte order mark
	tail bool        // the text before this one belongs to another part of the corpus

	stripe *portion // takes pieces of an input that is read from its start; nil for the whole input
	open   func(context.Context) (io.ReadCloser, error)
	file   bool    // name is the path of a file
	once   bool    // a stream that cannot be opened again
	stored *stored // of an object store; else nil

	metered *atomic.Int64 // receives the bytes that are read of what the input is derived from; nil for others

	separator rune   // separator of columns in a plain file
	column    int    // of text in a plain file; 0 if all is text
	parquet   bool   // a Parquet file
	table     *table // of a Parquet file whose column of text is known; else nil. Then size and text are not in bytes: see table

	sentences [][]string                 // used in place of text
	skipped   uint64                     // number of sentences before these
	seq       iter.Seq2[[]string, error] // used in place of text

	beginning *beginning // keeps the first bytes for a Sample if size is -1; else nil
}

// newSource returns the corpus of inputs. Those that are read as streams keep their first bytes for the sample.
func newSource(options Options, err error, inputs ...input) *Source {
	s := &Source{inputs: inputs, options: options, err: err}
	for _, in := range s.sampled() {
		if in.size < 0 && in.sentences == nil {
			in.beginning = &beginning{left: sampledBytes}
		}
	}
	return s
}

// Stream returns a corpus that is read from r, once. The stream may be compressed. Errors refer to it by
// name. If an option is invalid, Shards returns the error.
func Stream(name string, r io.Reader, options Options) *Source {
	return newSource(options, options.ready(), streamed(name, r))
}

func streamed(name string, r io.Reader) input {
	return input{name: name, size: -1, open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(r), nil }, once: true}
}

// Files returns the corpus of the named files, directories and globs, in the given order. A directory stands
// for all files below it in lexical order, except files and directories whose names begin with a dot, and
// directories behind symbolic links. Globs match such names only with an explicit dot. The name "-" stands
// for stdin. A name such as s3://bucket/folder/*.zst, gs://… or hdfs://… stands for objects that the commands aws, gcloud or
// gsutil, and hdfs list and write. Files returns an error if a name matches nothing or if an option is invalid.
func Files(names []string, stdin io.Reader, options Options) (*Source, error) {
	return FilesContext(context.Background(), names, stdin, options)
}

// FilesContext is Files with a context, which ends the listing of objects.
func FilesContext(ctx context.Context, names []string, stdin io.Reader, options Options) (*Source, error) {
	head := make([]byte, headSize)
	s, err := system.source(ctx, names, stdin, options, func(path string) (input, error) { return file(path, options, head) })
	if err != nil {
		return nil, err
	}
	s.files = true
	return s, nil
}

// FS returns the corpus of the named files, directories and globs of a file system, by the rules of Files.
// Names are those of package fs, with slashes; "." is the whole file system. Unlike in Files, one worker
// reads a large file.
func FS(fsys fs.FS, names []string, options Options) (*Source, error) {
	return treeOf(fsys).source(context.Background(), names, nil, options, func(path string) (input, error) {
		return input{name: path, size: -1, open: func(context.Context) (io.ReadCloser, error) { return fsys.Open(path) }}, nil
	})
}

// source returns the corpus of what names stand for. Standard input may be nil, then no name stands for it.
func (t tree) source(ctx context.Context, names []string, stdin io.Reader, options Options, file func(path string) (input, error)) (*Source, error) {
	if err := options.ready(); err != nil {
		return nil, err
	}
	var inputs []input
	for _, name := range names {
		if name == "-" && stdin != nil {
			if slices.ContainsFunc(inputs, func(in input) bool { return in.once }) {
				return nil, errors.New("standard input is named twice, and can be read only once")
			}
			inputs = append(inputs, streamed("standard input", stdin))
			continue
		}
		if t.stores {
			objects, ok, err := storedInputs(ctx, name)
			if err != nil {
				return nil, err
			}
			if inputs = append(inputs, objects...); ok {
				continue
			}
		}
		paths, err := t.expand(name)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			in, err := file(path)
			if err != nil {
				return nil, err
			}
			inputs = append(inputs, in)
		}
	}
	s := newSource(options, nil, inputs...)
	s.noText = tables(inputs)
	return s, nil
}

// Files returns the paths of the corpus's files.
func (s *Source) Files() []string {
	var paths []string
	for _, in := range s.inputs {
		if in.file {
			paths = append(paths, in.name)
		}
	}
	return paths
}

// Name returns a name of the corpus for messages.
func (s *Source) Name() string {
	if s.part != nil {
		return s.part.of.Name()
	}
	switch len(s.inputs) {
	case 0:
		return "the corpus"
	case 1:
		return s.inputs[0].name
	}
	return fmt.Sprintf("%s and %d more", s.inputs[0].name, len(s.inputs)-1)
}

type tree struct {
	stat func(name string) (fs.FileInfo, error)
	glob func(pattern string) ([]string, error)
	root func(folder string) (string, error) // returns the path at which walking a folder begins
	walk func(root string, fn fs.WalkDirFunc) error

	stores bool // names may have the scheme of a store
}

var system = tree{os.Stat, filepath.Glob, filepath.EvalSymlinks, filepath.WalkDir, true}

func treeOf(fsys fs.FS) tree {
	return tree{
		func(name string) (fs.FileInfo, error) { return fs.Stat(fsys, name) },
		func(pattern string) ([]string, error) { return fs.Glob(fsys, pattern) },
		func(folder string) (string, error) { return folder, nil },
		func(root string, fn fs.WalkDirFunc) error { return fs.WalkDir(fsys, root, fn) },
		false,
	}
}

func (t tree) expand(name string) (all []string, err error) {
	info, err := t.stat(name)
	switch {
	case err != nil && errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(name, `*?[`):
		return t.matches(name)
	case err != nil:
		return nil, named(name, err)
	case !info.IsDir():
		return []string{name}, nil
	}
	root, err := t.root(name)
	if err != nil {
		return nil, named(name, err)
	}
	err = t.walk(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return named(path, err)
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && path != root
		folder := entry.IsDir()
		if !hidden && entry.Type()&fs.ModeSymlink != 0 {
			target, err := t.stat(path)
			if err != nil {
				return named(path, err)
			}
			folder = target.IsDir() // linked folders are not entered, because links may form a cycle
		}
		switch {
		case hidden && folder:
			return fs.SkipDir
		case !hidden && !folder:
			all = append(all, path)
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: no files in this directory", name)
	}
	return all, err
}

func (t tree) matches(glob string) (all []string, err error) {
	paths, err := t.glob(glob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", glob, err)
	}
	if paths = withoutHidden(filepath.ToSlash(glob), paths); len(paths) == 0 {
		return nil, fmt.Errorf("%s: no file matches", glob)
	}
	for _, path := range paths {
		below, err := t.expand(path)
		if err != nil {
			return nil, err
		}
		all = append(all, below...)
	}
	return all, nil
}

// withoutHidden removes paths with a name that begins with a dot where the glob has no dot, as shells do.
func withoutHidden(glob string, paths []string) []string {
	patterns := strings.Split(glob, "/")
	return slices.DeleteFunc(paths, func(found string) bool {
		for i, name := range strings.Split(filepath.ToSlash(found), "/") {
			if strings.HasPrefix(name, ".") && i < len(patterns) && !strings.HasPrefix(patterns[i], ".") {
				return true
			}
		}
		return false
	})
}

// file inspects a file and reads its beginning into head.
func file(path string, options Options, head []byte) (input, error) {
	in := input{name: path, size: -1, file: true}
	info, err := os.Stat(path)
	if err != nil {
		return in, named(path, err)
	}
	in.info = info
	in.open = in.openWhole
	if !info.Mode().IsRegular() {
		return in, nil // a pipe or device is opened once, for reading
	}
	f, err := os.Open(path)
	if err != nil {
		return in, named(path, err)
	}
	defer f.Close()
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return in, named(path, err)
	}
	head = head[:n]
	if parquet.Begins(head) {
		return in.asTable(f, options)
	}
	// Files of size 0 may have content, such as those in /proc.
	if compression.Sniff(head) == compression.Plain && info.Size() > 0 {
		in.text = int64(markSize(head))
		if err := checkText(in, head); err != nil {
			return in, err
		}
		if options.TextColumn != "" {
			in.separator = columnSeparator(path, head[in.text:])
			if in.column, err = options.textColumn(in.separator, head[in.text:]); err != nil {
				return in, named(path, err)
			}
		}
		// A row of CSV may contain newlines, so its beginning is known only after reading the rows before it.
		// Sessions are one shard.
		if options.GroupBy == "" && (options.TextColumn == "" || in.separator == '\t') {
			in.size = info.Size()
		}
	}
	return in, nil
}

// Derived returns the corpus of texts that a function derives from the texts of s, such as the k-mers of
// sequences. One worker reads each input, from its start. Names and files are those of s. Derived panics if
// the function is nil.
func (s *Source) Derived(of func(name string, text io.Reader) io.Reader) *Source {
	if of == nil {
		panic("corpus: Derived by a nil function")
	}
	var inputs []input
	for i, in := range s.inputs {
		in.size, in.table = -1, nil
		read := new(atomic.Int64)
		in.metered = read
		in.open = func(ctx context.Context) (io.ReadCloser, error) {
			raw, err := s.openMetered(ctx, i, read)
			if err != nil {
				return nil, err
			}
			return closing{of(raw.Name(), raw), raw}, nil
		}
		inputs = append(inputs, in)
	}
	return newSource(s.options, s.err, inputs...)
}

type closing struct {
	io.Reader
	io.Closer
}

// A Stage changes the tokens of sentences while a shard is read: it receives token after token and puts out
// tokens.
type Stage interface {
	// Token receives the next token of a sentence. The token is valid until Token returns.
	Token(out *Staged, token []byte)
	// End receives the end of a sentence.
	End(out *Staged)
}

// Staged holds the tokens that a Stage has put out.
type Staged struct {
	bytes []byte
	ends  []int // ends of tokens in bytes; an empty token ends a sentence
	next  int   // index of the next token to read
}

// Add puts out a copy of a token. The token must not be empty, nor longer than MaxToken.
func (s *Staged) Add(token []byte) {
	if n := len(token); n == 0 || n > MaxToken {
		panic(fmt.Sprintf("corpus: a stage puts out a token of %d bytes, which is not from 1 to %d", n, MaxToken))
	}
	s.bytes = append(s.bytes, token...)
	s.ends = append(s.ends, len(s.bytes))
}

func (s *Staged) take() (token []byte, ok bool) {
	if s.next == len(s.ends) {
		s.bytes, s.ends, s.next = s.bytes[:0], s.ends[:0], 0
		return nil, false
	}
	first := 0
	if s.next > 0 {
		first = s.ends[s.next-1]
	}
	token = s.bytes[first:s.ends[s.next]]
	s.next++
	return token, true
}

// Through returns the corpus with its tokens changed by a stage, after all stages that it already has. The
// function stage makes a new stage for each shard that is read. Through panics if the function is nil.
func (s *Source) Through(stage func() Stage) *Source {
	if stage == nil {
		panic("corpus: Through a nil function")
	}
	through := *s
	through.stages = append(slices.Clone(s.stages), stage)
	if s.numbered != nil && s.err == nil {
		through.numbered, through.err = nil, fmt.Errorf("%s: this corpus is numbers, and has no tokens that could be changed", s.Name())
	}
	return &through
}

// Again returns an error that names the input if the corpus can be read only once.
func (s *Source) Again() error {
	for _, in := range s.inputs {
		if s.numbered == nil && in.onlyOnce() {
			return fmt.Errorf("%s: can be read only once", in.name)
		}
	}
	return nil
}

func (in input) onlyOnce() bool { return in.once || in.seq != nil || in.file && !in.isRegular() }

// A stagedReader reads the tokens that a stage puts out.
type stagedReader struct {
	from  *Reader
	stage Stage
	out   Staged
	open  bool // a sentence has begun
	ended bool
}

// read is Reader.Next for a shard with a stage.
func (s *stagedReader) read(*Reader) ([]byte, error) {
	for {
		if token, ok := s.out.take(); ok {
			return token, nil
		}
		if s.ended {
			return nil, io.EOF
		}
		token, err := s.from.Next()
		switch {
		case errors.Is(err, io.EOF):
			s.ended = true
			if s.open {
				s.stage.End(&s.out)
			}
		case err != nil:
			return nil, err
		case len(token) > 0:
			s.open = true
			s.stage.Token(&s.out, token)
		default:
			s.open = false
			s.stage.End(&s.out)
			s.out.ends = append(s.out.ends, len(s.out.bytes))
		}
	}
}

// A Numbered is a corpus whose tokens already are numbers, such as the nodes of random walks over a graph.
// Reading it again gives the same corpus.
type Numbered interface {
	// Read reads the corpus with up to the given number of workers, counted from 0, and calls use with each
	// batch. Batches come in any order. A worker calls use for one batch at a time.
	Read(ctx context.Context, workers int, use func(worker int, b Batch) error) error
	// Token returns the token of a number.
	Token(number int) string
}

// A Batch is some sentences of a Numbered. It is valid until use returns.
type Batch struct {
	Number int      // index of the batch, from 0: batches in this order are the corpus
	Tokens []uint32 // numbers of the tokens of all its sentences
	Ends   []int    // where each sentence ends in Tokens
}

// FromNumbered returns a corpus of numbers. Errors refer to it by name. files are the files it is read from,
// if any. It has no shards: package vocab reads it.
func FromNumbered(name string, files []string, n Numbered) *Source {
	var inputs []input
	for _, path := range files {
		inputs = append(inputs, input{name: path, size: -1, file: true})
	}
	if len(files) == 0 {
		inputs = []input{{name: name, size: -1}}
	}
	s := newSource(Options{}, nil, inputs...)
	s.numbered = n
	return s
}

// Numbered returns what FromNumbered was called with, or nil.
func (s *Source) Numbered() Numbered { return s.numbered }

// While it is made, the cache of a text needs about so many bytes per byte of text: two thirds of a byte for
// English, with a word per 5.6 bytes, and more for shorter words. Compressed text expands by about this
// factor.
const (
	cacheShare = 0.75
	expansion  = 3.5
)

// CacheEstimate estimates the size in bytes of a cache of the corpus's ids while it is written. It is 0 if
// unknown.
func (s *Source) CacheEstimate() uint64 {
	text := 0.0
	for _, in := range s.inputs {
		switch {
		case in.size >= 0:
			text += float64(in.size - in.text)
		case in.stripe != nil && in.storedSize() > 0:
			text += expansion * float64(in.storedSize()) / float64(in.stripe.n)
		case in.storedSize() > 0, in.info != nil && in.info.Mode()&fs.ModeType == 0:
			text += expansion * float64(in.storedSize())
		default:
			return 0
		}
	}
	return uint64(cacheShare * text)
}

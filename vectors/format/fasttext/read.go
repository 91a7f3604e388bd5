package fasttext

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// read reads a model of words, of words and n-grams, or a classifier.
// Of a classifier only the vectors of words are taken: its labels are no words,
// and its output matrix is theirs. The output matrix of a model trained with
// hierarchical softmax holds the inner nodes of a tree, one fewer than words, and a row
// that means nothing. Of a quantised model (.ftz), rows are decoded when they are asked
// for.
func read(in *source.Input) (*vectors.Set, error) {
	args, sizes, err := readHead(in)
	if err != nil {
		return nil, err
	}
	p := vectors.Parts{
		Subword: args.subwords(), File: in.Behind(), Origin: vectors.Origin{Format: codec.FastText},
	}
	if err := readDictionary(in, sizes, &p); err != nil {
		return nil, err
	}
	p.Training = args.training(sizes.Tokens)
	words := int64(p.Words.Len())
	rows := words + int64(args.Buckets)
	if sizes.Pruned >= 0 {
		if err := readKept(in, &p, sizes, args); err != nil {
			return nil, err
		}
		rows = words + sizes.Pruned
	}

	coded, err := readFlag(in, "the input matrix")
	if err != nil {
		return nil, err
	}
	if sizes.Pruned >= 0 && !coded {
		return nil, in.FailAt(in.Offset()-1, "the input matrix: %w", errPruned)
	}
	if p.Input, err = readMatrix(in, "the input matrix", coded, rows, int64(args.Dim), true); err != nil {
		return nil, err
	}
	if p.Subword == nil {
		// What buckets there are belong to runs of words, not to n-grams.
		p.Input = p.Input.First(int(words))
	}
	rows = words
	classifies := args.Model == modelSupervised
	if classifies {
		rows = -1 // a row a label
	}
	// The byte may be set in a model that is not quantised, where it says nothing.
	outputCoded, err := readFlag(in, "the output matrix")
	if err != nil {
		return nil, err
	}
	if p.Output, err = readMatrix(in, "the output matrix", coded && outputCoded, rows, int64(args.Dim), !classifies); err != nil {
		return nil, err
	}
	switch {
	case classifies:
		p.Origin.Unread = append(p.Origin.Unread, "labels and their vectors")
	case args.Loss == lossHierarchical:
		p.Training.Set("loss", hierarchical)
		p.Matrices = []vectors.NamedMatrix{{Name: vectors.MatrixNodes, Matrix: p.Output.First(max(int(words)-1, 0))}}
		p.Output = vectors.Matrix{}
	}
	if args.WordNgrams > 1 {
		p.Origin.Unread = append(p.Origin.Unread, "vectors of runs of words")
	}
	if err := in.End(); err != nil {
		return nil, err
	}
	return vectors.New(p)
}

// readFlag reads the byte that says whether a matrix is quantised.
func readFlag(in *source.Input, name string) (bool, error) {
	var b [1]byte
	err := in.Full(b[:], "what "+name+" is")
	return b[0] != 0, err
}

// readHead reads the settings and the sizes of the dictionary.
func readHead(in *source.Input) (args settings, sizes dictionarySizes, err error) {
	var signature struct{ Magic, Version int32 }
	if err := in.Decode(&signature, "the magic number and the version"); err != nil {
		return args, sizes, err
	}
	if signature.Magic != magic {
		return args, sizes, in.FailAt(0, "expected the magic number %d, found %d", magic, signature.Magic)
	}
	if v := signature.Version; v != version && v != oldVersion {
		return args, sizes, in.FailAt(4, "expected version %d or %d, found %d", oldVersion, version, v)
	}
	start := in.Offset()
	if err := in.Decode(&args, "the settings"); err != nil {
		return args, sizes, err
	}
	// Source: loadModel in fasttext.cc.
	if signature.Version == oldVersion && args.Model == modelSupervised {
		args.MaxN = 0
	}
	if err := args.check(); err != nil {
		return args, sizes, in.FailAt(start, "settings: %w", err)
	}
	start = in.Offset()
	if err := in.Decode(&sizes, "the sizes of the dictionary"); err != nil {
		return args, sizes, err
	}
	if err := sizes.check(); err != nil {
		return args, sizes, in.FailAt(start, "dictionary: %w", err)
	}
	return args, sizes, nil
}

// readDictionary reads the words and their counts.
func readDictionary(in *source.Input, sizes dictionarySizes, p *vectors.Parts) error {
	const smallest = 1 + 8 + 1 // of an entry: the end of its word, count, kind
	room := in.Backed(int64(sizes.Words), smallest)
	var words vectors.WordsBuilder
	words.Grow(room)
	p.Counts = make([]uint64, 0, room)
	err := eachEntry(in, sizes, func(word string, count uint64, label bool) {
		if !label {
			words.Add(word)
			p.Counts = append(p.Counts, count)
		}
	})
	if err != nil {
		return err
	}
	p.Words = words.Words()
	if sizes.Tokens == 0 { // counts without a corpus are made up, as by write
		p.Counts = nil
	}
	return nil
}

// eachEntry reads the dictionary: words, and labels behind them.
func eachEntry(in *source.Input, sizes dictionarySizes, visit func(word string, count uint64, label bool)) error {
	for i := range sizes.Entries {
		entry := in.Offset()
		word, err := in.Word(0)
		if err != nil {
			return source.Within(err, "entry %d of %d of the dictionary", i+1, sizes.Entries)
		}
		name := string(word)
		var tail [9]byte
		if err := in.Full(tail[:], "a count and a kind"); err != nil {
			return source.Within(err, "entry %d of %d of the dictionary", i+1, sizes.Entries)
		}
		count, kind := binary.LittleEndian.Uint64(tail[:]), tail[8]
		want := byte(entryWord)
		if i >= sizes.Words {
			want = entryLabel
		}
		if kind != want {
			return in.FailAt(entry, "entry %d of %d of the dictionary: expected kind %d, found %d", i+1, sizes.Entries, want, kind)
		}
		if count > math.MaxInt64 {
			return in.FailAt(entry, "entry %d of %d of the dictionary: expected a count, found %d", i+1, sizes.Entries, int64(count))
		}
		visit(name, count, kind == entryLabel)
	}
	return nil
}

// readMatrix reads a matrix of that size, any number of rows if rows is negative, of
// codes if coded is set. It is passed over and not returned if keep is false.
func readMatrix(in *source.Input, name string, coded bool, rows, cols int64, keep bool) (vectors.Matrix, error) {
	if coded {
		return readCodes(in, name, rows, cols, keep)
	}
	start := in.Offset() - 1 // with the flag
	var head struct{ Rows, Cols int64 }
	if err := in.Decode(&head, "the size of "+name); err != nil {
		return vectors.Matrix{}, err
	}
	if rows < 0 {
		rows = head.Rows
	}
	if head.Rows != rows || head.Cols != cols || rows < 0 {
		return vectors.Matrix{}, in.FailAt(start, "%s: expected %d rows of %d, found %d of %d", name, max(rows, 0), cols, head.Rows, head.Cols)
	}
	if rows > endian.MaxBytes/4/cols {
		return vectors.Matrix{}, in.FailAt(start, "%s: %d rows of %d are more than fit into memory", name, rows, cols)
	}
	if !keep {
		if left, known := in.Left(); known && 4*rows*cols > left {
			return vectors.Matrix{}, in.Fail("%s: expected %d bytes: %w", name, 4*rows*cols, source.Cut(fmt.Sprintf("%d more", 4*rows*cols-left)))
		}
		return vectors.Matrix{}, in.Skip(4*rows*cols, name)
	}
	return rowio.Read(in, rows, cols, name)
}

// training returns what the settings say of how the model was trained.
func (a settings) training(tokens int64) vectors.Training {
	t := vectors.NewTraining(
		"arch", architectures[a.Model],
		"window", int(a.Window),
		"epochs", int(a.Epochs),
		"min_count", int(a.MinCount),
		"sample", a.Sample,
		"tokens", uint64(tokens),
	)
	t.Set("negatives", int(a.Negatives))
	return t
}

package corpus

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync/atomic"
)

// A Draw is a part of a corpus, from which the sizes of the whole can be estimated before it is read.
type Draw struct {
	// Source is pieces of the corpus. The first of them are spread over the corpus, too.
	Source *Source
	// Weights says how many pieces of the corpus each piece stands for, itself included.
	Weights []float64
	Whole   bool // Source is all of the corpus
	// Reached is the part of the corpus that the pieces are spread over. It is below 1 if compressed files are so
	// long that only their beginnings were read.
	Reached float64
	// Unpacking is how many times as much as Draw has read of inputs without pieces in random places are all of them; 0 without such inputs.
	Unpacking float64
}

const (
	drawnPiece   = 1 << 18 // least bytes of a piece
	drawnStreams = 64      // most inputs of which the beginning is read
	drawnRead    = 16      // times as much text as is drawn is read at most of inputs that are read from their start
)

// Draw draws pieces of about so many bytes of text together. Plain files and Parquet tables are read where the pieces
// are. Other inputs, such as compressed files and CSV, are read from their start: of more than 64 of them, 64 that are
// spread over the corpus, and 16 times as much of their text at most. Draw returns an error if the corpus can be read only once,
// or consists of numbers.
func (s *Source) Draw(ctx context.Context, size int64) (*Draw, error) {
	if err := cmp.Or(s.err, s.noText); err != nil {
		return nil, err
	}
	if s.numbered != nil || s.part != nil {
		return nil, fmt.Errorf("%s: there is no text of which a part could be drawn", s.Name())
	}
	if err := s.Again(); err != nil {
		return nil, fmt.Errorf("%w, and a part of it is read first: write it to a file", err)
	}
	d := &Draw{Whole: true, Reached: 1}
	var drawn []piece
	var sized, streams []input
	for i, in := range s.inputs {
		in.number = i
		switch {
		case in.sentences != nil:
			drawn = append(drawn, d.sentences(in)...)
		case in.size >= 0:
			sized = append(sized, in)
		default:
			streams = append(streams, in)
		}
	}
	share := size
	if len(sized) > 0 && len(streams) > 0 {
		share = size / 2
	}
	of, err := d.sized(sized, s.options, share)
	if err != nil {
		return nil, err
	}
	drawn = append(drawn, of...)
	if of, err = d.streams(ctx, streams, s.options, share); err != nil {
		return nil, err
	}
	drawn = spread(append(drawn, of...))
	var inputs []input
	for _, p := range drawn {
		inputs, d.Weights = append(inputs, p.input), append(d.Weights, p.weight)
	}
	d.Source = newSource(s.options, nil, inputs...)
	d.Source.stages = s.stages
	return d, nil
}

type piece struct {
	input
	weight float64
}

// spread returns pieces in an order in which the first ones are spread over all of them.
func spread(all []piece) (ordered []piece) {
	width := bits.Len(uint(max(0, len(all)-1)))
	for i := range 1 << width {
		if at := int(bits.Reverse64(uint64(i)) >> (64 - width)); at < len(all) {
			ordered = append(ordered, all[at])
		}
	}
	return ordered
}

// sentences draws slices of sentences in memory.
func (d *Draw) sentences(in input) (drawn []piece) {
	const slices, length = 256, 512
	all := in.sentences
	if len(all) <= slices*length {
		return []piece{{in, 1}}
	}
	d.Whole = false
	for i := range slices {
		in.sentences = all[i*(len(all)-length)/(slices-1):][:length]
		drawn = append(drawn, piece{in, float64(len(all)) / (slices * length)})
	}
	return drawn
}

// sized draws byte ranges of plain files, and rows of tables.
func (d *Draw) sized(inputs []input, o Options, size int64) (drawn []piece, err error) {
	var total, taken, before int64
	for _, in := range inputs {
		total += in.size - in.text
	}
	n := max(1, size/drawnPiece)
	if total <= size {
		n = 0
	}
	for _, in := range inputs {
		length := in.size - in.text
		if n == 0 && length > 0 {
			drawn = append(drawn, piece{in, 1})
		}
		for k := range n {
			at := int64(float64(total-drawnPiece)*float64(k)/float64(max(1, n-1))) - before
			if at < 0 || at >= length {
				continue
			}
			cut, err := o.section(in, at, at+drawnPiece)
			if err != nil {
				return nil, err
			}
			if cut.size > cut.text {
				taken += cut.size - cut.text
				drawn = append(drawn, piece{cut, 0})
			}
		}
		before += length
	}
	if n > 0 {
		d.Whole = false
		for i := range drawn {
			drawn[i].weight = float64(total) / float64(max(1, taken))
		}
	}
	return drawn, nil
}

// streams draws pieces of inputs that are read from their start, which are kept in memory.
func (d *Draw) streams(ctx context.Context, inputs []input, o Options, size int64) (drawn []piece, err error) {
	n := min(len(inputs), drawnStreams)
	var all, some, reached float64 // bytes of files: of all, of those that are read, and what was read of them
	for _, in := range inputs {
		all += in.fileSize()
	}
	for i := range n {
		in := inputs[i*(len(inputs)-1)/max(n-1, 1)]
		own, ratio, err := in.draw(ctx, o, size/int64(n), drawnRead*size/int64(n))
		if err != nil {
			return nil, err
		}
		some += in.fileSize()
		reached += in.fileSize() * ratio
		d.Whole = d.Whole && ratio == 1 && (len(own) == 0 || own[0].weight == 1)
		drawn = append(drawn, own...)
	}
	if n < len(inputs) {
		d.Whole = false
		for i := range drawn {
			drawn[i].weight *= all / max(some, 1)
		}
	}
	if n > 0 && some > 0 {
		d.Reached, d.Unpacking = reached/some, all/max(reached, 1)
	}
	return drawn, nil
}

// fileSize is the size of the input as it is stored; 0 if it is not known.
func (in input) fileSize() float64 {
	return float64(in.storedSize())
}

// draw reads an input from its start, at most so many bytes of its text, and returns pieces of it, and which part of the
// input was read.
func (in input) draw(ctx context.Context, o Options, size, most int64) (drawn []piece, part float64, err error) {
	read := in.metered
	if read == nil {
		read = new(atomic.Int64)
		in.open = metered(in.open, read)
	}
	raw, err := in.openText(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer raw.Close() // it was only read
	rows := o.TextColumn != "" && columnSeparator(in.name, raw.head) != '\t'
	var header []byte
	if o.Header && o.TextColumn != "" {
		first, _, _ := bytes.Cut(raw.head, []byte("\n"))
		header = append(bytes.Clone(first), '\n')
	}
	var kept [][]byte
	var text, taken int64
	stride, number, quoted, ended := 1, 0, false, false
	cut := &divider{src: raw, words: o.cutsWords()}
	for !ended && text < most {
		var next []byte
		if next, err = cut.next(rows, &quoted); err != nil && !errors.Is(err, io.EOF) {
			return nil, 0, named(in.name, err)
		}
		ended = err != nil
		text += int64(len(next))
		if len(next) > 0 && number%stride == 0 {
			if number > 0 && header != nil {
				next = append(bytes.Clone(header), next...)
			}
			kept, taken = append(kept, next), taken+int64(len(next))
		}
		number++
		if taken > size && len(kept) > 8 {
			taken = 0
			for i := 0; 2*i < len(kept); i++ {
				kept[i] = kept[2*i]
				taken += int64(len(kept[i]))
			}
			kept = kept[:(len(kept)+1)/2]
			stride *= 2
		}
	}
	part = 1
	if !ended {
		if in.fileSize() == 0 {
			return nil, 0, fmt.Errorf("%s: its size is not known, of which a part is read", in.name)
		}
		part = min(1, float64(read.Load())/in.fileSize())
	}
	weight := float64(text) / float64(max(taken, 1)) / max(part, 1e-9)
	if ended && stride == 1 {
		weight = 1
	}
	for i, text := range kept {
		own := in
		own.tail, own.info, own.file, own.stored = i > 0 && header == nil, nil, false, nil
		own.open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
		drawn = append(drawn, piece{own, weight})
	}
	return drawn, part, nil
}

// A divider cuts a text into pieces that end at newlines, or in long lines between words.
type divider struct {
	src   io.Reader
	words bool
	rest  []byte
	err   error
}

// next returns the next piece, and at the end of the text an error. In rows, a newline between quotation marks ends nothing.
func (c *divider) next(rows bool, quoted *bool) ([]byte, error) {
	seen := 0
	for {
		for i := seen; i < len(c.rest); i++ {
			switch b := c.rest[i]; {
			case rows && b == '"':
				*quoted = !*quoted
			case i+1 >= drawnPiece && (b == '\n' && !*quoted || b == ' ' && c.words && i >= longLine):
				piece := c.rest[: i+1 : i+1]
				c.rest = bytes.Clone(c.rest[i+1:])
				return piece, nil
			}
		}
		seen = len(c.rest)
		if c.err != nil || seen > maxRecord {
			piece := c.rest
			c.rest = nil
			return piece, cmp.Or(c.err, io.EOF)
		}
		buf := make([]byte, drawnPiece)
		var n int
		n, c.err = c.src.Read(buf)
		c.rest = append(c.rest, buf[:n]...)
	}
}

// Open opens piece i as text.
func (d *Draw) Open(ctx context.Context, i int) (io.ReadCloser, error) {
	in := d.Source.inputs[i]
	if in.size < 0 {
		return d.Source.Open(ctx, i)
	}
	file, err := in.openFile()
	if err != nil {
		return nil, named(in.name, err)
	}
	return closing{in.section(file, in.text, in.size), file}, nil
}

// Text returns the text of the first n pieces.
func (d *Draw) Text(ctx context.Context, n int) io.Reader { return &drawnText{ctx: ctx, draw: d, n: n} }

type drawnText struct {
	ctx  context.Context
	draw *Draw
	n    int
	next int
	open io.ReadCloser
	last byte
}

func (t *drawnText) Read(p []byte) (int, error) {
	for {
		if t.open == nil {
			if t.next == t.n {
				return 0, io.EOF
			}
			var err error
			if t.open, err = t.draw.Open(t.ctx, t.next); err != nil {
				return 0, err
			}
			t.next++
		}
		n, err := t.open.Read(p)
		if n > 0 {
			t.last = p[n-1]
		}
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		err = t.open.Close()
		t.open = nil
		if n > 0 || err != nil {
			return n, err
		}
		if t.last != '\n' && t.next < t.n && len(p) > 0 {
			p[0], t.last = '\n', '\n'
			return 1, nil
		}
	}
}

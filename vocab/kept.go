package vocab

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/scratch"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

// A kept cache is a file in Options.Keep: the ids (see IDs.writeTo), the vocabulary as records of a token and
// its count, the reports as JSON, and a trailer. Files are replaced as a whole, so several processes may
// share the folder.

type keptState struct {
	Corpus   corpus.State   `json:"corpus"`
	MinCount int            `json:"min_count"`
	MaxVocab int            `json:"max_vocab"`
	Given    string         `json:"given,omitempty"` // checksum of the known vocabulary
	Fixed    bool           `json:"fixed,omitempty"` // the vocabulary was fixed
	Sum      string         `json:"sum"`             // checksum of the vocabulary
	TooLong  corpus.TooLong `json:"too_long"`
	Empty    corpus.Empty   `json:"empty"`
	Layout   corpus.Layout  `json:"layout"`
}

const keptMagic = "w2v-kept-cache\x00\x01"

func (v *Vocab) sum() string {
	if v == nil {
		return ""
	}
	h := sha256.New()
	_, _ = v.writeRecords(h) // a hash returns no errors
	return hex.EncodeToString(h.Sum(nil))
}

func (v *Vocab) writeRecords(w io.Writer) (written uint64, err error) {
	out := bufio.NewWriter(w)
	var buf []byte
	for id, count := range v.counts {
		buf = appendRecord(buf[:0], v.tokens.token(uint32(id)), count)
		written += uint64(len(buf))
		_, _ = out.Write(buf) // Flush returns the error
	}
	return written, out.Flush()
}

func (s keptState) differs(kept keptState, o Options) string {
	if text := s.Corpus.Differs(kept.Corpus); text != "" {
		return text
	}
	switch {
	case o.Fixed != nil && o.Fixed.sum() == kept.Sum:
		return ""
	case o.Fixed != nil || kept.Fixed || s.Given != kept.Given:
		return "the vocabulary is another one"
	case s.MinCount != kept.MinCount:
		return fmt.Sprintf("the least count is %d, and was %d", s.MinCount, kept.MinCount)
	case s.MaxVocab != kept.MaxVocab:
		return fmt.Sprintf("the largest number of words is %d, and was %d", s.MaxVocab, kept.MaxVocab)
	}
	return ""
}

// keptEnd is the end of a kept cache: the lengths of its three parts, and a checksum of all but the ids.
type keptEnd struct {
	Magic                [len(keptMagic)]byte
	IDs, Tokens, Reports uint64
	Sum                  uint32
}

func openKept(path string) (s keptState, v *Vocab, ids *IDs, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // may already be closed
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return s, nil, nil, err
	}
	var end keptEnd
	size := info.Size() - int64(binary.Size(end))
	if size < 0 {
		return s, nil, nil, errRecord
	}
	if err := binary.Read(io.NewSectionReader(f, size, math.MaxInt64-size), binary.LittleEndian, &end); err != nil {
		return s, nil, nil, err
	}
	most := uint64(size)
	if string(end.Magic[:]) != keptMagic || end.IDs > most || end.Tokens > most-end.IDs || end.Reports != most-end.IDs-end.Tokens {
		return s, nil, nil, errRecord
	}
	text := make([]byte, info.Size()-int64(end.IDs)-4)
	if _, err := f.ReadAt(text, int64(end.IDs)); err != nil {
		return s, nil, nil, err
	}
	if crc32.Checksum(text, castagnoliTable) != end.Sum || json.Unmarshal(text[end.Tokens:][:end.Reports], &s) != nil {
		return s, nil, nil, errRecord
	}
	if v, err = parseRecords(text[:end.Tokens]); err != nil {
		return s, nil, nil, err
	}
	ids, err = openIDs(f, int64(end.IDs))
	if err == nil && ids.Largest() >= v.Len() {
		err = errors.Join(errRecord, ids.Close())
	}
	return s, v, ids, err
}

func parseRecords(b []byte) (*Vocab, error) {
	v := &Vocab{table: newTable(0, newSecret())}
	err := eachRecord(b, func(token []byte, count uint64) error {
		if v.total+count < count {
			return errRecord
		}
		_, err := v.table.put(token, v.table.secret.key(token), count)
		v.tokens.add(token)
		v.counts = append(v.counts, count)
		v.total += count
		return err
	})
	if err == nil && v.table.len() != len(v.counts) {
		err = errRecord
	}
	return v, err
}

func keep(path string, s keptState, v *Vocab, ids *IDs) error {
	const record = 24 // approximate bytes per word
	if err := sysinfo.CheckDisk(path, uint64(len(ids.from.store.(*packed).data))+uint64(record*v.Len())); err != nil {
		return err
	}
	meta, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, writeBuffer)
		first, err := ids.writeTo(out)
		if err != nil {
			return err
		}
		sum := crc32.New(castagnoliTable)
		both := io.MultiWriter(out, sum)
		end := keptEnd{IDs: uint64(first), Reports: uint64(len(meta))}
		copy(end.Magic[:], keptMagic)
		if end.Tokens, err = v.writeRecords(both); err != nil {
			return err
		}
		buf, _ := binary.Append(meta, binary.LittleEndian, end)
		_, _ = both.Write(buf[:len(buf)-4]) // Flush returns the error
		_, _ = out.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
		return out.Flush()
	})
}

// A keeper finds and keeps the cache for one call of Index.
type keeper struct {
	path  string // empty to keep nothing
	state keptState
	note  func(string)
}

func newKeeper(src *corpus.Source, o Options) (*keeper, error) {
	k := &keeper{note: o.Note}
	if k.note == nil {
		k.note = func(string) {}
	}
	if o.Keep == "" {
		return k, nil
	}
	info, err := os.Stat(o.Keep)
	if err == nil && !info.IsDir() {
		err = errors.New("is not a folder")
	}
	if err != nil {
		return nil, &CacheError{o.Keep, scratch.Cause(err)}
	}
	state, ok := src.State()
	if !ok {
		k.note(fmt.Sprintf("the cache of %s is not kept: only that of files as they are can be", src.Name()))
		return k, nil
	}
	k.path = filepath.Join(o.Keep, "w2v-"+state.Key()+".cache")
	k.state = keptState{Corpus: state, MinCount: max(o.MinCount, 1), MaxVocab: o.MaxVocab, Given: o.Known.sum(), Fixed: o.Fixed != nil}
	return k, nil
}

// both calls first and, unless it is nil, second.
func both[T any](first, second func(T)) func(T) {
	return func(t T) {
		if first(t); second != nil {
			second(t)
		}
	}
}

func (k *keeper) find(ctx context.Context, o Options) (*Vocab, *IDs, error) {
	kept, v, ids, why := k.open(o)
	if o.whole != nil && o.Keep != "" {
		sums, err := o.toAll(ctx, []byte(v.sum())) // empty without a kept cache
		other := slices.ContainsFunc(sums, func(sum []byte) bool { return len(sum) == 0 || !bytes.Equal(sum, sums[0]) })
		if ids != nil && (err != nil || other) {
			_ = ids.Close() // ids that were only read
			ids, why = nil, "the cache of an earlier run is not used, and is made again: other ranks have none of that run"
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if why != "" {
		k.note(k.path + ": " + why)
	}
	if ids == nil {
		return nil, nil, nil
	}
	if o.Fixed != nil {
		v = o.Fixed
	}
	if o.TooLong != nil && kept.TooLong.Tokens > 0 {
		o.TooLong(kept.TooLong)
	}
	if o.Empty != nil && kept.Empty.Inputs > 0 {
		o.Empty(kept.Empty)
	}
	if o.Reused != nil {
		o.Reused(kept.Layout)
	}
	k.note(fmt.Sprintf("%s: the cache of an earlier run is used: %d tokens", k.path, ids.Tokens()))
	return v, ids, nil
}

// open returns the kept cache, or why there is no usable one.
func (k *keeper) open(o Options) (kept keptState, v *Vocab, ids *IDs, why string) {
	if k.path == "" {
		return kept, nil, nil, ""
	}
	kept, v, ids, err := openKept(k.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return kept, nil, nil, ""
	case err != nil:
		return kept, nil, nil, fmt.Sprintf("the cache cannot be used, and is made again: %v", err)
	}
	if why := k.state.differs(kept, o); why != "" {
		_ = ids.Close() // ids that were only read
		return kept, nil, nil, "the cache is stale, and is made again: " + why
	}
	return kept, v, ids, ""
}

func (k *keeper) save(src *corpus.Source, v *Vocab, ids *IDs) {
	if k.path == "" || ids.InOrder() {
		return
	}
	k.state.Corpus, k.state.Sum, k.state.Layout = k.state.Corpus.Summed(), v.sum(), src.Layout()
	if err := keep(k.path, k.state, v, ids); err != nil {
		k.note(fmt.Sprintf("the cache is not kept: %v", err))
	}
}

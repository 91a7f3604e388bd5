package corpus

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/edsrzf/mmap-go"
	"golang.org/x/sync/errgroup"
)

// Join makes one corpus of all ids that the recorders hold, in the order of the shards. It
// replaces an id of recorder w by rename[w][id], and drops the token if that is negative. The
// result takes the recorders over. Join returns an error, and closes the recorders, if a cache
// file cannot be written or mapped, or if rename lacks one of their ids.
func Join(recorders []*Recorder, rename [][]int32) (*IDs, error) {
	if err := joinable(recorders, rename); err != nil {
		for i, r := range recorders {
			if r != nil && r.file != nil && !r.joined && !slices.Contains(recorders[:i], r) {
				err = errors.Join(err, r.Close())
			}
		}
		return nil, err
	}
	ids := &IDs{cache: &cache{recorders: recorders}, most: -1}
	ids.cache.users.Store(1)
	var g errgroup.Group
	for w, r := range recorders {
		g.Go(func() error { return r.finish(rename[w]) })
	}
	if err := g.Wait(); err != nil {
		return nil, errors.Join(err, ids.Close())
	}
	var segments []segment
	for _, r := range recorders {
		segments = append(segments, r.segments...)
		ids.most = max(ids.most, int(r.most))
	}
	sort.Slice(segments, func(i, j int) bool { return segments[i].shard < segments[j].shard })
	c := chunker{cache: ids.cache}
	for _, s := range segments {
		c.add(s.ids)
	}
	ids.cache.evict()
	ids.pieces, ids.ends, ids.tokens = c.finish()
	return ids, nil
}

// joinable returns an error if the recorders cannot be joined with these final ids.
func joinable(recorders []*Recorder, rename [][]int32) error {
	if len(rename) != len(recorders) {
		return fmt.Errorf("corpus: the ids of %d recorders have %d lists of final ids: each has one", len(recorders), len(rename))
	}
	for w, r := range recorders {
		if err := r.usable(); err != nil {
			return fmt.Errorf("recorder %d: %w", w, err)
		}
		if slices.Contains(recorders[:w], r) {
			return fmt.Errorf("corpus: recorder %d stands there twice", w)
		}
		if r.position() > 0 && int64(r.own) >= int64(len(rename[w])) {
			return fmt.Errorf("corpus: recorder %d has id %d, and its list has %d final ids", w, r.own, len(rename[w]))
		}
	}
	return nil
}

// finish gives the ids in the cache file their final values and maps the file.
func (r *Recorder) finish(rename []int32) error {
	r.joined, r.most = true, -1
	r.endSegment()
	if err := r.flush(len(r.buf)); err != nil {
		return err
	}
	kept, err := r.renumber(rename)
	r.buf = nil
	if err != nil {
		return r.failed(err)
	}
	if kept == 0 {
		return nil // an empty file cannot be mapped
	}
	r.mapped, err = mmap.Map(r.file, mmap.RDONLY, 0)
	if err != nil {
		return r.failed(fmt.Errorf("mapping %d bytes: %w", 4*kept, err))
	}
	all := asIDs(r.mapped)
	for i := range r.segments {
		s := &r.segments[i]
		s.ids = all[s.first:s.last]
	}
	return nil
}

// renumber rewrites the cache file with the final values of its ids, leaves out the dropped
// ones, and returns how many ids are left. Changing a mapping of the file instead would be
// slower, because each page would cause a page fault.
func (r *Recorder) renumber(rename []int32) (kept int64, err error) {
	buf := r.buf[:recorderBuffer]
	for i := range r.segments {
		s := &r.segments[i]
		at, last := s.first, s.last
		s.first = kept
		for sentence := 0; at < last; {
			// The last id of a sentence that may end in the next part is not yet written.
			held := min(sentence, 1)
			part := buf[:min(int64(len(buf)), int64(held)+last-at)]
			n, err := r.file.ReadAt(asBytes(part[held:]), 4*at)
			if n < 4*len(part[held:]) {
				return 0, err
			}
			at += int64(len(part) - held)
			n, sentence, r.most = renumber(part, sentence, rename, r.most)
			held = min(sentence, 1)
			if _, err := r.file.WriteAt(asBytes(part[:n-held]), 4*kept); err != nil {
				return 0, err
			}
			kept += int64(n - held)
			copy(part, part[n-held:n])
		}
		s.last = kept
	}
	return kept, r.file.Truncate(4 * kept)
}

// renumber gives ids their final values in place, leaves out the dropped ones, and divides
// sentences that are longer than MaxSentence. The argument sentence is the length so far of
// a sentence that is not finished. If it is above 0, the first element of ids is the last id
// of that sentence and already has its final value. renumber returns how many ids are left,
// the length so far of the sentence that is unfinished now, and the larger of most and the
// largest id.
func renumber(ids []uint32, sentence int, rename []int32, most int32) (n, unfinished int, largest int32) {
	n = min(sentence, 1)
	start := n - sentence
	for _, id := range ids[n:] {
		final := uint32(rename[id&^EndOfSentence])
		most = max(most, int32(final))
		ids[n] = final
		n += int(^final >> 31) // stays where a token is dropped, without a branch
		if id&EndOfSentence != 0 || n-start == MaxSentence {
			if n > start {
				ids[n-1] |= EndOfSentence
				start = n
			}
		}
	}
	return n, n - start, most
}

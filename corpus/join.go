package corpus

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Join makes one corpus of all ids that the recorders hold, in the order of the shards. It
// replaces an id of recorder w by rename[w][id], and drops the token if that is negative. Join
// closes the recorders, which must have one numbering each. It returns an error if a cache file
// cannot be written or read, or if rename lacks one of their ids.
func Join(recorders []*Recorder, rename [][]int32) (*IDs, error) {
	err := joinable(recorders)
	if err == nil && len(rename) != len(recorders) {
		err = fmt.Errorf("corpus: the ids of %d recorders have %d lists of final ids: each has one", len(recorders), len(rename))
	}
	if err != nil {
		return nil, errors.Join(err, closeRecorders(recorders))
	}
	return JoinFunc(recorders, func(recorder, numbering int) ([]int32, error) {
		if numbering > 0 {
			return nil, fmt.Errorf("corpus: recorder %d has a second numbering, and one list of final ids", recorder)
		}
		return rename[recorder], nil
	})
}

// JoinFunc is Join for recorders with several numberings. It asks for the list of final ids of a
// recorder's numbering when it comes to ids of that numbering, and forgets the recorder's list
// before. Numberings of a recorder are asked for in rising order.
func JoinFunc(recorders []*Recorder, rename func(recorder, numbering int) ([]int32, error)) (*IDs, error) {
	if err := joinable(recorders); err != nil {
		return nil, errors.Join(err, closeRecorders(recorders))
	}
	if len(recorders) == 0 {
		return &IDs{most: -1}, nil
	}
	ids, err := joined(recorders, rename)
	err = errors.Join(err, closeRecorders(recorders))
	if err != nil && ids != nil {
		err = errors.Join(err, ids.Close())
	}
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// joinable returns an error if recorders cannot be joined.
func joinable(recorders []*Recorder) error {
	for w, r := range recorders {
		if err := r.usable(); err != nil {
			return fmt.Errorf("recorder %d: %w", w, err)
		}
		if slices.Contains(recorders[:w], r) {
			return fmt.Errorf("corpus: recorder %d stands there twice", w)
		}
	}
	return nil
}

// closeRecorders closes the recorders that are not joined yet, and makes them so.
func closeRecorders(recorders []*Recorder) error {
	var errs []error
	for _, r := range recorders {
		if r != nil && r.file != nil && !r.joined {
			errs = append(errs, r.Close())
			r.joined = true
		}
	}
	return errors.Join(errs...)
}

// A renaming is a block that becomes final ids.
type renaming struct {
	block
	from   *Recorder
	rename []int32
	done   chan renamed
}

type renamed struct {
	ids  []uint32
	ends bool // a sentence ends before them
	err  error
}

// joined writes the final ids of all recorders to a new cache. Blocks are unpacked and renamed on
// all cores, and cut into chunks in their order.
func joined(recorders []*Recorder, rename func(recorder, numbering int) ([]int32, error)) (*IDs, error) {
	var all []renaming
	of := map[*Recorder]int{}
	for w, r := range recorders {
		of[r] = w
		if r.endShard(); r.err == nil {
			r.err = r.write()
		}
		if r.err != nil {
			return nil, r.err
		}
		for _, b := range r.blocks {
			all = append(all, renaming{block: b, from: r})
		}
		r.blocks, r.buf, r.packed = nil, nil, nil
	}
	slices.SortStableFunc(all, func(a, b renaming) int { return a.shard - b.shard })
	w, err := newPackWriter(recorders[0].file.Folder)
	if err != nil {
		return nil, err
	}
	cores := runtime.GOMAXPROCS(0)
	pending, ordered := make(chan *renaming), make(chan *renaming, 2*cores)
	free := make(chan []uint32, 4*cores)
	stop := make(chan struct{})
	var g errgroup.Group
	g.Go(func() error {
		defer close(pending)
		defer close(ordered)
		current := make([]struct {
			list      []int32
			numbering int32
		}, len(recorders))
		for k := range current {
			current[k].numbering = -1
		}
		for i := range all {
			t := &all[i]
			c := &current[of[t.from]]
			if c.numbering != t.numbering {
				c.list = nil
				list, err := rename(of[t.from], int(t.numbering))
				if err != nil {
					return err
				}
				if most := t.from.largest()[t.numbering]; int64(most) >= int64(len(list)) {
					return fmt.Errorf("corpus: recorder %d has id %d, and its list has %d final ids", of[t.from], most, len(list))
				}
				c.list, c.numbering = list, t.numbering
			}
			t.rename, t.done = c.list, make(chan renamed, 1)
			select {
			case ordered <- t:
			case <-stop:
				return nil
			}
			select {
			case pending <- t:
			case <-stop:
				return nil
			}
		}
		return nil
	})
	for range cores {
		g.Go(func() error {
			var packed []byte
			for t := range pending {
				var buf []uint32
				select {
				case buf = <-free:
				default:
					buf = make([]uint32, recorderBuffer)
				}
				var result renamed
				result, packed = t.run(buf, packed)
				t.rename = nil
				t.done <- result
			}
			return nil
		})
	}
	cut := newCutter(w.chunk)
	var failed error
	for t := range ordered {
		r := renamed{}
		select {
		case r = <-t.done:
		case <-stop:
		}
		if failed != nil {
			continue
		}
		if failed = r.err; failed == nil && r.ends {
			failed = cut.endSentence()
		}
		if failed == nil {
			failed = cut.add(r.ids)
		}
		if failed != nil {
			close(stop)
			continue
		}
		select {
		case free <- r.ids[:cap(r.ids)]:
		default:
		}
	}
	err = g.Wait()
	if err == nil {
		err = failed
	}
	if err == nil {
		err = cut.finish()
	}
	if err != nil {
		return nil, errors.Join(err, w.abort())
	}
	return w.ids(cut)
}

// run unpacks and renames a block.
func (t *renaming) run(ids []uint32, packed []byte) (renamed, []byte) {
	packed = slices.Grow(packed[:0], int(t.bytes))[:t.bytes]
	ids = ids[:t.ids]
	if _, err := t.from.file.ReadAt(packed, t.at); err != nil {
		return renamed{err: t.from.failed(err)}, packed
	}
	if err := unpack(ids, packed); err != nil {
		return renamed{err: t.from.failed(err)}, packed
	}
	if t.ends {
		ids[len(ids)-1] |= EndOfSentence
	}
	n, ends := 0, false
	for _, id := range ids {
		final := uint32(t.rename[id&^EndOfSentence])
		ids[n] = final
		n += int(^final >> 31) // stays where a token is dropped, without a branch
		if id&EndOfSentence != 0 {
			if n > 0 {
				ids[n-1] |= EndOfSentence
			} else {
				ends = true
			}
		}
	}
	return renamed{ids: ids[:n], ends: ends}, packed
}

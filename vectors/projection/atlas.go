package projection

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// Options are the settings of Make. Method has no default; the others may be zero.
type Options struct {
	Method Method
	// UMAP are the settings of MethodUMAP and, for its Neighbors, Seed and Threads, those of the graph that
	// clusters are looked for in with any method. Its Progress is not used.
	UMAP UMAPOptions
	// Unit is that of PCAOptions.
	Unit bool
	// Clusters looks for clusters, which MethodPCA needs a graph of its own for, unless the cache has those of a
	// map by UMAP. MethodUMAP has them without much more work, and so always.
	Clusters bool
	// Cache is where maps are kept; nil for nowhere.
	Cache *Cache
	// Progress, if not nil, is told how far the computation is.
	Progress Progress
}

// Validate reports settings that make no sense.
func (o Options) Validate() error {
	if _, err := ParseMethod(string(o.Method)); err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	return o.UMAP.Validate()
}

// An Atlas is a map with what one wants to know about it.
type Atlas struct {
	Map
	// Clusters are those of the words' graph, the same for every method; nil if they were not asked for.
	Clusters *Clusters
	// Trust is the trustworthiness of the map, of 15 neighbours and a sample of 2,000 words; zeros if there are too
	// few words.
	Trust Trust
}

// An Origin says where an Atlas comes from.
type Origin struct {
	// Path is the file that it was read from or written to; empty without a cache, or if it could not be written.
	Path string
	// Reused says that it was read.
	Reused bool
	// Reason says why it was not read, as "there is no map yet" or "FILE is damaged: …"; empty if it was read.
	Reason string
	// Unsaved says why it could not be written; nil if it was, or if there is no cache. The next one is made again.
	Unsaved error
}

// atlasResolution is that of an atlas' clusters: a map has room for the labels of more and smaller ones than modularity
// prefers.
const atlasResolution = 2

// trustSample is how many words the trustworthiness of an atlas is measured with.
const trustSample = 2000

// Make returns the map of a set with its clusters and its trustworthiness: from the cache if it has this map of
// these very vectors, and else it is made, and put into the cache. A cache that cannot be read or written is no
// error; the origin says so.
func Make(ctx context.Context, s *vectors.Set, o Options) (*Atlas, Origin, error) {
	if err := o.Validate(); err != nil {
		return nil, Origin{}, err
	}
	if err := check(s); err != nil {
		return nil, Origin{}, err
	}
	report := &reporter{progress: o.Progress}
	if o.Cache == nil {
		a, err := chart(ctx, s, o, nil, report)
		return a, Origin{Reason: "no cache is used"}, err
	}
	report.stage("looking for a map that was made before", 0.01)
	sum, err := checksum(ctx, s)
	if err != nil {
		return nil, Origin{}, err
	}
	want := keyOf(s, o, sum)
	a, origin := o.Cache.read(want)
	if a != nil && (a.Clusters != nil || !o.Clusters) {
		report.stage("read", 1)(1)
		return a, origin, nil
	}
	if a != nil {
		origin = Origin{Reason: origin.Path + " has no clusters"}
	}
	var clusters *Clusters
	if o.Method == MethodPCA && o.Clusters {
		other := o
		other.Method = MethodUMAP
		if made, _ := o.Cache.read(keyOf(s, other, sum)); made != nil {
			clusters = made.Clusters
		}
	}
	if a, err = chart(ctx, s, o, clusters, report); err != nil {
		return nil, origin, err
	}
	origin.Path, origin.Unsaved = o.Cache.write(want, a)
	return a, origin, nil
}

// chart makes an atlas, with these clusters if they are known.
func chart(ctx context.Context, s *vectors.Set, o Options, clusters *Clusters, report *reporter) (*Atlas, error) {
	var m *Map
	end := 0.9
	if o.Method == MethodUMAP || o.Clusters && clusters == nil {
		share := 0.45
		if o.Method != MethodUMAP {
			share = 0.75
		}
		g, err := newGraph(ctx, s, o.UMAP, report, share)
		if err != nil {
			return nil, err
		}
		if clusters, err = g.clusters(ctx, ClusterOptions{Resolution: atlasResolution}, report.stage("clusters", report.done+0.03)); err != nil {
			return nil, err
		}
		if o.Method == MethodUMAP {
			if m, err = g.layout(ctx, report, end); err != nil {
				return nil, err
			}
		}
	}
	if m == nil {
		var err error
		if m, err = pca(ctx, s, o.Unit, report, end); err != nil {
			return nil, err
		}
	}
	a := &Atlas{Map: *m, Clusters: clusters}
	var err error
	a.Trust, err = trust(ctx, s, m.Points, TrustworthinessOptions{Sample: trustSample, Seed: o.UMAP.Seed, Threads: o.UMAP.Threads}, report)
	if errors.Is(err, errFewWords) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return a, ctx.Err()
}

package projection

import (
	"bytes"
	"cmp"
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
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Options are the settings of Make. Method is required; other options may be zero.
type Options struct {
	Method Method
	// UMAP are the settings of MethodUMAP. With any method, its Neighbors, Seed and Threads are also the
	// settings of the graph in which clusters are found. UMAP.Progress is not used.
	UMAP UMAPOptions
	Unit bool // see PCAOptions
	// Clusters asks for clusters. MethodPCA has to make a graph for them, unless the cache has the clusters
	// of a UMAP map. MethodUMAP always finds clusters, because its graph is there already.
	Clusters bool
	Cache    *Cache   // stores maps, except those with UMAP.Start; nil stores nothing
	Progress Progress // may be nil
}

// Validate reports invalid settings.
func (o Options) Validate() error {
	if _, err := ParseMethod(string(o.Method)); err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	return o.UMAP.Validate()
}

// An Atlas is a map with its clusters and its trustworthiness.
type Atlas struct {
	Map
	// Clusters divide the graph of words, the same for every method; nil if they were not asked for.
	Clusters *Clusters
	// Trust is the trustworthiness of the map, for 15 neighbours and a sample of 2,000 words; zero if there
	// are too few words.
	Trust Trust
}

// An Origin says where an Atlas comes from.
type Origin struct {
	// Path is the file that the atlas was read from or written to; empty without a cache, or if the file
	// could not be written.
	Path   string
	Reused bool // the atlas was read from the cache
	// Reason says why the atlas was not read, for example "there is no map yet" or "FILE is damaged: …";
	// empty if it was read.
	Reason string
	// Unsaved says why the atlas could not be written to the cache; nil if it was written, or if there is no
	// cache. The next call of Make computes it again.
	Unsaved error
}

// atlasResolution is above 1: a map has room for the labels of more clusters than modularity alone gives.
const atlasResolution = 2

const trustSample = 2000

// soon and nearly are shares of the work: a map in the cache is found, and points have their places.
const soon, nearly = 0.01, 0.9

// Make returns the map of a set with its clusters and its trustworthiness. It reads the map from the cache if
// the cache has this map of the same vectors; otherwise it computes the map and writes it to the cache. If
// the cache cannot be read or written, Origin says so, and Make succeeds.
func Make(ctx context.Context, s *vectors.Set, o Options) (*Atlas, Origin, error) {
	if err := cmp.Or(o.Validate(), s.CheckSizes()); err != nil {
		return nil, Origin{}, err
	}
	if o.Cache == nil || o.UMAP.Start != nil {
		a, err := chart(ctx, s, o, nil)
		return a, Origin{Reason: "no cache is used"}, err
	}
	o.Progress.stage("looking for a map that was made before", 0, soon)
	sum, err := checksum(ctx, s)
	if err != nil {
		return nil, Origin{}, err
	}
	want := keyOf(s, o, sum)
	a, origin := o.Cache.read(want)
	if a != nil && (a.Clusters != nil || !o.Clusters) {
		o.Progress.stage("read", soon, 1)(1)
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
	if a, err = chart(ctx, s, o, clusters); err != nil {
		return nil, origin, err
	}
	origin.Path, origin.Unsaved = o.Cache.write(want, a)
	return a, origin, nil
}

// chart computes an atlas. It uses the given clusters unless they are nil.
func chart(ctx context.Context, s *vectors.Set, o Options, clusters *Clusters) (_ *Atlas, err error) {
	var m *Map
	done := soon
	if o.Method == MethodUMAP || o.Clusters && clusters == nil {
		end := 0.75
		if o.Method == MethodUMAP {
			end = 0.45
		}
		u := o.UMAP
		u.Progress = o.Progress.part(done, end)
		g, err := NewGraph(ctx, s, u)
		if err != nil {
			return nil, err
		}
		done = end + 0.03
		g.options.Progress = o.Progress.part(end, done)
		if clusters, err = g.Clusters(ctx, ClusterOptions{Resolution: atlasResolution}); err != nil {
			return nil, err
		}
		g.options.Progress = o.Progress.part(done, nearly)
		if o.Method == MethodUMAP {
			if m, err = g.Layout(ctx); err != nil {
				return nil, err
			}
		}
	}
	if m == nil {
		if m, err = PCA(ctx, s, PCAOptions{o.Unit, o.Progress.part(done, nearly)}); err != nil {
			return nil, err
		}
	}
	a := &Atlas{Map: *m, Clusters: clusters}
	a.Trust, err = Trustworthiness(ctx, s, m.Points, TrustworthinessOptions{
		Sample: trustSample, Seed: o.UMAP.Seed, Threads: o.UMAP.Threads, Progress: o.Progress.part(nearly, 1),
	})
	_, scarce := errors.AsType[*transform.MemoryError](err) // a map without it is better than no map
	if err != nil && !scarce && !errors.Is(err, errFewWords) {
		return nil, err
	}
	return a, ctx.Err()
}

// Revision is the version of the algorithms. Raise it whenever the same vectors and options would give
// another map; cached maps of other revisions are computed again.
const Revision = 2

const (
	// extension of files with maps.
	extension = ".map"
	// keptMaps is the largest number of maps in the user's cache folder; the oldest are removed first.
	keptMaps = 32
)

// A Cache stores the maps of a model in files: one file for each method, which a map with other options or of
// other vectors overwrites. Files are beside the model, as MODEL.umap.map. If that folder is not writable,
// they are in the folder w2v/maps of the user's cache folder (os.UserCacheDir), which keeps the 32 newest. A
// map takes 12 bytes a word. Any of the files may be deleted.
type Cache struct {
	Model  string // path of the model's file or folder
	Folder string // replaces both folders, if not empty
}

// paths returns the paths where a map may be, the preferred path first.
func (c *Cache) paths(m Method) (paths []string) {
	model := filepath.Clean(c.Model)
	full := model
	if path, err := filepath.Abs(model); err == nil {
		full = path
	}
	name := filepath.Base(model) + "." + string(m) + extension
	hash := sha256.Sum256([]byte(full))
	unique := hex.EncodeToString(hash[:8]) + "-" + name
	if c.Folder != "" {
		return []string{filepath.Join(c.Folder, unique)}
	}
	paths = append(paths, filepath.Join(filepath.Dir(model), name))
	if folder, err := os.UserCacheDir(); err == nil {
		paths = append(paths, filepath.Join(folder, "w2v", "maps", unique))
	}
	return paths
}

// A key identifies the vectors and the settings of a map. Maps with equal keys are equal.
type key struct {
	Revision  int     `json:"revision"`
	Method    Method  `json:"method"`
	Checksum  string  `json:"vectors"` // SHA-256 of the words' vectors
	Words     int     `json:"words"`
	Neighbors int     `json:"neighbors"`
	MinDist   float64 `json:"min_dist,omitempty"`
	Epochs    int     `json:"epochs,omitempty"`
	Negatives int     `json:"negatives,omitempty"`
	Landmarks int     `json:"landmarks,omitempty"` // if fewer than the words
	Seed      uint64  `json:"seed"`
	Unit      bool    `json:"unit,omitempty"`
}

func keyOf(s *vectors.Set, o Options, sum string) key {
	u := o.UMAP.resolved(s.Len())
	k := key{Revision: Revision, Method: o.Method, Checksum: sum, Words: s.Len(), Neighbors: u.Neighbors, Seed: u.Seed}
	if o.Method == MethodUMAP {
		k.MinDist, k.Epochs, k.Negatives = u.MinDist, u.Epochs, u.Negatives
	} else {
		k.Unit = o.Unit
	}
	if u.Landmarks < s.Len() && (o.Method == MethodUMAP || o.Clusters) {
		k.Landmarks = u.Landmarks
	}
	return k
}

// differs describes how the key of a file differs from the wanted one; empty if they are equal. Both have the
// same revision.
func (k key) differs(want key) string {
	switch {
	case k == want:
		return ""
	case k.Method != want.Method:
		return fmt.Sprintf("is by %s", k.Method)
	case k.Checksum != want.Checksum || k.Words != want.Words:
		return "is of other vectors"
	}
	return "was made with other options"
}

func checksum(ctx context.Context, s *vectors.Set) (string, error) {
	hash := sha256.New()
	if err := json.NewEncoder(hash).Encode([2]int{s.Len(), s.Dim()}); err != nil {
		return "", err
	}
	var bytes []byte
	for id, v := range s.All() {
		if id%1024 == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}
		bytes, _ = binary.Append(bytes[:0], binary.LittleEndian, v) // cannot fail
		_, _ = hash.Write(bytes)                                    // cannot fail
	}
	return hex.EncodeToString(hash.Sum(nil)), s.Err()
}

// read returns the map of a key, or nil with the reason.
func (c *Cache) read(want key) (*Atlas, Origin) {
	reason := "there is no map yet"
	for _, path := range c.paths(want.Method) {
		a, found, err := readFile(path, want.Words)
		switch differs := found.differs(want); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			reason = fmt.Sprintf("%s: %v", path, err)
		case differs != "":
			reason = path + " " + differs
		default:
			return a, Origin{Path: path, Reused: true}
		}
	}
	return nil, Origin{Reason: reason}
}

// readFile reads the map at a path, which has at most so many words.
func readFile(path string, words int) (*Atlas, key, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, key{}, err
	}
	defer f.Close()
	most := maxBytes(words)
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, key{}, err
	}
	if int64(len(data)) > most {
		return nil, key{}, fmt.Errorf("is larger than a map of %d words", words)
	}
	return decode(data)
}

// write writes a map to the first path that is writable.
func (c *Cache) write(k key, a *Atlas) (string, error) {
	var failed error
	for i, path := range c.paths(k.Method) {
		var err error
		if i > 0 || c.Folder != "" { // the model's folder exists already
			err = os.MkdirAll(filepath.Dir(path), 0o777)
		}
		if err == nil {
			err = atomicfile.Write(path, func(w io.Writer) error { return encode(w, k, a) })
		}
		if err == nil {
			if i > 0 {
				prune(filepath.Dir(path))
			}
			return path, nil
		}
		failed = errors.Join(failed, err)
	}
	return "", failed
}

// prune removes the oldest maps of a folder that has too many. The next prune tries again what stays.
func prune(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	var maps []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(entry.Name(), extension) {
			maps = append(maps, info)
		}
	}
	slices.SortFunc(maps, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, old := range maps[min(len(maps), keptMaps):] {
		_ = os.Remove(filepath.Join(folder, old.Name()))
	}
}

// A file of a map is, all numbers little-endian:
//
//	8 bytes   magic
//	uint32    length of the header
//	          the header, which is JSON
//	float32   x and y of each word
//	int32     cluster of each word, if the header has sizes of clusters
//	uint32    CRC-32C of all before
const magic = "w2vmap\x00\x01"

const maxHeader = 1 << 26

// A header has everything about a map except points and the cluster of each word.
type header struct {
	Key        key       `json:"key"`
	Aside      []int     `json:"aside,omitempty"`
	Explained  []float64 `json:"explained,omitempty"`
	Trust      Trust     `json:"trustworthiness"`
	Sizes      []int     `json:"clusters,omitempty"`
	Modularity float64   `json:"modularity,omitempty"`
}

// maxBytes returns the largest length of a file with a map of so many words.
func maxBytes(words int) int64 { return int64(len(magic)) + 8 + maxHeader + 12*int64(words) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func encode(w io.Writer, k key, a *Atlas) error {
	h := header{Key: k, Aside: a.Aside, Explained: a.Explained, Trust: a.Trust}
	if a.Clusters != nil {
		h.Sizes, h.Modularity = a.Clusters.Sizes, a.Clusters.Modularity
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if len(text) > maxHeader {
		return fmt.Errorf("a header of %d bytes, at most %d are read again", len(text), maxHeader)
	}
	data := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	data, _ = binary.Append(append(data, text...), binary.LittleEndian, a.Points) // cannot fail
	if h.Sizes != nil {
		data, _ = binary.Append(data, binary.LittleEndian, a.Clusters.Of)
	}
	_, err = w.Write(binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli)))
	return err
}

// decode reads the file of a map. It returns only complete maps: as many finite points as words, and clusters
// of the sizes that the header says.
func decode(data []byte) (*Atlas, key, error) {
	var h header
	damaged := func(what string, args ...any) (*Atlas, key, error) {
		return nil, h.Key, fmt.Errorf("is damaged: "+what, args...)
	}
	if len(data) < len(magic)+8 || string(data[:len(magic)]) != magic {
		return nil, key{}, errors.New("is not a map")
	}
	end := len(data) - 4
	if crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return damaged("its checksum is wrong")
	}
	length, body := binary.LittleEndian.Uint32(data[len(magic):]), data[len(magic)+4:end]
	if uint64(length) > uint64(len(body)) {
		return damaged("a header of %d bytes in a file of %d", length, len(data))
	}
	d := json.NewDecoder(bytes.NewReader(body[:length]))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return damaged("its header: %v", err)
	}
	if h.Key.Revision != Revision {
		return nil, h.Key, fmt.Errorf("is of revision %d of the algorithms, and this is %d", h.Key.Revision, Revision)
	}
	body = body[length:]
	n, each := h.Key.Words, int64(8)
	if h.Sizes != nil {
		each = 12
	}
	if n < 0 || n > len(body) || int64(n)*each != int64(len(body)) {
		return damaged("%d bytes for %d words", len(body), n)
	}
	a := &Atlas{Map: Map{Method: h.Key.Method, Points: make([]Point, n), Aside: h.Aside, Explained: h.Explained}, Trust: h.Trust}
	if a.Method == MethodUMAP {
		a.Landmarks = h.Key.Landmarks
	}
	_, _ = binary.Decode(body, binary.LittleEndian, a.Points) // body is long enough
	for i, p := range a.Points {
		if !vectors.Finite([]float32{p.X, p.Y}) {
			return damaged("the point of word %d is not finite", i)
		}
	}
	last := -1
	for _, id := range h.Aside {
		if id <= last || id >= n {
			return damaged("word %d is put aside after word %d of %d", id, last, n)
		}
		last = id
	}
	if h.Sizes == nil {
		return a, h.Key, nil
	}
	a.Clusters = &Clusters{Of: make([]int32, n), Sizes: h.Sizes, Modularity: h.Modularity}
	_, _ = binary.Decode(body[8*n:], binary.LittleEndian, a.Clusters.Of)
	sizes := make([]int, len(h.Sizes))
	for _, c := range a.Clusters.Of {
		if c < -1 || int(c) >= len(sizes) {
			return damaged("cluster %d of %d", c, len(sizes))
		}
		if c >= 0 {
			sizes[c]++
		}
	}
	for c, size := range sizes {
		if size != h.Sizes[c] {
			return damaged("cluster %d has %d words, not %d", c, size, h.Sizes[c])
		}
	}
	return a, h.Key, nil
}

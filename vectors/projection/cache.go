package projection

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
)

// revision is the number of the algorithms. It is raised when the same vectors and options would give another
// map; maps of other revisions in a cache are made again.
const revision = 1

const (
	// extension is that of files that hold maps.
	extension = ".map"
	// keptMaps is how many maps there are at most in the user's cache folder; the oldest go first.
	keptMaps = 32
)

// A Cache keeps the maps of a model in files: one for each method, which a map with other options or of other vectors
// replaces. They are beside the model, as MODEL.umap.map, or where that folder cannot be written to in the
// folder w2v/maps of the user's cache folder (os.UserCacheDir), which keeps the 32 newest. A map takes 12 bytes
// a word. Any of the files may be deleted.
type Cache struct {
	// Model is the path of the model's file or folder.
	Model string
	// Folder, if not empty, is used in the place of both folders.
	Folder string
}

// paths returns where a map may be, the preferred place first.
func (c *Cache) paths(m Method) (paths []string) {
	model := filepath.Clean(c.Model)
	name := filepath.Base(model) + "." + string(m) + extension
	full, err := filepath.Abs(model)
	if err != nil {
		full = model
	}
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

// A key says what a map is of and how it was made. Two maps of one key are equal.
type key struct {
	Revision  int     `json:"revision"`
	Method    Method  `json:"method"`
	Checksum  string  `json:"vectors"` // SHA-256 of the words' vectors
	Words     int     `json:"words"`
	Neighbors int     `json:"neighbors"`
	MinDist   float64 `json:"min_dist,omitempty"`
	Epochs    int     `json:"epochs,omitempty"`
	Negatives int     `json:"negatives,omitempty"`
	Seed      uint64  `json:"seed"`
	Unit      bool    `json:"unit,omitempty"`
}

func keyOf(s *vectors.Set, o Options, sum string) key {
	u := o.UMAP.resolved(s.Len())
	k := key{Revision: revision, Method: o.Method, Checksum: sum, Words: s.Len(), Neighbors: u.Neighbors, Seed: u.Seed}
	if o.Method == MethodUMAP {
		k.MinDist, k.Epochs, k.Negatives = u.MinDist, u.Epochs, u.Negatives
	} else {
		k.Unit = o.Unit
	}
	return k
}

// differs says in what two keys differ that a map was found by; empty if in nothing.
func (k key) differs(want key) string {
	switch {
	case k == want:
		return ""
	case k.Revision != want.Revision:
		return fmt.Sprintf("is of revision %d of the algorithms, and this is %d", k.Revision, want.Revision)
	case k.Method != want.Method:
		return fmt.Sprintf("is by %s", k.Method)
	case k.Checksum != want.Checksum || k.Words != want.Words:
		return "is of other vectors"
	}
	return "was made with other options"
}

// checksum returns the SHA-256 of the vectors of all words.
func checksum(ctx context.Context, s *vectors.Set) (string, error) {
	hash := sha256.New()
	if err := json.NewEncoder(hash).Encode([2]int{s.Len(), s.Dim()}); err != nil {
		return "", err
	}
	var bytes []byte
	err := s.EachVector(func(id int, v []float32) error {
		if id%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var err error
		if bytes, err = binary.Append(bytes[:0], binary.LittleEndian, v); err != nil {
			return err
		}
		_, err = hash.Write(bytes)
		return err
	})
	return hex.EncodeToString(hash.Sum(nil)), err
}

// read returns the map of a key, or nil with the reason.
func (c *Cache) read(want key) (*Atlas, Origin) {
	reason := "there is no map yet"
	for _, path := range c.paths(want.Method) {
		a, found, err := readFile(path, want.Words)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			reason = fmt.Sprintf("%s: %v", path, err)
			continue
		}
		if why := found.differs(want); why != "" {
			reason = fmt.Sprintf("%s %s", path, why)
			continue
		}
		return a, Origin{Path: path, Reused: true}
	}
	return nil, Origin{Reason: reason}
}

// readFile reads the map at a path, of so many words at most.
func readFile(path string, words int) (*Atlas, key, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, key{}, err
	}
	defer f.Close()
	most := maxBytes(words)
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, key{}, err
	case int64(len(data)) > most:
		return nil, key{}, fmt.Errorf("is larger than a map of %d words", words)
	}
	return decode(data)
}

// write puts a map into the first place that can be written to.
func (c *Cache) write(k key, a *Atlas) (string, error) {
	var failed []error
	for i, path := range c.paths(k.Method) {
		var err error
		if i > 0 || c.Folder != "" { // else it is the model's folder, which is there
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
		failed = append(failed, err)
	}
	return "", errors.Join(failed...)
}

// prune removes the oldest maps of a folder that has too many. What cannot be removed stays: the next one tries again.
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

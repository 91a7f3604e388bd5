package projection_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

func atlas(t *testing.T, s *vectors.Set, o projection.Options) (*projection.Atlas, projection.Origin) {
	t.Helper()
	a, origin, err := projection.Make(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if origin.Unsaved != nil {
		t.Fatal(origin.Unsaved)
	}
	return a, origin
}

// A map is made once, and read after that, to the bit. Other vectors, other options and damage make it anew, and the
// origin says why.
func TestCache(t *testing.T) {
	s := planted(t, 4, 30, 8, 0.4)
	folder := t.TempDir()
	umap := projection.Options{Method: projection.MethodUMAP, UMAP: projection.UMAPOptions{Epochs: 20}, Cache: &projection.Cache{Model: filepath.Join(folder, "m.w2v")}}
	first, origin := atlas(t, s, umap)
	path := filepath.Join(folder, "m.w2v.umap.map")
	if origin.Reused || origin.Path != path || origin.Reason != "there is no map yet" || first.Clusters == nil || first.Trust.Words != s.Len() {
		t.Fatalf("%+v, %+v", origin, first.Trust)
	}
	again, origin := atlas(t, s, umap)
	if !origin.Reused || origin.Path != path || origin.Reason != "" || !reflect.DeepEqual(again, first) {
		t.Errorf("%+v", origin)
	}
	// Options that are the defaults anyhow, and threads, do not matter.
	same := umap
	same.UMAP.Neighbors, same.UMAP.Threads = 15, 3
	if _, origin := atlas(t, s, same); !origin.Reused {
		t.Errorf("same options: %+v", origin)
	}
	other := umap
	other.UMAP.Seed, other.UMAP.Landmarks = 7, 80
	made, origin := atlas(t, s, other)
	if origin.Reused || origin.Reason != path+" was made with other options" || made.Landmarks != 80 {
		t.Errorf("other options: %+v", origin)
	}
	if again, origin := atlas(t, s, other); !origin.Reused || !reflect.DeepEqual(again, made) {
		t.Errorf("landmarks: %+v", origin)
	}
	if _, origin := atlas(t, planted(t, 4, 30, 9, 0.4), umap); origin.Reused || origin.Reason != path+" is of other vectors" {
		t.Errorf("other vectors: %+v", origin)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data   []byte
		reason string
	}{
		"cut short": {data[:len(data)-9], "is damaged: its checksum is wrong"},
		"a bit":     {append(append([]byte{}, data[:100]...), append([]byte{data[100] ^ 1}, data[101:]...)...), "is damaged: its checksum is wrong"},
		"empty":     {nil, "is not a map"},
		"no map":    {[]byte("these are not the maps that you are looking for"), "is not a map"},
	} {
		if err := os.WriteFile(path, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, origin := atlas(t, s, umap)
		if origin.Reused || origin.Reason != path+": "+c.reason {
			t.Errorf("%s: %+v", name, origin)
		}
	}
	if a, origin := atlas(t, s, umap); !origin.Reused || !reflect.DeepEqual(a, first) {
		t.Errorf("after damage: %+v", origin)
	}
}

// A map by PCA takes the clusters of the map by UMAP, or looks for them if they are asked for.
func TestClustersOfPCA(t *testing.T) {
	s := planted(t, 4, 30, 8, 0.4)
	cache := &projection.Cache{Model: "m.w2v", Folder: t.TempDir()}
	pca := projection.Options{Method: projection.MethodPCA, Cache: cache}
	if a, _ := atlas(t, s, pca); a.Clusters != nil {
		t.Error("there are clusters that nobody asked for")
	}
	pca.Clusters = true
	stages := func(o projection.Options) string {
		var all []string
		o.Progress = func(stage string, _ float64) {
			if len(all) == 0 || all[len(all)-1] != stage {
				all = append(all, stage)
			}
		}
		atlas(t, s, o)
		return strings.Join(all, ", ")
	}
	made, origin := atlas(t, s, pca)
	if made.Clusters == nil || origin.Reused || !strings.HasSuffix(origin.Reason, "has no clusters") {
		t.Errorf("%+v, %+v", made.Clusters, origin)
	}
	umap, _ := atlas(t, s, projection.Options{Method: projection.MethodUMAP, Cache: cache})
	if !reflect.DeepEqual(umap.Clusters, made.Clusters) {
		t.Error("clusters depend on the method")
	}
	pca.Unit = true
	if got, want := stages(pca), "looking for a map that was made before, reading vectors, principal components, trustworthiness"; got != want {
		t.Errorf("stages %q, want %q", got, want)
	}
}

// Where the model's folder cannot be written to, the user's cache folder has the map; there are never more than 32.
func TestCacheOfAFolderThatCannotBeWritten(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("HOME", home)
	t.Setenv("LocalAppData", home)
	user, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	maps := filepath.Join(user, "w2v", "maps")
	if err := os.MkdirAll(maps, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		path := filepath.Join(maps, strconv.Itoa(i)+".map")
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-time.Duration(i+1) * time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(home, "file") // no folder, so nothing can be written into it
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s := planted(t, 2, 10, 4, 0.4)
	o := projection.Options{Method: projection.MethodPCA, Cache: &projection.Cache{Model: filepath.Join(file, "m.w2v")}}
	if _, origin := atlas(t, s, o); filepath.Dir(origin.Path) != maps || !strings.HasSuffix(origin.Path, "-m.w2v.pca.map") {
		t.Errorf("%+v", origin)
	}
	if _, origin := atlas(t, s, o); !origin.Reused {
		t.Errorf("%+v", origin)
	}
	left, err := os.ReadDir(maps)
	if err != nil || len(left) != 32 {
		t.Errorf("%d maps are left, %v", len(left), err)
	}
	if _, err := os.Stat(filepath.Join(maps, "30.map")); err != nil {
		t.Error(err)
	}
	o.Cache.Folder = filepath.Join(file, "x")
	a, origin, err := projection.Make(context.Background(), s, o)
	if err != nil || a == nil || origin.Unsaved == nil || origin.Path != "" {
		t.Errorf("nowhere to write: %v, %+v", err, origin)
	}
}

func TestOptionsOfMake(t *testing.T) {
	s := planted(t, 2, 5, 3, 1)
	for _, o := range []projection.Options{{}, {Method: "tsne"}, {Method: projection.MethodUMAP, UMAP: projection.UMAPOptions{Neighbors: -1}}} {
		if _, _, err := projection.Make(context.Background(), s, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	for _, m := range projection.Methods() {
		if got, err := projection.ParseMethod(string(m)); got != m || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}

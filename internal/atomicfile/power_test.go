package atomicfile_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/vectors/format"
)

// A disk is what a power cut would leave of a folder. A file has the content that it had when it was
// last synced. A change of names that is not synced has reached the disk or has not, each
// by itself and in any order.
type disk struct {
	root    *node
	path    string
	loose   []*node    // synced files without a name
	changes [][]change // of names, that are not synced; those of one call together
	each    func()     // called whenever something changes
}

// A node is a file or a folder.
type node struct {
	info    os.FileInfo
	content []byte           // of a file, when it was last synced
	names   map[string]*node // of a folder, as a process sees it
	kept    map[string]*node // of a folder, when it was last synced
}

// A change says that a name of a folder is now that of another node, or of none.
type change struct {
	folder *node
	name   string
	to     *node
}

func newDisk(t *testing.T, path string) *disk {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	d := &disk{path: path, root: &node{info: info}}
	d.look(t)
	var all func(n *node, path string)
	all = func(n *node, path string) { // what is there has been there for long
		n.kept = maps.Clone(n.names)
		if n.names == nil {
			n.content = []byte(read(t, path))
		}
		for name, n := range n.names {
			all(n, filepath.Join(path, name))
		}
	}
	all(d.root, path)
	d.changes = nil
	return d
}

// look notes which names have changed since the last look, and reports whether any have.
func (d *disk) look(t *testing.T) bool {
	known := slices.Clone(d.loose)
	d.walk(func(n *node, _ string) { known = append(known, n) })
	var changed []change
	var look func(n *node, path string)
	look = func(n *node, path string) {
		now := map[string]*node{}
		for _, name := range names(t, path) {
			info, err := os.Lstat(filepath.Join(path, name))
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(known, func(n *node) bool { return os.SameFile(n.info, info) })
			if at < 0 {
				known, at = append(known, &node{info: info}), len(known)
			}
			now[name] = known[at]
			if info.IsDir() {
				look(known[at], filepath.Join(path, name))
			}
			if n.names[name] != now[name] {
				changed = append(changed, change{n, name, now[name]})
			}
		}
		for name := range n.names {
			if now[name] == nil {
				changed = append(changed, change{n, name, nil})
			}
		}
		n.names = now
	}
	look(d.root, d.path)
	// Nobody reads unfinished files, so their names do not matter.
	changed = slices.DeleteFunc(changed, func(c change) bool { return unfinished.MatchString(c.name) })
	if len(changed) > 0 {
		d.changes = append(d.changes, changed)
	}
	return len(changed) > 0
}

func (d *disk) walk(visit func(n *node, path string)) {
	var walk func(n *node, path string)
	walk = func(n *node, path string) {
		visit(n, path)
		for name, n := range n.names {
			walk(n, filepath.Join(path, name))
		}
	}
	walk(d.root, d.path)
}

// synced notes that a file or folder is on the disk now, as it was not before.
func (d *disk) synced(t *testing.T, f *os.File) {
	if d.look(t) {
		d.each()
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	var n *node
	path := fmt.Sprintf("/proc/self/fd/%d", f.Fd()) // of a file without a name
	d.walk(func(m *node, at string) {
		if os.SameFile(m.info, info) {
			n, path = m, at
		}
	})
	if n == nil {
		n = &node{info: info}
		d.loose = append(d.loose, n)
	}
	if n.names != nil {
		n.kept = maps.Clone(n.names)
		for i, group := range d.changes {
			d.changes[i] = slices.DeleteFunc(group, func(c change) bool { return c.folder == n })
		}
		d.changes = slices.DeleteFunc(d.changes, func(group []change) bool { return len(group) == 0 })
	} else {
		// All but the last byte of what is new may have reached the disk before.
		whole, before := []byte(read(t, path)), n.content
		n.content = slices.Clone(whole)
		if end := len(whole) - 1; end >= 0 {
			n.content[end] = 0
			copy(n.content[end:], before[min(end, len(before)):])
		}
		d.each()
		n.content = whole
	}
	d.each()
}

// left writes to a folder what a power cut may leave. The choice has a bit for each group of changes:
// whether it has reached the disk.
func (d *disk) left(t *testing.T, choice int, to string) {
	var write func(n *node, path string)
	write = func(n *node, path string) {
		if n.names == nil {
			if err := os.WriteFile(path, n.content, 0o666); err != nil {
				t.Fatal(err)
			}
			return
		}
		if err := os.MkdirAll(path, 0o777); err != nil {
			t.Fatal(err)
		}
		there := map[string]*node{}
		maps.Copy(there, n.kept)
		for i, group := range d.changes {
			for _, c := range group {
				if c.folder == n && choice>>i&1 == 1 {
					there[c.name] = c.to
				}
			}
		}
		for name, n := range there {
			if n != nil && !unfinished.MatchString(name) {
				write(n, filepath.Join(path, name))
			}
		}
	}
	write(d.root, to)
}

// A power cut at any time leaves the old model or the new one, and from the end of writing on
// the new one.
func TestPowerCuts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be synced")
	}
	for _, v := range []struct {
		format                 format.Format
		noExchange, noNameless bool
		sameNumbers            bool // as in the old model: the first file of a pair has the same checksum
	}{
		{format: format.W2V},
		{format: format.W2V, noNameless: true},
		{format: format.Npy},
		{format: format.Npy, noNameless: true},
		{format: format.Npy, sameNumbers: true},
		{format: format.Projector},
		{format: format.Projector, noExchange: true},
	} {
		if v.noNameless && !longtest.Enabled() {
			continue
		}
		for _, old := range []bool{false, true} {
			t.Run(fmt.Sprintf("%+v over old %v", v, old), func(t *testing.T) {
				dir, cuts := t.TempDir(), t.TempDir()
				path := filepath.Join(dir, "m")
				write := func(n int) {
					s := generation(v.format, n)
					if v.sameNumbers {
						fill(s.Input(), 0)
					}
					if err := format.Write(context.Background(), path, s, v.format); err != nil {
						t.Fatal(err)
					}
				}
				var want [3]string
				for _, n := range []int{1, 0} {
					write(n)
					var err error
					if want[n], err = content(path); err != nil {
						t.Fatal(err)
					}
				}
				if !old {
					for _, name := range names(t, dir) {
						if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
							t.Fatal(err)
						}
					}
				}
				d := newDisk(t, dir)
				call, cut, ended := "", 0, false
				k := killing{NoExchange: v.noExchange}
				d.each = func() {
					for choice := range 1 << len(d.changes) {
						cut++
						to := filepath.Join(cuts, fmt.Sprint(cut))
						d.left(t, choice, to)
						k.Path = filepath.Join(to, "m")
						k.check(t, call, old, want)
						if got, err := content(k.Path); ended && (err != nil || got != want[1]) {
							t.Errorf("a power cut after the end loses the model: %v, %s", err, got)
						}
					}
				}
				defer atomicfile.System{
					NoExchange: v.noExchange,
					NoNameless: v.noNameless,
					Before: func(next string) {
						if d.look(t) {
							d.each()
						}
						call = next
					},
					Synced: func(f *os.File) { d.synced(t, f) },
				}.Use()()
				write(1)
				d.look(t)
				call, ended = "the end", true
				d.each()
			})
		}
	}
}

// A power cut leaves all records that were added before, and at most a part of the next one.
func TestPowerCutsOfAppendedFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be synced")
	}
	dir, cut := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "log")
	d := newDisk(t, dir)
	added, next := "", ""
	d.each = func() {
		for choice := range 1 << len(d.changes) {
			_ = os.Remove(filepath.Join(cut, "log"))
			d.left(t, choice, cut)
			got, err := os.ReadFile(filepath.Join(cut, "log"))
			if rest, ok := strings.CutPrefix(string(got), added); !ok || len(rest) > len(next) || err != nil && added != "" {
				t.Errorf("a power cut leaves %q, %v of %q", got, err, added)
			}
		}
	}
	defer atomicfile.System{Synced: func(f *os.File) { d.synced(t, f) }}.Use()()
	for _, torn := range []string{"a torn record, longer than others", ""} {
		a, err := atomicfile.OpenAppender(path, int64(len(added)))
		if err != nil {
			t.Fatal(err)
		}
		for _, next = range []string{"one\n", "another\n", torn} {
			if err := a.Append([]byte(next)); err != nil {
				t.Fatal(err)
			}
			if next != torn {
				added += next
			}
			d.look(t)
			d.each()
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, path); got != added {
		t.Errorf("the file is %q", got)
	}
}

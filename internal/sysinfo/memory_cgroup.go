package memory

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// controlGroups returns the least limit of the control groups that the process is in, or 0
// if there is none, of either version of them. The files are looked for below root. A
// group that is not there is passed over: within a container, the process may be said to be in a
// group by its name outside, while the limit stands in the root of what is mounted.
func controlGroups(root string) uint64 {
	groups, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return 0 // there are none but on Linux
	}
	least := uint64(0)
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3) // its number, controllers, the group
		if len(fields) < 3 {
			continue
		}
		folder, file := "sys/fs/cgroup", "memory.max"
		if fields[1] != "" { // version 1
			folder, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
			if !slices.Contains(strings.Split(fields[1], ","), "memory") {
				continue
			}
		}
		for group := path.Clean("/" + fields[2]); ; group = path.Dir(group) {
			if limit := readLimit(filepath.Join(root, folder, group, file)); less(limit, least) {
				least = limit
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}

// readLimit returns the number in a file, or 0 if that has none, but "max" for example.
func readLimit(path string) uint64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	return limit
}

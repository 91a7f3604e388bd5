package sysinfo

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// controlGroups returns the smallest limit of the control groups of the process, or 0 if there is
// none. It knows both versions of control groups, and looks for their files below root. Groups
// that do not exist are skipped: within a container, a process may be in a group by a name that is
// valid only outside, while the limit is in the root of the mounted groups.
func controlGroups(root string) uint64 {
	groups, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return 0 // only Linux has control groups
	}
	least := uint64(0)
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3) // number, controllers, path of the group
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

// readLimit returns the number in a file, or 0 if the file has none, for example "max".
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

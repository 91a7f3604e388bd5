package sysinfo

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

const (
	machine   = "this machine's memory"
	container = "the limit of this container or control group"
)

func TestMemoryLimit(t *testing.T) {
	const unlimited = "9223372036854771712\n" // as version 1 says it
	for _, test := range []struct {
		name    string
		files   map[string]string
		total   uint64
		goLimit int64
		bytes   uint64
		why     string
	}{
		{"no files", nil, 1000, math.MaxInt64, 1000, machine},
		{"nothing is known", nil, 0, math.MaxInt64, 0, machine},
		{
			"version 2 without a limit",
			map[string]string{"proc/self/cgroup": "0::/user.slice\n", "sys/fs/cgroup/user.slice/memory.max": "max\n"},
			1000, math.MaxInt64, 1000, machine,
		},
		{
			"version 2",
			map[string]string{"proc/self/cgroup": "0::/user.slice/run\n", "sys/fs/cgroup/user.slice/run/memory.max": "400\n"},
			1000, math.MaxInt64, 400, container,
		},
		{
			"a parent allows less",
			map[string]string{
				"proc/self/cgroup":                        "0::/user.slice/run\n",
				"sys/fs/cgroup/user.slice/run/memory.max": "400\n",
				"sys/fs/cgroup/user.slice/memory.max":     "300\n",
			},
			1000, math.MaxInt64, 300, container,
		},
		{
			"a container sees its own group as the root",
			map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "500\n"},
			1000, math.MaxInt64, 500, container,
		},
		{
			"a group outside of what is seen",
			map[string]string{"proc/self/cgroup": "0::/../../other\n", "sys/fs/cgroup/memory.max": "500\n"},
			1000, math.MaxInt64, 500, container,
		},
		{
			"version 1, the group by its name outside of the container",
			map[string]string{
				"proc/self/cgroup":                           "12:pids:/docker/abc\n5:cpu,memory:/docker/abc\n0::/docker/abc\n",
				"sys/fs/cgroup/memory/memory.limit_in_bytes": "600\n",
			},
			1000, math.MaxInt64, 600, container,
		},
		{
			"version 1, unlimited",
			map[string]string{
				"proc/self/cgroup":                           "5:memory:/\n",
				"sys/fs/cgroup/memory/memory.limit_in_bytes": unlimited,
			},
			1000, math.MaxInt64, 1000, machine,
		},
		{
			"version 1 of another controller",
			map[string]string{
				"proc/self/cgroup":                           "5:memoryless:/\n",
				"sys/fs/cgroup/memory/memory.limit_in_bytes": "600\n",
			},
			1000, math.MaxInt64, 1000, machine,
		},
		{"a limit of Go", nil, 1000, 200, 200, "GOMEMLIMIT"},
		{"a limit of Go above all", nil, 1000, 2000, 1000, machine},
		{"a limit of Go alone", nil, 0, 2000, 2000, "GOMEMLIMIT"},
		{"a group alone", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "500\n"}, 0, math.MaxInt64, 500, container},
		{"files that make no sense", map[string]string{"proc/self/cgroup": "\n0\n0::\n::\n", "sys/fs/cgroup/memory.max": "-4 apples"}, 1000, math.MaxInt64, 1000, machine},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range test.files {
				path := filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if bytes, why := memoryLimit(root, test.total, test.goLimit, nil); bytes != test.bytes || why != test.why {
				t.Errorf("%d, %s; want %d, %s", bytes, why, test.bytes, test.why)
			}
		})
	}
}

func TestLimitOfThisProcess(t *testing.T) {
	bytes, why := MemoryLimit()
	if bytes > 0 && bytes < 16<<20 || why == "" {
		t.Errorf("%d bytes, %s", bytes, why)
	}
	if TotalMemory() > 0 && bytes > TotalMemory() {
		t.Errorf("%d bytes of %d", bytes, TotalMemory())
	}
}

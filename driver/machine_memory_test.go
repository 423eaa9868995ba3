package driver

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMachineMemory(t *testing.T) {
	const gib = int64(1 << 30)
	meminfo := "MemFree:  1 kB\nMemTotal:       4194304 kB\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"unknown", nil, unknownMachineMemory},
		{"no groups", map[string]string{"/proc/meminfo": meminfo}, 4 * gib},
		{"no limit", map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/memory.max": "max\n"}, 4 * gib},
		{"version 2", map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/memory.max": "1073741824\n"}, gib},
		{"a namespace's root", map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "2147483648\n"}, 2 * gib},
		{"version 1", map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "5:cpu:/x\n4:memory:/a\n", "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1073741824\n"}, gib},
		{"more than there is", map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "4:memory:/a\n", "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n"}, 4 * gib},
	} {
		got := machineMemory(func(path string) ([]byte, error) {
			if text, ok := c.files[path]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		})
		require.Equal(t, c.want, got, c.name)
	}
	require.Positive(t, defaultMemoryLimit())
}

package driver

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
)

// unknownMachineMemory stands for the memory of a machine that doesn't tell.
const unknownMachineMemory = 8 << 30

// defaultMemoryLimit is half of the memory that the process may use.
func defaultMemoryLimit() int64 { return machineMemory(os.ReadFile) / 2 }

// machineMemory is the machine's memory or, if that is less, what the process's
// control group or one above it may use. It knows Linux.
func machineMemory(read func(string) ([]byte, error)) int64 {
	memory := int64(unknownMachineMemory)
	info, err := read("/proc/meminfo")
	if err != nil {
		return memory
	}
	for line := range strings.Lines(string(info)) {
		if rest, found := strings.CutPrefix(line, "MemTotal:"); found {
			if kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64); err == nil {
				memory = kib << 10
			}
		}
	}
	groups, err := read("/proc/self/cgroup")
	if err != nil {
		return memory
	}
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		switch {
		case parts[0] == "0":
			memory = groupMemory(read, "/sys/fs/cgroup", parts[2], "memory.max", memory)
		case strings.Contains(","+parts[1]+",", ",memory,"):
			memory = groupMemory(read, "/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes", memory)
		}
	}
	return memory
}

// groupMemory is the least of memory and the limits of a control group and those
// above it.
func groupMemory(read func(string) ([]byte, error), root, group, file string, memory int64) int64 {
	for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
		if text, err := read(path.Join(root, dir, file)); err == nil {
			if limit, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && limit > 0 {
				memory = min(memory, limit)
			}
		}
		if dir == "/" {
			return memory
		}
	}
}

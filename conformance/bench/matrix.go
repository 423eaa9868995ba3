package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// peers are the engines that the matrix compares with; delta-rs has DataFusion
// inside.
const peers = "duckdb-1.4.4,delta-rs,polars,chdb,spark"

// runMatrix runs every workload in this program and its peers, in turns, and
// prints times and ratios. further flags come after those that are given here
// and so win.
func runMatrix(dir string, threads int, further []string) error {
	shared := os.Getenv("TARN_SHARED")
	if shared == "" || dir == "" {
		return errors.New("-matrix needs -dir, and TARN_SHARED: the directory with the side-by-side benchmark in tools/bench")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	root := filepath.Join(shared, "tools", "bench")
	args := []string{filepath.Join(root, "run.py"), "--dir", dir, "--threads", strconv.Itoa(threads),
		"--peers", filepath.Join(root, "peers.example.json"), "--only", peers, "--format", "delta", "--cmd-formats", "delta",
		"--serve-cmd", fmt.Sprintf("tarn=%s -serve -dir {dir} -threads {threads} -queries %s", self, filepath.Join(root, "queries")),
		"--queries", "@all", "--runs", "3"}
	cmd := exec.Command("python3", append(args, further...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

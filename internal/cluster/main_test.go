//go:build linux

package cluster

import (
	"fmt"
	"os"
	"testing"

	"gatehouse/internal/testkit"
)

func TestMain(m *testing.M) {
	os.Exit(runIn(m))
}

func runIn(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gatehouse-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	builds = dir
	testkit.AtOnce(4)
	return m.Run()
}

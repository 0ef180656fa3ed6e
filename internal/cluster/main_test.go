//go:build linux

package cluster

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// atOnce is how many of the tests run at the same time, unless -parallel says otherwise: they
// mostly wait.
const atOnce = "4"

func TestMain(m *testing.M) {
	if task := os.Getenv(victimVariable); task != "" {
		os.Exit(runVictim(task))
	}
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
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue {
		_ = parallel.Value.Set(atOnce)
	}
	return m.Run()
}

//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A batch of 100,000 addresses holds 60 MB beside their list, and does 2,000 look-ups a
// second where nothing limits it.
func BenchmarkABatchOf100000(b *testing.B) {
	const (
		addresses = 100_000
		most      = 60 << 10 // KiB
		least     = 2000     // a second
	)
	c, list := newCounted(b), listFile(b, addresses)
	info, err := os.Stat(list)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		batch := exec.Command(binary, "lookup", "--from", list, "--rate", "0", "-q", "-o", "json", "--resume", filepath.Join(b.TempDir(), "journal.ndjson"))
		batch.Env = c.env
		begun := time.Now()
		_ = batch.Run() // most addresses are not known: exit code 1
		took := time.Since(begun)
		peak := batch.ProcessState.SysUsage().(*syscall.Rusage).Maxrss // KiB
		second := addresses / took.Seconds()
		b.ReportMetric(second, "lookups/s")
		b.ReportMetric(float64(peak)/1024, "peak-MiB")
		if code := batch.ProcessState.ExitCode(); code != 1 || peak > most+info.Size()>>10 || second < least {
			b.Errorf("exit code %d, %d KiB, %.0f look-ups a second", code, peak, second)
		}
	}
}

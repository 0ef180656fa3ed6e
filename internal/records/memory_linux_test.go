//go:build linux && !race

package records_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gatehouse/internal/records"
)

// shapeVariable makes the test binary read one body and tell how much memory
// that took at most.
const shapeVariable = "GATEHOUSE_TEST_SHAPE"

// shapes are bodies of a length that is not announced: how they begin, what is
// repeated, how they end.
var shapes = map[string]struct {
	head, unit, tail string
	megabytes        int // of the body
}{
	"records of usual length": {`{"Data":[`, `{"Id":123456,"Name":"a share","Path":"/a/b/c/d","Size":123456789,"At":"2026-01-02T03:04:05Z"},`, `{}]}`, 320},
	"one text":                {`["`, "aaaaaaaaaaaaaaaa", `"]`, 320},
	"numbers of one digit":    {"[", "1,", "1]", 24},
	"objects with nothing":    {"[", "{},", "{}]", 24},
}

// BenchmarkMemoryOfABody measures how much memory a program takes for a body, with the
// soft limit that it has for one person.
func BenchmarkMemoryOfABody(b *testing.B) {
	if shape := os.Getenv(shapeVariable); shape != "" {
		readShape(shape)
		os.Exit(0)
	}
	for shape, of := range shapes {
		b.Run(shape, func(b *testing.B) {
			for b.Loop() {
				child := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkMemoryOfABody$")
				child.Env = append(os.Environ(), shapeVariable+"="+shape, "GOMEMLIMIT=768MiB")
				said, err := child.Output()
				var took int
				if _, scanned := fmt.Fscanf(bytes.NewReader(said[max(0, bytes.Index(said, []byte("took"))):]), "took %d MB\n", &took); scanned != nil {
					b.Fatalf("%v, %v: %s", err, scanned, said)
				}
				b.ReportMetric(float64(took), "MB")
				b.ReportMetric(float64(took)/float64(of.megabytes), "x-body")
			}
		})
	}
}

func readShape(name string) {
	shape := shapes[name]
	units := strings.NewReader(strings.Repeat(shape.unit, 1<<20/len(shape.unit)))
	parts := []io.Reader{strings.NewReader(shape.head)}
	for range shape.megabytes {
		parts = append(parts, io.NewSectionReader(units, 0, units.Size()))
	}
	body := io.MultiReader(append(parts, strings.NewReader(shape.tail))...)
	before := mostMemory()
	stream := records.NewStream(-1)
	stream.HoldOnce(320 << 20)
	_, _ = stream.ReadFrom(body) // some have more records than are kept
	_ = stream.Table()
	fmt.Printf("took %d MB\n", mostMemory()-before)
}

var mostResident = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// mostMemory is how many megabytes of memory this process had at most.
func mostMemory() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	kilobytes, err := strconv.Atoi(string(mostResident.FindSubmatch(status)[1]))
	if err != nil {
		panic(err)
	}
	return kilobytes >> 10
}

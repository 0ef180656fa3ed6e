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
	most             int // megabytes of memory
}{
	"records of usual length": {`{"Data":[`, `{"Id":123456,"Name":"a share","Path":"/a/b/c/d","Size":123456789,"At":"2026-01-02T03:04:05Z"},`, `{}]}`, 24, 60},
	"one text":                {`["`, "aaaaaaaaaaaaaaaa", `"]`, 24, 60},
	"numbers of one digit":    {"[", "1,", "1]", 24, 200},
	"objects with nothing":    {"[", "{},", "{}]", 24, 200},
	"many members":            {"{", `"a":1,`, `"b":2}`, 24, 60},
}

func TestNoBodyTakesMuchMoreMemoryThanItself(t *testing.T) {
	if shape := os.Getenv(shapeVariable); shape != "" {
		readShape(shape)
		return
	}
	for shape, limits := range shapes {
		t.Run(shape, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()[:strings.Index(t.Name(), "/")]+"$")
			child.Env = append(os.Environ(), shapeVariable+"="+shape)
			said, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			var took int
			if _, err := fmt.Fscanf(bytes.NewReader(said), "took %d MB\n", &took); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			if took > limits.most {
				t.Errorf("%d MB of memory for a body of %d MB, want at most %d", took, limits.megabytes, limits.most)
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

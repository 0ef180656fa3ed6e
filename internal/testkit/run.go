package testkit

import (
	"flag"
	"os"
	"strconv"
)

// Long reports whether tests are to run in full which are otherwise made short: fewer cases, a
// shorter time, less data. What they check is the same.
func Long() bool { return os.Getenv("GATEHOUSE_LONG") == "1" }

// Either is one value for tests in full, and another one for short ones.
func Either[T any](long, short T) T {
	if Long() {
		return long
	}
	return short
}

// AtOnce has so many of the parallel tests of a binary run at the same time, unless -parallel
// says otherwise: more than there are processors, for tests that mostly wait. It is for TestMain.
func AtOnce(tests int) {
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue {
		_ = parallel.Value.Set(strconv.Itoa(tests))
	}
}

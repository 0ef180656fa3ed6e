package testkit

import (
	"flag"
	"strconv"
)

// AtOnce has so many of the parallel tests of a binary run at the same time, unless -parallel
// says otherwise: more than there are processors, for tests that mostly wait. It is for TestMain.
func AtOnce(tests int) {
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue {
		_ = parallel.Value.Set(strconv.Itoa(tests))
	}
}

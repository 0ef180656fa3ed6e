// Package pattern has regular expressions that are compiled when they are needed first: most runs
// of the program need few of them, and compiling all would take a tenth of its start.
package pattern

import (
	"regexp"
	"sync"
)

// New returns a function that returns the expression. It panics if that cannot be parsed.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

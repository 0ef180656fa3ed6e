package testkit

import (
	"iter"
	"strconv"
	"strings"
	"testing"
	"time"
)

// maxAnswer is the size of a token or a login result in bytes that is read at most.
const maxAnswer = 1 << 20

// LongAnswer returns the size of a long answer that a test makes up, in bytes, and the CPU time
// that a computation with it may take. In a long test there is just enough room for what is around
// it in an answer of maxAnswer bytes. See [requireLongName] for what the race detector changes.
func LongAnswer(t testing.TB) (size int, limit time.Duration) {
	t.Helper()
	requireLongName(t)
	const around = 64 << 10
	limit = 2 * time.Second
	switch {
	case raced:
		return maxAnswer / 64, limit
	case Long():
		return maxAnswer - around, limit
	}
	return maxAnswer / 2, limit
}

// LongClaims returns the size of the claims in a long token that a test makes up, in bytes:
// [LargestClaims], or with the race detector as much as more domains take than are read.
func LongClaims(t testing.TB) (size int) {
	t.Helper()
	requireLongName(t)
	if raced {
		return LargestClaims / 4
	}
	return LargestClaims
}

// Runes yields the runes from first to last; with the race detector only one of 16, see
// [requireLongName].
func Runes(t testing.TB, first, last rune) iter.Seq[rune] {
	t.Helper()
	requireLongName(t)
	step := rune(1)
	if raced {
		step = 16
	}
	return func(yield func(rune) bool) {
		for r := first; r <= last; r += step {
			if !yield(r) {
				return
			}
		}
	}
}

// requireLongName fails a test whose name begins neither with TestALong, as those of long input do,
// nor with TestEveryRune. By this name .ci/run finds the tests that it runs twice: with the race
// detector, which makes a computation ten times slower and finds nothing in what one goroutine
// does, they do less.
func requireLongName(t testing.TB) {
	t.Helper()
	if name := t.Name(); !strings.HasPrefix(name, "TestALong") && !strings.HasPrefix(name, "TestEveryRune") {
		t.Fatal("the name of a test of long input or of all runes does not say so")
	}
}

// Fill repeats a text up to a size in bytes.
func Fill(size int, text string) string { return strings.Repeat(text, size/len(text)) }

// Items are different items with commas between them, of a size in bytes or a little more.
func Items(size int, item func(i int) string) string {
	var list strings.Builder
	for i := 0; list.Len() < size; i++ {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteString(item(i))
	}
	return list.String()
}

// LargestClaims is the maximum size of the claims in a token, in bytes. Base64 makes four bytes of
// three, and answers of more than maxAnswer bytes are refused.
const LargestClaims = 780_000

// ManyDomains are claims of a size in bytes, or a little more, with as many domains as possible.
func ManyDomains(size int) string {
	domain := func(i int) string { return `"d` + strconv.Itoa(i) + `.example"` }
	return `{"sub":"ann@harbor.example","primary_domain":"harbor.example",` +
		`"domains":[` + Items(size, domain) + `]}`
}

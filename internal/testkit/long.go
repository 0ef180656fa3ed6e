package testkit

import (
	"strconv"
	"strings"
	"time"
)

// maxAnswer is the size of a token or a login result in bytes that is read at most.
const maxAnswer = 1 << 20

// LongAnswer returns the size of a long answer that a test makes up, in bytes, and the CPU time
// that a computation with it may take. In a long test there is just enough room for what is around
// it in an answer of maxAnswer bytes.
func LongAnswer() (size int, limit time.Duration) {
	const around = 64 << 10
	if Long() {
		return maxAnswer - around, 2 * time.Second
	}
	return maxAnswer / 2, 2 * time.Second
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

// ManyDomains are the claims of a token with as many domains as possible.
func ManyDomains() string {
	domain := func(i int) string { return `"d` + strconv.Itoa(i) + `.example"` }
	return `{"sub":"ann@harbor.example","primary_domain":"harbor.example",` +
		`"domains":[` + Items(LargestClaims, domain) + `]}`
}

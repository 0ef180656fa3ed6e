package testkit

import (
	"strconv"
	"strings"
	"time"
)

// LongAnswer is how many bytes of an answer a test makes up, and how much CPU time a computation with
// them may take. The long form leaves room in 1 MiB, the most that is read of a token or a login
// result, for what a body has around them. The short form is half a MiB.
func LongAnswer() (size int, limit time.Duration) {
	const limitOfAnswers, room = 1 << 20, 64 << 10
	if Long() {
		return limitOfAnswers - room, 2 * time.Second
	}
	return limitOfAnswers / 2, 2 * time.Second
}

// Fill repeats a text up to a size.
func Fill(size int, text string) string { return strings.Repeat(text, size/len(text)) }

// Items are different items with commas between them, up to a size.
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

// LargestClaims is how long the payload of a token can be, in bytes: an answer with more than 1 MiB
// is refused, and three bytes are four there.
const LargestClaims = 780_000

// ManyDomains are the claims of a token that names as many domains as there is room for.
func ManyDomains() string {
	names := Items(LargestClaims, func(i int) string { return `"d` + strconv.Itoa(i) + `.example"` })
	return `{"sub":"ann@harbor.example","primary_domain":"harbor.example","domains":[` + names + `]}`
}

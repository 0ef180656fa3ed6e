package records

import (
	"slices"
	"strings"
	"unicode"
)

// What the words of a name say about numbers in its column.
var (
	timeWords = []string{
		"at", "created", "date", "deleted", "expires", "expiry", "modified", "since", "stamp",
		"stamps", "tick", "ticks", "time", "times", "timestamp", "timestamps", "until", "updated",
	}
	bytesWords    = []string{"byte", "bytes", "quota", "size", "space", "usage"}
	notBytesWords = []string{"count", "id", "ids", "kind", "number", "percent", "ratio", "type", "unit", "units"}
)

// speaksOfTime reports whether one of the members in the name of a column is named for a time.
func speaksOfTime(column string) bool { return hasWord(nameWords(column), timeWords) }

// speaksOfBytes reports whether the last member in the name of a column is named for a size.
func speaksOfBytes(column string) bool {
	words := nameWords(column[strings.LastIndexByte(column, '.')+1:])
	return hasWord(words, bytesWords) && !hasWord(words, notBytesWords)
}

func hasWord(words, wanted []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(wanted, word) })
}

// nameWords returns the words of a camelCase, snake_case or dotted name in lower
// case: of "HTTPServer.last_seenAt" http, server, last, seen and at.
func nameWords(name string) (words []string) {
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			cut(i)
			start = i + 1
		case unicode.IsUpper(r) && i > 0:
			endsAcronym := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if !unicode.IsUpper(runes[i-1]) || endsAcronym {
				cut(i)
			}
		}
	}
	cut(len(runes))
	return words
}

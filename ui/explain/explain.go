// Package explain says what the fields are that the service sends and is sent: a line for each that its
// interface or its public clients tell of.
package explain

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gatehouse/internal/lists"
)

// Kind is what a field is a part of.
type Kind uint8

// The kinds. Nothing is known of the fields of None.
const (
	None Kind = iota
	Share
	Company
	// Login is the result of a device login (interface section 2.4).
	Login
	// Claims are those of an access token (section 2.2, RFC 7519, OpenID Connect).
	Claims
	// Request is a request and its answer (section 4).
	Request
	// Session is what the program knows of the session itself.
	Session
)

// Field says what a field is, and what its values mean, in a line. The path is that of the field in
// what it is a part of, as a table or a tree names it; elements of lists count as their list. "" is
// said of a field that nothing is documented of, and documented is false where that is worth a word.
func Field(kind Kind, path string) (line string, documented bool) {
	known := table[kind]
	if known == nil {
		return "", true
	}
	line = known[withoutElements(path)]
	if line == "" {
		return "", false
	}
	if values := valuesOf(path); values != "" {
		line += " " + values
	}
	return line, true
}

// withoutElements is a path without the positions in lists: "UserDomains[0].Name" is "UserDomains.Name".
func withoutElements(path string) string {
	before, rest, found := strings.Cut(path, "[")
	if !found {
		return path
	}
	_, after, _ := strings.Cut(rest, "]")
	return before + withoutElements(after)
}

// valuesOf says what the numbers mean that a field may have, as far as public clients show it.
func valuesOf(path string) string {
	meanings := lists.Meanings(path)
	if meanings == nil {
		return ""
	}
	var texts []string
	for _, number := range slices.SortedFunc(maps.Keys(meanings), cmp.Compare[string]) {
		texts = append(texts, number+" "+meanings[number])
	}
	return "Values seen: " + strings.Join(texts, ", ") + "."
}

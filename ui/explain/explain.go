// Package explain has a line about each field that is exchanged with the service, as far as the
// interface or public clients document it.
package explain

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gatehouse/internal/lists"
)

// Kind is the kind of thing that a field is part of.
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

// Field says in a line what a field is and what its values mean; "" if nothing is documented. The
// path is that of the field within the thing of its kind, as a table or a tree names it; the
// elements of a list have the line of the list. documented is false if the fields of the kind are
// documented, but this one is not.
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

// withoutElements removes the positions in lists from a path: "UserDomains[0].Name" becomes
// "UserDomains.Name".
func withoutElements(path string) string {
	before, rest, found := strings.Cut(path, "[")
	if !found {
		return path
	}
	_, after, _ := strings.Cut(rest, "]")
	return before + withoutElements(after)
}

// valuesOf says what the numeric values of a field mean, as far as public clients show it; "" if
// nothing is known.
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

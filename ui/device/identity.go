package device

import (
	"slices"
	"strings"

	"gatehouse/internal/records"
	"gatehouse/ui/record"
)

// identityWords are in the names of members in which any two people or devices differ.
var identityWords = []string{
	"address", "alias", "birthday", "company", "created", "date", "department", "email", "fax", "guid", "id", "ids", "initials", "key", "language",
	"limit", "login", "mail", "mobile", "name", "number", "phone", "picture", "quota", "size", "space", "stamp", "tick", "time", "title", "token",
	"usage", "used", "uuid",
}

// isIdentity reports whether a difference is one that any two people have: a name, an id,
// a quota, a time. Which domain it is matters, whatever its name.
func isIdentity(p pair) bool {
	member := p.path[strings.LastIndexByte(p.path, '.')+1:]
	words := records.Words(member)
	if slices.Contains(words, "domain") && slices.Contains(words, "name") || slices.Contains(words, "code") {
		return false
	}
	isAlone := p.change == onlyFirst || p.change == onlySecond
	if isAlone && strings.Contains(p.path, "].") {
		return true // part of an element whose name tells that it is there
	}
	named := slices.ContainsFunc(words, func(word string) bool { return slices.Contains(identityWords, word) })
	return named || record.IsIdentity(member, p.first) || record.IsIdentity(member, p.second)
}

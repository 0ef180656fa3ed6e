package device

import (
	"slices"
	"strings"

	"gatehouse/internal/records"
	"gatehouse/ui/compare"
	"gatehouse/ui/record"
)

// identity is what any two people differ in.
var identity = compare.Identity{Has: isIdentity, Kinds: "names, ids, addresses, quotas, times"}

// identityWords are in the names of members in which any two people or devices differ.
var identityWords = []string{
	"address", "alias", "birthday", "company", "created", "date", "department", "email", "fax", "guid", "id", "ids", "initials", "key", "language",
	"limit", "login", "mail", "mobile", "name", "number", "phone", "picture", "quota", "size", "space", "stamp", "tick", "time", "title", "token",
	"usage", "used", "uuid",
}

// isIdentity reports whether a difference is one that any two people have: a name, an id,
// a quota, a time. Which domain it is matters, whatever its name.
func isIdentity(p compare.Pair) bool {
	member := p.Path[strings.LastIndexByte(p.Path, '.')+1:]
	words := records.Words(member)
	if slices.Contains(words, "domain") && slices.Contains(words, "name") || slices.Contains(words, "code") {
		return false
	}
	if p.Alone() && strings.Contains(p.Path, "].") {
		return true // part of an element whose name tells that it is there
	}
	named := slices.ContainsFunc(words, func(word string) bool { return slices.Contains(identityWords, word) })
	return named || record.IsIdentity(member, p.First) || record.IsIdentity(member, p.Second)
}

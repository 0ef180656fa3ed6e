package record

import (
	"slices"
	"strings"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
)

// group is one of the groups of a record.
type group uint8

const (
	what group = iota
	people
	space
	times
	references
	rest
	groups // their number
)

// titles are the headings of the groups.
var titles = [groups]string{"What it is", "People", "Space", "Times", "References", "Everything else"}

// column is how the values of a column are read.
type column struct {
	records.ColumnInfo
	group group
	lead  LeadKind
	limit bool // a size that others are measured against
	enum  map[string]string
}

// What the words of names say.
var (
	personWords    = []string{"contact", "email", "fax", "initials", "mail", "mobile", "phone"}
	personParts    = []string{"contact", "owner", "person"}
	companyWords   = []string{"company", "customer", "organisation", "organization", "reseller", "tenant"}
	referenceWords = []string{"guid", "id", "ids", "parent", "reference", "uri", "url", "uuid"}
	kindWords      = []string{"class", "code", "default", "description", "error", "kind", "name", "number", "title", "type", "validated", "version"}
	limitWords     = []string{"allowed", "limit", "max", "maximum", "quota"}
)

// maxLabel is how many cells a label has at most.
const maxLabel = 60

// plan decides how each column is read, in the order in which the records have them.
func plan(infos []records.ColumnInfo) []column {
	columns := make([]column, len(infos))
	for _, info := range infos {
		columns[info.Index] = newColumn(info)
	}
	return columns
}

func newColumn(info records.ColumnInfo) column {
	member := lastMember(info.Name)
	words := records.Words(member)
	c := column{ColumnInfo: info, enum: records.Meanings(member)}
	c.Label = safetext.Clip(c.Label, maxLabel)
	c.group = c.groupOf(words)
	c.limit = c.group == space && hasWord(words, limitWords)
	c.lead = c.leadOf(words)
	return c
}

func (c *column) groupOf(words []string) group {
	switch {
	case c.Role == records.RoleName, strings.EqualFold(c.Name, "id"):
		return what
	case c.Role == records.RoleTime:
		return times
	case c.Role == records.RoleSize:
		return space
	case c.Role == records.RolePerson, hasWord(words, companyWords), hasWord(records.Words(c.parents()), personParts):
		return people
	case c.Role == records.RoleID, c.Role == records.RoleLink, hasWord(words, referenceWords):
		return references
	case hasWord(words[max(len(words)-1, 0):], personWords), isPersonName(words):
		return people
	case c.Role == records.RoleList:
		return rest
	case c.Role == records.RoleState, c.enum != nil, hasWord(words, kindWords):
		return what
	}
	return rest
}

// parents are the members that lead to the column's.
func (c *column) parents() string { return c.Name[:max(strings.LastIndexByte(c.Name, '.'), 0)] }

func isPersonName(words []string) bool {
	return hasWord(words, []string{"name"}) && hasWord(words, []string{"family", "first", "given", "last", "middle"})
}

func hasWord(words, wanted []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(wanted, word) })
}

func (c *column) leadOf(words []string) LeadKind {
	isID := c.Role == records.RoleID
	switch {
	case c.Kind == records.EmailColumn:
		return Person
	case isID && slices.Contains(words, "company"):
		return Company
	case isID && slices.Contains(words, "reseller") && !slices.Contains(words, "parent"):
		return Reseller
	}
	return None
}

func lastMember(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

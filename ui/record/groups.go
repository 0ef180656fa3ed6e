package record

import (
	"slices"
	"strings"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/safetext"
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
var titles = [groups]string{"General", "People", "Space", "Times", "References", "Other"}

// column says how the values of a column are shown.
type column struct {
	lists.ColumnInfo
	group group
	lead  LeadKind
	limit bool              // its sizes are the limit of the other sizes of a record
	enum  map[string]string // the meanings of its values
}

// The words of a name that decide to which group a column belongs. personParts are words of the names
// of the objects around it.
var (
	personWords  = []string{"contact", "email", "fax", "initials", "mail", "mobile", "phone"}
	personParts  = []string{"contact", "owner", "person"}
	givenWords   = []string{"family", "first", "given", "last", "middle"} // before "name"
	companyWords = []string{
		"company", "customer", "organisation", "organization", "reseller", "tenant",
	}
	referenceWords = []string{"guid", "id", "ids", "parent", "reference", "uri", "url", "uuid"}
	kindWords      = []string{
		"class", "code", "default", "description", "error", "kind",
		"name", "number", "title", "type", "validated", "version",
	}
	limitWords = []string{"allowed", "limit", "max", "maximum", "quota"}
)

// maxLabel is the maximum width of a label in cells.
const maxLabel = 60

// newColumn decides from the name and the values of a column how it is shown.
func newColumn(info lists.ColumnInfo) column {
	member := lastMember(info.Name)
	words := lists.Words(member)
	c := column{ColumnInfo: info, enum: lists.Meanings(member)}
	c.Label = safetext.Clip(c.Label, maxLabel)
	c.group = c.groupOf(words)
	c.limit = c.group == space && hasWord(words, limitWords)
	c.lead = c.leadOf(words)
	return c
}

// groupOf is the group of a column. words are those of the name of its member.
func (c *column) groupOf(words []string) group {
	parents := c.Name[:max(strings.LastIndexByte(c.Name, '.'), 0)]
	isPersonName := hasWord(words, []string{"name"}) && hasWord(words, givenWords)
	last := words[max(len(words)-1, 0):]
	switch {
	case c.Role == lists.RoleName, strings.EqualFold(c.Name, "id"):
		return what
	case c.Role == lists.RoleTime:
		return times
	case c.Role == lists.RoleSize:
		return space
	case c.Role == lists.RolePerson, hasWord(words, companyWords), hasWord(lists.Words(parents), personParts):
		return people
	case c.Role == lists.RoleID, c.Role == lists.RoleLink, hasWord(words, referenceWords):
		return references
	case hasWord(last, personWords), isPersonName:
		return people
	case c.Role == lists.RoleList:
		return rest
	case c.Role == lists.RoleState, c.enum != nil, hasWord(words, kindWords):
		return what
	}
	return rest
}

// hasWord reports whether any of the words is a wanted one.
func hasWord(words, wanted []string) bool {
	isWanted := func(word string) bool { return slices.Contains(wanted, word) }
	return slices.ContainsFunc(words, isWanted)
}

// leadOf is what the values of a column lead to. words are those of the name of its member.
func (c *column) leadOf(words []string) LeadKind {
	isID := c.Role == lists.RoleID
	switch {
	case c.Kind == lists.EmailColumn:
		return Person
	case isID && slices.Contains(words, "company"):
		return Company
	case isID && slices.Contains(words, "reseller") && !slices.Contains(words, "parent"):
		return Reseller
	}
	return None
}

// lastMember is the name of the member at the end of a path.
func lastMember(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

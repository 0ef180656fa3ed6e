package record

import (
	"slices"
	"strings"
	"unicode/utf8"

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
	label string
	lead  LeadKind
	limit bool // a size that others are measured against
	enum  map[string]string
}

// enums are the meanings of numbers, by the last member of a name, as far as they are
// known from public clients of the service.
var enums = map[string]map[string]string{
	"ShareAssociationType": {"0": "read", "1": "write", "2": "owner"},
	"ShareCategory":        {"0": "corporate", "1": "team", "2": "private"},
	"ShareType":            {"0": "normal", "1": "sub-share"},
}

// What the words of names say.
var (
	personWords    = []string{"contact", "email", "fax", "initials", "mail", "mobile", "phone"}
	personParts    = []string{"contact", "owner", "person"}
	companyWords   = []string{"company", "customer", "organisation", "organization", "reseller", "tenant"}
	referenceWords = []string{"guid", "id", "ids", "parent", "reference", "uri", "url", "uuid"}
	kindWords      = []string{"class", "code", "default", "description", "error", "kind", "name", "number", "title", "type", "validated", "version"}
	limitWords     = []string{"allowed", "limit", "max", "maximum", "quota"}
	// What a heading says already.
	timeWords  = []string{"at", "date", "stamp", "tick", "ticks", "time", "timestamp"}
	sizeWords  = []string{"bytes", "size", "space", "usage"}
	plainWords = []string{"id", "ids", "name", "number", "tick", "ticks", "time"}
)

// happened are the verbs in the names of times as people say them.
var happened = map[string]string{
	"access": "accessed", "change": "changed", "create": "created", "delete": "deleted", "end": "ended", "expire": "expires", "join": "joined",
	"leave": "left", "modify": "modified", "start": "started", "update": "updated", "upload": "uploaded", "write": "written",
}

// longestLabel is how many cells a label has at most.
const longestLabel = 60

// plan decides how each column is read, in the order in which the records have them.
func plan(infos []records.ColumnInfo) []column {
	noun := commonNoun(infos)
	columns := make([]column, len(infos))
	for _, info := range infos {
		columns[info.Index] = newColumn(info, noun)
	}
	tellApart(columns)
	for i := range columns {
		columns[i].label = safetext.Clip(columns[i].label, longestLabel)
	}
	return columns
}

func newColumn(info records.ColumnInfo, noun string) column {
	member := lastMember(info.Name)
	words := records.Words(member)
	c := column{ColumnInfo: info, enum: enums[member]}
	c.group = c.groupOf(words)
	c.limit = c.group == space && hasWord(words, limitWords)
	c.lead = c.leadOf(words)
	c.label = c.labelOf(words, noun)
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

// labelOf is what a column is called under the heading of its group.
func (c *column) labelOf(words []string, noun string) string {
	if len(words) > 1 && words[0] == noun && !slices.Contains(plainWords, words[1]) {
		words = words[1:]
	}
	switch last := len(words) - 1; {
	case last < 0:
		return c.Name
	case last > 0 && c.group == space && slices.Contains(sizeWords, words[last]):
		words = words[:last]
	case last > 0 && (words[last] == "id" || c.group == what && words[last] == "type"):
		words = words[:last]
	case c.group == times:
		words = sayWhen(words)
	case c.parents() != "" && (c.group == rest || slices.Equal(words, []string{"name"})):
		words = slices.Concat(lastWords(c.parents(), noun), words)
	}
	return sentence(words)
}

// sayWhen leaves out of the name of a time what the heading says already.
func sayWhen(words []string) []string {
	last := len(words) - 1
	if last > 0 && slices.Contains(timeWords, words[last]) && happened[words[last-1]] != "" {
		words = append(slices.Clone(words[:last-1]), happened[words[last-1]])
	}
	return words
}

// lastWords are the words of the last member of a path.
func lastWords(path, noun string) []string {
	words := records.Words(lastMember(path))
	if len(words) > 1 && words[0] == noun {
		words = words[1:]
	}
	return words
}

func lastMember(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func sentence(words []string) string {
	text := strings.Join(words, " ")
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}

// commonNoun is the word with which the names of many members of a record begin, "" for
// none: in a share ShareType, ShareTick and ShareIds begin with the same.
func commonNoun(infos []records.ColumnInfo) string {
	const many = 3
	counts, counted := map[string]int{}, map[string]bool{}
	noun := ""
	for _, c := range infos {
		member, _, _ := strings.Cut(c.Name, ".")
		words := records.Words(member)
		if len(words) < 2 || counted[member] {
			continue
		}
		counted[member] = true
		counts[words[0]]++
		if counts[words[0]] >= many && counts[words[0]] > counts[noun] {
			noun = words[0]
		}
	}
	return noun
}

// tellApart puts the names of what they are part of before labels that a group has more
// than once.
func tellApart(columns []column) {
	type place struct {
		group group
		label string
	}
	seen := map[place][]int{}
	for i, c := range columns {
		at := place{c.group, c.label}
		seen[at] = append(seen[at], i)
	}
	for _, same := range seen {
		if len(same) < 2 {
			continue
		}
		for _, i := range same {
			c := &columns[i]
			around := lastWords(c.parents(), "")
			if label := strings.ToLower(c.label); len(around) > 0 && around[len(around)-1] != label {
				c.label = sentence(append(around, label))
			}
		}
	}
}

package lists

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"gatehouse/internal/text/jsonscan"
)

// names are what the columns of a table are called, as one query asks for them. What was looked up
// is kept: a query may name a column a thousand times.
type names struct {
	table *Table
	known map[string]meaning
}

// meaning is what [Table.resolve] makes of a name.
type meaning struct{ columns, meant []int }

func newNames(t *Table) *names { return &names{table: t, known: map[string]meaning{}} }

func (n *names) resolve(name string) meaning {
	found, ok := n.known[name]
	if !ok {
		found.columns, found.meant = n.table.resolve(name)
		n.known[name] = found
	}
	return found
}

// are reports whether a name is one of columns, or the beginning of one, or stands for a time.
func (n *names) are(name string) bool {
	found := n.resolve(name)
	return found.columns != nil || found.meant != nil || foldedName(name) == ageName
}

// ageName is the time of a record by how long ago it is, where no column is called so.
const ageName = "age"

// joins reports whether a text with blanks is one value in the column of a name: a number, a size
// or a time, or a range of them.
func (n *names) joins(name, value string) bool {
	amounts, times := true, true
	if found := n.resolve(name); found.columns != nil {
		is := func(kinds ...ColumnKind) bool {
			return slices.ContainsFunc(found.columns, func(col int) bool {
				return slices.Contains(kinds, n.table.sample().columns[col].Kind)
			})
		}
		amounts, times = is(NumberColumn, BytesColumn), is(TimeColumn, TicksColumn)
	}
	isOne := func(text string) bool {
		a, ok := parseAmount(text)
		return amounts && ok && isUnit(a.unit) || times && isMoment(text)
	}
	from, to, isRange := cutRange(value)
	if !isRange {
		return isOne(value)
	}
	return (from == "" || isOne(from)) && (to == "" || isOne(to)) && from+to != ""
}

// isUnit reports whether a word is a unit or looks like one, so that a mistyped one is found to be
// none: XB, GxB.
func isUnit(word string) bool {
	const maxLetters = 3
	_, known := unitOf(word)
	return known || len(word) <= maxLetters && strings.HasSuffix(word, "B")
}

// isMoment reports whether a text is a time.
func isMoment(text string) bool {
	_, ok := parseMoment(text, time.Unix(0, 0))
	return ok
}

// cutRange cuts a range at its two points. An end that is not there, or is *, is "". 1GB+ is one
// without an end.
func cutRange(value string) (from, to string, ok bool) {
	if from, ok := strings.CutSuffix(value, "+"); ok && from != "" {
		return from, "", true
	}
	from, to, ok = strings.Cut(value, "..")
	end := func(text string) string { return strings.TrimSuffix(strings.TrimSpace(text), "*") }
	return end(from), end(to), ok
}

// comparable reports whether what stands behind an operator without a name begins with something
// that can be compared: a number, a size or a time.
func (n *names) comparable(value string) bool {
	words := strings.Fields(value[:min(len(value), maxMoment)])
	if len(words) == 0 {
		return false
	}
	if digits := strings.TrimLeft(words[0], "+-.,"); digits != "" && jsonscan.IsDigit(digits[0]) {
		return true
	}
	const maxWords = 3
	for end := range min(len(words), maxWords) {
		if isMoment(strings.Join(words[:end+1], " ")) {
			return true
		}
	}
	return false
}

// maxMoment is how many bytes of a time are read.
const maxMoment = 64

// like returns names that may be meant by one that no column has, the likeliest first, as they are
// typed.
func (n *names) like(name string) []string {
	wanted := foldedName(name)
	if letters := utf8.RuneCountInString(wanted); letters < 2 || letters > maxMoment {
		return nil
	}
	if other := nearNames[wanted]; other != "" && n.resolve(other).columns != nil {
		return []string{other}
	}
	var found []likely
	for _, c := range n.table.sample().display {
		member := lastMember(c.Name)
		column := likely{column: c.Index, distance: distanceOf(wanted, append(Words(member), c.Label, member)...)}
		found = append(found, column)
	}
	for _, other := range slices.Sorted(maps.Keys(otherNames)) {
		found = append(found, likely{other: other, distance: distanceOf(wanted, other)})
	}
	slices.SortStableFunc(found, func(a, b likely) int { return cmp.Compare(a.distance, b.distance) })
	var typed []string
	nearest := maxDistance
	for _, l := range found {
		if l.distance > nearest || len(typed) == maxMeant {
			break
		}
		if l.other == "" {
			l.other = n.table.typedName(l.column)
		} else if n.resolve(l.other).columns == nil {
			continue
		}
		if nearest = l.distance; !slices.Contains(typed, l.other) {
			typed = append(typed, l.other)
		}
	}
	return typed
}

// likely is the name of a column, or one of otherNames, that may be meant by another.
type likely struct {
	column   int
	other    string // "" for the name of the column
	distance int
}

// maxDistance is how many letters of a name may be wrong, of short ones one less.
const maxDistance = 2

// distanceOf is how many letters of a name are wrong, where it is the likeliest of some; more than
// maxDistance if it is another one.
func distanceOf(typed string, known ...string) int {
	nearest := maxDistance + 1
	for _, name := range known {
		if utf8.RuneCountInString(name) <= maxMoment {
			nearest = min(nearest, distanceBetween(typed, foldedName(name)))
		}
	}
	return nearest
}

func distanceBetween(typed, known string) int {
	const short, begins = 4, 4 // letters
	letters := utf8.RuneCountInString(known)
	distance := levenshtein.ComputeDistance(typed, known)
	switch {
	case letters < 2 || letters == 2 && distance > 0 && sorted(typed) != sorted(known):
		return maxDistance + 1
	case sorted(typed) == sorted(known): // some are swapped
		return 1
	case letters >= begins && (strings.HasPrefix(typed, known) || strings.HasPrefix(known, typed) && len(typed) >= begins):
		return min(distance, maxDistance)
	case distance == maxDistance && min(letters, utf8.RuneCountInString(typed)) <= short:
		return maxDistance + 1
	}
	return distance
}

// sorted is the letters of a word in order.
func sorted(word string) string {
	letters := []rune(word)
	slices.Sort(letters)
	return string(letters)
}

// typedName returns the name of a column as it is typed most easily, which is in small letters if it
// is still the column alone.
func (t *Table) typedName(col int) string {
	name := t.termName(col)
	if folded := strings.ToLower(name); t.means(folded, col) {
		return folded
	}
	return name
}

// otherNames are what people call columns in other programs, and how the column is found for which
// no name fits better.
var otherNames = map[string]func(t *Table) []int{
	"size": firstSize, "sizes": firstSize, "bytes": firstSize, "filesize": firstSize,
	"modified": lastChange, "changed": lastChange, "updated": lastChange, "edited": lastChange, "mtime": lastChange,
	"date": firstTime, "time": firstTime, "when": firstTime,
	"created": creation, "ctime": creation, "birth": creation,
	"pushed": lastChange,
	"owner":  ownership, "user": ownership, "person": ownership,
	"author": ownership, "from": ownership, "assignee": ownership, "mailto": ownership,
	"name": firstOf(RoleName), "title": firstOf(RoleName), "filename": firstOf(RoleName), "subject": firstOf(RoleName),
}

// nearNames are words for which a column with another name may be meant.
var nearNames = map[string]string{
	"kind": "type", "class": "category",
	"access": "association", "permission": "association", "rights": "association",
}

func firstOf(role Role) func(t *Table) []int {
	return func(t *Table) []int { return t.firstThat(func(c ColumnInfo) bool { return c.Role == role }) }
}

// ownership returns the column of owners, or else the first one of people.
func ownership(t *Table) []int {
	owners := t.firstThat(func(c ColumnInfo) bool { return c.Role == RolePerson && strings.EqualFold(c.Label, "owner") })
	if owners != nil {
		return owners
	}
	return firstOf(RolePerson)(t)
}

func firstSize(t *Table) []int {
	return t.firstThat(func(c ColumnInfo) bool { return c.Kind == BytesColumn })
}

func firstTime(t *Table) []int {
	return t.firstThat(func(c ColumnInfo) bool { return c.Kind.isTime() })
}

// lastChange is the first column of times whose name speaks of a change.
func lastChange(t *Table) []int {
	return t.timeNamed("changed", "modified", "modify", "updated", "update", "edited")
}

func creation(t *Table) []int { return t.timeNamed("created", "create", "creation") }

// timeNamed returns the first column of times with one of some words in its label or its name.
func (t *Table) timeNamed(words ...string) []int {
	for _, word := range words {
		found := t.firstThat(func(c ColumnInfo) bool {
			return c.Kind.isTime() && (strings.EqualFold(c.Label, word) || slices.Contains(Words(lastMember(c.Name)), word))
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// firstThat returns the first column, as people look for them, that fits; nil if none does.
func (t *Table) firstThat(fits func(c ColumnInfo) bool) []int {
	at := slices.IndexFunc(t.sample().display, fits)
	if at < 0 {
		return nil
	}
	return []int{t.sample().display[at].Index}
}

// partsOf returns the columns that are members of an object with a name: of "space" all that
// SpaceUsage has in it.
func (t *Table) partsOf(wanted string) []int {
	return t.columnsThat(func(c ColumnInfo) bool {
		members := strings.Split(c.Name, ".")
		return slices.ContainsFunc(members[:len(members)-1], func(member string) bool {
			return foldedName(member) == wanted || foldedName(knownLabels[member]) == wanted || hasWords(member, wanted)
		})
	})
}

// withoutBlanks is a name as it is compared with what columns are called.
func withoutBlanks(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, name)
}

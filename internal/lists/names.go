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

// names finds the columns of a table by the names in a query. It remembers what it has found: a
// query may name a column a thousand times.
type names struct {
	table *Table
	known map[string]meaning
}

// meaning is the result of [Table.resolve] for a name: indexes of columns.
type meaning struct{ columns, meant []int }

// newNames returns the names of a table.
func newNames(t *Table) *names { return &names{table: t, known: map[string]meaning{}} }

// resolve returns what a name means, see [Table.resolve].
func (n *names) resolve(name string) meaning {
	found, ok := n.known[name]
	if !ok {
		found.columns, found.meant = n.table.resolve(name)
		n.known[name] = found
	}
	return found
}

// are reports whether a name is the name of columns, or begins one, or is ageName.
func (n *names) are(name string) bool {
	found := n.resolve(name)
	return found.columns != nil || found.meant != nil || foldedName(name) == ageName
}

// ageName means how long ago the time of a record is, unless a column has this name.
const ageName = "age"

// joins reports whether a text with spaces is a single value for the column of a name: a number, a
// size, a time, or a range of them.
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
	isEnd := func(text string) bool { return text == "" || isOne(text) }
	return isEnd(from) && isEnd(to) && from+to != ""
}

// isUnit reports whether a word is a unit or looks like one, as XB and GxB do, so that a mistyped
// unit is noticed.
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

// cutRange cuts a range at its two dots. An end that is missing, or is *, is "". 1GB+ is a range
// without an upper end.
func cutRange(value string) (from, to string, ok bool) {
	if from, ok := strings.CutSuffix(value, "+"); ok && from != "" {
		return from, "", true
	}
	from, to, ok = strings.Cut(value, "..")
	end := func(text string) string { return strings.TrimSuffix(strings.TrimSpace(text), "*") }
	return end(from), end(to), ok
}

// comparable reports whether the text after an operator without a name begins with a number, a size
// or a time.
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

// like returns names, as they are typed, that may be meant by a name that no column has, the
// likeliest first.
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
		called := append(Words(member), c.Label, member)
		found = append(found, likely{column: c.Index, distance: distanceOf(wanted, called...)})
	}
	for _, other := range slices.Sorted(maps.Keys(otherNames)) {
		found = append(found, likely{other: other, distance: distanceOf(wanted, other)})
	}
	slices.SortStableFunc(found, func(a, b likely) int {
		return cmp.Compare(a.distance, b.distance)
	})
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

// likely is a column, or one of otherNames, that may be meant by a name.
type likely struct {
	column   int    // its index
	other    string // one of otherNames, in place of a column; or ""
	distance int    // see [distanceOf]
}

// maxDistance is how many letters of a name may be wrong. In short names it is one less.
const maxDistance = 2

// distanceOf returns how many letters of a name are wrong if the most similar of the known names is
// meant. It is more than maxDistance if none of them is similar.
func distanceOf(typed string, known ...string) int {
	nearest := maxDistance + 1
	for _, name := range known {
		if utf8.RuneCountInString(name) <= maxMoment {
			nearest = min(nearest, distanceBetween(typed, foldedName(name)))
		}
	}
	return nearest
}

// distanceBetween returns how many letters of a name are wrong if the known name is meant, see
// [distanceOf].
func distanceBetween(typed, known string) int {
	const (
		maxShort     = 4 // letters of a name in which one letter may be wrong
		minBeginning = 4 // letters that are enough to begin a name
	)
	letters := utf8.RuneCountInString(known)
	distance := levenshtein.ComputeDistance(typed, known)
	isSwapped := sorted(typed) == sorted(known)
	isBeginning := strings.HasPrefix(typed, known) ||
		strings.HasPrefix(known, typed) && len(typed) >= minBeginning
	isShort := min(letters, utf8.RuneCountInString(typed)) <= maxShort
	switch {
	case letters < 2, letters == 2 && distance > 0 && !isSwapped:
		return maxDistance + 1
	case isSwapped:
		return 1
	case letters >= minBeginning && isBeginning:
		return min(distance, maxDistance)
	case distance == maxDistance && isShort:
		return maxDistance + 1
	}
	return distance
}

// sorted returns the letters of a word in order.
func sorted(word string) string {
	letters := []rune(word)
	slices.Sort(letters)
	return string(letters)
}

// typedName returns the name of a column as it is typed most easily: in lower case, if it means no
// other column then.
func (t *Table) typedName(col int) string {
	name := t.termName(col)
	if folded := strings.ToLower(name); t.means(folded, col) {
		return folded
	}
	return name
}

// otherNames has names that columns have in other programs, with a function that returns the index
// of the column meant, or nil. They count if no column has the name.
var otherNames = map[string]func(t *Table) []int{
	"size":     firstSize,
	"sizes":    firstSize,
	"bytes":    firstSize,
	"filesize": firstSize,

	"date": firstTime,
	"time": firstTime,
	"when": firstTime,

	"modified": lastChange,
	"changed":  lastChange,
	"updated":  lastChange,
	"edited":   lastChange,
	"pushed":   lastChange,
	"mtime":    lastChange,

	"created": creation,
	"ctime":   creation,
	"birth":   creation,

	"owner":    ownership,
	"user":     ownership,
	"person":   ownership,
	"author":   ownership,
	"from":     ownership,
	"assignee": ownership,
	"mailto":   ownership,

	"name":     firstOf(RoleName),
	"title":    firstOf(RoleName),
	"filename": firstOf(RoleName),
	"subject":  firstOf(RoleName),
}

// nearNames are words for which a column with another name may be meant.
var nearNames = map[string]string{
	"kind": "type", "class": "category",
	"access": "association", "permission": "association", "rights": "association",
}

// firstOf returns a function for the first column with a role.
func firstOf(role Role) func(t *Table) []int {
	hasRole := func(c ColumnInfo) bool { return c.Role == role }
	return func(t *Table) []int { return t.firstThat(hasRole) }
}

// ownership returns the column of owners, or else the first column of people.
func ownership(t *Table) []int {
	owners := t.firstThat(func(c ColumnInfo) bool {
		return c.Role == RolePerson && isOwner(lastMember(c.Name))
	})
	if owners != nil {
		return owners
	}
	return firstOf(RolePerson)(t)
}

// isOwner reports whether a member is called owner, or like the id of one.
func isOwner(member string) bool {
	return slices.Equal(Words(withoutID(member)), []string{"owner"})
}

// firstSize returns the first column of sizes.
func firstSize(t *Table) []int {
	return t.firstThat(func(c ColumnInfo) bool { return c.Kind == BytesColumn })
}

// firstTime returns the first column of times.
func firstTime(t *Table) []int {
	return t.firstThat(func(c ColumnInfo) bool { return c.Kind.isTime() })
}

// lastChange returns the first column of times that is named for a change.
func lastChange(t *Table) []int {
	return t.timeOf(
		eventChanged, eventModified, eventModify, eventUpdated, eventUpdate, eventEdited,
	)
}

// creation returns the first column of times that is named for the creation of something.
func creation(t *Table) []int { return t.timeOf(eventCreated, eventCreate, eventCreation) }

// timeOf returns the first column of times that is about one of the events: its last member is
// known to be, or has the word. Earlier events go first.
func (t *Table) timeOf(events ...event) []int {
	for _, wanted := range events {
		found := t.firstThat(func(c ColumnInfo) bool {
			member := lastMember(c.Name)
			isAbout := knownMembers[member].event == wanted ||
				slices.Contains(Words(member), string(wanted))
			return c.Kind.isTime() && isAbout
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// firstThat returns the index of the first column, in the order of the screen, that fits; nil if
// none does.
func (t *Table) firstThat(fits func(c ColumnInfo) bool) []int {
	at := slices.IndexFunc(t.sample().display, fits)
	if at < 0 {
		return nil
	}
	return []int{t.sample().display[at].Index}
}

// partsOf returns the columns that are members of an object with a folded name: for "space" all
// members of SpaceUsage.
func (t *Table) partsOf(wanted string) []int {
	isNamed := func(member string) bool {
		return foldedName(member) == wanted ||
			foldedName(knownMembers[member].label) == wanted ||
			hasWords(member, wanted)
	}
	return t.columnsThat(func(c ColumnInfo) bool {
		members := strings.Split(c.Name, ".")
		return slices.ContainsFunc(members[:len(members)-1], isNamed)
	})
}

// withoutBlanks returns a name without its white space.
func withoutBlanks(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, name)
}

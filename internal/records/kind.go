package records

import (
	"regexp"
	"slices"

	"gatehouse/internal/jsonscan"
	"gatehouse/internal/pattern"
)

// ColumnKind says what the values of a column are. A column of which one value in the sample
// does not fit is a [TextColumn]; nulls and missing members fit everywhere.
type ColumnKind uint8

// The kinds of columns. TextColumn, the zero ColumnKind, is also that of mixed values.
const (
	TextColumn   ColumnKind = iota
	NumberColumn            // JSON numbers of any size
	BoolColumn              // true and false
	GUIDColumn              // text of 32 hexadecimal digits, with or without dashes and braces
	TimeColumn              // ISO 8601 text, see [Cell.Time]
	TicksColumn             // .NET ticks, as integers, in a column whose name speaks of time; 0 is not set
	BytesColumn             // sizes in bytes: integers, none below 0, in a column whose name speaks of size
	EmailColumn             // text that is one e-mail address
	LinkColumn              // text that is the address of a page, with http:// or https://
	ListColumn              // arrays
	NullColumn              // nothing but nulls, or no values at all
)

// kindTable is what people call the kinds and their values, and the usual role of such a column.
var kindTable = [...]struct {
	name, plural string
	role         Role
}{
	TextColumn: {"text", "text", RoleText}, NumberColumn: {"number", "numbers", RoleNumber}, BoolColumn: {"yes or no", "yes and no", RoleState},
	GUIDColumn: {"GUID", "GUIDs", RoleID}, TimeColumn: {"time", "times", RoleTime}, TicksColumn: {"ticks", "ticks", RoleTime},
	BytesColumn: {"bytes", "sizes", RoleSize}, EmailColumn: {"e-mail", "e-mail addresses", RolePerson}, LinkColumn: {"link", "links", RoleLink},
	ListColumn: {"list", "lists", RoleList}, NullColumn: {"empty", "nulls", RoleText},
}

// String returns the kind in a word or two for people, such as "e-mail".
func (k ColumnKind) String() string { return kindTable[k].name }

// byTelling are the kinds, the most telling first.
var byTelling = []ColumnKind{
	NullColumn, BoolColumn, ListColumn, TicksColumn, BytesColumn, NumberColumn, GUIDColumn, TimeColumn, EmailColumn, LinkColumn, TextColumn,
}

// suits reports whether a column of this name may be of a kind.
func (k ColumnKind) suits(name string) bool {
	switch k {
	case TicksColumn:
		return speaksOfTime(name)
	case BytesColumn:
		return speaksOfBytes(name)
	}
	return true
}

// fits reports whether a value, which is not null, fits a kind.
func (k ColumnKind) fits(c Cell) bool {
	is := c.Kind()
	switch k {
	case TextColumn:
		return true
	case BoolColumn:
		return is == Bool
	case ListColumn:
		return is == Array
	case NumberColumn:
		return is == Number
	case BytesColumn:
		return is == Number && isDigits(c.raw)
	case TicksColumn:
		ticks, ok := parseTicks(c.raw)
		return is == Number && ok && (ticks == 0 || isPlausible(ticks))
	case TimeColumn:
		_, ok := c.Time(TimeColumn)
		return ok
	}
	return is == String && (k != EmailColumn || len(c.raw) < maxEmail) && forms[k] != nil && forms[k]().Match(jsonscan.Unquote(c.raw))
}

// maxEmail is how long an address is at the most.
const maxEmail = 254

// forms are the kinds of text by their form. An address is one without doubt: it has no quotes,
// comments or blanks, and a domain of two labels or more that ends in letters.
var forms = map[ColumnKind]func() *regexp.Regexp{
	GUIDColumn:  pattern.New(`^(?i:[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\{([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\})$`),
	EmailColumn: pattern.New(`^[^\s"(),:;<>@[\\\].]+(\.[^\s"(),:;<>@[\\\].]+)*@([^\s"(),:;<>@[\\\]._]+\.)+[^\s\d"(),:;<>@[\\\]._-]{2,}$`),
	LinkColumn:  pattern.New(`^https?://[^ ]+$`),
}

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
func speaksOfTime(column string) bool { return hasWord(Words(column), timeWords) }

// speaksOfBytes reports whether the last member in the name of a column is named for a size.
func speaksOfBytes(column string) bool {
	words := Words(lastMember(column))
	return hasWord(words, bytesWords) && !hasWord(words, notBytesWords)
}

func hasWord(words, wanted []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(wanted, word) })
}

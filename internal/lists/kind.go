package lists

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"gatehouse/internal/text/jsonscan"
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

// kindTable has what people call each kind and its values, and the usual role of such a column.
var kindTable = [...]struct {
	name, plural string
	role         Role
}{
	TextColumn:   {"text", "text", RoleText},
	NumberColumn: {"number", "numbers", RoleNumber},
	BoolColumn:   {"yes or no", "yes and no", RoleState},
	GUIDColumn:   {"GUID", "GUIDs", RoleID},
	TimeColumn:   {"time", "times", RoleTime},
	TicksColumn:  {"ticks", "times", RoleTime},
	BytesColumn:  {"bytes", "sizes", RoleSize},
	EmailColumn:  {"e-mail", "e-mail addresses", RolePerson},
	LinkColumn:   {"link", "links", RoleLink},
	ListColumn:   {"list", "lists", RoleList},
	NullColumn:   {"empty", "nulls", RoleText},
}

// String returns the kind in a word or two for people, such as "e-mail".
func (k ColumnKind) String() string { return kindTable[k].name }

// isTime reports whether a column has times.
func (k ColumnKind) isTime() bool { return k == TimeColumn || k == TicksColumn }

// byTelling are the kinds, those that say most about a value first.
var byTelling = []ColumnKind{
	NullColumn,
	BoolColumn,
	ListColumn,
	TicksColumn,
	BytesColumn,
	NumberColumn,
	GUIDColumn,
	TimeColumn,
	EmailColumn,
	LinkColumn,
	TextColumn,
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
		isPlausible := minPlausibleTicks <= ticks && ticks < maxPlausibleTicks
		return is == Number && ok && (ticks == 0 || isPlausible)
	}
	if is != String {
		return false
	}
	switch text := jsonscan.Unquote(c.raw); k {
	case GUIDColumn:
		return isGUID(text)
	case TimeColumn:
		_, ok := parseTime(text)
		return ok
	case EmailColumn:
		return len(c.raw) < maxEmail && isEmail(text)
	default:
		return k == LinkColumn && isLink(text)
	}
}

// isGUID reports whether a text is 32 hexadecimal digits, with or without dashes and braces.
func isGUID(text []byte) bool {
	const digits, dashed, braces = 32, 36, 2
	if n := len(text); n > braces && text[0] == '{' && text[n-1] == '}' {
		text = text[1 : n-1]
	}
	if len(text) != digits && len(text) != dashed {
		return false
	}
	for i, c := range text {
		isDash := len(text) == dashed && (i == 8 || i == 13 || i == 18 || i == 23)
		if isDash && c != '-' || !isDash && !jsonscan.IsHex(c) {
			return false
		}
	}
	return true
}

// maxEmail is the maximum length of an address, in bytes.
const maxEmail = 254

// isEmail reports whether a text is certainly an e-mail address: it has no quotes, comments or spaces,
// and a domain of at least two labels, the last of which has only letters.
func isEmail(text []byte) bool {
	const never = " \t\n\f\r\"(),:;<>@[\\]"
	name, domain, _ := bytes.Cut(text, []byte("@"))
	last := domain[bytes.LastIndexByte(domain, '.')+1:]
	return areLabels(name, never) && areLabels(domain, never+"_") &&
		len(last) < len(domain) && utf8.RuneCount(last) > 1 && !bytes.ContainsAny(last, "0123456789-")
}

// areLabels reports whether a text is labels with dots between them. Labels are not empty, and have
// none of the characters never.
func areLabels(text []byte, never string) bool {
	for label := range bytes.SplitSeq(text, []byte(".")) {
		if len(label) == 0 || bytes.ContainsAny(label, never) {
			return false
		}
	}
	return true
}

// isLink reports whether a text is the address of a page.
func isLink(text []byte) bool {
	scheme, page, _ := bytes.Cut(text, []byte("://"))
	isWeb := string(scheme) == "https" || string(scheme) == "http"
	return isWeb && len(page) > 0 && bytes.IndexByte(page, ' ') < 0
}

// These are words in the name of a column that say what its numbers are.
var (
	timeWords = []string{
		"at", "created", "date", "deleted", "expires", "expiry", "modified", "since", "stamp",
		"stamps", "tick", "ticks", "time", "times", "timestamp", "timestamps", "until", "updated",
	}
	bytesWords    = []string{"byte", "bytes", "quota", "size", "space", "usage"}
	notBytesWords = []string{
		"count", "id", "ids", "kind", "number", "percent", "ratio", "type", "unit", "units",
	}
)

// speaksOfTime reports whether the name of a column has a word for a time, in any of its members.
func speaksOfTime(column string) bool { return hasWord(Words(column), timeWords) }

// speaksOfBytes reports whether the last member in the name of a column has a word for a size.
func speaksOfBytes(column string) bool {
	words := Words(lastMember(column))
	return hasWord(words, bytesWords) && !hasWord(words, notBytesWords)
}

// hasWord reports whether one of the words is wanted.
func hasWord(words, wanted []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(wanted, word) })
}

// CellOf returns the cell for a text in a column of a kind. Numbers, and true and false, must be
// written as in JSON; any other text becomes a string. An empty text becomes a missing cell.
func (k ColumnKind) CellOf(text string) Cell {
	switch {
	case text == "":
		return Cell{}
	case k == NumberColumn, k == BytesColumn, k == BoolColumn:
		return Cell{[]byte(text)}
	}
	return textCell(text)
}

package records

import (
	"bytes"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
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
	columnKinds             // their number
)

// String returns the kind in a word or two for people, such as "e-mail".
func (k ColumnKind) String() string {
	return [...]string{"text", "number", "yes or no", "GUID", "time", "ticks", "bytes", "e-mail", "link", "list", "only nulls"}[k]
}

// plural returns what the values of such a column are, for people.
func (k ColumnKind) plural() string {
	return [...]string{"text", "numbers", "yes and no", "GUIDs", "times", "ticks", "sizes", "e-mail addresses", "links", "lists", "nulls"}[k]
}

// sampleRows and sampleBytes limit the [sample] of a table, for people wait for it.
const sampleRows, sampleBytes = 1000, 1 << 20

// kindCache keeps what was found out about the columns of a table.
type kindCache struct {
	sampled atomic.Pointer[sample]
	labels  atomic.Pointer[[]string]
}

// sample is what the first rows tell about each column.
type sample struct {
	kinds     []ColumnKind
	varieties []variety
}

// SampledKinds returns the kind of each column as far as the first rows tell, at
// most 1,000 of them and those that begin in the first megabyte of records. The caller must
// not change it.
func (t *Table) SampledKinds() []ColumnKind { return t.sample().kinds }

// sample looks at the first rows, once.
func (t *Table) sample() *sample {
	if known := t.kinds.sampled.Load(); known != nil {
		return known
	}
	end := t.sampled()
	varieties := make([]variety, len(t.columns.columns))
	fits := t.candidates()
	var cells []Cell
	for row := range end {
		cells = t.Cells(row, cells)
		for col, cell := range cells {
			varieties[col].add(cell.raw)
			if cell.raw != nil && fits[col]&^unproven != setOf(TextColumn) { // of many columns, a record may have few
				fits[col] &= fitting(cell, fits[col])
			}
		}
	}
	for col := range varieties {
		varieties[col].rows = end
	}
	found := &sample{kinds: conclude(fits), varieties: varieties}
	t.kinds.sampled.Store(found)
	return found
}

// sampled is how many rows the sample has.
func (t *Table) sampled() int {
	end := min(sampleRows, t.Len())
	for row := range end {
		if t.records[row].start()-t.records[0].start() > sampleBytes {
			return row
		}
	}
	return end
}

// kindSet is a set of kinds.
type kindSet uint16

func setOf(kinds ...ColumnKind) (set kindSet) {
	for _, kind := range kinds {
		set |= 1 << kind
	}
	return set
}

func (s kindSet) has(kind ColumnKind) bool { return s&(1<<kind) != 0 }

const allKinds kindSet = 1<<columnKinds - 1

// unproven is in the set of a column until one of its numbers is a plausible count of ticks: 0
// alone proves nothing.
const unproven kindSet = 1 << columnKinds

// candidates returns the kinds that each column may have by its name.
func (t *Table) candidates() []kindSet {
	candidates := make([]kindSet, len(t.columns.columns))
	for col, column := range t.columns.columns {
		candidates[col] = allKinds | unproven
		if !speaksOfTime(column.Name) {
			candidates[col] &^= setOf(TicksColumn)
		}
		if !speaksOfBytes(column.Name) {
			candidates[col] &^= setOf(BytesColumn)
		}
	}
	return candidates
}

// conclude decides for the most telling kind that is left of each column.
func conclude(fits []kindSet) []ColumnKind {
	kinds := make([]ColumnKind, len(fits))
	for col, set := range fits {
		if set&unproven != 0 {
			set &^= setOf(TicksColumn)
		}
		for _, kind := range []ColumnKind{NullColumn, BoolColumn, ListColumn, TicksColumn, BytesColumn, NumberColumn, GUIDColumn, TimeColumn, EmailColumn, LinkColumn} {
			if set.has(kind) {
				kinds[col] = kind
				break
			}
		}
	}
	return kinds
}

// fitting returns the kinds that a cell fits, of those that are asked for.
func fitting(c Cell, asked kindSet) kindSet {
	fits := setOf(TextColumn) | unproven
	switch c.Kind() {
	case Missing, Null:
		return asked
	case Bool:
		return fits | setOf(BoolColumn)
	case Array:
		return fits | setOf(ListColumn)
	case Object:
		return fits
	case Number:
		return fittingNumber(c.raw)
	}
	text := jsonscan.Unquote(c.raw)
	add := func(kind ColumnKind, does func(text []byte) bool) {
		if asked.has(kind) && does(text) {
			fits |= setOf(kind)
		}
	}
	add(GUIDColumn, isGUID)
	add(TimeColumn, isTime)
	add(EmailColumn, isEmail)
	add(LinkColumn, isLink)
	return fits
}

func fittingNumber(number []byte) kindSet {
	fits := setOf(TextColumn, NumberColumn) | unproven
	if !isDigits(number) {
		return fits
	}
	fits |= setOf(BytesColumn)
	if ticks, ok := parseTicks(number); ok && isPlausible(ticks) {
		return fits&^unproven | setOf(TicksColumn)
	} else if ok && ticks == 0 {
		return fits | setOf(TicksColumn)
	}
	return fits
}

func isTime(text []byte) bool {
	_, ok := parseTime(text)
	return ok
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
	words := Words(column[strings.LastIndexByte(column, '.')+1:])
	return hasWord(words, bytesWords) && !hasWord(words, notBytesWords)
}

func hasWord(words, wanted []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(wanted, word) })
}

// isGUID reports whether text is 32 hexadecimal digits, in one run or in the usual
// five groups, and those perhaps in braces.
func isGUID(text []byte) bool {
	if inner, ok := bytes.CutPrefix(text, []byte{'{'}); ok {
		if text, ok = bytes.CutSuffix(inner, []byte{'}'}); !ok {
			return false
		}
	}
	const digits, grouped = 32, 36
	if len(text) != digits && len(text) != grouped {
		return false
	}
	for i, c := range text {
		isDash := len(text) == grouped && (i == 8 || i == 13 || i == 18 || i == 23)
		if isDash != (c == '-') || !isDash && !jsonscan.IsHex(c) {
			return false
		}
	}
	return true
}

// isEmail reports whether text is an address without doubt: no quotes, comments
// or blanks, and a domain of at least two labels that ends in letters.
func isEmail(text []byte) bool {
	const longest = 254
	local, domain, ok := bytes.Cut(text, []byte{'@'})
	if !ok || len(text) > longest || !isDotted(local, isLocalByte) || !isDotted(domain, isDomainByte) {
		return false
	}
	dot := bytes.LastIndexByte(domain, '.')
	top := domain[dot+1:]
	return dot > 0 && utf8.RuneCount(top) >= 2 && !bytes.ContainsAny(top, "0123456789-")
}

// isDotted reports whether text is one or more parts, none of them empty, between dots.
func isDotted(text []byte, isPart func(c byte) bool) bool {
	previous := byte('.')
	for _, c := range text {
		if c == '.' && previous == '.' || c != '.' && !isPart(c) {
			return false
		}
		previous = c
	}
	return previous != '.'
}

func isLetter(c byte) bool {
	return 'a' <= lower(c) && lower(c) <= 'z' || c >= utf8.RuneSelf
}

// isLink reports whether text is the address of a page, without blanks in it.
func isLink(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("https://"))
	if !ok {
		rest, ok = bytes.CutPrefix(text, []byte("http://"))
	}
	return ok && len(rest) > 0 && bytes.IndexByte(rest, ' ') < 0
}

func isDomainByte(c byte) bool { return isLetter(c) || jsonscan.IsDigit(c) || c == '-' }

func isLocalByte(c byte) bool {
	return isDomainByte(c) || strings.IndexByte("!#$%&'*+/=?^_`{|}~", c) >= 0
}

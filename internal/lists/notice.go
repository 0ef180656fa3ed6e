package lists

import (
	"fmt"
	"slices"
	"strconv"

	"gatehouse/internal/text/human"
)

// NoticeKind is what a [Notice] is about.
type NoticeKind uint8

// What may be said of a query.
const (
	// The term was not understood. It is looked for as text, as it was typed.
	UnknownColumn     NoticeKind = iota // no column has that name
	UnclearColumn                       // several columns have names that begin like that
	UnknownUnit                         // there is no such unit of sizes
	UnclearValue                        // a number or date that can be read in two ways
	WrongValue                          // the column has nothing that can be compared with the value
	NoSuchColumn                        // a comparison without a name, and there is no column of that kind
	UnknownMeaning                      // none of the numbers in the column has this meaning
	lastMisunderstood = UnknownMeaning
)

const (
	// The term was understood in a way that people may not expect.
	MissingValue   = lastMisunderstood + 1 + iota // a condition without a value is ignored until it has one
	SeveralColumns                                // the name means any of several columns
	ReadAs                                        // disk:1GB is read as disk>=1GB
	OpenQuote                                     // a quote is not closed
	// The query finds nothing, or leaves nothing out, and may mean something else.
	OtherWriting  // it is a condition as other programs write it
	MayMean       // it may be a condition of this language
	SortsInstead  // it asks for an order
	LeavesNoneOut // it may be a condition, and leaves nothing out as it is
	firstOffer    = OtherWriting
)

// Notice is what a person should know of how a query was understood.
type Notice struct {
	Kind NoticeKind
	// Text is the name, unit, value or condition that the notice is about, as it was typed. It is
	// not safe on a terminal.
	Text string
	// Meant is what may be meant instead of the text, the likeliest first: labels of columns, units
	// or values.
	Meant []string
	// Fixes is the whole query with each of Meant instead of the text, as far as it can be written.
	Fixes []string
	// Column is the kind of the column that the value was compared with, or the kind of which there
	// is no column.
	Column ColumnKind
}

// Misunderstood reports whether the term makes no sense as a condition and is looked for as text.
func (n Notice) Misunderstood() bool { return n.Kind <= lastMisunderstood }

// Offers reports whether the text may mean a condition or an order, see [Table.Otherwise].
func (n Notice) Offers() bool { return n.Kind >= firstOffer }

// String returns in a few words what was not understood, or how it was. Its quotes from the query
// are safe on a terminal. It leaves it to the caller to offer Meant or Fixes.
func (n Notice) String() string {
	text := strconv.Quote(n.Text)
	switch n.Kind {
	case UnknownColumn:
		return "no column " + text
	case UnclearColumn, UnclearValue:
		return text + " may be " + listed(n.Meant)
	case UnknownUnit:
		return "no unit " + text
	case WrongValue:
		return fmt.Sprintf("%s cannot be compared with %s", text, kindTable[n.Column].plural)
	case NoSuchColumn:
		return "no column has " + kindTable[n.Column].plural
	case UnknownMeaning:
		return text + " is no value of this column"
	case MissingValue:
		return n.Text + " needs a value"
	case SeveralColumns:
		return text + " means any of " + listed(n.Meant)
	case ReadAs:
		return text + " is read as " + n.Meant[0]
	case OtherWriting:
		return text + " is in no record as text"
	case MayMean:
		return text + " finds nothing"
	case LeavesNoneOut:
		return text + " leaves nothing out"
	case SortsInstead:
		return "a filter does not sort"
	}
	return "a quote is not closed: searching for everything after it"
}

// Notices returns what a person should know of how the query was understood, in the order of its
// terms, each notice once.
func (q *Query) Notices() []Notice { return slices.Clone(q.notices) }

// Misunderstood returns the notice of the first term that is looked for as text because it makes no
// sense as a condition.
func (q *Query) Misunderstood() (Notice, bool) {
	at := slices.IndexFunc(q.notices, Notice.Misunderstood)
	if at < 0 {
		return Notice{}, false
	}
	return q.notices[at], true
}

// Gone reports whether the query has a name that does not mean a column of the table, or may mean
// several.
func (q *Query) Gone() bool {
	return slices.ContainsFunc(q.notices, func(n Notice) bool {
		return n.Kind == UnknownColumn || n.Kind == UnclearColumn
	})
}

// listed writes names as a choice: "Disk", "History" or "Deleted". Of many names it writes the
// first few.
func listed(names []string) string {
	const maxNamed = 5
	var quoted []string
	for _, name := range names[:min(len(names), maxNamed)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	if len(names) > maxNamed {
		quoted = append(quoted, "others")
	}
	return human.Either(quoted)
}

package lists

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// NoticeKind is what a [Notice] is about.
type NoticeKind uint8

// What may be said of a query. Up to UnknownMeaning the term was not understood: it is looked for as
// text, as it was typed. The others tell how a term was understood.
const (
	UnknownColumn  NoticeKind = iota // no column has that name
	UnclearColumn                    // several columns have names that begin so
	UnknownUnit                      // no unit of sizes is called that
	UnclearValue                     // a number or date that may be either of two
	WrongValue                       // the column has nothing that can be compared with the value
	NoSuchColumn                     // a comparison without a name, and no column of that kind
	UnknownMeaning                   // what the numbers of a column mean is nothing of the kind
	MissingValue                     // a condition without a value, which asks nothing yet
	SeveralColumns                   // the name means any of several columns
	ReadAs                           // a size after a colon is one that is reached
	OpenQuote                        // a quote is not closed
	OtherWriting                     // what was not found is a condition as other programs write it
	MayMean                          // what was not found may mean a condition
	SortsInstead                     // what was not found asks for an order
	LeavesNoneOut                    // what leaves no row out may mean a condition
)

// Notice is what a person should know of how a query was understood.
type Notice struct {
	Kind NoticeKind
	// Text is the name, unit, value or condition that it is about, as it was typed. It is not safe
	// on a terminal.
	Text string
	// Meant is what may be meant in its place, the likeliest first: labels of columns, units, or values.
	Meant []string
	// Fixes are the whole query with each of Meant in place of the text, as far as one can be written.
	Fixes []string
	// Column is what the column has that the value was compared with, or what no column has.
	Column ColumnKind
}

// Misunderstood reports that the term is looked for as text, because it makes no sense otherwise.
func (n Notice) Misunderstood() bool { return n.Kind <= UnknownMeaning }

// Offers reports that the text may mean a condition or an order, see [Table.Otherwise].
func (n Notice) Offers() bool { return n.Kind >= OtherWriting }

// String says in a few words what was not understood, or how it was. What is in quotes there is safe
// on a terminal. What may be meant instead is left to those who can offer it.
func (n Notice) String() string {
	text := strconv.Quote(n.Text)
	switch n.Kind {
	case UnknownColumn:
		return "no column " + text
	case UnclearColumn:
		return text + " may be " + listed(n.Meant)
	case UnknownUnit:
		return "no unit " + text
	case UnclearValue:
		return text + " may be " + listed(n.Meant)
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

// Notices returns what may surprise a person in how the query was understood, in the order of
// its terms and each once.
func (q *Query) Notices() []Notice { return slices.Clone(q.notices) }

// Misunderstood returns the first notice of a term that makes no sense and is looked for as text.
func (q *Query) Misunderstood() (Notice, bool) {
	at := slices.IndexFunc(q.notices, Notice.Misunderstood)
	if at < 0 {
		return Notice{}, false
	}
	return q.notices[at], true
}

// Gone reports that the query has a name which means no column of the table, or no one alone.
func (q *Query) Gone() bool {
	return slices.ContainsFunc(q.notices, func(n Notice) bool {
		return n.Kind == UnknownColumn || n.Kind == UnclearColumn
	})
}

// listed writes some names: "Disk", "History" or "Deleted". Of many it writes the first.
func listed(names []string) string {
	const maxNamed = 5
	var quoted []string
	for _, name := range names[:min(len(names), maxNamed)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	if len(names) > maxNamed {
		quoted = append(quoted, "others")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + strings.Repeat(" or ", min(last, 1)) + quoted[last]
}

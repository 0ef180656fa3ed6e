package lists

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"gatehouse/internal/text/human"
)

// exampleWidth is how long a value in an example is at the most.
const exampleWidth = 24

// Example is a query that finds something in a table.
type Example struct {
	Help
	// OfColumn means that it asks for the values of one column, and not for a text in the record.
	OfColumn bool
}

// QueryExamples returns queries that people may ask of this table, each of which finds
// something: of its own columns and values, which are not safe on a terminal. [QueryHelp] has
// all that can be said. Without rows there are none.
func (t *Table) QueryExamples() (examples []Example) {
	columns := t.DisplayColumns()
	for _, role := range []Role{RoleName, RolePerson, RoleSize, RoleTime, RoleState, RoleNumber} {
		at := slices.IndexFunc(columns, func(c ColumnInfo) bool { return c.Role == role && !c.Same })
		if at < 0 {
			continue
		}
		for row := range t.sampled() {
			if help := t.example(columns[at], t.Cell(row, columns[at].Index)); help.Example != "" {
				examples = append(examples, Example{help, role != RoleName})
				break
			}
		}
	}
	return examples
}

var firstWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\pL{3,24}`) })

// example is what can be asked of a column with this cell; the zero Help for nothing.
func (t *Table) example(column ColumnInfo, c Cell) Help {
	name, label, text := t.typedName(column.Index), column.Label, c.Text()
	word := strings.ToLower(firstWord().FindString(text))
	switch {
	case c.Kind() <= Null:
	case column.Role == RoleName && word != "":
		return Help{word, word + " is anywhere in the record"}
	case column.Role == RolePerson && word != "":
		return Help{name + ":" + word, label + " has " + word + " in it"}
	case column.Role == RoleSize, column.Role == RoleNumber:
		if m, ok := magnitudeOf(c); ok && m >= one {
			_, number := m.text(column.Role == RoleSize)
			return Help{name + ">=" + number, label + " is " + human.Grouped(number) + " or more"}
		}
	case column.Role == RoleTime:
		if at, ok := c.Time(column.Kind); ok && at.Year() > 1 {
			year := strconv.Itoa(at.Year())
			return Help{name + ">=" + year, label + " is in " + year + " or later"}
		}
	case column.Role == RoleState && utf8.RuneCountInString(text) < exampleWidth:
		return Help{name + "=" + t.termValue(column.Index, c), label + " is " + text}
	}
	return Help{}
}

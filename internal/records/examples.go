package records

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gatehouse/internal/human"
)

const (
	maxExamples = 6
	// exampleRows is how many of the first rows examples are made of.
	exampleRows = 200
	// exampleWidth is how long a value in an example is at the most.
	exampleWidth = 24
)

// QueryExamples returns queries that people may ask of this table, each of which finds
// something, but not everything: of its own columns and values, which are not safe on a
// terminal. [QueryHelp] has all that can be said. Without rows there are none.
func (t *Table) QueryExamples(now time.Time) (examples []Help) {
	rows := t.rowsOr(nil)
	rows = rows[:min(len(rows), t.sampled(), exampleRows)]
	fits := func(e Help) bool {
		found, err := t.find(context.Background(), t.Query(e.Example, now), rows)
		return err == nil && len(found) > 0 && len(found) < max(len(rows), 2)
	}
	columns := t.DisplayColumns()
	for _, role := range []Role{RoleName, RolePerson, RoleSize, RoleTime, RoleState, RoleNumber, RoleText} {
		at := slices.IndexFunc(columns, func(c ColumnInfo) bool { return c.Role == role && !c.Same })
		if at < 0 || len(examples) == maxExamples {
			continue
		}
		for _, row := range rows {
			cell := t.Cell(int(row), columns[at].Index)
			if e := t.example(columns[at], cell); cell.Kind() > Null && e.Example != "" && fits(e) {
				examples = append(examples, e)
				break
			}
		}
	}
	return examples
}

var firstWord = regexp.MustCompile(`^\pL{3,24}`)

// example is what can be asked of a column with this cell; the zero Help for nothing.
func (t *Table) example(column ColumnInfo, c Cell) Help {
	name, label, text := t.typedName(column.Index), column.Label, c.Text()
	word := strings.ToLower(firstWord.FindString(text))
	switch column.Role {
	case RoleName:
		return Help{word, word + " is anywhere in the record"}
	case RolePerson:
		return Help{name + ":" + word, label + " has " + word + " in it"}
	case RoleSize, RoleNumber:
		if m, ok := magnitudeOf(c); ok && m >= one {
			_, number := m.text(column.Role == RoleSize)
			return Help{name + ">" + number, label + " is more than " + human.Grouped(number)}
		}
	case RoleTime:
		if at, ok := c.Time(column.Kind); ok && at.Year() > 1 {
			year := strconv.Itoa(at.Year())
			return Help{name + ">=" + year, label + " is in " + year + " or later"}
		}
	case RoleState, RoleText:
		if canBeTyped(text) && utf8.RuneCountInString(text) < exampleWidth {
			return Help{name + "=" + text, label + " is " + text}
		}
	}
	return Help{}
}

// typedName is how a column is typed most easily.
func (t *Table) typedName(col int) string {
	name := t.termName(col)
	if folded := strings.ToLower(name); t.means(folded, col) {
		return folded
	}
	return name
}

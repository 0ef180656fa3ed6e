package records

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/human"
)

const (
	// mostExamples is how many examples there are at the most.
	mostExamples = 6
	// exampleRows is how many of the first rows they are made of.
	exampleRows = 200
)

// QueryExamples returns queries that people may ask of this table, each of which finds
// something: of its own columns and values, which are not safe on a terminal. [QueryHelp] has all
// that can be said. Without rows there are none.
func (t *Table) QueryExamples(now time.Time) []Help {
	e := examples{table: t, now: now, rows: make([]int32, min(t.sampled(), exampleRows))}
	for i := range e.rows {
		e.rows[i] = int32(i)
	}
	columns := t.DisplayColumns()
	for _, role := range []Role{RoleName, RolePerson, RoleSize, RoleTime, RoleState, RoleNumber, RoleText} {
		at := slices.IndexFunc(columns, func(c ColumnInfo) bool { return c.Role == role && !c.Same })
		if at >= 0 {
			e.of(columns[at])
		}
	}
	return e.found[:min(len(e.found), mostExamples)]
}

// examples are being made.
type examples struct {
	table *Table
	now   time.Time
	rows  []int32
	found []Help
}

// add adds an example if it finds something, but not everything.
func (e *examples) add(query, meaning string) bool {
	s := e.table.Search(e.table.Query(query, e.now), e.rows)
	if err := s.lookAt(context.Background(), len(e.rows)); err != nil {
		return false
	}
	if some := len(s.found); some == 0 || some == len(e.rows) && some > 1 {
		return false
	}
	e.found = append(e.found, Help{Example: query, Meaning: meaning})
	return true
}

// of adds what can be asked of a column.
func (e *examples) of(column ColumnInfo) {
	name := e.name(column)
	switch column.Role {
	case RoleName:
		e.names(column)
	case RolePerson:
		if words := e.words(column, 1); words != nil {
			e.add(name+":"+words[0], column.Label+" has "+words[0]+" in it")
		}
	case RoleSize, RoleNumber:
		if m := e.middle(column); m > 0 {
			_, power, digit := m.parts()
			number := roundNumber{power: power, digit: digit, isSize: column.Role == RoleSize}.query()
			e.add(name+">"+number, column.Label+" is more than "+human.Grouped(number))
		}
	case RoleTime:
		e.times(name, column)
	case RoleState, RoleText:
		for _, value := range e.values(column) {
			if text := value.Text(); canBeTyped(text) && utf8.RuneCountInString(text) < columnWidth && e.add(name+"="+text, column.Label+" is "+text) {
				return
			}
		}
	}
}

// columnWidth is how long a value in an example is at the most.
const columnWidth = 24

// name is how the column is typed most easily.
func (e *examples) name(column ColumnInfo) string {
	name := e.table.termName(column.Index)
	if folded := strings.ToLower(name); slices.Equal(e.table.ColumnsNamed(folded), []int{column.Index}) {
		return folded
	}
	return name
}

// names adds words of the names of records: one of them, either of two, and one that is spelled wrong.
func (e *examples) names(column ColumnInfo) {
	words := e.words(column, 2)
	if words == nil {
		return
	}
	e.add(words[0], words[0]+" is anywhere in the record")
	if len(words) > 1 {
		e.add(words[0]+" | "+words[1], words[0]+" or "+words[1]+" is")
	}
	if letters := []rune(words[0]); len(letters) > leastNearly {
		middle := len(letters) / 2
		letters = slices.Delete(letters, middle, middle+1)
		e.add("~"+string(letters), "a word like "+string(letters)+", such as "+words[0])
	}
}

// words returns some different words of the texts of a column, in lower case.
func (e *examples) words(column ColumnInfo, most int) (words []string) {
	for _, value := range e.values(column) {
		isLetter := func(r rune) bool { return unicode.IsLetter(r) }
		word := value.Text()
		word = word[:len(word)-len(strings.TrimLeftFunc(word, isLetter))]
		word = strings.ToLower(word)
		if utf8.RuneCountInString(word) < leastNearly-1 || utf8.RuneCountInString(word) > columnWidth || slices.Contains(words, word) {
			continue
		}
		if words = append(words, word); len(words) == most {
			break
		}
	}
	return words
}

// values returns the cells of a column that have a value.
func (e *examples) values(column ColumnInfo) (values []Cell) {
	for _, row := range e.rows {
		if cell := e.table.Cell(int(row), column.Index); cell.Kind() > Null {
			values = append(values, cell)
		}
	}
	return values
}

// middle returns a round number that is somewhat less than the middle one of the column, 0 if
// there is none.
func (e *examples) middle(column ColumnInfo) magnitude {
	var all []magnitude
	for _, cell := range e.values(column) {
		if m, ok := magnitudeOf(cell); ok && m > 0 {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2].roundedTo(1)
}

// times adds the last week, or else the year of the middle one and those behind it.
func (e *examples) times(name string, column ColumnInfo) {
	var years []int
	for _, cell := range e.values(column) {
		if at, ok := cell.Time(column.Kind); ok && !at.IsZero() {
			years = append(years, at.Year())
		}
	}
	if len(years) == 0 || e.add(name+">7d", column.Label+" is in the last 7 days") {
		return
	}
	slices.Sort(years)
	year := strconv.Itoa(years[len(years)/2])
	e.add(name+">="+year, column.Label+" is in "+year+" or later")
}

package records

import (
	"cmp"
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
	// mostExamples is how many examples there are at the most.
	mostExamples = 6
	// exampleRows is how many of the first rows they are made of.
	exampleRows = 200
	// exampleWidth is how long a value in an example is at the most.
	exampleWidth = 24
)

// QueryExamples returns queries that people may ask of this table, each of which finds
// something, but not everything: of its own columns and values, which are not safe on a
// terminal. [QueryHelp] has all that can be said. Without rows there are none.
func (t *Table) QueryExamples(now time.Time) (examples []Help) {
	columns, rows := t.DisplayColumns(), t.rowsOr(nil)
	rows = rows[:min(len(rows), t.sampled(), exampleRows)]
	add := func(query, meaning string) bool {
		found, err := t.find(context.Background(), t.Query(query, now), rows)
		fits := err == nil && len(found) > 0 && len(found) < max(len(rows), 2)
		if fits && len(examples) < mostExamples {
			examples = append(examples, Help{Example: query, Meaning: meaning})
		}
		return fits
	}
	for _, role := range []Role{RoleName, RolePerson, RoleSize, RoleTime, RoleState, RoleNumber, RoleText} {
		at := slices.IndexFunc(columns, func(c ColumnInfo) bool { return c.Role == role && !c.Same })
		if at >= 0 {
			t.addExamples(columns[at], t.typedName(columns[at].Index), t.valuesOf(columns[at].Index, rows), add)
		}
	}
	return examples
}

// addExamples adds what can be asked of a column with these values.
func (t *Table) addExamples(column ColumnInfo, name string, values []Cell, add func(query, meaning string) bool) {
	switch words := firstWords(values); column.Role {
	case RoleName:
		if len(words) == 0 {
			return
		}
		add(words[0], words[0]+" is anywhere in the record")
		if len(words) > 1 {
			add(words[0]+" | "+words[1], words[0]+" or "+words[1]+" is")
		}
		if letters := []rune(words[0]); len(letters) > leastNearly {
			wrong := string(slices.Delete(letters, len(letters)/2, len(letters)/2+1))
			add("~"+wrong, "a word like "+wrong+", such as "+words[0])
		}
	case RolePerson:
		if len(words) > 0 {
			add(name+":"+words[0], column.Label+" has "+words[0]+" in it")
		}
	case RoleSize, RoleNumber:
		if middle, ok := magnitudeOf(middleOf(values, func(c Cell) int { m, _ := magnitudeOf(c); return int(m) })); ok && middle > 0 {
			_, power, digit := middle.roundedTo(1).parts()
			number := roundNumber{power: power, digit: digit, isSize: column.Role == RoleSize}.query()
			add(name+">"+number, column.Label+" is more than "+human.Grouped(number))
		}
	case RoleTime:
		yearOf := func(c Cell) int { at, _ := c.Time(column.Kind); return at.Year() }
		if year := yearOf(middleOf(values, yearOf)); year > 1 && !add(name+">7d", column.Label+" is in the last 7 days") {
			add(name+">="+strconv.Itoa(year), column.Label+" is in "+strconv.Itoa(year)+" or later")
		}
	case RoleState, RoleText:
		for _, value := range values {
			if text := value.Text(); canBeTyped(text) && utf8.RuneCountInString(text) < exampleWidth && add(name+"="+text, column.Label+" is "+text) {
				return
			}
		}
	}
}

// typedName is how a column is typed most easily.
func (t *Table) typedName(col int) string {
	name := t.termName(col)
	if folded := strings.ToLower(name); slices.Equal(t.ColumnsNamed(folded), []int{col}) {
		return folded
	}
	return name
}

// valuesOf returns the cells of a column that have a value.
func (t *Table) valuesOf(col int, rows []int32) (values []Cell) {
	for _, row := range rows {
		if cell := t.Cell(int(row), col); cell.Kind() > Null {
			values = append(values, cell)
		}
	}
	return values
}

// middleOf is the middle one of the cells with a key above that of nothing.
func middleOf(values []Cell, key func(Cell) int) Cell {
	values = slices.DeleteFunc(slices.Clone(values), func(c Cell) bool { return key(c) <= key(Cell{}) })
	if len(values) == 0 {
		return Cell{}
	}
	slices.SortFunc(values, func(a, b Cell) int { return cmp.Compare(key(a), key(b)) })
	return values[len(values)/2]
}

var firstWord = regexp.MustCompile(`^\pL{3,24}`)

// firstWords returns different words that values begin with, in lower case.
func firstWords(values []Cell) (words []string) {
	for _, value := range values {
		if word := strings.ToLower(firstWord.FindString(value.Text())); word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

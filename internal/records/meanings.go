package records

import (
	"slices"
	"strings"
)

// meanings are those of numbers, by the last member of a name, as far as they are known from
// public clients of the service.
var meanings = map[string]map[string]string{
	"ShareAssociationType": {"0": "read", "1": "write", "2": "owner"},
	"ShareCategory":        {"0": "corporate", "1": "team", "2": "private"},
	"ShareType":            {"0": "normal", "1": "sub-share"},
}

// Meanings returns what numbers of a column mean, by its name or path; nil if that is not known.
// The 2 of a ShareAssociationType is "owner".
func Meanings(name string) map[string]string { return meanings[lastMember(name)] }

// numbers are those of a column that mean what an item looks for.
func (i queryItem) numbers(column string) (numbers []string) {
	value := strings.ToLower(i.value)
	fits := func(text string) bool {
		return i.operator == ":" && strings.Contains(text, value) || strings.HasPrefix(i.operator, "=") && text == value
	}
	for number, meaning := range Meanings(column) {
		if fits(meaning) || fits(number+" "+meaning) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// orNumbers holds for some numbers, too.
func orNumbers(holds func(Cell) bool, numbers []string) func(Cell) bool {
	return func(c Cell) bool { return c.Kind() == Number && slices.Contains(numbers, string(c.raw)) || holds(c) }
}

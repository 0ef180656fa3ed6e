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

// orMeaning extends what an item asks of a column to its numbers with that meaning.
func (c *compiler) orMeaning(want condition, item queryItem, col int) condition {
	value := item.value
	if item.operator != "==" {
		value = strings.ToLower(value)
	}
	fits := func(text string) bool {
		if item.operator == ":" {
			return strings.Contains(text, value)
		}
		return text == value
	}
	var numbers []string
	for number, meaning := range Meanings(c.table.columns.names[col]) {
		if fits(meaning) || fits(number+" "+meaning) {
			numbers = append(numbers, number)
		}
	}
	if numbers == nil {
		return want
	}
	asTyped := want.holds
	want.word = nil // which the numbers do not have
	want.holds = func(cell Cell) bool {
		return cell.Kind() == Number && slices.Contains(numbers, string(cell.raw)) || asTyped(cell)
	}
	return want
}

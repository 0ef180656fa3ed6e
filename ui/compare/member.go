package compare

import (
	"cmp"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/ui/record"
)

// Member is one value of a result. A list is one value, with all its elements.
type Member struct {
	// Path tells it from the other members of a result. It pairs the members of two results.
	Path string
	// Label is what the screen that shows the result calls it.
	Label string
	// Value is the value as it was sent, in JSON, and Text is what people read. Both come from
	// outside, and are not safe for a terminal.
	Value, Text string
	// Expected means that any two results differ here, as they are about different people or
	// things. Of documents, [Identity] knows that.
	Expected bool

	inElement bool // see [Pair.InElement]
}

// Document returns the members of a JSON document, as the screen of a record shows them. cut means
// that the document has more members than are compared.
func Document(raw []byte, now time.Time) (list []Member, cut bool) {
	list, cut = members(raw)
	labels := labelsOf(raw)
	for i := range list {
		m := &list[i]
		m.Label = cmp.Or(labels[m.Path], m.Path)
		m.Text = read(*m, now)
	}
	return list, cut
}

// labelsOf maps the names of the columns of a table to their labels. The table has the document as
// its only record.
func labelsOf(raw []byte) map[string]string {
	labels := map[string]string{}
	table, err := lists.Parse([]byte("[" + string(raw) + "]"))
	if err != nil {
		return labels
	}
	for _, column := range table.DisplayColumns() {
		labels[column.Name] = column.Label
	}
	return labels
}

// read writes the value of a member for people.
func read(m Member, now time.Time) string {
	list := gjson.Parse(m.Value)
	if !list.IsArray() {
		return record.Readable(m.Path, m.Value, now)
	}
	elements := list.Array()
	if len(elements) == 0 {
		return "none"
	}
	return entries(len(elements)) + ": " + strings.Join(named(elements), ", ")
}

// entries writes how many elements a list has.
func entries(count int) string { return human.Count(count, "entry", "entries") }

const (
	maxNamed = 20 // elements of a list that are named
	maxParts = 3  // values of an element that name it
)

// named names the elements of a list by their first values.
func named(elements []gjson.Result) []string {
	var names []string
	for i, element := range elements {
		if i == maxNamed {
			return append(names, "and "+human.Number(len(elements)-i)+" more")
		}
		var parts []string
		addParts(element, 0, &parts)
		names = append(names, strings.Join(parts, " "))
	}
	return names
}

// addParts appends the first values of an element, or of what is in it, until there are maxParts.
func addParts(value gjson.Result, depth int, parts *[]string) {
	if depth == maxDepth || len(*parts) == maxParts {
		return
	}
	if !value.IsArray() && !value.IsObject() {
		*parts = append(*parts, value.String())
		return
	}
	value.ForEach(func(_, inner gjson.Result) bool {
		addParts(inner, depth+1, parts)
		return len(*parts) < maxParts
	})
}

// listed writes how two lists differ: how many elements each has, and which of them the other does
// not have. ok is false unless both values are lists.
func listed(first, second string) (left, right string, ok bool) {
	one, two := gjson.Parse(first), gjson.Parse(second)
	if !one.IsArray() || !two.IsArray() {
		return "", "", false
	}
	ones, twos := one.Array(), two.Array()
	left = entries(len(ones)) + alone(onlyFirst, without(ones, twos))
	right = entries(len(twos)) + alone(onlySecond, without(twos, ones))
	return left, right, true
}

// alone names the elements that only one of two lists has, each after the sign of its side.
func alone(side change, elements []gjson.Result) string {
	if len(elements) == 0 {
		return ""
	}
	separator := ", " + side.sign() + " "
	return separator + strings.Join(named(elements), separator)
}

// without are the elements of a list that another list does not have. An element that the first
// list has more often than the other remains as many times more.
func without(elements, others []gjson.Result) (rest []gjson.Result) {
	inOthers := map[string]int{}
	for _, other := range others {
		inOthers[other.Raw]++
	}
	for _, element := range elements {
		if inOthers[element.Raw] > 0 {
			inOthers[element.Raw]--
			continue
		}
		rest = append(rest, element)
	}
	return rest
}

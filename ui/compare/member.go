package compare

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/ui/record"
)

// Member is one value of a result. A list is one, whatever it holds.
type Member struct {
	// Path tells it from the others, and is the same in both results.
	Path string
	// Label is what people call it where the result itself is shown.
	Label string
	// Value is JSON as sent, Text what people read. Neither is safe.
	Value, Text string
}

// Document reads the members of a JSON document as the screen of a record does. Cut says that there
// are more than are compared.
func Document(raw []byte, now time.Time) (list []Member, cut bool) {
	found, cut := members(raw)
	labels := labelsOf(raw)
	for _, m := range found {
		label := labels[m.path]
		if label == "" {
			label = m.path
		}
		list = append(list, Member{Path: m.path, Label: label, Value: m.value, Text: read(m, now)})
	}
	return list, cut
}

// labelsOf are the labels of the columns that a document has as the only record of a table, by their
// names.
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

// read writes a value for people.
func read(m member, now time.Time) string {
	list := gjson.Parse(m.value)
	if !list.IsArray() {
		return record.Readable(m.path, m.value, now)
	}
	elements := list.Array()
	if len(elements) == 0 {
		return "none"
	}
	return entries(len(elements)) + ": " + strings.Join(named(elements), ", ")
}

func entries(count int) string { return human.Count(count, "entry", "entries") }

// maxNamed is how many elements of a list are named, and maxParts how many values name one.
const maxNamed, maxParts = 20, 3

// named are the elements of a list in a few words each.
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

// addParts adds the first values that are in an element.
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

// listed is how a list differs between two results: how many elements each has, and those that the
// other has not. ok is false where not both are lists.
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

// alone names the elements that only one of two lists has.
func alone(side change, elements []gjson.Result) string {
	if len(elements) == 0 {
		return ""
	}
	return ", " + side.sign() + " " + strings.Join(named(elements), ", "+side.sign()+" ")
}

// without are the elements of a list that another one has not, each as often as it has more of it.
func without(elements, others []gjson.Result) (rest []gjson.Result) {
	count := map[string]int{}
	for _, other := range others {
		count[other.Raw]++
	}
	for _, element := range elements {
		if count[element.Raw] > 0 {
			count[element.Raw]--
			continue
		}
		rest = append(rest, element)
	}
	return rest
}

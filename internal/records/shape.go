package records

import (
	"slices"
	"strings"
)

// listNames are the usual names of the list in an envelope, in lower case.
var listNames = [...]string{"data", "items", "value", "results", "records"}

// findRecords finds the records among the top-level values of the body, and
// the members beside them if they stand in an envelope.
func findRecords(body []byte, values []span) ([]span, []Member) {
	if len(values) != 1 {
		return values, nil
	}
	top := values[0]
	switch body[top.start] {
	case 'n':
		return nil, nil
	case '[':
		return elementSpans(body, top), nil
	case '{':
		if list, ok := findList(top.of(body)); ok {
			return openEnvelope(body, top, list)
		}
	}
	return values, nil
}

// findList returns where in the object its list of records is.
func findList(object []byte) (list span, ok bool) {
	var arrays, named int
	var only, preferred span
	for key, value := range members(object) {
		if object[value.start] != '[' {
			continue
		}
		arrays, only = arrays+1, value
		if slices.Contains(listNames[:], strings.ToLower(string(unquote(key)))) {
			named, preferred = named+1, value
		}
	}
	if arrays == 1 {
		return only, true
	}
	return preferred, named == 1
}

func openEnvelope(body []byte, object, list span) ([]span, []Member) {
	var beside []Member
	raw := object.of(body)
	for key, value := range members(raw) {
		if value != list {
			beside = append(beside, Member{Name: string(unquote(key)), Raw: value.of(raw)})
		}
	}
	return elementSpans(body, list.shift(object.start)), beside
}

func elementSpans(body []byte, array span) []span {
	var spans []span
	for element := range elements(array.of(body)) {
		spans = append(spans, element.shift(array.start))
	}
	return spans
}

package records

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"gatehouse/internal/jsonscan"
)

// This file finds the records of a body in the plain way: after the whole body, and
// without a memory of how earlier records went. [Parse] must find the same.

func plainParse(body []byte) (records []jsonscan.Span, columns schema, message string, err error) {
	values, err := plainScan(body)
	if err != nil {
		return nil, schema{}, "", err
	}
	records, message = plainRecords(body, values)
	columns = newSchema()
	for _, record := range records {
		columns.learn(record.Of(body))
	}
	return records, columns, message, nil
}

// plainScan returns the values, one or several, that the body is.
func plainScan(body []byte) (values []jsonscan.Span, err error) {
	s := jsonscan.Scanner{Text: body, MaxDepth: maxNesting}
	if bytes.HasPrefix(body, []byte(jsonscan.ByteOrderMark)) {
		s.At = len(jsonscan.ByteOrderMark)
	}
	for !s.AtEnd() {
		start := s.At
		if err := s.Value(); err != nil {
			return nil, err
		}
		values = append(values, jsonscan.Span{Start: start, End: s.At})
	}
	if len(values) == 0 {
		return nil, jsonscan.NewSyntaxError(nil, 0, "the body is empty")
	}
	return values, nil
}

// plainRecords finds the records among the top-level values of the body, and
// the message beside them if they stand in an envelope.
func plainRecords(body []byte, values []jsonscan.Span) ([]jsonscan.Span, string) {
	if len(values) != 1 {
		return values, ""
	}
	top := values[0].Start
	switch body[top] {
	case 'n':
		return nil, ""
	case '[':
		return plainElements(body, top), ""
	case '{':
		if list, ok := plainList(body, top); ok {
			return plainElements(body, list), plainMessage(body, top)
		}
	}
	return values, ""
}

// plainList returns where the list of records of the object begins.
func plainList(body []byte, object int) (list int, ok bool) {
	var arrays, named int
	var only, preferred int
	for member := range jsonscan.Items(body, object) {
		if body[member.Value.Start] != '[' {
			continue
		}
		arrays, only = arrays+1, member.Value.Start
		if slices.Contains(listNames[:], strings.ToLower(string(jsonscan.Unquote(member.Name.Of(body))))) {
			named, preferred = named+1, member.Value.Start
		}
	}
	if arrays == 1 {
		return only, true
	}
	return preferred, named == 1
}

func plainMessage(body []byte, object int) string {
	for member := range jsonscan.Items(body, object) {
		var message string
		if string(jsonscan.Unquote(member.Name.Of(body))) == "Message" && json.Unmarshal(member.Value.Of(body), &message) == nil && message != "" {
			return message
		}
	}
	return ""
}

func plainElements(body []byte, array int) (elements []jsonscan.Span) {
	for element := range jsonscan.Items(body, array) {
		elements = append(elements, element.Value)
	}
	return elements
}

package api

import (
	"encoding/json"
	"strings"
)

// fields are the members of a JSON object, read leniently: what is of another
// kind than asked for is empty. nil is no object.
type fields map[string]json.RawMessage

// objectFields returns nil when raw is not an object.
func objectFields(raw []byte) fields {
	var f fields
	if json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return f
}

// raw is a member as it came, nil when it is absent or null.
func (f fields) raw(name string) json.RawMessage {
	if string(f[name]) == "null" {
		return nil
	}
	return f[name]
}

// text is a string, or a number or boolean as it is written.
func (f fields) text(name string) string {
	value := f.raw(name)
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '{', '[':
		return ""
	case '"':
		var s string
		_ = json.Unmarshal(value, &s) // a value of a valid object is valid
		return s
	}
	return string(value)
}

// number is a number exactly as it is written, in quotes or not.
func (f fields) number(name string) json.Number {
	var n json.Number // accepts both
	if json.Unmarshal(f[name], &n) != nil {
		return ""
	}
	return n
}

// flag is true for true and 1, in quotes or not, in any letter case.
func (f fields) flag(name string) bool {
	text := f.text(name)
	return strings.EqualFold(text, "true") || text == "1"
}

func (f fields) list(name string) []json.RawMessage {
	var items []json.RawMessage
	if json.Unmarshal(f[name], &items) != nil {
		return nil
	}
	return items
}

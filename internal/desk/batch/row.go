package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/tidwall/gjson"
)

// Row is a line of a file with several columns, as it was read: a value for each column, in the
// order of the file. In JSON it is an object whose names are the headings. The zero Row is for a
// list that has nothing but addresses.
type Row struct {
	Columns, Values []string // of one length
}

// IsZero reports whether the list has nothing but addresses.
func (r Row) IsZero() bool { return len(r.Columns) == 0 }

// MarshalJSON implements [json.Marshaler].
func (r Row) MarshalJSON() ([]byte, error) {
	var members [][]byte
	for i, column := range r.Columns {
		member := slices.Concat(jsonText(column), []byte(":"), jsonText(r.Values[i]))
		members = append(members, member)
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}")), nil
}

// jsonText is a text in JSON. Angle brackets are not escaped, so that people can read addresses
// such as "Ada <ada@harbor.example>".
func jsonText(text string) []byte {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // it cannot fail for a text
	return bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))
}

// UnmarshalJSON implements [json.Unmarshaler]. It keeps the order of the columns.
func (r *Row) UnmarshalJSON(text []byte) error {
	object := gjson.ParseBytes(text)
	if !object.IsObject() {
		return errors.New("a row is not an object")
	}
	*r = Row{}
	object.ForEach(func(column, value gjson.Result) bool {
		r.Columns = append(r.Columns, column.Str)
		r.Values = append(r.Values, value.String())
		return true
	})
	return nil
}

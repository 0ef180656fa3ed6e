package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/tidwall/gjson"
)

// Row is a line of a file as it stands there: a value for each of its columns, in the order of the
// file. In JSON it is an object with the headings as names. The zero Row is of a list that has
// addresses alone.
type Row struct {
	Columns, Values []string // of one length
}

// IsZero reports whether the list has addresses alone.
func (r Row) IsZero() bool { return len(r.Columns) == 0 }

func (r Row) MarshalJSON() ([]byte, error) {
	var members [][]byte
	for i, column := range r.Columns {
		member := slices.Concat(jsonText(column), []byte(":"), jsonText(r.Values[i]))
		members = append(members, member)
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}")), nil
}

func jsonText(text string) []byte {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false) // "Ada <ada@harbor.example>" stays as people read it
	_ = encoder.Encode(text)     // every text can be written
	return bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))
}

// UnmarshalJSON implements [json.Unmarshaler]. It keeps the order.
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

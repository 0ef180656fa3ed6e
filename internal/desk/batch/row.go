package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/tidwall/gjson"
)

// Row is what a line of a file has beside its address: a value for each of its other columns, in
// the order of the file. In JSON it is an object with the headings as names. The zero Row is of a
// list that has addresses alone.
type Row struct {
	Columns, Values []string // of one length
}

// IsZero reports whether there is nothing beside the address.
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
	quoted, _ := json.Marshal(text) // every text can be written
	return quoted
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

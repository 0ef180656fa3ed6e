package records_test

import (
	"io"
	"slices"
	"testing"

	"gatehouse/internal/records"
)

func TestAWriterTellsHowManyRowsAreWritten(t *testing.T) {
	table, err := records.Parse(shareBodies()[1000])
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(records.View) error{
		"JSON":   func(v records.View) error { return table.WriteJSON(t.Context(), io.Discard, v) },
		"NDJSON": func(v records.View) error { return table.WriteNDJSON(t.Context(), io.Discard, v) },
		"CSV":    func(v records.View) error { return table.WriteCSV(t.Context(), io.Discard, v) },
	} {
		var told []int
		if err := write(records.View{Progress: func(rows int) { told = append(told, rows) }}); err != nil {
			t.Fatal(err)
		}
		if len(told) < 2 || !slices.IsSorted(told) || told[len(told)-1] > table.Len() {
			t.Errorf("%s: told of %v of %d rows", name, told, table.Len())
		}
	}
}

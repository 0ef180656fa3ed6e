package lists

import (
	"context"
	"testing"
	"time"
)

// Filter finds the rows of a query as a person types it, among some rows; nil are all.
func (t *Table) Filter(ctx context.Context, query string, rows []int32) ([]int32, error) {
	s := t.Search(t.Query(query, Asker{Now: time.Now()}), rows)
	err := s.lookAt(ctx, len(s.rows))
	return s.found, err
}

func mustParse(t *testing.T, body []byte) *Table {
	t.Helper()
	table, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Defuse is what a cell has in CSV.
func Defuse(kind Kind, text string) string { return string(defuse(kind, []byte(text))) }

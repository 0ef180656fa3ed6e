package records

import (
	"context"
	"time"
)

// Filter finds the rows of a query as a person types it, among some rows; nil are all.
func (t *Table) Filter(ctx context.Context, query string, rows []int32) ([]int32, error) {
	return t.find(ctx, t.Query(query, time.Now()), rows)
}

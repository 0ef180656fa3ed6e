package records_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"gatehouse/internal/records"
)

func TestWorkOnLongRecordsStopsWhenTheContextEnds(t *testing.T) {
	const rows = 24
	table := parse(t, strings.Repeat(`{"note":"`+strings.Repeat("so long ", 64<<10)+`"}`, rows))
	works := []struct {
		name string
		do   func(ctx context.Context) error
	}{
		{"Filter", func(ctx context.Context) error { _, err := table.Filter(ctx, "note>z", nil); return err }},
		{"Group", func(ctx context.Context) error { _, err := table.Group(ctx, nil, 0, 1); return err }},
		{"Kinds", func(ctx context.Context) error { _, err := table.Kinds(ctx); return err }},
		{"Sort", func(ctx context.Context) error { return table.Sort(ctx, allRows(table), 0, false) }},
		{"Sum", func(ctx context.Context) error { _, err := table.Sum(ctx, nil, 0); return err }},
		{"WriteCSV", func(ctx context.Context) error { return table.WriteCSV(ctx, io.Discard, records.View{}) }},
	}
	for _, work := range works {
		t.Run(work.name, func(t *testing.T) {
			if err := work.do(newEndingContext(t, 5)); !errors.Is(err, context.Canceled) {
				t.Errorf("the context was looked at no more than 5 times (%v)", err)
			}
		})
	}
}

package lists_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gatehouse/internal/lists"
)

func TestASumIsExactAtAnyLength(t *testing.T) {
	for body, want := range map[string]lists.Sum{
		`[{"DiskUsage":1},{"DiskUsage":2},{"DiskUsage":null},{},{"DiskUsage":"3"}]`:                           {Total: "3", Rows: 2},
		`[{"DiskUsage":18446744073709551615},{"DiskUsage":18446744073709551615},{"DiskUsage":2}]`:             {Total: "36893488147419103232", Rows: 3},
		`[{"DiskUsage":123456789012345678901234567890},{"DiskUsage":1}]`:                                      {Total: "123456789012345678901234567891", Rows: 2},
		`[{"DiskUsage":9007199254740993},{"DiskUsage":-9007199254740992},{"DiskUsage":1.5},{"DiskUsage":[]}]`: {Total: "1", Rows: 2},
		"[" + strings.Repeat(`{"DiskUsage":9223372036854775807},`, 9_999) + `{"DiskUsage":1}]`:                {Total: "92224496996510903294194", Rows: 10_000},
	} {
		got, err := parse(t, body).Sum(t.Context(), nil, 0)
		if err != nil || got != want {
			t.Errorf("%.80s: %v, %v; want %v", body, got, err, want)
		}
	}
	table := parse(t, `[{"DiskUsage":1},{"DiskUsage":20},{"DiskUsage":300}]`)
	if got, err := table.Sum(t.Context(), []int32{2, 0}, 0); err != nil || got != (lists.Sum{Total: "301", Rows: 2}) {
		t.Errorf("of some rows: %v, %v", got, err)
	}
	if _, err := table.Sum(cancelled(t), nil, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a sum that is cancelled: %v", err)
	}
	if _, ok := parse(t, `[{"Name":"x"}]`).SizeColumn(); ok {
		t.Error("a list without sizes has a column of them")
	}
}

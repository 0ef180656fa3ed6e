package lists_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

func TestFilterFindsEveryWordInDecodedValues(t *testing.T) {
	const body = `[
		{"Name":"Annual Report","Owner":"ann@x.example","Size":12345678901234567890},
		{"Name":"\u6771\u4eac Office","Owner":"Bo","Tags":["Red",{"Deep":"Ocean"}]},
		{"Name":"東京　支社","Active":true,"Deleted":null},
		{"Name":"ΟΔΟΣ","Note":"tab\there \"quoted\" back\\slash"},
		"İstanbul Straße \u212Aelvin",
		{"Empty":"","Name":null}
	]`
	tests := []struct {
		name, query string
		want        []int32
	}{
		{"no query", "", []int32{0, 1, 2, 3, 4, 5}},
		{"only spaces", " \t\u3000", []int32{0, 1, 2, 3, 4, 5}},
		{"without case", "ANNUAL", []int32{0}},
		{"inside a word", "nua", []int32{0}},
		{"all words in any order and member", "example report", []int32{0}},
		{"one word missing", "report office", []int32{}},
		{"escaped and plain", "東京", []int32{1, 2}},
		{"half of a character", "京", []int32{1, 2}},
		{"words parted by a wide space", "支社\u3000東京", []int32{2}},
		{"digits of a long number", "901234567890", []int32{0}},
		{"inside arrays", "ocean red", []int32{1}},
		{"booleans", "TRUE", []int32{2}},
		{"not in names", "Owner", []int32{}},
		{"not in nested names", "Deep", []int32{}},
		{"not in nulls", "null", []int32{}},
		{"not in punctuation", `{`, []int32{}},
		{"not in commas", `,`, []int32{}},
		{"not in escapes", `u6771`, []int32{}},
		{"decoded quotes", `"quoted"`, []int32{3}},
		{"decoded backslash", `BACK\slash`, []int32{3}},
		{"not across values", "Reportann", []int32{}},
		{"final sigma", "οδος", []int32{3}},
		{"dotted capital i", "istanbul", []int32{4}},
		{"kelvin sign", "kelvin", []int32{4}},
		{"capital sharp s", "STRAẞE", []int32{4}},
	}
	table := parse(t, body)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, filter(t, table, test.query, nil)); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFilterKeepsTheOrderAndTheRowsItWasGiven(t *testing.T) {
	table := parse(t, `["a1","b","a2","a3"]`)
	rows := []int32{3, 1, 0}
	if diff := cmp.Diff([]int32{3, 0}, filter(t, table, "a", rows)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int32{3, 1, 0}, rows); diff != "" {
		t.Errorf("the given rows changed (-want +got):\n%s", diff)
	}
	all := filter(t, table, "", rows)
	all[0] = 9
	if rows[0] != 3 {
		t.Error("an empty query returns the slice it was given, want a new one")
	}
}

func filter(t testing.TB, table *lists.Table, query string, rows []int32) []int32 {
	t.Helper()
	found, err := table.Filter(t.Context(), query, rows)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// endingContext ends after its error was asked for a number of times.
type endingContext struct {
	context.Context
	checks atomic.Int64
}

func newEndingContext(t *testing.T, checks int64) *endingContext {
	ctx := &endingContext{Context: t.Context()}
	ctx.checks.Store(checks)
	return ctx
}

func (c *endingContext) Err() error {
	if c.checks.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

package records_test

import (
	"testing"

	"gatehouse/internal/records"
)

func TestCellsTellTheirKindAndText(t *testing.T) {
	tests := []struct {
		raw  string
		kind records.Kind
		text string
	}{
		{`null`, records.Null, "null"},
		{`""`, records.String, ""},
		{`"plain"`, records.String, "plain"},
		{`"\u6771\u4eac \"q\" \\ \/ \n"`, records.String, "東京 \"q\" \\ / \n"},
		{`"\ud83d\ude00"`, records.String, "😀"},
		{`"\ud83d lone"`, records.String, "\uFFFD lone"},
		{"\"bad \xff\"", records.String, "bad \uFFFD"},
		{`123456789012345678901`, records.Number, "123456789012345678901"},
		{`1e400`, records.Number, "1e400"},
		{`-0.10`, records.Number, "-0.10"},
		{`true`, records.Bool, "true"},
		{`false`, records.Bool, "false"},
		{`[ ]`, records.Array, "[0]"},
		{`[1, [2, 3], {"a": [4, 5]}]`, records.Array, "[3]"},
		{`{ }`, records.Object, "{}"},
	}
	for _, test := range tests {
		cell := parse(t, `[{"c":`+test.raw+`}]`).Cell(0, 0)
		if cell.Kind() != test.kind || cell.Text() != test.text || string(cell.Raw()) != test.raw {
			t.Errorf("%s: kind %d, text %q, raw %s; want kind %d, text %q", test.raw, cell.Kind(), cell.Text(), cell.Raw(), test.kind, test.text)
		}
	}
}

func TestMissingNullAndEmptyAreDifferent(t *testing.T) {
	table := parse(t, `[{"c":""},{"c":null},{}]`)
	for row, want := range []records.Kind{records.String, records.Null, records.Missing} {
		if got := table.Cell(row, 0).Kind(); got != want {
			t.Errorf("row %d is of kind %d, want %d", row, got, want)
		}
	}
	if missing := table.Cell(2, 0); missing.Text() != "" || missing.Raw() != nil {
		t.Errorf("a missing cell is %q, raw %q; want nothing", missing.Text(), missing.Raw())
	}
}

package lists_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/safetext"
)

// longLists are lists of a size that are made to keep their reader busy.
func longLists(size int) map[string]string {
	list := func(item func(i int) string) string { return "[" + testkit.Items(size, item) + "]" }
	nested := func(depth int, name, inner string) string {
		return strings.Repeat(`{"`+name+`":`, depth) + inner + strings.Repeat("}", depth)
	}
	text := strings.Repeat("x", 480)
	return map[string]string{
		"tiny records":           list(func(int) string { return "1" }),
		"empty objects":          list(func(int) string { return "{}" }),
		"a column a record":      list(func(i int) string { return fmt.Sprintf(`{"k%d":1}`, i) }),
		"columns of one record":  `[{` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"k%d":"%s"`, i, text) }) + `}]`,
		"columns in disorder":    `[{"b":1,"a":2},{"a":1,"b":2},{` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"k%d":1`, 2000-i%2000) }) + `}]`,
		"one member, many times": `[{` + testkit.Items(size, func(int) string { return `"k":1` }) + `}]`,
		"deep lists":             list(func(int) string { return strings.Repeat("[", 9000) + strings.Repeat("]", 9000) }),
		"deep objects":           list(func(int) string { return nested(5000, "a", "1") }),
		"deep columns":           list(func(i int) string { return nested(60, "a", fmt.Sprintf(`{"k%d":1}`, i)) }),
		"long names":             list(func(i int) string { return nested(60, text[:60], fmt.Sprintf(`{"k%d":1}`, i)) }),
		"one long text":          `[{"Name":"` + testkit.Fill(size, "x") + `"}]`,
		"one long number":        `[{"Name":"a","DiskUsage":` + testkit.Fill(size, "9") + `}]`,
		"combining marks":        `[{"Name":"` + testkit.Fill(size, "\u0301") + `"}]`,
		"emoji without end":      `[{"Name":"` + testkit.Fill(size, "👩\u200d") + `"}]`,
		"flags":                  `[{"Name":"` + testkit.Fill(size, "\U0001F1E6") + `"}]`,
		"turned text":            `[{"Name":"` + testkit.Fill(size, "\u202e") + `"}]`,
		"escapes":                `[{"Name":"` + testkit.Fill(size, `\u001b`) + `"}]`,
		"many lists":             `{` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"k%d":[1]`, i) }) + `}`,
		"lines":                  testkit.Fill(size, "{\"a\":1}\n"),
	}
}

func TestALongListKeepsNobodyWaiting(t *testing.T) {
	size, limit := testkit.LongAnswer(t)
	for name, body := range longLists(size) {
		t.Run(name, func(t *testing.T) {
			stream := lists.NewStream(-1)
			testkit.RequireCPU(t, limit, "reading it", func() {
				if _, err := stream.ReadFrom(strings.NewReader(body)); err != nil {
					t.Fatal(err)
				}
			})
			table, view := stream.Table(), lists.View{Style: lists.Style{Clean: safetext.Line}}
			for what, work := range map[string]func() error{
				"JSON":  func() error { return table.Write(t.Context(), io.Discard, lists.AsJSON, view) },
				"lines": func() error { return table.Write(t.Context(), io.Discard, lists.AsNDJSON, view) },
				"CSV":   func() error { return table.Write(t.Context(), io.Discard, lists.AsCSV, view) },
				"XLSX":  func() error { return table.Write(t.Context(), io.Discard, lists.AsXLSX, view) },
				"find": func() error {
					_, err := table.Find(t.Context(), table.Query("zzz | disk>1", lists.Asker{}))
					return err
				},
				"sort": func() error { return sortByAll(t.Context(), table) },
				"columns": func() error {
					table.DisplayColumns()
					return nil
				},
			} {
				testkit.RequireCPU(t, limit, what, func() {
					if err := work(); err != nil {
						t.Errorf("%s: %v", what, err)
					}
				})
			}
		})
	}
}

// sortByAll sorts all rows by the first and the last column.
func sortByAll(ctx context.Context, table *lists.Table) error {
	names := table.Columns()
	if len(names) == 0 {
		return nil
	}
	keys, err := table.SortKeys(names[0] + ",-" + names[len(names)-1])
	if unclear := (*lists.ColumnError)(nil); errors.As(err, &unclear) {
		return nil // a name that means several columns, or none
	}
	rows := make([]int32, table.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	return errors.Join(err, table.SortBy(ctx, rows, keys...))
}

// stopped ends a context with its first write, and notes how much came after that.
type stopped struct {
	cancel context.CancelFunc
	writes int
}

func (s *stopped) Write(p []byte) (int, error) {
	s.cancel()
	s.writes++
	return len(p), nil
}

func TestWritingWideRecordsEndsWithItsContext(t *testing.T) {
	stream := lists.NewStream(-1)
	if _, err := stream.ReadFrom(strings.NewReader(longLists(1 << 20)["a column a record"])); err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(ctx context.Context, w io.Writer) error{
		"CSV": func(ctx context.Context, w io.Writer) error {
			return stream.Table().Write(ctx, w, lists.AsCSV, lists.View{})
		},
		"JSON": func(ctx context.Context, w io.Writer) error {
			return stream.Table().Write(ctx, w, lists.AsJSON, lists.View{})
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		out := &stopped{cancel: cancel}
		testkit.RequireCPU(t, 200*time.Millisecond, name, func() {
			if err := write(ctx, out); !errors.Is(err, context.Canceled) || out.writes != 1 {
				t.Errorf("%s: %d writes, %v", name, out.writes, err)
			}
		})
	}
}

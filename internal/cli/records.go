package cli

import (
	"context"
	"io"

	"gatehouse/api"
	"gatehouse/internal/records"
)

// printRecords reads a list of any shape to its end and prints its records;
// kind names them, as in "shares".
func (a *app) printRecords(ctx context.Context, kind string, body *api.Body) error {
	text, err := body.ReadAll()
	if err != nil {
		return err
	}
	table, err := records.Parse(text)
	if err != nil {
		return body.Unreadable(err)
	}
	if table.Truncated() && a.format() != formatJSON {
		a.say("gatehouse: the %s have more than %d columns, or longer names than a column can have; -o json has all.", kind, records.MaxColumns)
	}
	empty := "No " + kind + "."
	if message := table.Message(); message != "" {
		empty += " The service says: " + message
	}
	return a.print(ctx, result{
		json:  func(out io.Writer) error { return table.WriteJSON(ctx, out, records.View{}) },
		csv:   recordSheet{table},
		table: newRecordGrid(table),
		empty: empty,
	})
}
